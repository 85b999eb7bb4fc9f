/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Layers of ways without cycles, by an incremental topological order.
 *
 *  A dependency x -> y that goes down the order is looked at from both ends: from y along the order, from x against it, always at
 *  the vertex that is nearest to its beginning, until the two pass each other or meet (the compatible search of [haeupler2012]).
 *  What they met is moved just enough. Departures: vertices are gone on from whole, not by single arcs, and the dynamic list is
 *  one of 64-bit labels, numbered anew when a gap is full. Taking dependencies out leaves an order valid, so a way that is
 *  refused needs nothing undone but its own. */
#include "src/core/layers.h"

#include "src/core/grow.h"
#include "src/core/heap.h"

/* ---- the order of a layer ---- */

static void number_anew(hf_layer_order *o, uint32_t n_vertex) {
    const uint64_t step = UINT64_MAX / ((uint64_t)n_vertex + 1);
    uint64_t label = 0;
    for (uint32_t v = o->next[n_vertex]; v != n_vertex; v = o->next[v]) {
        o->label[v] = label += step;
    }
}

static hf_status add_layer(hf_context *cx, hf_layer_set *set) {
    hf_layer_order *o = &set->order[set->n_layer];
    const uint32_t n = set->n_vertex;
    HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof *o->label, (void **)&o->label));
    HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof *o->next, (void **)&o->next));
    HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof *o->previous, (void **)&o->previous));
    for (uint32_t v = 0; v <= n; v++) {
        o->next[v] = v < n ? v + 1 : 0;
        o->previous[v] = v > 0 ? v - 1 : n;
    }
    number_anew(o, n);
    set->n_layer++;
    return HF_OK;
}

static void take_out(hf_layer_order *o, uint32_t v) {
    o->next[o->previous[v]] = o->next[v];
    o->previous[o->next[v]] = o->previous[v];
}

static void put_before(hf_layer_order *o, uint32_t v, uint32_t place) {
    o->next[v] = place;
    o->previous[v] = o->previous[place];
    o->next[o->previous[place]] = v;
    o->previous[place] = v;
}

/* Labels for the `n` vertices that now stand before `place`; the rest keep theirs if they can. */
static void label_moved(hf_layer_order *o, uint32_t n_vertex, uint32_t place, uint32_t n) {
    uint32_t before = place;
    for (uint32_t i = 0; i <= n; i++) {
        before = o->previous[before];
    }
    const uint64_t low = before == n_vertex ? 0 : o->label[before], high = place == n_vertex ? UINT64_MAX : o->label[place];
    const uint64_t step = (high - low) / ((uint64_t)n + 1);
    if (step == 0) {
        number_anew(o, n_vertex);
        return;
    }
    uint64_t label = low;
    for (uint32_t v = o->next[before]; v != place; v = o->next[v]) {
        o->label[v] = label += step;
    }
}

/* ---- the two-way search ---- */

static bool is_earlier(const uint64_t *label, const uint32_t *a, const uint32_t *b) { return label[*a] < label[*b]; }
static bool is_later(const uint64_t *label, const uint32_t *a, const uint32_t *b) { return label[*a] > label[*b]; }
HF_HEAP_DEFINE(early, uint32_t, const uint64_t *, is_earlier);
HF_HEAP_DEFINE(late, uint32_t, const uint64_t *, is_later);

/* Go on from the earliest vertex ahead. \return false: what is behind was met, a cycle */
static bool step_ahead(hf_layer_set *set, uint32_t layer, uint64_t last) {
    const uint64_t *label = set->order[layer].label;
    hf_layer_front *f = &set->ahead;
    const uint32_t v = early_pop(label, f->heap, f->n_heap--);
    f->done[f->n_done++] = v;
    for (uint32_t e = set->out[v]; e > 0; e = set->edge[e - 1].next_out) {
        const uint32_t to = set->edge[e - 1].to;
        if (!(set->edge[e - 1].laid >> layer & 1) || set->mark[to] == 2 * set->now + 1 || label[to] > last) {
            continue;
        }
        if (set->mark[to] == 2 * set->now) {
            return false;
        }
        set->mark[to] = 2 * set->now + 1;
        early_push(label, f->heap, f->n_heap++, to);
    }
    return true;
}

