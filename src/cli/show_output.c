/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show: the fault set and its plan as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/paths/walk.h"
#include "src/cli/show.h"
#include "src/topology/search.h"

enum { REGISTER_MAX = 4096 };

/* ---- registers, for all forms ---- */

/* Registers of port `port` of switch `sw`: at most REGISTER_MAX of them. */
static size_t registers_of(const show *s, uint32_t sw, uint32_t port, hf_register *out) {
    const size_t n =
        s->plan.routing->registers ? s->plan.routing->registers(hf_plan_own(&s->plan), sw, port, out, REGISTER_MAX) : 0;
    return n < REGISTER_MAX ? n : REGISTER_MAX;
}

hf_status show_walk_registers(const show_registers *w) {
    const show *s = w->s;
    hf_register *list;
    HF_TRY(hf_scratch(s->c->cx, REGISTER_MAX, sizeof *list, (void **)&list));
    for (uint32_t sw = 0; sw < s->net.topo->n_switch; sw++) {
        if (s->only_switch != UINT64_MAX && s->only_switch != sw) {
            continue;
        }
        for (uint32_t port = 0; port < s->net.topo->n_port_max; port++) {
            const size_t n = hf_topology_channel_at(s->net.topo, sw, port) == HF_NONE ? 0 : registers_of(s, sw, port, list);
            for (size_t i = 0; i < n; i++) {
                if (w->all || strcmp(list[i].name, "exclusion") == 0) {
                    w->each(w->user, sw, port, &list[i]);
                }
            }
        }
    }
    return HF_OK;
}

/* ---- text ---- */

/* Where registers are printed, and how many bits destinations and ports take. */
typedef struct register_page {
    const hf_topology *topo;
    hf_text *out;
    uint32_t destination_bits, port_bits;
} register_page;

static void print_bits(hf_text *out, uint32_t value, uint32_t n) {
    for (uint32_t i = n; i-- > 0;) {
        hf_text_print(out, "%d", (int)(value >> i & 1));
    }
    hf_text_print(out, "\n");
}

static void print_register(void *user, uint32_t sw, uint32_t port, const hf_register *r) {
    const register_page *page = user;
    char name[HF_NAME_SIZE];
    hf_topology_node_name(page->topo, sw, name, sizeof name);
    const bool is_mask = strcmp(r->name, "MR") == 0;
    if (is_mask || strcmp(r->name, "RRR") == 0) {
        hf_text_print(page->out, "  %s port %" PRIu32 "  %s  ", name, port, r->name);
        print_bits(page->out, r->value.lo, is_mask ? page->destination_bits : page->port_bits);
        return;
    }
    hf_text_print(page->out, "  %s port %" PRIu32 "  %s %" PRIu32 "  [%" PRIu32 "..%" PRIu32 "]\n", name, port, r->name, r->index,
                  r->value.lo, r->value.hi);
}

static void print_failed(const show *s, hf_text *out) {
    hf_text_print(out, "failed: %s", s->n_failed ? "" : "nothing");
    for (size_t i = 0; i < s->n_failed; i++) {
        hf_text_print(out, "%s%s", i ? ", " : "", s->failed[i]);
    }
    hf_text_print(out, "\n");
}

/* Numbers that follow each other are a run: "t8..t11". Names are not. */
static bool is_next(const show *s, uint32_t terminal, uint32_t next) { return !s->net.topo->naming && next == terminal + 1; }

static void print_run(const show *s, uint32_t first, uint32_t last, hf_text *out) {
    char name[HF_NAME_SIZE];
    hf_topology_terminal_name(s->net.topo, first, name, sizeof name);
    hf_text_print(out, "%s", name);
    if (last > first) {
        hf_topology_terminal_name(s->net.topo, last, name, sizeof name);
        hf_text_print(out, "..%s", name);
    }
}

