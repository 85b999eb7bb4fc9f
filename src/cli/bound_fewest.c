/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast bound --fewest: exact minima on multipath networks. */
#include "src/cli/bound_fewest.h"

#include <inttypes.h>
#include <stdio.h>

enum { LIMIT_S = 600 };

typedef struct minima {
    hf_fewest isolate, broken;
    cli_network net;
} minima;

/* A second opinion: the judge of campaigns on the set that was found. */
static hf_status confirm(const cli *c, const minima *m) {
    hf_criterion criterion;
    hf_judge *judge = NULL;
    hf_measure measure = {.tolerated = false};
    hf_status status;
    HF_TRY(hf_criterion_init(c->cx, "all-pairs", &criterion));
    HF_TRY_DONE(hf_judge_new(c->cx, m->net.universe, &m->net.rule, &criterion, &judge));
    for (uint32_t i = 0; i < m->broken.n; i++) {
        HF_TRY_DONE(judge->ops->push(c->cx, judge, m->broken.component[i]));
    }
    HF_TRY_DONE(judge->ops->read(c->cx, judge, &measure));
    if (measure.tolerated) {
        status = hf_context_fail(c->cx, HF_EINVAL, __FILE__, __LINE__,
                                 "the set that was found is tolerated after all: this is a defect");
    }
done:
    hf_judge_free(judge);
    return status;
}

static void print_set(const minima *m, const hf_fewest *f, hf_text *out) {
    for (uint32_t i = 0; i < f->n; i++) {
        char name[80];
        hf_universe_name(m->net.universe, f->component[i], name, sizeof name);
        hf_text_print(out, " %s", name);
    }
}

static hf_status print_text(const cli *c, const minima *m) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "%s, %s, faults among %" PRIu32 " %s\n", m->net.topo->spec, m->net.rule.spec,
                  m->net.universe->n_component, m->net.universe->spec);
    if (m->isolate.is_possible) {
        hf_text_print(&out, "fewest whose loss isolates a terminal: %" PRIu32 ":", m->isolate.n);
        print_set(m, &m->isolate, &out);
        hf_text_print(&out, " (t%" PRIu32 ")\n", m->isolate.source);
    } else {
        hf_text_print(&out, "fewest whose loss isolates a terminal: no set does\n");
    }
    if (m->broken.is_possible) {
        hf_text_print(&out, "fewest whose loss is not tolerated: %s%" PRIu32 ":", m->broken.is_exact ? "" : "at most ",
                      m->broken.n);
        print_set(m, &m->broken, &out);
        if (m->broken.source == HF_NONE) {
            hf_text_print(&out, " (fewer than two terminals stay in service)\n");
        } else {
            hf_text_print(&out, " (t%" PRIu32 " to t%" PRIu32 ")\n", m->broken.source, m->broken.destination);
        }
    } else {
        hf_text_print(&out, "fewest whose loss is not tolerated: %s\n",
                      m->broken.is_exact ? "every set is tolerated" : "not decided in time");
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_json *json_fewest(const minima *m, const hf_fewest *f) {
    hf_json *o = hf_json_object(), *names = hf_json_array();
    hf_json_set(o, "exact", hf_json_boolean(f->is_exact));
    hf_json_set(o, "possible", f->is_exact || f->is_possible ? hf_json_boolean(f->is_possible) : hf_json_null());
    hf_json_set(o, "components", f->is_possible ? hf_json_integer(f->n) : hf_json_null());
    for (uint32_t i = 0; i < f->n; i++) {
        char name[80];
        hf_universe_name(m->net.universe, f->component[i], name, sizeof name);
        hf_json_push(names, hf_json_text(name));
    }
    hf_json_set(o, "witness", names);
    return o;
}

static hf_status print_json(const cli *c, const minima *m) {
    hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(m->net.topo->spec));
    hf_json_set(spec, "routing", hf_json_text(m->net.rule.spec));
    hf_json_set(spec, "universe", hf_json_text(m->net.universe->spec));
    hf_json_set(root, "spec", spec);
    hf_json_set(row, "isolates", json_fewest(m, &m->isolate));
    hf_json_set(row, "not_tolerated", json_fewest(m, &m->broken));
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}

hf_status bound_fewest(const cli *c) {
    const char *topology, *routing;
    minima m = {0};
    hf_status status;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    if (cli_has(c, "certificate")) {
        HF_FAIL(c->cx, HF_EINVAL, "--fewest writes no certificate; leave --certificate out");
    }
    HF_TRY(cli_network_open(c, topology, routing, cli_value_or(c, "universe", "routers"), cli_value(c, "only"), &m.net));
    HF_TRY_DONE(hf_fewest_break(c->cx, m.net.universe, &m.net.rule, LIMIT_S, &m.broken));
    HF_TRY_DONE(hf_fewest_isolate(c->cx, m.net.universe, &m.isolate));
    if (m.broken.is_possible) {
        HF_TRY_DONE(confirm(c, &m));
    }
    status = cli_has(c, "json") ? print_json(c, &m) : print_text(c, &m);
done:
    cli_network_free(&m.net);
    return status;
}
