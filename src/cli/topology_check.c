/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast topology --check: what a wiring promises, measured. */
#include <inttypes.h>

#include "src/cli/topology.h"

static hf_json *json_number(uint32_t value) { return value == HF_NONE ? hf_json_null() : hf_json_integer(value); }

static hf_json *json_stage(const hf_wiring_stage *s) {
    hf_json *o = hf_json_object(), *expansion = hf_json_array();
    hf_json_set(o, "class_size", hf_json_integer(s->class_size));
    hf_json_set(o, "fanout_least", hf_json_integer(s->fanout_least));
    hf_json_set(o, "fanout_most", hf_json_integer(s->fanout_most));
    hf_json_set(o, "fanout_limit", hf_json_integer(s->most));
    for (uint32_t k = 0; k < HF_EXPANSION_MAX; k++) {
        hf_json_push(expansion, s->expansion[k] ? hf_json_integer(s->expansion[k]) : hf_json_null());
    }
    hf_json_set(o, "expansion", expansion);
    return o;
}

static hf_status print_json(const cli *c, const hf_topology *topo, const hf_wiring *w) {
    hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object(),
            *stages = hf_json_array();
    hf_json_set(spec, "topology", hf_json_text(topo->spec));
    hf_json_set(root, "spec", spec);
    hf_json_set(row, "connected", hf_json_boolean(w->is_connected));
    for (uint32_t s = 0; s < w->n_stage; s++) {
        hf_json_push(stages, json_stage(&w->stage[s]));
    }
    hf_json_set(row, "stages", stages);
    hf_json_set(row, "fanout_maximal_to", json_number(w->full_to));
    hf_json_set(row, "fanout_possible_to", json_number(w->can_to));
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}

static hf_status print_stages(const cli *c, const hf_wiring *w, hf_text *out) {
    static const char *const header[] = {"stage", "routers a class", "fanout least", "most", "limit", "1 router leads to", "2",
                                         "3"};
    static const bool is_number[] = {true, true, true, true, true, true, true, true};
    cli_table t;
    HF_TRY(cli_table_start(c->cx, &t, header, is_number, sizeof header / sizeof *header, w->n_stage));
    for (uint32_t s = 0; s < w->n_stage; s++) {
        const hf_wiring_stage *stage = &w->stage[s];
        const uint32_t number[] = {s, stage->class_size, stage->fanout_least, stage->fanout_most, stage->most};
        for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
            HF_TRY(cli_table_cell(c->cx, &t, "%" PRIu32, number[i]));
        }
        for (uint32_t k = 0; k < HF_EXPANSION_MAX; k++) {
            const uint32_t n = stage->expansion[k];
            HF_TRY(n ? cli_table_cell(c->cx, &t, "%" PRIu32, n) : cli_table_cell(c->cx, &t, "-"));
        }
    }
    return hf_table_text(c->cx, &t.table, out);
}

static hf_status print_text(const cli *c, const hf_topology *topo, const hf_wiring *w) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "%s\nevery pair connected: %s\n", topo->spec, w->is_connected ? "yes" : "no");
    hf_status status = HF_OK;
    if (w->n_stage) {
        if (w->full_to == HF_NONE) {
            hf_text_print(&out, "fanout maximal: in no stage");
        } else {
            hf_text_print(&out, "fanout maximal: up to stage %" PRIu32, w->full_to);
        }
        hf_text_print(&out, " (possible up to stage %" PRIu32 ")\n", w->can_to);
        hf_text_print(
            &out, "fanout: routers on the paths of a pair; sets of 1, 2 and 3 routers of a class lead, in one direction, to at "
                  "least:\n\n");
        status = print_stages(c, w, &out);
    }
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

hf_status topology_check(const cli *c, const hf_topology *topo, bool *ok) {
    hf_wiring w;
    HF_TRY(hf_wiring_check(c->cx, topo, &w));
    *ok = w.is_connected;
    return cli_has(c, "json") ? print_json(c, topo, &w) : print_text(c, topo, &w);
}
