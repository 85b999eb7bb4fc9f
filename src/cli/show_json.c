/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show --json. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/cli/show.h"

static hf_json *json_node(const hf_topology *topo, uint32_t node) {
    char name[HF_NAME_SIZE];
    hf_topology_node_name(topo, node, name, sizeof name);
    return hf_json_text(name);
}

/* Registers are those of trees, which no file names. */
static void push_register(void *user, uint32_t sw, uint32_t port, const hf_register *r) {
    hf_json *o = hf_json_object();
    char name[32];
    snprintf(name, sizeof name, "s%" PRIu32, sw);
    hf_json_set(o, "switch", hf_json_text(name));
    hf_json_set(o, "port", hf_json_integer(port));
    hf_json_set(o, "register", hf_json_text(r->name));
    hf_json_set(o, "index", hf_json_integer(r->index));
    hf_json_set(o, "low", hf_json_integer(r->value.lo));
    hf_json_set(o, "high", hf_json_integer(r->value.hi));
    hf_json_push(user, o);
}

static hf_json *json_victims(const show *s) {
    hf_json *list = hf_json_array();
    for (size_t i = 0; i < s->n_victim; i++) {
        hf_json *o = hf_json_object();
        hf_json_set(o, "switch", json_node(s->net.topo, s->victim[i].sw));
        hf_json_set(o, "port", hf_json_integer(s->victim[i].port));
        hf_json_set(o, "destination", json_node(s->net.topo, s->net.topo->n_switch + s->victim[i].destination));
        hf_json_push(list, o);
    }
    return list;
}

static hf_json *json_cut_off(const show *s) {
    hf_json *list = hf_json_array();
    for (uint32_t t = 0; t < s->net.topo->n_terminal; t++) {
        if (hf_bit_test(s->cut, t)) {
            hf_json_push(list, json_node(s->net.topo, s->net.topo->n_switch + t));
        }
    }
    return list;
}

static hf_json *json_pairs(const show *s) {
    hf_json *list = hf_json_array();
    for (uint32_t from = 0; from < s->net.topo->n_terminal; from++) {
        for (uint32_t to = 0; to < s->net.topo->n_terminal; to++) {
            if (show_is_bad_pair(s, from, to)) {
                hf_json *pair = hf_json_array();
                hf_json_push(pair, json_node(s->net.topo, s->net.topo->n_switch + from));
                hf_json_push(pair, json_node(s->net.topo, s->net.topo->n_switch + to));
                hf_json_push(list, pair);
            }
        }
    }
    return list;
}

static void json_measures(const show *s, hf_json *row) {
    if (s->is_summary) {
        const hf_measure *m = &s->measure;
        hf_json_set(row, "victims_sum", m->has_victims ? hf_json_integer((int64_t)m->victims) : hf_json_null());
        hf_json_set(row, "lost_paths_sum", m->has_lost_paths ? hf_json_integer((int64_t)m->lost_paths) : hf_json_null());
        return;
    }
    hf_json_set(row, "pairs", hf_json_integer((int64_t)s->verdict.pairs));
    hf_json_set(row, "unserved", hf_json_integer((int64_t)s->verdict.unserved));
    hf_json_set(row, "unsafe", hf_json_integer((int64_t)s->verdict.unsafe));
    hf_json_set(row, "terminals_in_service", hf_json_integer(s->verdict.live));
    hf_json_set(row, "terminals_needed", hf_json_integer(s->verdict.least));
    hf_json_set(row, "cut_off", json_cut_off(s));
    hf_json_set(row, "bad_pairs", json_pairs(s));
    hf_json_set(row, "victims", json_victims(s));
}

static void push_link(const show *s, uint32_t link, hf_json *list) {
    char name[HF_NAME_SIZE];
    hf_topology_link_name(s->net.topo, link, name, sizeof name);
    hf_json_push(list, hf_json_text(name));
}

/* Links of f-rings, or of the trees that a safe ring goes along. */
static hf_json *json_ring(const show *s, const hf_marks *marks) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < s->net.topo->n_link; i++) {
        if ((marks->ring_link && hf_bit_test(marks->ring_link, i)) || (marks->tree_link && hf_bit_test(marks->tree_link, i))) {
            push_link(s, i, list);
        }
    }
    return list;
}

static hf_json *json_switches(const show *s, const uint64_t *set) {
    hf_json *list = hf_json_array();
    for (uint32_t v = 0; set && v < s->net.topo->n_switch; v++) {
        if (hf_bit_test(set, v)) {
            hf_json_push(list, json_node(s->net.topo, v));
        }
    }
    return list;
}

/* The hops of safe rings: [number, channel], by channel. */
static hf_json *json_hops(const show *s, const uint32_t *tour) {
    hf_json *list = hf_json_array();
    char name[HF_NAME_SIZE];
    for (uint32_t c = 0; tour && c < s->net.topo->n_channel; c++) {
        if (tour[c]) {
            hf_json *hop = hf_json_array();
            hf_topology_channel_name(s->net.topo, c, name, sizeof name);
            hf_json_push(hop, hf_json_integer(tour[c]));
            hf_json_push(hop, hf_json_text(name));
            hf_json_push(list, hop);
        }
    }
    return list;
}

static hf_status json_marks(const show *s, hf_json *row) {
    hf_marks marks = {.faults = &s->faults};
    HF_TRY(s->net.has_rule ? hf_plan_mark(s->c->cx, &s->plan, &marks) : HF_OK);
    hf_json *all = hf_json_object();
    hf_json_set(all, "ring", json_ring(s, &marks));
    hf_json_set(all, "roots", json_switches(s, marks.root_switch));
    hf_json_set(all, "hops", json_hops(s, marks.tour));
    hf_json_set(all, "out_of_service", json_switches(s, marks.off_switch));
    hf_json_set(all, "north_first", hf_json_boolean(marks.is_north_first));
    hf_json_set(row, "marks", all);
    return HF_OK;
}

static hf_json *json_spec(const show *s) {
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(s->net.topo->spec));
    hf_json_set(spec, "routing", s->net.has_rule ? hf_json_text(s->net.rule.spec) : hf_json_null());
    hf_json_set(spec, "universe", s->net.universe ? hf_json_text(s->net.universe->spec) : hf_json_null());
    hf_json_set(spec, "criterion", hf_json_text(s->criterion.spec));
    return spec;
}

static hf_status json_plan(const show *s, hf_json *row) {
    hf_json *registers = hf_json_array();
    const show_registers walk = {s, cli_has(s->c, "registers"), push_register, registers};
    hf_json_set(row, "tolerated", hf_json_boolean(s->verdict.tolerated));
    json_measures(s, row);
    const hf_status status = show_walk_registers(&walk);
    hf_json_set(row, "registers", registers);
    return status == HF_OK ? json_marks(s, row) : status;
}

hf_status show_print_json(const show *s) {
    hf_json *root = cli_json(s->c), *rows = hf_json_array(), *row = hf_json_object(), *failed = hf_json_array();
    hf_json_set(root, "spec", json_spec(s));
    for (size_t i = 0; i < s->n_failed; i++) {
        hf_json_push(failed, hf_json_text(s->failed[i]));
    }
    hf_json_set(row, "failed", failed);
    if (cli_has(s->c, "sacrifice")) {
        hf_json_set(row, "fewest", show_fewest_json(&s->faults, &s->fewest));
    }
    const hf_status status = s->net.has_rule ? json_plan(s, row) : HF_OK;
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    if (status != HF_OK) {
        hf_json_free(root);
        return status;
    }
    return cli_put_json(s->c, root);
}
