/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast bound: how many faults are always tolerated, with a certificate that can be checked again. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/bound_fewest.h"
#include "src/cli/commands.h"

enum { FILE_LIMIT = 256 << 20 };

/* ---- certificate to JSON and back ---- */

static hf_json *json_names(const hf_universe *u, const uint32_t *component, uint32_t n) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < n; i++) {
        char name[80];
        hf_universe_name(u, component[i], name, sizeof name);
        hf_json_push(list, hf_json_text(name));
    }
    return list;
}

/* Classes by component, run-length coded: [class, length, class, length, ...]. */
static hf_json *json_classes(const hf_bound *b) {
    hf_json *runs = hf_json_array();
    for (uint32_t i = 0; i < b->n_component;) {
        uint32_t end = i;
        while (end < b->n_component && b->class_of[end] == b->class_of[i]) {
            end++;
        }
        hf_json_push(runs, hf_json_integer(b->class_of[i]));
        hf_json_push(runs, hf_json_integer(end - i));
        i = end;
    }
    return runs;
}

static hf_json *json_bound(const cli *c, const cli_network *net, const hf_bound *b) {
    hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(b->topology));
    hf_json_set(spec, "routing", hf_json_text(b->routing));
    hf_json_set(spec, "universe", hf_json_text(b->universe));
    hf_json_set(root, "spec", spec);
    hf_json_set(row, "tolerated_faults", hf_json_integer((int64_t)b->n_class - 1));
    hf_json_set(row, "components", hf_json_integer(b->n_component));
    hf_json_set(row, "classes", hf_json_integer(b->n_class));
    hf_json_set(row, "class_runs", json_classes(b));
    hf_json_set(row, "witness", json_names(net->universe, b->witness, b->n_witness));
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return root;
}

static hf_status malformed(const cli *c, const char *file, const char *need) {
    HF_FAIL(c->cx, HF_EINVAL, "%s: not a certificate of `holdfast bound`; need %s", file, need);
}

static hf_status read_classes(const cli *c, const char *file, const hf_json *runs, hf_bound *b) {
    HF_TRY(hf_allocate(c->cx, b->n_component, sizeof *b->class_of, (void **)&b->class_of));
    uint32_t at = 0;
    for (size_t i = 0; i + 1 < hf_json_count(runs); i += 2) {
        int64_t class_id, length;
        if (!hf_json_whole(hf_json_at(runs, i), &class_id) || !hf_json_whole(hf_json_at(runs, i + 1), &length) || class_id < 0 ||
            class_id >= HF_NONE || length < 1 || length > (int64_t)b->n_component - at) {
            return malformed(c, file, "class_runs with pairs of class and length");
        }
        for (int64_t x = 0; x < length; x++) {
            b->class_of[at++] = (uint32_t)class_id;
        }
    }
    return at == b->n_component && hf_json_count(runs) % 2 == 0 ? HF_OK
                                                                : malformed(c, file, "class_runs that cover every component");
}

static hf_status read_witness(const cli *c, const char *file, const cli_network *net, const hf_json *names, hf_bound *b) {
    hf_text text;
    hf_text_init(c->cx, &text);
    for (size_t i = 0; i < hf_json_count(names); i++) {
        const char *name = hf_json_string(hf_json_at(names, i));
        hf_text_print(&text, "%s ", name ? name : "?");
    }
    hf_text_append(&text, "", 0);
    hf_fault_set faults;
    hf_status status = hf_text_check(c->cx, &text);
    if (status == HF_OK) {
        status = hf_fault_set_parse(c->cx, net->topo, net->universe, text.data, &faults);
    }
    hf_text_free(&text);
    if (status != HF_OK) {
        hf_context_prefix(c->cx, "%s, witness: ", file);
        return status;
    }
    b->n_witness = faults.n_component;
    HF_TRY(hf_allocate(c->cx, b->n_witness, sizeof *b->witness, (void **)&b->witness));
    if (b->n_witness) {
        memcpy(b->witness, faults.component, b->n_witness * sizeof *b->witness);
    }
    return HF_OK;
}

static hf_status read_bound(const cli *c, const char *file, const hf_json *root, cli_network *net, hf_bound *b) {
    const hf_json *spec = hf_json_get(root, "spec"), *row = hf_json_at(hf_json_get(root, "rows"), 0);
    const char *topology = hf_json_string(hf_json_get(spec, "topology")), *routing = hf_json_string(hf_json_get(spec, "routing")),
               *universe = hf_json_string(hf_json_get(spec, "universe"));
    int64_t classes, components;
    if (!topology || !routing || !universe) {
        return malformed(c, file, "\"spec\" with topology, routing and universe");
    }
    if (!hf_json_whole(hf_json_get(row, "classes"), &classes) || !hf_json_whole(hf_json_get(row, "components"), &components) ||
        classes < 1 || classes >= HF_NONE) {
        return malformed(c, file, "a row with classes and components");
    }
    HF_TRY(cli_network_open(c, topology, routing, universe, NULL, net));
    if (components != net->universe->n_component) {
        return malformed(c, file, "as many components as the universe has");
    }
    b->allocator = *hf_context_allocator(c->cx);
    b->n_class = (uint32_t)classes;
    b->n_component = net->universe->n_component;
    HF_TRY(hf_duplicate(c->cx, topology, &b->topology));
    HF_TRY(hf_duplicate(c->cx, routing, &b->routing));
    HF_TRY(hf_duplicate(c->cx, universe, &b->universe));
    HF_TRY(read_classes(c, file, hf_json_get(row, "class_runs"), b));
    return read_witness(c, file, net, hf_json_get(row, "witness"), b);
}

