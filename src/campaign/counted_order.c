/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The order of vertices along which a net is cut open. What counts is how many vertices are open at once: those that have been
 *  met and still have an edge to one that has not. Orders come from searches in breadth from several starts and from always
 *  taking the vertex that leaves the fewest open; the cheapest is improved by moving single vertices. */
#include "src/campaign/counted.h"

#include <math.h>
#include <string.h>

#include <holdfast/core/random.h>

enum { STARTS = 24, MOVES = 20000, REACH = 12, WORK = 30000000 };
static const double growth = 3; /* states for each further open vertex, about */

typedef struct search {
    const hf_counted_net *net;
    uint32_t *begin, *to;          /* neighbours of each vertex; loops are left out */
    uint32_t *first, *last;        /* of each component: places of the first and last vertex that it touches */
    uint32_t *touch_begin, *touch; /* vertices that each component touches; of one with a single edge: none */
    uint32_t *place;               /* of each vertex */
    int32_t *change;               /* at each place: open things more than before */
    uint32_t *left;                /* of each vertex: neighbours not yet met */
    uint32_t *trial;
} search;

static double cost(search *s, const uint32_t *order, uint32_t *width) {
    const hf_counted_net *net = s->net;
    int32_t open = 0, most = 0;
    double sum = 0;
    for (uint32_t i = 0; i < net->n_vertex; i++) {
        s->place[order[i]] = i;
    }
    memset(s->change, 0, (net->n_vertex + 1) * sizeof *s->change);
    for (uint32_t v = 0; v < net->n_vertex; v++) {
        uint32_t last = s->place[v];
        for (uint32_t i = s->begin[v]; i < s->begin[v + 1]; i++) {
            last = s->place[s->to[i]] > last ? s->place[s->to[i]] : last;
        }
        s->change[s->place[v]]++;
        s->change[last]--;
    }
    for (uint32_t c = 0; c < net->n_component; c++) {
        uint32_t first = HF_NONE, last = 0;
        for (uint32_t i = s->touch_begin[c]; i < s->touch_begin[c + 1]; i++) {
            const uint32_t at = s->place[s->touch[i]];
            first = at < first ? at : first;
            last = at > last ? at : last;
        }
        if (first < last) {
            s->change[first]++;
            s->change[last]--;
        }
    }
    for (uint32_t i = 0; i < net->n_vertex; i++) {
        open += s->change[i];
        most = open > most ? open : most;
        sum += pow(growth, open);
    }
    *width = (uint32_t)most + 1;
    return sum;
}

static void add_neighbours(search *s) {
    const hf_counted_net *net = s->net;
    memset(s->begin, 0, (net->n_vertex + 1) * sizeof *s->begin);
    for (uint32_t e = 0; e < net->n_edge; e++) {
        if (net->a[e] != net->b[e]) {
            s->begin[net->a[e] + 1]++;
            s->begin[net->b[e] + 1]++;
        }
    }
    for (uint32_t v = 0; v < net->n_vertex; v++) {
        s->begin[v + 1] += s->begin[v];
        s->left[v] = 0;
    }
    for (uint32_t e = 0; e < net->n_edge; e++) {
        const uint32_t a = net->a[e], b = net->b[e];
        if (a != b) {
            s->to[s->begin[a] + s->left[a]++] = b;
            s->to[s->begin[b] + s->left[b]++] = a;
        }
    }
}

/* What a component of several edges, vertices or items keeps open. */
static hf_status add_touched(hf_context *cx, search *s) {
    const hf_counted_net *net = s->net;
    const hf_counted_list *const list[] = {&net->edge, &net->vertex, &net->item};
    const uint32_t size[] = {net->n_edge, net->n_vertex, net->n_item};
    uint32_t *uses, *room;
    size_t all = 0;
    HF_TRY(hf_scratch(cx, net->n_component + 1, sizeof *uses, (void **)&uses));
    for (size_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < list[k]->begin[size[k]]; i++) {
            uses[list[k]->component[i]]++;
            all += 2;
        }
    }
    HF_TRY(hf_scratch(cx, net->n_component + 1, sizeof *room, (void **)&s->touch_begin));
    HF_TRY(hf_scratch(cx, all + 1, sizeof *room, (void **)&s->touch));
    HF_TRY(hf_scratch(cx, net->n_component + 1, sizeof *room, (void **)&room));
    for (uint32_t c = 0; c < net->n_component; c++) {
        s->touch_begin[c + 1] = s->touch_begin[c] + (uses[c] > 1 ? 2 * uses[c] : 0);
    }
    for (size_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < size[k]; i++) {
            for (uint32_t j = list[k]->begin[i]; j < list[k]->begin[i + 1]; j++) {
                const uint32_t c = list[k]->component[j];
                uint32_t *to = s->touch + s->touch_begin[c] + room[c];
                if (uses[c] > 1) {
                    /* an edge is met with the later of its ends */
                    to[0] = k == 0 ? net->a[i] : k == 1 ? i : net->item_at[i];
                    to[1] = k == 0 ? net->b[i] : to[0];
                    room[c] += 2;
                }
            }
        }
    }
    return HF_OK;
}

static hf_status prepare(hf_context *cx, search *s) {
    const size_t n = s->net->n_vertex;
    HF_TRY(hf_scratch(cx, n + 1, sizeof *s->begin, (void **)&s->begin));
    HF_TRY(hf_scratch(cx, 2 * (size_t)s->net->n_edge + 1, sizeof *s->to, (void **)&s->to));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *s->place, (void **)&s->place));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *s->change, (void **)&s->change));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *s->left, (void **)&s->left));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *s->trial, (void **)&s->trial));
    add_neighbours(s);
    return add_touched(cx, s);
}