/* "s8 port 3: t8..t11" for runs of destinations. */
static void print_victims(const show *s, hf_text *out) {
    hf_text_print(out, "victims: %zu (switch, port, destination)\n", s->n_victim);
    uint64_t lines = 0;
    for (size_t i = 0; i < s->n_victim && lines < s->limit; lines++) {
        const show_victim v = s->victim[i];
        size_t end = i + 1;
        while (end < s->n_victim && s->victim[end].sw == v.sw && s->victim[end].port == v.port &&
               is_next(s, s->victim[end - 1].destination, s->victim[end].destination)) {
            end++;
        }
        char name[HF_NAME_SIZE];
        hf_topology_node_name(s->net.topo, v.sw, name, sizeof name);
        hf_text_print(out, "  %s port %" PRIu32 "  ", name, v.port);
        print_run(s, v.destination, s->victim[end - 1].destination, out);
        hf_text_print(out, "\n");
        i = end;
        if (lines + 1 == s->limit && i < s->n_victim) {
            hf_text_print(out, "  ... (more with --limit)\n");
        }
    }
}

/* Destinations that `from` cannot safely reach, as runs. */
static void print_bad_row(const show *s, uint32_t from, hf_text *out) {
    const uint32_t n = s->net.topo->n_terminal;
    hf_text_print(out, "  ");
    print_run(s, from, from, out);
    hf_text_print(out, " to");
    for (uint32_t to = 0; to < n; to++) {
        if (!show_is_bad_pair(s, from, to)) {
            continue;
        }
        const uint32_t first = to;
        while (to + 1 < n && is_next(s, to, to + 1) && show_is_bad_pair(s, from, to + 1)) {
            to++;
        }
        hf_text_print(out, " ");
        print_run(s, first, to, out);
    }
    hf_text_print(out, "\n");
}

/* Bad pairs between which the network has no healthy way, whatever the rule. */
static hf_status count_cut_off(const show *s, uint64_t *out) {
    const hf_topology *topo = s->net.topo;
    uint32_t *queue, *distance;
    HF_TRY(hf_scratch(s->c->cx, topo->n_node, sizeof *queue, (void **)&queue));
    HF_TRY(hf_scratch(s->c->cx, topo->n_node, sizeof *distance, (void **)&distance));
    *out = 0;
    for (uint32_t to = 0; to < topo->n_terminal; to++) {
        hf_distances(topo, s->plan.faults->channel_set, topo->n_switch + to, true, queue, distance);
        for (uint32_t from = 0; from < topo->n_terminal; from++) {
            *out += show_is_bad_pair(s, from, to) && distance[topo->n_switch + from] == HF_NONE;
        }
    }
    return HF_OK;
}

static void print_cut_off(const show *s, hf_text *out) {
    const uint32_t n = s->net.topo->n_terminal;
    const char *separator = "cut off: ";
    for (uint32_t t = 0; s->n_cut && t < n; t++) {
        const uint32_t first = t;
        if (!hf_bit_test(s->cut, t)) {
            continue;
        }
        while (t + 1 < n && is_next(s, t, t + 1) && hf_bit_test(s->cut, t + 1)) {
            t++;
        }
        hf_text_print(out, "%s", separator);
        print_run(s, first, t, out);
        separator = ", ";
    }
    hf_text_print(out, "%s", s->n_cut ? "\n" : "");
}

static hf_status print_pairs(const show *s, hf_text *out) {
    const uint32_t n = s->net.topo->n_terminal;
    uint64_t cut_off = 0;
    HF_TRY(s->verdict.unserved ? count_cut_off(s, &cut_off) : HF_OK);
    hf_text_print(out, "%s under %s: %" PRIu64 " of %" PRIu64 " pairs of terminals have no ",
                  s->verdict.tolerated ? "tolerated" : "not tolerated", s->criterion.spec, s->verdict.unserved, s->verdict.pairs);
    if (s->verdict.unserved == cut_off) {
        hf_text_print(out, "healthy path");
    } else {
        hf_text_print(out, "path by the rule, %" PRIu64 " of them no healthy path at all", cut_off);
    }
    hf_text_print(out, ", %" PRIu64 " can meet a fault\n", s->verdict.unsafe);
    if (s->verdict.live < s->verdict.least) {
        hf_text_print(out, "terminals in service: %" PRIu32 "; at least %" PRIu32 " are needed\n", s->verdict.live,
                      s->verdict.least);
    }
    print_cut_off(s, out);
    uint64_t lines = 0;
    for (uint32_t from = 0; from < n; from++) {
        bool any = false;
        for (uint32_t to = 0; to < n && !any; to++) {
            any = show_is_bad_pair(s, from, to);
        }
        if (any && lines++ < s->limit) {
            print_bad_row(s, from, out);
        }
    }
    if (lines > s->limit) {
        hf_text_print(out, "  ... and %" PRIu64 " more senders (--limit)\n", lines - s->limit);
    }
    return HF_OK;
}

