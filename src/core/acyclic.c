/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/acyclic.h"

#include "src/core/grow.h"
#include "src/core/sort.h"

hf_status hf_acyclic_init(hf_context *cx, uint32_t n, hf_acyclic *out) {
    *out = (hf_acyclic){.n = n};
    uint32_t **const array[] = {&out->order, &out->out, &out->in, &out->ahead, &out->back, &out->place};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        HF_TRY(hf_scratch(cx, n, sizeof **array[i], (void **)array[i]));
    }
    HF_TRY(hf_scratch(cx, n, sizeof *out->met, (void **)&out->met));
    for (uint32_t v = 0; v < n; v++) {
        out->order[v] = v;
    }
    return HF_OK;
}

static bool has(const hf_acyclic *g, uint32_t from, uint32_t to) {
    uint32_t e = g->out[from];
    while (e && g->edge[e - 1].to != to) {
        e = g->edge[e - 1].next_out;
    }
    return e;
}

/* What can be reached from `start` up to a place. \return false: `target` is met */
static bool look_ahead(hf_acyclic *g, uint32_t start, uint32_t target) {
    g->n_ahead = 0;
    g->ahead[g->n_ahead++] = start;
    g->met[start] = 1;
    for (uint32_t i = 0; i < g->n_ahead; i++) {
        for (uint32_t e = g->out[g->ahead[i]]; e; e = g->edge[e - 1].next_out) {
            const uint32_t v = g->edge[e - 1].to;
            if (v == target) {
                return false;
            }
            if (!g->met[v] && g->order[v] < g->order[target]) {
                g->met[v] = 1;
                g->ahead[g->n_ahead++] = v;
            }
        }
    }
    return true;
}

/* What reaches `start` from a place on. */
static void look_back(hf_acyclic *g, uint32_t start, uint32_t lowest) {
    g->n_back = 0;
    g->back[g->n_back++] = start;
    g->met[start] = 1;
    for (uint32_t i = 0; i < g->n_back; i++) {
        for (uint32_t e = g->in [g->back[i]]; e; e = g->edge[e - 1].next_in) {
            const uint32_t v = g->edge[e - 1].from;
            if (!g->met[v] && g->order[v] > lowest) {
                g->met[v] = 1;
                g->back[g->n_back++] = v;
            }
        }
    }
}

/* Vertices by their places, with an insertion sort: they are few. */
static void sort_by_place(const hf_acyclic *g, uint32_t *list, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t v = list[i];
        uint32_t j = i;
        for (; j > 0 && g->order[list[j - 1]] > g->order[v]; j--) {
            list[j] = list[j - 1];
        }
        list[j] = v;
    }
}

/* First what reaches the edge, then what is reached from it, in the places that all of them had. */
static void reorder(hf_acyclic *g) {
    uint32_t n = 0;
    sort_by_place(g, g->back, g->n_back);
    sort_by_place(g, g->ahead, g->n_ahead);
    for (uint32_t i = 0; i < g->n_back + g->n_ahead; i++) {
        g->place[n++] = g->order[i < g->n_back ? g->back[i] : g->ahead[i - g->n_back]];
    }
    hf_sort_numbers(g->place, n);
    for (uint32_t i = 0; i < n; i++) {
        g->order[i < g->n_back ? g->back[i] : g->ahead[i - g->n_back]] = g->place[i];
    }
}

static void forget(hf_acyclic *g) {
    for (uint32_t i = 0; i < g->n_ahead; i++) {
        g->met[g->ahead[i]] = 0;
    }
    for (uint32_t i = 0; i < g->n_back; i++) {
        g->met[g->back[i]] = 0;
    }
    g->n_ahead = g->n_back = 0;
}

/* Does the order allow the edge, perhaps another one? */
static bool make_way(hf_acyclic *g, uint32_t from, uint32_t to) {
    bool ok = from != to;
    if (ok && g->order[from] > g->order[to]) {
        ok = look_ahead(g, to, from);
        if (ok) {
            look_back(g, from, g->order[to]);
            reorder(g);
        }
        forget(g);
    }
    return ok;
}

hf_status hf_acyclic_add(hf_context *cx, hf_acyclic *g, uint32_t from, uint32_t to, bool *ok) {
    *ok = has(g, from, to);
    if (*ok) {
        return HF_OK;
    }
    HF_GROW_SCRATCH(cx, g->edge, g->n_edge, g->room);
    *ok = make_way(g, from, to);
    if (*ok) {
        g->edge[g->n_edge++] = (hf_acyclic_edge){from, to, g->out[from], g->in[to]};
        g->out[from] = g->in[to] = g->n_edge;
    }
    return HF_OK;
}