/* Vertices in the order in which a search in breadth from `start` meets them; other parts of the net follow. */
static void breadth(search *s, uint32_t start, uint32_t *order) {
    const uint32_t n = s->net->n_vertex;
    uint32_t met = 0;
    memset(s->left, 0, n * sizeof *s->left);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t root = (start + k) % n;
        if (s->left[root]) {
            continue;
        }
        uint32_t next = met;
        s->left[root] = 1;
        order[met++] = root;
        while (next < met) {
            const uint32_t v = order[next++];
            for (uint32_t i = s->begin[v]; i < s->begin[v + 1]; i++) {
                if (!s->left[s->to[i]]) {
                    s->left[s->to[i]] = 1;
                    order[met++] = s->to[i];
                }
            }
        }
    }
}

/* How many more vertices are open once v is met. `left` counts the neighbours that are not met; place is HF_NONE for those. */
static int32_t opens(const search *s, uint32_t v) {
    int32_t more = s->left[v] > 0;
    for (uint32_t i = s->begin[v]; i < s->begin[v + 1]; i++) {
        const uint32_t u = s->to[i];
        bool is_first = true;
        uint32_t links = 0;
        for (uint32_t j = s->begin[v]; j < s->begin[v + 1]; j++) {
            is_first &= j >= i || s->to[j] != u;
            links += s->to[j] == u;
        }
        more -= is_first && s->place[u] != HF_NONE && s->left[u] == links;
    }
    return more;
}

/* Always the vertex next to an open one that leaves the fewest open; of several the one whose neighbour was met first. */
static void greedy(search *s, uint32_t start, uint32_t *order) {
    const uint32_t n = s->net->n_vertex;
    for (uint32_t v = 0; v < n; v++) {
        s->place[v] = HF_NONE;
        s->left[v] = s->begin[v + 1] - s->begin[v];
    }
    uint32_t oldest = 0;
    for (uint32_t met = 0; met < n; met++) {
        uint32_t best = HF_NONE;
        int32_t least = INT32_MAX;
        while (oldest < met && s->left[order[oldest]] == 0) {
            oldest++;
        }
        for (uint32_t i = oldest; i < met; i++) {
            const uint32_t v = order[i];
            for (uint32_t j = s->begin[v]; s->left[v] > 0 && j < s->begin[v + 1]; j++) {
                const int32_t more = s->place[s->to[j]] == HF_NONE ? opens(s, s->to[j]) : INT32_MAX;
                if (more < least) {
                    least = more;
                    best = s->to[j];
                }
            }
        }
        for (uint32_t k = 0; best == HF_NONE; k++) {
            best = s->place[(start + k) % n] == HF_NONE ? (start + k) % n : HF_NONE;
        }
        s->place[best] = met;
        order[met] = best;
        for (uint32_t i = s->begin[best]; i < s->begin[best + 1]; i++) {
            s->left[s->to[i]]--;
        }
    }
}

static void keep_better(search *s, uint32_t *order, double *best) {
    uint32_t width;
    const double now = cost(s, s->trial, &width);
    if (now < *best) {
        *best = now;
        memcpy(order, s->trial, s->net->n_vertex * sizeof *order);
    }
}

static void improve(search *s, uint32_t *order, double *best) {
    const uint32_t n = s->net->n_vertex, size = n + 2 * s->net->n_edge + s->net->n_component;
    const uint32_t moves = WORK / size < MOVES ? WORK / size : MOVES;
    hf_random r;
    hf_random_init(&r, 1, HF_PURPOSE_ORDER, 0);
    for (uint32_t k = 0; k < moves; k++) {
        const uint32_t from = (uint32_t)hf_random_below(&r, n), by = 1 + (uint32_t)hf_random_below(&r, REACH);
        const bool is_up = hf_random_below(&r, 2);
        const uint32_t to = is_up ? (from + by < n ? from + by : n - 1) : (from > by ? from - by : 0);
        memcpy(s->trial, order, n * sizeof *order);
        if (to > from) {
            memmove(s->trial + from, s->trial + from + 1, (to - from) * sizeof *order);
        } else {
            memmove(s->trial + to + 1, s->trial + to, (from - to) * sizeof *order);
        }
        s->trial[to] = order[from];
        uint32_t width;
        const double now = cost(s, s->trial, &width);
        if (now <= *best) {
            *best = now;
            memcpy(order, s->trial, n * sizeof *order);
        }
    }
}

hf_status hf_counted_order(hf_context *cx, const hf_counted_net *net, uint32_t *order, uint32_t *width) {
    search s = {.net = net};
    const uint32_t n = net->n_vertex, starts = n < STARTS ? n : STARTS;
    HF_TRY(prepare(cx, &s));
    for (uint32_t v = 0; v < n; v++) {
        order[v] = v;
    }
    double best = cost(&s, order, width);
    for (uint32_t k = 0; k < starts; k++) {
        const uint32_t start = (uint32_t)((uint64_t)k * n / starts);
        breadth(&s, start, s.trial);
        keep_better(&s, order, &best);
        if (n <= 2000) {
            greedy(&s, start, s.trial);
            keep_better(&s, order, &best);
        }
        HF_TRY(hf_context_go_on(cx, "looking for an order"));
    }
    if (n > 2) {
        improve(&s, order, &best);
    }
    (void)cost(&s, order, width);
    return HF_OK;
}
