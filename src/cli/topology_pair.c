/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast topology --pair: the paths of two terminals, to be drawn or counted by stage. */
#include "src/cli/topology.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/bitset.h>

/* ---- reading ---- */

typedef struct place {
    uint32_t terminal;
    bool is_number;
} place;

static hf_status refuse(const cli *c, const hf_topology *topo, const char *text) {
    HF_FAIL(c->cx, HF_EINVAL,
            "--pair=%s is not right; need two terminals of \"%s\", from t0 to t%" PRIu32 ", such as t0,t%" PRIu32, text,
            topo->spec, topo->n_terminal - 1, topo->n_terminal - 1);
}

/* "16", "t16", or the label that a file gives. */
static hf_status read_place(const cli *c, const hf_topology *topo, const char *text, size_t size, place *out) {
    hf_slice at = {text, size};
    uint64_t value;
    bool fits;
    *out = (place){.is_number = hf_take_digits(&at, 10, &value, &fits) && at.size == 0};
    if (out->is_number) {
        out->terminal = (uint32_t)value;
        return value <= topo->n_terminal ? HF_OK : refuse(c, topo, cli_value(c, "pair"));
    }
    char type = 0;
    const hf_status status = size ? hf_topology_parse_name(c->cx, topo, text, size, &type, &out->terminal) : HF_EINVAL;
    return status == HF_OK && type == 't' ? HF_OK : refuse(c, topo, cli_value(c, "pair"));
}

static hf_status read_pair(const cli *c, const hf_topology *topo, topology_pair *p) {
    const char *text = cli_value(c, "pair"), *comma = strchr(text, ',');
    place a, b;
    if (!comma) {
        return refuse(c, topo, text);
    }
    HF_TRY(read_place(c, topo, text, (size_t)(comma - text), &a));
    HF_TRY(read_place(c, topo, comma + 1, strlen(comma + 1), &b));
    const bool from_one = a.is_number && b.is_number && (a.terminal == topo->n_terminal || b.terminal == topo->n_terminal);
    if (from_one && a.terminal > 0 && b.terminal > 0) {
        a.terminal--;
        b.terminal--;
    }
    if (a.terminal >= topo->n_terminal || b.terminal >= topo->n_terminal || a.terminal == b.terminal) {
        return refuse(c, topo, text);
    }
    p->source = a.terminal;
    p->destination = b.terminal;
    return HF_OK;
}

static hf_status find_paths(const cli *c, const cli_network *net, topology_pair *p) {
    hf_plan plan;
    char *title;
    HF_TRY(read_pair(c, net->topo, p));
    HF_TRY(hf_plan_make(c->cx, &net->rule, &p->faults, &plan));
    HF_TRY(hf_paths_of_pair(c->cx, &plan, p->source, p->destination, &p->paths));
    HF_TRY(hf_scratch_print(c->cx, &title, "%s, %s, t%" PRIu32 " to t%" PRIu32, net->topo->spec, net->rule.spec, p->source,
                            p->destination));
    p->marks.title = title;
    p->marks.path_channel = p->paths.channel_set;
    p->marks.path_node = p->paths.node_set;
    return HF_OK;
}

hf_status topology_pair_find(const cli *c, const cli_network *net, topology_pair *out) {
    char *names;
    *out = (topology_pair){.source = HF_NONE, .destination = HF_NONE};
    HF_TRY(cli_fault_names(c, "faults", &names));
    HF_TRY(hf_fault_set_parse(c->cx, net->topo, NULL, names, &out->faults));
    out->marks.faults = &out->faults;
    return cli_has(c, "pair") ? find_paths(c, net, out) : HF_OK;
}

/* ---- output ---- */

