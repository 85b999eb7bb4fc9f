/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Switches without which a network falls apart: the articulation points, by one depth-first search [Tarjan 1972]. */
#include <string.h>

#include "src/analysis/parting/parting.h"

struct hf_parting_switches {
    hf_allocator allocator;
    uint32_t n_switch;
    uint32_t ends_most;   /* links to terminals that a switch has at most; 1 at least, where switches count as terminals */
    uint32_t *begin, *to; /* neighbours over links between switches */
    uint32_t *number, *low, *next,
        *path;        /* n_switch: of a search: order of visits from 1, lowest number reached, place in `to`, stack
                       */
    uint32_t *pieces; /* n_switch: parts that the part of a switch falls into without it; 1: it has failed */
    uint8_t *is_bad;  /* n_component: would it part what is left? */
};

/* The switch that component c is, if it is one switch with all its channels; else HF_NONE. */
static uint32_t single_switch(const hf_universe *u, uint32_t c) {
    const hf_topology *topo = u->topo;
    if (u->switch_begin[c + 1] - u->switch_begin[c] != 1) {
        return HF_NONE;
    }
    const uint32_t v = u->switch_list[u->switch_begin[c]];
    const uint32_t degree = topo->out_begin[v + 1] - topo->out_begin[v] + topo->in_begin[v + 1] - topo->in_begin[v];
    return u->channel_begin[c + 1] - u->channel_begin[c] == degree ? v : HF_NONE;
}

static hf_status check(hf_context *cx, const hf_universe *u) {
    bool fits = true;
    for (uint32_t c = 0; c < u->topo->n_channel && fits; c++) {
        fits = u->topo->reverse[c] != HF_NONE;
    }
    for (uint32_t c = 0; c < u->n_component && fits; c++) {
        fits = single_switch(u, c) != HF_NONE;
    }
    if (!fits) {
        HF_FAIL(cx, HF_ENOTSUP, "universe \"%s\" is not one of single switches with two-way links", u->spec);
    }
    return HF_OK;
}

static hf_status allocate(hf_context *cx, const hf_universe *u, hf_parting_switches *s) {
    const size_t n = u->topo->n_switch;
    uint32_t **const list[] = {&s->number, &s->low, &s->next, &s->path, &s->pieces};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        HF_TRY(hf_allocate(cx, n, sizeof **list[i], (void **)list[i]));
    }
    HF_TRY(hf_allocate(cx, n + 1, sizeof *s->begin, (void **)&s->begin));
    HF_TRY(hf_allocate(cx, 2 * (size_t)u->topo->n_switch_link, sizeof *s->to, (void **)&s->to));
    return hf_allocate(cx, u->n_component, sizeof *s->is_bad, (void **)&s->is_bad);
}

static void fill(const hf_universe *u, hf_parting_switches *s) {
    const hf_topology *topo = u->topo;
    uint32_t n = 0;
    s->ends_most = 1;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t ends = 0;
        s->begin[v] = n;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t to = topo->to[topo->out_list[i]];
            if (!hf_topology_is_terminal(topo, to)) {
                s->to[n++] = to;
            } else {
                ends++;
            }
        }
        s->ends_most = ends > s->ends_most ? ends : s->ends_most;
    }
    s->begin[topo->n_switch] = n;
}

hf_status hf_parting_switches_new(hf_context *cx, const hf_universe *universe, hf_parting_switches **out) {
    hf_parting_switches *s;
    HF_TRY(check(cx, universe));
    HF_TRY(hf_allocate(cx, 1, sizeof *s, (void **)&s));
    *s = (hf_parting_switches){.allocator = *hf_context_allocator(cx), .n_switch = universe->topo->n_switch};
    const hf_status status = allocate(cx, universe, s);
    if (status != HF_OK) {
        hf_parting_switches_free(s);
        return status;
    }
    fill(universe, s);
    *out = s;
    return HF_OK;
}

void hf_parting_switches_free(hf_parting_switches *s) {
    if (!s) {
        return;
    }
    const hf_allocator allocator = s->allocator;
    void *const block[] = {s->begin, s->to, s->number, s->low, s->next, s->path, s->pieces, s->is_bad, s};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}