/* ---- making and checking ---- */

static hf_status put_verdict(const cli *c, const hf_bound *b, bool ok, const char *reason) {
    hf_text out;
    hf_text_init(c->cx, &out);
    if (ok) {
        hf_text_print(&out,
                      "confirmed: %s with %s tolerates every set of up to %" PRIu32
                      " faults among %s, and not every set of %" PRIu32 "\n",
                      b->topology, b->routing, b->n_class - 1, b->universe, b->n_class);
    } else {
        hf_text_print(&out, "refuted: %s\n", reason);
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_status check_file(const cli *c, const char *file, bool *ok) {
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_json *root = NULL;
    cli_network net = {0};
    hf_bound *b = NULL;
    hf_status status;
    HF_TRY_DONE(hf_text_load(c->cx, file, FILE_LIMIT, &text));
    HF_TRY_DONE(hf_json_parse(c->cx, file, text.data, text.size, &root));
    HF_TRY_DONE(hf_allocate(c->cx, 1, sizeof *b, (void **)&b));
    b->allocator = *hf_context_allocator(c->cx);
    HF_TRY_DONE(read_bound(c, file, root, &net, b));
    HF_TRY_DONE(hf_bound_check(c->cx, net.universe, &net.rule, b, ok));
    char *reason;
    HF_TRY_DONE(hf_scratch_print(c->cx, &reason, "%s", hf_context_message(c->cx)));
    status = put_verdict(c, b, *ok, reason);
done:
    hf_bound_free(b);
    cli_network_free(&net);
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}

static hf_status make_bound(const cli *c, bool *ok) {
    const char *topology, *routing;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    cli_network net;
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "channels"), cli_value(c, "only"), &net));
    hf_bound *b = NULL;
    hf_status status;
    HF_TRY_DONE(hf_bound_make(c->cx, net.universe, &net.rule, &b));
    HF_TRY_DONE(hf_bound_check(c->cx, net.universe, &net.rule, b, ok));
    if (*ok && cli_has(c, "certificate")) {
        hf_json *root = json_bound(c, &net, b);
        hf_text text;
        hf_text_init(c->cx, &text);
        status = hf_json_print(c->cx, root, &text);
        status = status == HF_OK ? hf_text_save(c->cx, &text, cli_value(c, "certificate")) : status;
        hf_text_free(&text);
        hf_json_free(root);
        HF_TRY_DONE(status);
    }
    if (cli_has(c, "json")) {
        status = cli_put_json(c, json_bound(c, &net, b));
    } else {
        char *reason;
        HF_TRY_DONE(hf_scratch_print(c->cx, &reason, "%s", hf_context_message(c->cx)));
        status = put_verdict(c, b, *ok, reason);
    }
done:
    hf_bound_free(b);
    cli_network_free(&net);
    return status;
}

static int run(cli *c) {
    const char *file = cli_value(c, "check");
    bool ok = true;
    hf_status status;
    if (cli_has(c, "fewest") && !file) {
        status = bound_fewest(c);
    } else if (file && (cli_has(c, "fewest") || cli_has(c, "topology") || cli_has(c, "routing") || cli_has(c, "universe"))) {
        status = hf_context_fail(c->cx, HF_EINVAL, __FILE__, __LINE__,
                                 "--check takes everything from the certificate; leave the other options out");
    } else {
        status = file ? check_file(c, file, &ok) : make_bound(c, &ok);
    }
    return status != HF_OK ? cli_fail(c, status) : ok ? CLI_DONE : CLI_NO;
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=8,n=5"},
    {"routing", "SPEC", "the rule, such as ft2ei:intervals=1"},
    {"universe", "SPEC", "what can fail (default channels; with --fewest routers)"},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"fewest", NULL, "multipath networks: the fewest components that isolate a terminal, and that the policy does not tolerate"},
    {"certificate", "FILE", "write the certificate to FILE (JSON, docs/json.md)"},
    {"check", "FILE", "check a certificate again; status 1 if it is refuted"},
    {"json", NULL, "print the certificate as JSON"},
    {0},
};

const cli_command cli_bound = {
    .name = "bound",
    .summary = "certify how many faults are always tolerated",
    .usage = "--topology SPEC --routing SPEC | --check FILE",
    .about = "Parts the components into classes such that a class without a fault serves every pair alone, whatever fails\n"
             "elsewhere. With c classes every c-1 faults are tolerated; a set of c faults that is not tolerated shows that\n"
             "no more can be promised. Works where the sets are too many to walk.\n\n"
             "Examples:\n"
             "  holdfast bound --topology kary-tree:k=8,n=5 --routing ft2ei:intervals=1 --certificate bound.json\n"
             "  holdfast bound --fewest --topology maximal-fanout:radix=2,stages=4 --routing multipath:live=multi-hop",
    .options = options,
    .run = run,
};
