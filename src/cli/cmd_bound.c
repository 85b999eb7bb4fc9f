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

/* What a certificate holds, as borrowed JSON. */
typedef struct fields {
    const char *file;
    const hf_json *version, *topology, *routing, *universe, *tolerated, *components, *classes, *runs, *witness;
} fields;

static hf_status refuse(const cli *c, const fields *f, const char *what, const char *need) {
    HF_FAIL(c->cx, HF_EINVAL, "%s, %s is not right; need %s", f->file, what, need);
}

static hf_status read_frame(const cli *c, const hf_json *root, fields *f, const hf_json **spec, const hf_json **row) {
    const hf_json *schema, *command, *program, *name, *rows;
    const hf_json_field of_root[] = {{"schema", HF_JSON_WHOLE, &schema},
                                     {"command", HF_JSON_TEXT, &command},
                                     {"program", HF_JSON_OBJECT, &program},
                                     {"spec", HF_JSON_OBJECT, spec},
                                     {"rows", HF_JSON_ARRAY, &rows}};
    const hf_json_field of_program[] = {{"name", HF_JSON_TEXT, &name}, {"version", HF_JSON_TEXT, &f->version}};
    char *place;
    int64_t number;
    HF_TRY(hf_json_read(c->cx, f->file, root, of_root, sizeof of_root / sizeof *of_root));
    HF_TRY(hf_scratch_print(c->cx, &place, "%s, program", f->file));
    HF_TRY(hf_json_read(c->cx, place, program, of_program, 2));
    if (!hf_json_whole(schema, &number) || number != 1) {
        return refuse(c, f, "schema", "1");
    }
    if (strcmp(hf_json_string(command), c->command->name) != 0) {
        return refuse(c, f, "command", "bound");
    }
    if (strcmp(hf_json_string(name), "holdfast") != 0) {
        return refuse(c, f, "program.name", "holdfast");
    }
    *row = hf_json_at(rows, 0);
    return hf_json_count(rows) == 1 ? HF_OK : refuse(c, f, "rows", "one row");
}

static hf_status read_fields(const cli *c, const hf_json *root, fields *f) {
    const hf_json *spec, *row;
    const hf_json_field of_spec[] = {{"topology", HF_JSON_TEXT, &f->topology},
                                     {"routing", HF_JSON_TEXT, &f->routing},
                                     {"universe", HF_JSON_TEXT, &f->universe}};
    const hf_json_field of_row[] = {{"tolerated_faults", HF_JSON_WHOLE, &f->tolerated},
                                    {"components", HF_JSON_WHOLE, &f->components},
                                    {"classes", HF_JSON_WHOLE, &f->classes},
                                    {"class_runs", HF_JSON_ARRAY, &f->runs},
                                    {"witness", HF_JSON_ARRAY, &f->witness}};
    char *place;
    HF_TRY(read_frame(c, root, f, &spec, &row));
    HF_TRY(hf_scratch_print(c->cx, &place, "%s, spec", f->file));
    HF_TRY(hf_json_read(c->cx, place, spec, of_spec, sizeof of_spec / sizeof *of_spec));
    HF_TRY(hf_scratch_print(c->cx, &place, "%s, rows[0]", f->file));
    return hf_json_read(c->cx, place, row, of_row, sizeof of_row / sizeof *of_row);
}

/* Runs of a class and its length, no two of one class in a row. */
static hf_status read_classes(const cli *c, const fields *f, hf_bound *b) {
    const size_t n = hf_json_count(f->runs);
    int64_t last = -1;
    uint32_t at = 0;
    HF_TRY(hf_allocate(c->cx, b->n_component, sizeof *b->class_of, (void **)&b->class_of));
    for (size_t i = 0; i + 1 < n; i += 2) {
        int64_t class_id, length;
        if (!hf_json_whole(hf_json_at(f->runs, i), &class_id) || !hf_json_whole(hf_json_at(f->runs, i + 1), &length) ||
            class_id < 0 || class_id >= b->n_class || class_id == last || length < 1 || length > (int64_t)b->n_component - at) {
            return refuse(c, f, "rows[0].class_runs", "runs of a class and its length, no two of one class in a row");
        }
        for (int64_t x = 0; x < length; x++) {
            b->class_of[at++] = (uint32_t)class_id;
        }
        last = class_id;
    }
    return at == b->n_component && n % 2 == 0 ? HF_OK : refuse(c, f, "rows[0].class_runs", "runs that cover every component");
}