/* ---- searching ---- */

/* One step from v, the end of the path: on to a new neighbour, or back. \return new end of the path's length */
static uint32_t step(hf_parting_switches *s, const uint32_t *gone, uint32_t length, uint32_t *visits) {
    const uint32_t v = s->path[length - 1];
    if (s->next[v] < s->begin[v + 1]) {
        const uint32_t to = s->to[s->next[v]++];
        if (gone[to] == 0 && s->number[to] == 0) {
            s->number[to] = s->low[to] = ++*visits;
            s->path[length++] = to;
        } else if (gone[to] == 0 && s->number[to] < s->low[v]) {
            s->low[v] = s->number[to];
        }
        return length;
    }
    if (length > 1) {
        const uint32_t up = s->path[length - 2];
        s->low[up] = s->low[v] < s->low[up] ? s->low[v] : s->low[up];
        s->pieces[up] += s->low[v] >= s->number[up];
    }
    return length - 1;
}

/* Fill in `pieces`. \return parts of the network */
static uint32_t search(hf_parting_switches *s, const uint32_t *gone) {
    uint32_t visits = 0, parts = 0;
    memset(s->number, 0, s->n_switch * sizeof *s->number);
    memcpy(s->next, s->begin, s->n_switch * sizeof *s->next);
    for (uint32_t v = 0; v < s->n_switch; v++) {
        s->pieces[v] = 1; /* what is above it in the search; of one that has failed, what is there anyway */
    }
    for (uint32_t root = 0; root < s->n_switch; root++) {
        if (gone[root] > 0 || s->number[root] > 0) {
            continue;
        }
        uint32_t length = 1;
        parts++;
        s->pieces[root] = 0;
        s->number[root] = s->low[root] = ++visits;
        s->path[0] = root;
        while (length > 0) {
            length = step(s, gone, length, &visits);
        }
    }
    return parts;
}

/* ---- counting ---- */

typedef struct place {
    const hf_parting_switches *switches;
    uint32_t from;
} place;

static bool is_bad(const void *user, uint64_t i) {
    const place *at = user;
    return at->switches->is_bad[at->from + i];
}

/* Are too few terminals in service without switch v? */
static bool leaves_few(const hf_parting *p, uint32_t v) {
    p->gone[v]++;
    const bool few = hf_parting_live(p, p->least) < p->least;
    p->gone[v]--;
    return few;
}

/* One more component, from `from` on. */
static void count_row(hf_parting_switches *s, const hf_parting *p, uint32_t from, hf_parting_sum *sum) {
    const hf_universe *u = p->universe;
    const place at = {s, from};
    const uint32_t parts = search(s, p->gone), enough = p->least + s->ends_most;
    const bool is_near = hf_parting_live(p, enough) < enough;
    uint64_t bad = 0;
    for (uint32_t c = from; c < u->n_component; c++) {
        const uint32_t v = u->switch_list[u->switch_begin[c]];
        s->is_bad[c] = parts - 1 + s->pieces[v] > 1 || (is_near && leaves_few(p, v));
        bad += s->is_bad[c];
    }
    hf_parting_take(sum, u->n_component - from, bad, is_bad, &at);
}

hf_status hf_parting_switches_count(hf_context *cx, hf_parting_switches *s, hf_parting *p, uint32_t r, hf_parting_sum *sum) {
    const uint32_t from = p->stack.depth ? p->stack.component[p->stack.depth - 1] + 1 : 0;
    if (r == 1) {
        count_row(s, p, from, sum);
        return HF_OK;
    }
    for (uint32_t c = from; c < p->universe->n_component; c++) {
        const uint64_t size = p->universe->n_component - c - 1;
        if (sum->index + size <= sum->lo || sum->index >= sum->hi) {
            sum->index += size;
            continue;
        }
        HF_TRY(hf_parting_push(cx, p, c));
        count_row(s, p, c + 1, sum);
        hf_parting_pop(p);
    }
    return HF_OK;
}