static void print_summary(const show *s, hf_text *out) {
    hf_text_print(out, "%s under %s; pairs are listed up to %d terminals\n", s->verdict.tolerated ? "tolerated" : "not tolerated",
                  s->criterion.spec, SHOW_TERMINALS_MAX);
    const hf_measure *m = &s->measure;
    hf_text_print(out, m->has_victims ? "victims: %" PRIu64 " (switch, port, destination)\n" : "victims: not measured\n",
                  m->victims);
    hf_text_print(out, m->has_lost_paths ? "lost paths: %" PRIu64 "\n" : "lost paths: not measured\n", m->lost_paths);
}

/* With how many bits destinations and ports are written. */
static register_page page_of(const show *s, hf_text *out) {
    register_page page = {s->net.topo, out, 1, s->net.topo->n_port_max};
    while (page.destination_bits < 32 && (s->net.topo->n_terminal - 1) >> page.destination_bits) {
        page.destination_bits++;
    }
    return page;
}

static hf_status print_registers(const show *s, hf_text *out) {
    const hf_routing *routing = s->plan.routing;
    const bool all = cli_has(s->c, "registers");
    if (routing->registers) {
        hf_text_print(out, all ? "registers:\n" : "exclusion registers:\n");
        const size_t before = out->size;
        register_page page = page_of(s, out);
        const show_registers walk = {s, all, print_register, &page};
        HF_TRY(show_walk_registers(&walk));
        hf_text_print(out, "%s", out->size == before ? "  none\n" : "");
    } else if (all && hf_drawing_of(routing)->describe_plan) {
        const uint32_t only = s->only_switch == UINT64_MAX ? HF_NONE : (uint32_t)s->only_switch;
        return hf_drawing_of(routing)->describe_plan(s->c->cx, hf_plan_own(&s->plan), only, out);
    } else if (all) {
        hf_text_print(out, "registers: %s has none\n", routing->name);
    }
    return HF_OK;
}

static hf_status print_plan(const show *s, hf_text *out) {
    if (s->is_summary) {
        print_summary(s, out);
    } else {
        HF_TRY(print_pairs(s, out));
        print_victims(s, out);
    }
    return print_registers(s, out);
}

static hf_status print_all(const show *s, hf_text *out) {
    hf_text_print(out, "%s%s%s\n", s->net.topo->spec, s->net.has_rule ? ", " : "", s->net.has_rule ? s->net.rule.spec : "");
    print_failed(s, out);
    if (s->net.has_rule && hf_drawing_of(s->plan.routing)->describe_faults) {
        HF_TRY(hf_drawing_of(s->plan.routing)->describe_faults(s->c->cx, hf_plan_own(&s->plan), out));
    }
    if (s->net.has_rule && s->plan.refusal) {
        hf_text_print(out, "not covered: %s\n", s->plan.refusal);
    }
    if (cli_has(s->c, "sacrifice")) {
        show_fewest_print(&s->faults, &s->fewest, out);
    }
    return s->net.has_rule ? print_plan(s, out) : HF_OK;
}

hf_status show_print_text(const show *s) {
    hf_text out;
    hf_text_init(s->c->cx, &out);
    hf_status status = print_all(s, &out);
    status = status == HF_OK ? cli_put(s->c, &out) : status;
    hf_text_free(&out);
    return status;
}