/* The component of a name as the program writes it. */
static hf_status read_component(const cli *c, const fields *f, const cli_network *net, const hf_json *name, uint32_t *out) {
    const char *text = hf_json_string(name);
    char canonical[80] = "";
    hf_fault_set faults = {.n_component = 0};
    const hf_status status = text ? hf_fault_set_parse(c->cx, net->topo, net->universe, text, &faults) : HF_OK;
    if (status != HF_OK) {
        hf_context_prefix(c->cx, "%s, rows[0].witness: ", f->file);
        return status;
    }
    if (faults.n_component == 1) {
        *out = faults.component[0];
        hf_universe_name(net->universe, *out, canonical, sizeof canonical);
    }
    return text && strcmp(text, canonical) == 0 ? HF_OK : refuse(c, f, "rows[0].witness", "names of components, one each");
}

static hf_status read_witness(const cli *c, const fields *f, const cli_network *net, hf_bound *b) {
    b->n_witness = (uint32_t)hf_json_count(f->witness);
    HF_TRY(hf_allocate(c->cx, b->n_witness, sizeof *b->witness, (void **)&b->witness));
    for (uint32_t i = 0; i < b->n_witness; i++) {
        HF_TRY(read_component(c, f, net, hf_json_at(f->witness, i), &b->witness[i]));
    }
    return HF_OK;
}

static hf_status read_bound(const cli *c, const fields *f, cli_network *net, hf_bound *b) {
    int64_t tolerated, classes, components;
    (void)hf_json_whole(f->tolerated, &tolerated);
    (void)hf_json_whole(f->classes, &classes);
    (void)hf_json_whole(f->components, &components);
    const char *topology = hf_json_string(f->topology), *routing = hf_json_string(f->routing),
               *universe = hf_json_string(f->universe);
    HF_TRY(cli_network_open(c, topology, routing, universe, NULL, net));
    b->n_component = net->universe->n_component;
    if (components != b->n_component) {
        return refuse(c, f, "rows[0].components", "as many as the universe has");
    }
    if (classes < 1 || classes > components) {
        return refuse(c, f, "rows[0].classes", "1 to as many as there are components");
    }
    if (tolerated != classes - 1) {
        return refuse(c, f, "rows[0].tolerated_faults", "one less than there are classes");
    }
    b->n_class = (uint32_t)classes;
    HF_TRY(hf_duplicate(c->cx, topology, &b->topology));
    HF_TRY(hf_duplicate(c->cx, routing, &b->routing));
    HF_TRY(hf_duplicate(c->cx, universe, &b->universe));
    HF_TRY(read_classes(c, f, b));
    return read_witness(c, f, net, b);
}

/* ---- making and checking ---- */

