/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The pattern of a deadlock in words: from which course of channels packets wait for which, where the network has such: the
 *  directions of a grid, local and global links of groups, up and down between stages. And whether a cycle of dependencies is
 *  left where nobody turns so. */
#include <stdio.h>
#include <string.h>

#include "src/analysis/deadlock/decide.h"

static void direction(const hf_topology *topo, uint32_t channel, uint32_t dimension, char *text, size_t size) {
    static const char *const names[2][2] = {{"west", "east"}, {"south", "north"}};
    static const char letters[] = "xyzw";
    const bool is_plus = topo->forward[topo->link[channel]] == channel;
    if (dimension < 2) {
        (void)snprintf(text, size, "%s", names[dimension][is_plus]);
    } else if (dimension < 4) {
        (void)snprintf(text, size, "%c%c", is_plus ? '+' : '-', letters[dimension]);
    } else {
        (void)snprintf(text, size, "%cdimension %u", is_plus ? '+' : '-', dimension);
    }
}

static uint32_t coordinate(const hf_topology *topo, uint32_t sw, const char *name) {
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        if (strcmp(topo->coord_name[i], name) == 0) {
            return topo->coord[(size_t)sw * topo->n_coord + i];
        }
    }
    return HF_NONE;
}

bool hf_channel_course(const hf_topology *topo, uint32_t channel, char *text, size_t size) {
    const uint32_t a = topo->from[channel], b = topo->to[channel], link = topo->link[channel];
    const hf_attribute *dimension = hf_topology_attribute(topo, "dimension"), *stage = hf_topology_attribute(topo, "stage");
    if (a >= topo->n_switch || b >= topo->n_switch) {
        (void)snprintf(text, size, "%s", a >= topo->n_switch ? "injection" : "delivery");
        return true;
    }
    if (dimension && dimension->of_link[link] != HF_NONE) {
        direction(topo, channel, dimension->of_link[link], text, size);
        return true;
    }
    if (coordinate(topo, a, "group") != HF_NONE) {
        (void)snprintf(text, size, "%s", coordinate(topo, a, "group") == coordinate(topo, b, "group") ? "local" : "global");
        return true;
    }
    if (stage && stage->of_switch[a] != HF_NONE && stage->of_switch[a] != stage->of_switch[b]) {
        (void)snprintf(text, size, "%s", stage->of_switch[a] > stage->of_switch[b] ? "up" : "down");
        return true;
    }
    return false;
}

/* ---- the turns of a deadlock ---- */

typedef struct turns {
    hf_context *cx;
    const hf_topology *topo;
    uint32_t n_vc, n;
    hf_turn *of;
} turns;

static bool has_course(const turns *t, uint32_t channel, const char *course) {
    char name[HF_COURSE_SIZE];
    return hf_channel_course(t->topo, channel, name, sizeof name) && strcmp(name, course) == 0;
}

static bool is_turn(const turns *t, const hf_turn *turn, uint32_t from, uint32_t to) {
    return has_course(t, from / t->n_vc, turn->from) && has_course(t, to / t->n_vc, turn->to);
}

/* \return false where a channel has no course */
static bool note_turn(turns *t, uint32_t from, uint32_t to) {
    hf_turn turn = {.n = 1};
    if (!hf_channel_course(t->topo, from / t->n_vc, turn.from, sizeof turn.from) ||
        !hf_channel_course(t->topo, to / t->n_vc, turn.to, sizeof turn.to)) {
        return false;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        if (is_turn(t, &t->of[i], from, to)) {
            t->of[i].n++;
            return true;
        }
    }
    if (t->n < HF_TURNS) {
        t->of[t->n++] = turn;
    }
    return true;
}

static bool note_packet(turns *t, const hf_blocked *b) {
    bool ok = true;
    for (uint32_t i = 0; i + 1 < b->n_hold && ok; i++) {
        ok = note_turn(t, b->hold[i], b->hold[i + 1]);
    }
    for (uint32_t k = 0; k < b->n_wait && ok; k++) {
        ok = note_turn(t, b->hold[b->n_hold - 1], b->wait[k]);
    }
    return ok;
}

/* Is a cycle left without all dependencies that turn so? */
static hf_status leaves_cycle(const turns *t, const hf_digraph *g, const hf_turn *turn, bool *out) {
    const hf_mark mark = hf_scratch_mark(t->cx);
    uint32_t *from, *to, *level, n = 0, levelled;
    bool *begins, *ends; /* by channel: the turn does */
    hf_digraph rest;
    HF_TRY(hf_scratch(t->cx, t->topo->n_channel, sizeof *begins, (void **)&begins));
    HF_TRY(hf_scratch(t->cx, t->topo->n_channel, sizeof *ends, (void **)&ends));
    for (uint32_t c = 0; c < t->topo->n_channel; c++) {
        begins[c] = has_course(t, c, turn->from);
        ends[c] = has_course(t, c, turn->to);
    }
    HF_TRY(hf_scratch(t->cx, g->n_edge, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(t->cx, g->n_edge, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(t->cx, g->n, sizeof *level, (void **)&level));
    for (uint32_t r = 0; r < g->n; r++) {
        for (uint32_t e = g->out.begin[r]; e < g->out.begin[r + 1]; e++) {
            if (!begins[r / t->n_vc] || !ends[g->out.item[e] / t->n_vc]) {
                from[n] = r;
                to[n++] = g->out.item[e];
            }
        }
    }
    HF_TRY(hf_digraph_of_edges(t->cx, g->n, n, from, to, &rest));
    HF_TRY(hf_digraph_levels(t->cx, &rest, level, &levelled));
    *out = levelled < g->n;
    hf_scratch_reset(t->cx, mark);
    return HF_OK;
}

hf_status hf_deadlock_turns(hf_context *cx, const hf_plan *plan, const hf_deadlock *found, hf_turn *out, uint32_t *n) {
    turns t = {.cx = cx, .topo = plan->topo, .n_vc = plan->n_vc, .of = out};
    hf_digraph g;
    bool ok = true;
    *n = 0;
    for (uint32_t i = 0; i < found->n_blocked && ok; i++) {
        ok = note_packet(&t, &found->blocked[i]);
    }
    if (!ok || t.n == 0) {
        return HF_OK;
    }
    HF_TRY(hf_digraph_of_dependency(cx, found->dependency, found->ring_of, &g));
    for (uint32_t i = 0; i < t.n; i++) {
        HF_TRY(leaves_cycle(&t, &g, &out[i], &out[i].leaves_cycle));
    }
    *n = t.n;
    return HF_OK;
}