/* The same behind, from the latest vertex. */
static bool step_back(hf_layer_set *set, uint32_t layer, uint64_t first) {
    const uint64_t *label = set->order[layer].label;
    hf_layer_front *f = &set->back;
    const uint32_t v = late_pop(label, f->heap, f->n_heap--);
    f->done[f->n_done++] = v;
    for (uint32_t e = set->in[v]; e > 0; e = set->edge[e - 1].next_in) {
        const uint32_t from = set->edge[e - 1].from;
        if (!(set->edge[e - 1].laid >> layer & 1) || set->mark[from] == 2 * set->now || label[from] < first) {
            continue;
        }
        if (set->mark[from] == 2 * set->now + 1) {
            return false;
        }
        set->mark[from] = 2 * set->now;
        late_push(label, f->heap, f->n_heap++, from);
    }
    return true;
}

static void start_front(hf_layer_set *set, hf_layer_front *front, uint32_t v, uint64_t mark) {
    front->heap[0] = v;
    front->n_heap = 1;
    front->n_done = 0;
    set->mark[v] = mark;
}

/* Would x -> y, which goes down the order, close no cycle? Both fronts are left as the search ended. */
static bool is_open(hf_layer_set *set, uint32_t layer, uint32_t x, uint32_t y) {
    const uint64_t *label = set->order[layer].label, first = label[y], last = label[x];
    set->now++;
    start_front(set, &set->back, x, 2 * set->now);
    start_front(set, &set->ahead, y, 2 * set->now + 1);
    bool open = true;
    while (open && set->ahead.n_heap > 0 && set->back.n_heap > 0 && label[set->ahead.heap[0]] < label[set->back.heap[0]]) {
        open = step_ahead(set, layer, last) && step_back(set, layer, first);
    }
    return open;
}

/* Move what the search met so that y comes behind x: what was gone on from ahead, and before it what was behind and lies later
 * than the first vertex that was not gone on from. Both were gone on from in the order's order, and against it. */
static void reorder(hf_layer_set *set, uint32_t layer, uint32_t x) {
    hf_layer_order *o = &set->order[layer];
    const hf_layer_front *ahead = &set->ahead, *back = &set->back;
    const bool is_passed = ahead->n_heap > 0;
    const uint32_t place = is_passed ? ahead->heap[0] : o->next[x];
    uint32_t n_back = 0;
    while (is_passed && n_back < back->n_done && o->label[back->done[n_back]] > o->label[place]) {
        take_out(o, back->done[n_back++]);
    }
    for (uint32_t i = 0; i < ahead->n_done; i++) {
        take_out(o, ahead->done[i]);
    }
    for (uint32_t i = n_back; i-- > 0;) {
        put_before(o, back->done[i], place);
    }
    for (uint32_t i = 0; i < ahead->n_done; i++) {
        put_before(o, ahead->done[i], place);
    }
    label_moved(o, set->n_vertex, place, n_back + ahead->n_done);
}

/* ---- ways ---- */

static bool lay(hf_layer_set *set, uint32_t layer, hf_layer_edge *e) {
    const uint64_t *label = set->order[layer].label;
    if (e->from == e->to) {
        return false;
    }
    if (label[e->from] > label[e->to]) {
        if (!is_open(set, layer, e->from, e->to)) {
            return false;
        }
        reorder(set, layer, e->from);
    }
    e->laid |= UINT64_C(1) << layer;
    return true;
}

/* Layers that have a dependency, and that refuse it, are more than they were. */
static void add_words(hf_layer_set *set, uint32_t edge, uint64_t laid, uint64_t refused) {
    hf_layer_edge *e = &set->edge[edge];
    if (set->changed && e->laid == e->kept_laid && e->refused == e->kept_refused) {
        set->changed[set->n_changed++] = edge;
    }
    e->laid |= laid;
    e->refused |= refused;
}

/* It would close a cycle for good: also of what was kept, if the layer has nothing more. */
static void refuse(hf_layer_set *set, uint32_t edge, uint64_t bit) {
    hf_layer_edge *e = &set->edge[edge];
    if (set->changed && !(set->changed_layers & bit)) {
        e->kept_refused |= bit;
        e->refused |= bit;
    } else {
        add_words(set, edge, 0, bit);
    }
}

/* Put the way on the layer, or leave there what was before. While it is tried, its own dependencies are marked as both laid and
 * refused. One that is refused when none of them is there is refused for good. */
