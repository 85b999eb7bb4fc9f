/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  From an order of vertices to operations: a vertex is met, then its edges to those met before it; a component is opened before
 *  the first that asks for it, and closed after the last; a vertex leaves after its last edge. */
#include "src/campaign/counted_steps.h"

#include <string.h>

enum { NO_PLACE = 255 };

typedef struct maker {
    hf_context *cx;
    const hf_counted_net *net;
    hf_counted_steps *out;
    uint32_t *uses;    /* of each component, still to come */
    uint32_t *edges;   /* of each vertex, still to come; a loop counts once */
    uint8_t *place_of; /* of each component */
    uint8_t *vertex_at;
    uint32_t *met; /* place in the order */
    bool is_taken[HF_COUNTED_OPEN_MOST];
    bool is_vertex[HF_COUNTED_OPEN_MOST];
    uint32_t goals; /* that cannot fail, still to come */
    uint32_t n_step;
} maker;

static hf_status take(maker *k, bool is_vertex, uint8_t *out) {
    for (uint32_t i = 0; i < HF_COUNTED_OPEN_MOST; i++) {
        if (!k->is_taken[i]) {
            k->is_taken[i] = true;
            k->is_vertex[i] = is_vertex;
            *out = (uint8_t)i;
            return HF_OK;
        }
    }
    HF_FAIL(k->cx, HF_ENOTSUP, "method counted cuts this network open at more than %d places at once; use --method sampled",
            HF_COUNTED_OPEN_MOST);
}

static hf_counted_op *add(maker *k, hf_counted_kind kind) {
    hf_counted_op *op = &k->out->op[k->out->n_op++];
    *op = (hf_counted_op){.kind = kind};
    return op;
}

/* What is in use at the end of a step is what its states are told apart by. */
static hf_status end_step(maker *k) {
    hf_counted_step *step = &k->out->step[k->out->n_step++];
    step->end = k->out->n_op;
    step->begin = k->out->n_step > 1 ? step[-1].end : 0;
    HF_TRY(hf_scratch(k->cx, HF_COUNTED_OPEN_MOST, 1, (void **)&step->place));
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < HF_COUNTED_OPEN_MOST; i++) {
            if (k->is_taken[i] && k->is_vertex[i] == (pass == 0)) {
                step->place[step->n_vertex + step->n_component] = (uint8_t)i;
                step->n_vertex += pass == 0;
                step->n_component += pass == 1;
            }
        }
    }
    return HF_OK;
}

static hf_status open(maker *k, uint32_t component) {
    if (k->place_of[component] != NO_PLACE) {
        return HF_OK;
    }
    HF_TRY(end_step(k));
    HF_TRY(take(k, false, &k->place_of[component]));
    add(k, HF_COUNTED_OPEN)->at = k->place_of[component];
    return HF_OK;
}

static hf_status open_all(maker *k, const hf_counted_list *list, uint32_t i) {
    for (uint32_t j = list->begin[i]; j < list->begin[i + 1]; j++) {
        HF_TRY(open(k, list->component[j]));
    }
    return HF_OK;
}

/* The components that an operation asks for; those that nobody asks for any more are closed. */
static hf_status ask(maker *k, const hf_counted_list *list, uint32_t i, hf_counted_op *op) {
    uint8_t *asked;
    op->n_asked = list->begin[i + 1] - list->begin[i];
    HF_TRY(hf_scratch(k->cx, op->n_asked + 1, 1, (void **)&asked));
    op->asked = asked;
    for (uint32_t j = 0; j < op->n_asked; j++) {
        const uint32_t c = list->component[list->begin[i] + j];
        asked[j] = k->place_of[c];
        if (--k->uses[c] == 0) {
            k->is_taken[k->place_of[c]] = false;
        }
    }
    return HF_OK;
}

static void leave(maker *k, uint32_t v) {
    if (k->edges[v] == 0) {
        hf_counted_op *op = add(k, HF_COUNTED_LEAVE);
        op->at = k->vertex_at[v];
        op->goals_after = k->goals;
        k->is_taken[op->at] = false;
    }
}

static hf_status meet(maker *k, uint32_t v) {
    const hf_counted_net *net = k->net;
    HF_TRY(open_all(k, &net->vertex, v));
    HF_TRY(take(k, true, &k->vertex_at[v]));
    hf_counted_op *op = add(k, HF_COUNTED_VERTEX);
    op->at = k->vertex_at[v];
    op->is_goal = net->is_goal[v];
    k->goals -= net->is_goal[v] && net->vertex.begin[v] == net->vertex.begin[v + 1];
    return ask(k, &net->vertex, v, op);
}