static void count_text(const hf_pair_paths *paths, char text[48]) {
    char digits[40];
    size_t n = sizeof digits;
    hf_u128 value = paths->n_path;
    digits[--n] = 0;
    do {
        digits[--n] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    snprintf(text, 48, "%s", paths->is_counted ? digits + n : "not countable");
}

/* Switches on the paths, of one stage or of all. */
static void print_switches(const hf_topology *topo, const hf_pair_paths *paths, const uint32_t *stage, uint32_t wanted,
                           hf_text *out) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (hf_bit_test(paths->node_set, v) && (!stage || stage[v] == wanted)) {
            hf_text_print(out, " s%" PRIu32, v);
        }
    }
    hf_text_print(out, "\n");
}

static uint32_t switches_of(const hf_topology *topo, const hf_pair_paths *paths, const uint32_t *stage, uint32_t wanted) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        n += hf_bit_test(paths->node_set, v) && stage[v] == wanted;
    }
    return n;
}

static uint32_t stages_of(const hf_topology *topo, const uint32_t *stage) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        n = stage[v] != HF_NONE && stage[v] >= n ? stage[v] + 1 : n;
    }
    return n;
}

static void print_stages(const hf_topology *topo, const hf_pair_paths *paths, hf_text *out) {
    const hf_attribute *attribute = hf_topology_attribute(topo, "stage");
    if (!attribute) {
        hf_text_print(out, "switches:");
        print_switches(topo, paths, NULL, 0, out);
        return;
    }
    const uint32_t *stage = attribute->of_switch, n = stages_of(topo, stage);
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t count = switches_of(topo, paths, stage, s);
        hf_text_print(out, "stage %" PRIu32 ": %" PRIu32 " switch%s", s, count, count == 1 ? ":" : count ? "es:" : "es");
        print_switches(topo, paths, stage, s, out);
    }
}

hf_status topology_pair_print(const cli *c, const cli_network *net, const topology_pair *p) {
    hf_text out;
    char paths[48];
    count_text(&p->paths, paths);
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "%s\npaths: %s, over %" PRIu32 " switches and %" PRIu32 " channels\n", p->marks.title, paths,
                  p->paths.n_switch, p->paths.n_channel);
    print_stages(net->topo, &p->paths, &out);
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_json *json_names(const hf_topology *topo, const uint64_t *set, uint32_t n,
                           void (*name)(const hf_topology *topo, uint32_t id, char *text, size_t size)) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < n; i++) {
        if (hf_bit_test(set, i)) {
            char text[80];
            name(topo, i, text, sizeof text);
            hf_json_push(list, hf_json_text(text));
        }
    }
    return list;
}

static hf_json *json_stages(const hf_topology *topo, const hf_pair_paths *paths) {
    const hf_attribute *attribute = hf_topology_attribute(topo, "stage");
    if (!attribute) {
        return hf_json_null();
    }
    hf_json *list = hf_json_array();
    for (uint32_t s = 0; s < stages_of(topo, attribute->of_switch); s++) {
        hf_json_push(list, hf_json_integer(switches_of(topo, paths, attribute->of_switch, s)));
    }
    return list;
}

hf_status topology_pair_json(const cli *c, const cli_network *net, const topology_pair *p) {
    hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object();
    const hf_topology *topo = net->topo;
    char text[48];
    hf_json_set(spec, "topology", hf_json_text(topo->spec));
    hf_json_set(spec, "routing", hf_json_text(net->rule.spec));
    hf_json_set(spec, "failed", cli_has(c, "faults") ? hf_json_text(cli_value(c, "faults")) : hf_json_null());
    hf_json_set(root, "spec", spec);
    snprintf(text, sizeof text, "t%" PRIu32, p->source);
    hf_json_set(row, "source", hf_json_text(text));
    snprintf(text, sizeof text, "t%" PRIu32, p->destination);
    hf_json_set(row, "destination", hf_json_text(text));
    count_text(&p->paths, text);
    hf_json_set(row, "paths", p->paths.is_counted ? hf_json_text(text) : hf_json_null());
    hf_json_set(row, "switches_by_stage", json_stages(topo, &p->paths));
    hf_json_set(row, "switches", json_names(topo, p->paths.node_set, topo->n_switch, hf_topology_node_name));
    hf_json_set(row, "channels", json_names(topo, p->paths.channel_set, topo->n_channel, hf_topology_channel_name));
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}