static bool try_layer(hf_layer_set *set, uint32_t layer, const uint32_t *edges, uint32_t n) {
    const uint64_t bit = UINT64_C(1) << layer;
    bool is_alone = true;
    uint32_t i = 0;
    for (; i < n; i++) {
        hf_layer_edge *e = &set->edge[edges[i]];
        if (e->laid & bit) {
            continue;
        }
        if (!lay(set, layer, e)) {
            break;
        }
        e->refused |= bit;
        is_alone = false;
    }
    for (uint32_t k = 0; k < i; k++) {
        hf_layer_edge *e = &set->edge[edges[k]];
        const bool is_own = e->refused & bit;
        e->laid &= is_own ? ~bit : UINT64_MAX;
        e->refused &= ~bit;
        if (is_own && i == n) {
            add_words(set, edges[k], bit, 0);
            set->changed_layers |= set->changed ? bit : 0;
        }
    }
    if (i < n) {
        hf_layer_edge *e = &set->edge[edges[i]];
        const bool is_refused = is_alone || !lay(set, layer, e);
        e->laid &= ~bit;
        if (is_refused) {
            refuse(set, edges[i], bit);
        }
    }
    return i == n;
}

typedef struct layer_words {
    uint64_t laid, refused; /* layers that have all of some dependencies, that refuse one of them */
} layer_words;

static layer_words words_of(const hf_layer_set *set, const uint32_t *edges, uint32_t n) {
    layer_words w = {UINT64_MAX, 0};
    for (uint32_t i = 0; i < n; i++) {
        w.laid &= set->edge[edges[i]].laid;
        w.refused |= set->edge[edges[i]].refused;
    }
    return w;
}

hf_status hf_layers_extend(hf_context *cx, hf_layer_set *set, const uint32_t *edges, uint32_t n, uint32_t n_new, uint32_t least,
                           uint32_t *layer) {
    layer_words w = words_of(set, edges, n_new);
    uint32_t size = n_new;
    for (*layer = least; *layer < HF_LAYERS_MAX; ++*layer) {
        if (*layer == set->n_layer) {
            HF_TRY(add_layer(cx, set));
        }
        const bool is_there = size == 0 || w.laid >> *layer & 1;
        if (is_there || (!(w.refused >> *layer & 1) && try_layer(set, *layer, edges, size))) {
            return HF_OK;
        }
        w = size < n ? words_of(set, edges, n) : w;
        size = n;
    }
    *layer = HF_NONE;
    return HF_OK;
}

hf_status hf_layers_put(hf_context *cx, hf_layer_set *set, const uint32_t *edges, uint32_t n, uint32_t *layer) {
    return hf_layers_extend(cx, set, edges, n, n, 0, layer);
}

/* ---- the set ---- */

hf_status hf_layers_init(hf_context *cx, uint32_t n_vertex, hf_layer_set *out) {
    *out = (hf_layer_set){.n_vertex = n_vertex};
    uint32_t **const arrays[] = {&out->out, &out->in, &out->ahead.heap, &out->ahead.done, &out->back.heap, &out->back.done};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        HF_TRY(hf_scratch(cx, n_vertex, sizeof **arrays[i], (void **)arrays[i]));
    }
    return hf_scratch(cx, n_vertex, sizeof *out->mark, (void **)&out->mark);
}

/* Each dependency changes once. */
static hf_status keep_room(hf_context *cx, hf_layer_set *set) {
    while (!set->changed || set->room_changed < set->room) {
        HF_TRY(hf_grow_scratch(cx, set->n_changed, sizeof *set->changed, (void **)&set->changed, &set->room_changed));
    }
    return HF_OK;
}

hf_status hf_layers_keep(hf_context *cx, hf_layer_set *set) {
    set->n_changed = 0;
    set->changed_layers = 0;
    for (uint32_t e = 0; e < set->n_edge; e++) {
        set->edge[e].kept_laid = set->edge[e].laid;
        set->edge[e].kept_refused = set->edge[e].refused;
    }
    return keep_room(cx, set);
}

void hf_layers_take_back(hf_layer_set *set) {
    for (uint32_t i = 0; i < set->n_changed; i++) {
        hf_layer_edge *e = &set->edge[set->changed[i]];
        e->laid = e->kept_laid;
        e->refused = e->kept_refused;
    }
    set->n_changed = 0;
    set->changed_layers = 0;
}

hf_status hf_layers_edge(hf_context *cx, hf_layer_set *set, uint32_t from, uint32_t to, uint32_t *edge) {
    for (uint32_t e = set->out[from]; e > 0; e = set->edge[e - 1].next_out) {
        if (set->edge[e - 1].to == to) {
            *edge = e - 1;
            return HF_OK;
        }
    }
    HF_GROW_SCRATCH(cx, set->edge, set->n_edge, set->room);
    HF_TRY(set->changed ? keep_room(cx, set) : HF_OK);
    *edge = set->n_edge;
    set->edge[set->n_edge++] = (hf_layer_edge){.from = from, .to = to, .next_out = set->out[from], .next_in = set->in[to]};
    set->out[from] = set->in[to] = set->n_edge;
    return HF_OK;
}