static hf_status join(maker *k, uint32_t e) {
    const uint32_t a = k->net->a[e], b = k->net->b[e];
    HF_TRY(open_all(k, &k->net->edge, e));
    hf_counted_op *op = add(k, HF_COUNTED_JOIN);
    op->at = k->vertex_at[a];
    op->other = k->vertex_at[b];
    HF_TRY(ask(k, &k->net->edge, e, op));
    k->edges[a]--;
    k->edges[b] -= a != b;
    leave(k, a);
    if (a != b) {
        leave(k, b);
    }
    return HF_OK;
}

/* Edges and items by the place of their later vertex: begin[i] .. begin[i + 1] - 1 of `list`. */
static hf_status sort(maker *k, uint32_t n, const uint32_t *a, const uint32_t *b, uint32_t **begin, uint32_t **list) {
    uint32_t *fill;
    HF_TRY(hf_scratch(k->cx, k->net->n_vertex + 1, sizeof *fill, (void **)begin));
    HF_TRY(hf_scratch(k->cx, k->net->n_vertex + 1, sizeof *fill, (void **)&fill));
    HF_TRY(hf_scratch(k->cx, n + 1, sizeof *fill, (void **)list));
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = k->met[a[i]] > k->met[b[i]] ? k->met[a[i]] : k->met[b[i]];
            if (pass == 0) {
                (*begin)[at + 1]++;
            } else {
                (*list)[(*begin)[at] + fill[at]++] = i;
            }
        }
        for (uint32_t v = 0; pass == 0 && v < k->net->n_vertex; v++) {
            (*begin)[v + 1] += (*begin)[v];
        }
    }
    return HF_OK;
}

static void count_uses(maker *k, const hf_counted_list *list, uint32_t n) {
    for (uint32_t i = 0; i < list->begin[n]; i++) {
        k->uses[list->component[i]]++;
    }
}

static hf_status prepare(maker *k, const uint32_t *order) {
    const hf_counted_net *net = k->net;
    const size_t n_op = (size_t)net->n_component + 2 * (size_t)net->n_vertex + net->n_edge + net->n_item;
    HF_TRY(hf_scratch(k->cx, net->n_component + 1, sizeof *k->uses, (void **)&k->uses));
    HF_TRY(hf_scratch(k->cx, net->n_component + 1, 1, (void **)&k->place_of));
    HF_TRY(hf_scratch(k->cx, net->n_vertex + 1, sizeof *k->edges, (void **)&k->edges));
    HF_TRY(hf_scratch(k->cx, net->n_vertex + 1, sizeof *k->met, (void **)&k->met));
    HF_TRY(hf_scratch(k->cx, net->n_vertex + 1, 1, (void **)&k->vertex_at));
    HF_TRY(hf_scratch(k->cx, n_op + 1, sizeof *k->out->op, (void **)&k->out->op));
    HF_TRY(hf_scratch(k->cx, net->n_component + 2, sizeof *k->out->step, (void **)&k->out->step));
    memset(k->place_of, NO_PLACE, net->n_component + 1);
    count_uses(k, &net->edge, net->n_edge);
    count_uses(k, &net->vertex, net->n_vertex);
    count_uses(k, &net->item, net->n_item);
    for (uint32_t e = 0; e < net->n_edge; e++) {
        k->edges[net->a[e]]++;
        k->edges[net->b[e]] += net->a[e] != net->b[e];
    }
    for (uint32_t i = 0; i < net->n_vertex; i++) {
        k->met[order[i]] = i;
        k->goals += net->is_goal[i] && net->vertex.begin[i] == net->vertex.begin[i + 1];
    }
    return HF_OK;
}

hf_status hf_counted_steps_make(hf_context *cx, const hf_counted_net *net, const uint32_t *order, hf_counted_steps *out) {
    maker k = {.cx = cx, .net = net, .out = out};
    uint32_t *edge_begin, *edge, *item_begin, *item;
    *out = (hf_counted_steps){0};
    HF_TRY(prepare(&k, order));
    HF_TRY(sort(&k, net->n_edge, net->a, net->b, &edge_begin, &edge));
    HF_TRY(sort(&k, net->n_item, net->item_at, net->item_at, &item_begin, &item));
    for (uint32_t i = 0; i < net->n_vertex; i++) {
        HF_TRY(meet(&k, order[i]));
        for (uint32_t j = item_begin[i]; j < item_begin[i + 1]; j++) {
            HF_TRY(open_all(&k, &net->item, item[j]));
            HF_TRY(ask(&k, &net->item, item[j], add(&k, HF_COUNTED_ITEM)));
        }
        const bool is_alone = k.edges[order[i]] == 0;
        for (uint32_t j = edge_begin[i]; j < edge_begin[i + 1]; j++) {
            HF_TRY(join(&k, edge[j]));
        }
        if (is_alone) {
            leave(&k, order[i]);
        }
    }
    /* whose failure changes nothing */
    for (uint32_t c = 0; c < net->n_component; c++) {
        if (k.place_of[c] == NO_PLACE) {
            HF_TRY(open(&k, c));
            k.is_taken[k.place_of[c]] = false;
        }
    }
    return end_step(&k);
}