static hf_status put_verdict(const cli *c, const hf_bound *b, bool ok, const char *reason) {
    hf_text out;
    hf_text_init(c->cx, &out);
    if (ok) {
        hf_text_print(&out,
                      "confirmed: %s with %s tolerates every set of up to %" PRIu32
                      " fault%s among %s, and not every set of %" PRIu32 "\n",
                      b->topology, b->routing, b->n_class - 1, hf_plural(b->n_class - 1), b->universe, b->n_class);
    } else {
        hf_text_print(&out, "refuted: %s\n", reason);
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

/* A certificate of another version is about names and numbers of that version. */
static hf_status put_stranger(const cli *c, const fields *f) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "cannot be checked: version %.40s of the program wrote it; this is %s\n", hf_json_string(f->version),
                  hf_build_version());
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_status check_bound(const cli *c, const fields *f, hf_bound *b, int *exit_status) {
    cli_network net = {0};
    hf_status status;
    bool ok;
    char *reason;
    HF_TRY_DONE(read_bound(c, f, &net, b));
    HF_TRY_DONE(hf_bound_check(c->cx, net.universe, &net.rule, b, &ok));
    *exit_status = ok ? CLI_DONE : CLI_NO;
    HF_TRY_DONE(hf_scratch_print(c->cx, &reason, "%s", hf_context_message(c->cx)));
    status = put_verdict(c, b, ok, reason);
done:
    cli_network_free(&net);
    return status;
}

static hf_status check_file(const cli *c, const char *file, int *exit_status) {
    fields f = {.file = file};
    hf_json *root = NULL;
    hf_bound *b = NULL;
    hf_status status;
    hf_text text;
    hf_text_init(c->cx, &text);
    HF_TRY_DONE(hf_text_load(c->cx, file, FILE_LIMIT, &text));
    HF_TRY_DONE(hf_json_parse(c->cx, file, text.data ? text.data : "", text.size, &root));
    HF_TRY_DONE(read_fields(c, root, &f));
    if (strcmp(hf_json_string(f.version), hf_build_version()) != 0) {
        *exit_status = CLI_OPEN;
        status = put_stranger(c, &f);
        goto done;
    }
    HF_TRY_DONE(hf_allocate(c->cx, 1, sizeof *b, (void **)&b));
    b->allocator = *hf_context_allocator(c->cx);
    status = check_bound(c, &f, b, exit_status);
done:
    hf_bound_free(b);
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}

static hf_status make_bound(const cli *c, int *exit_status) {
    const char *topology, *routing;
    bool ok;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    cli_network net;
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "channels"), cli_value(c, "only"), &net));
    hf_bound *b = NULL;
    hf_status status;
    HF_TRY_DONE(hf_bound_make(c->cx, net.universe, &net.rule, &b));
    HF_TRY_DONE(hf_bound_check(c->cx, net.universe, &net.rule, b, &ok));
    *exit_status = ok ? CLI_DONE : CLI_NO;
    if (ok && cli_has(c, "certificate")) {
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
        status = put_verdict(c, b, ok, reason);
    }
done:
    hf_bound_free(b);
    cli_network_free(&net);
    return status;
}

static int run(cli *c) {
    static const char *const of_making[] = {"fewest", "topology", "routing", "universe", "only", "certificate", "json"};
    const char *file = cli_value(c, "check");
    int exit_status = CLI_DONE;
    bool makes = false;
    for (size_t i = 0; i < sizeof of_making / sizeof *of_making; i++) {
        makes |= cli_has(c, of_making[i]);
    }
    hf_status status;
    if (cli_has(c, "fewest") && !file) {
        status = bound_fewest(c);
    } else if (file && makes) {
        status = hf_context_fail(c->cx, HF_EINVAL, __FILE__, __LINE__,
                                 "--check takes everything from the certificate; leave the other options out");
    } else {
        status = file ? check_file(c, file, &exit_status) : make_bound(c, &exit_status);
    }
    return status != HF_OK ? cli_fail(c, status) : exit_status;
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=8,n=5"},
    {"routing", "SPEC", "the rule, such as ft2ei:intervals=1"},
    {"universe", "SPEC", "what can fail (default channels; with --fewest routers)"},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"fewest", NULL, "multipath networks: the fewest components that isolate a terminal, and that the policy does not tolerate"},
    {"certificate", "FILE", "write the certificate to FILE (JSON, docs/json.md)"},
    {"check", "FILE", "check a certificate again: status 0 confirmed, 1 refuted, 2 no certificate, 3 of another version"},
    {"json", NULL, "print the certificate as JSON"},
    {0},
};

const cli_command cli_bound = {
    .name = "bound",
    .summary = "certify how many faults are always tolerated",
    .usage = "--topology SPEC --routing SPEC | --check FILE",
    .about =
        "Parts the components into classes such that a class without a fault serves every pair alone, whatever fails\n"
        "elsewhere. With c classes every c-1 faults are tolerated; a set of c faults that is not tolerated shows that\n"
        "no more can be promised. Works where the sets are too many to walk.\n\n"
        "--fewest is of criterion all-pairs and takes no other: its programs cut a pair of terminals that the policy keeps in\n"
        "service. For other criteria walk the sets of size 1, 2, ... with holdfast tolerance.\n\n"
        "Examples:\n"
        "  holdfast bound --topology kary-tree:k=8,n=5 --routing ft2ei:intervals=1 --certificate bound.json\n"
        "  holdfast bound --fewest --topology maximal-fanout:radix=2,stages=4 --routing multipath:live=multi-hop",
    .options = options,
    .run = run,
};
