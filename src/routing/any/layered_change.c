/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Touched ways, found anew and put on layers. */
#include "src/routing/any/layered_change.h"

#include <string.h>

/* Put a distance to what is measured, or take it away. */
static void count(hf_layered_change *change, uint16_t distance, int64_t more) {
    if (distance != HF_FAR) {
        change->hops += (uint64_t)more * distance;
        change->n_at[distance] += (uint64_t)more;
        change->farthest = distance > change->farthest ? distance : change->farthest;
    }
}

hf_status hf_layered_change_init(hf_context *cx, const hf_layered *whole, hf_laying *laying, const hf_args *args,
                                 hf_layered_change *out) {
    const uint32_t n = whole->goals.topo->n_switch, n_row = whole->goals.n_row;
    const size_t size = (size_t)n_row * n;
    *out = (hf_layered_change){.whole = whole, .now = *whole, .laying = laying, .most = hf_layered_most(args)};
    HF_TRY(hf_scratch(cx, size, sizeof *out->now.next, (void **)&out->now.next));
    HF_TRY(hf_scratch(cx, size, sizeof *out->now.distance, (void **)&out->now.distance));
    HF_TRY(hf_scratch(cx, size, sizeof *out->now.vc, (void **)&out->now.vc));
    HF_TRY(hf_scratch(cx, n_row * hf_words(n), sizeof *out->touched, (void **)&out->touched));
    HF_TRY(hf_scratch(cx, n_row, sizeof *out->row, (void **)&out->row));
    HF_TRY(hf_scratch(cx, n_row, sizeof *out->is_farther, (void **)&out->is_farther));
    uint32_t **const work[] = {&out->list, &out->sorted, &out->queue, &out->begin};
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof **work[i], (void **)work[i]));
    }
    memcpy(out->now.next, whole->next, size * sizeof *whole->next);
    memcpy(out->now.distance, whole->distance, size * sizeof *whole->distance);
    memcpy(out->now.vc, whole->vc, size * sizeof *whole->vc);
    HF_TRY(hf_scratch(cx, n, sizeof *out->n_at, (void **)&out->n_at));
    for (size_t i = 0; i < size; i++) {
        count(out, whole->distance[i], 1);
    }
    return hf_layers_keep(cx, &laying->layers);
}

void hf_layered_change_begin(hf_layered_change *change, const hf_fault_set *faults) {
    change->faults = faults;
    change->now.goals.failed = faults->channel_set;
}

/* ---- what a row has touched ---- */

/* A row while its ways are found. */
typedef struct row_view {
    const hf_topology *topo;
    const hf_goals *goals;
    const uint32_t *was; /* channels of the whole */
    uint32_t *next;
    uint16_t *distance;
    uint64_t *touched;
    uint32_t goal, number;
    uint32_t *list, n_list; /* switches that are touched */
} row_view;

static row_view view_of(hf_layered_change *change, uint32_t row) {
    const hf_topology *topo = change->whole->goals.topo;
    const size_t first = (size_t)row * topo->n_switch;
    return (row_view){.topo = topo,
                      .goals = &change->now.goals,
                      .was = change->whole->next + first,
                      .next = change->now.next + first,
                      .distance = change->now.distance + first,
                      .touched = change->touched + row * hf_words(topo->n_switch),
                      .goal = change->whole->goals.goal[row],
                      .number = row,
                      .list = change->list};
}

static void touch(row_view *r, uint32_t v) {
    if (!hf_bit_test(r->touched, v)) {
        hf_bit_set(r->touched, v);
        r->list[r->n_list++] = v;
    }
}

/* Does a switch still have a channel to the goal, a terminal? */
static bool is_seed(const row_view *r, uint32_t v) {
    bool is = false;
    for (uint32_t i = r->topo->in_begin[r->goal]; i < r->topo->in_begin[r->goal + 1]; i++) {
        const uint32_t c = r->topo->in_list[i];
        is |= r->topo->from[c] == v && !hf_goals_is_failed(r->goals, c);
    }
    return is;
}

/* Switches whose own channel has failed, or that have lost the goal, and those whose ways lead there. */
static void find_touched(row_view *r, const hf_fault_set *faults) {
    const hf_topology *topo = r->topo;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t c = faults->channel[i], from = topo->from[c], to = topo->to[c];
        if (from < topo->n_switch && (to < topo->n_switch ? r->was[from] == c : to == r->goal && !is_seed(r, from))) {
            touch(r, from);
        }
    }
    for (uint32_t i = 0; i < r->n_list; i++) {
        const uint32_t v = r->list[i];
        for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
            const uint32_t c = topo->in_list[k], from = topo->from[c];
            if (from < topo->n_switch && r->was[from] == c) {
                touch(r, from);
            }
        }
    }
}

/* ---- distances ---- */

/* By what is not touched alone: an upper bound. */
static uint16_t bound(const row_view *r, uint32_t v) {
    uint16_t least = HF_FAR;
    for (uint32_t i = r->topo->out_begin[v]; i < r->topo->out_begin[v + 1]; i++) {
        const uint32_t c = r->topo->out_list[i], to = r->topo->to[c];
        if (to < r->topo->n_switch && !hf_bit_test(r->touched, to) && r->distance[to] < least - 1 &&
            !hf_goals_is_failed(r->goals, c)) {
            least = (uint16_t)(r->distance[to] + 1);
        }
    }
    return least;
}

/* Touched switches with a bound, nearest first. \return how many */
static uint32_t sort_touched(const row_view *r, uint32_t *count, uint32_t *sorted) {
    const uint32_t n = r->topo->n_switch;
    uint32_t low = n, high = 0, sum = 0;
    for (uint32_t i = 0; i < r->n_list; i++) {
        const uint32_t d = r->distance[r->list[i]];
        low = d < low ? d : low;
        high = d != HF_FAR && d > high ? d : high;
    }
    for (uint32_t d = low; d <= high; d++) {
        count[d] = 0;
    }
    for (uint32_t i = 0; i < r->n_list; i++) {
        const uint32_t d = r->distance[r->list[i]];
        count[d == HF_FAR ? n : d]++;
    }
    for (uint32_t d = low; d <= high; d++) {
        const uint32_t here = count[d];
        count[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < r->n_list; i++) {
        const uint32_t d = r->distance[r->list[i]];
        if (d != HF_FAR) {
            sorted[count[d]++] = r->list[i];
        }
    }
    return sum;
}

/* Go on from `v`, whose distance is the last. \return the queue's new end */
static uint32_t relax(const row_view *r, uint32_t v, uint32_t *queue, uint32_t end) {
    const uint16_t farther = (uint16_t)(r->distance[v] + 1);
    for (uint32_t i = r->topo->in_begin[v]; i < r->topo->in_begin[v + 1]; i++) {
        const uint32_t c = r->topo->in_list[i], from = r->topo->from[c];
        if (from < r->topo->n_switch && hf_bit_test(r->touched, from) && r->distance[from] > farther &&
            !hf_goals_is_failed(r->goals, c)) {
            r->distance[from] = farther;
            queue[end++] = from;
        }
    }
    return end;
}

/* Breadth first from all bounds at once: the nearer one of the list of bounds and of the queue is next. What the queue has got is
 * not queued again, as its distances only rise; in the list it stands at a bound that is no more. */
static void find_distances(const row_view *r, const hf_layered_change *change) {
    for (uint32_t i = 0; i < r->n_list; i++) {
        r->distance[r->list[i]] = bound(r, r->list[i]);
    }
    const uint32_t n = sort_touched(r, change->begin, change->sorted);
    uint32_t i = 0, head = 0, end = 0;
    while (i < n || head < end) {
        const bool is_queued = head < end && (i == n || r->distance[change->queue[head]] < r->distance[change->sorted[i]]);
        const uint32_t v = is_queued ? change->queue[head++] : change->sorted[i++];
        end = relax(r, v, change->queue, end);
    }
}

/* ---- channels ---- */

/* Number of channels of `v` that lead nearer, and the one of them with number `pick`. */
static uint32_t nearer(const row_view *r, uint32_t v, uint32_t pick, uint32_t *channel) {
    uint32_t count = 0;
    for (uint32_t i = r->topo->out_begin[v]; i < r->topo->out_begin[v + 1]; i++) {
        const uint32_t c = r->topo->out_list[i], to = r->topo->to[c];
        if (to < r->topo->n_switch && r->distance[to] < r->distance[v] && !hf_goals_is_failed(r->goals, c)) {
            *channel = count++ == pick ? c : *channel;
        }
    }
    return count;
}

/* The channel of the whole network, if it still leads nearer; else those that do in turn among the goals. */
static void choose(const row_view *r, uint32_t v) {
    const uint32_t c = r->was[v];
    if (c != HF_NONE && !hf_goals_is_failed(r->goals, c) && r->distance[r->topo->to[c]] < r->distance[v]) {
        return;
    }
    r->next[v] = HF_NONE;
    const uint32_t count = nearer(r, v, HF_NONE, &r->next[v]);
    if (count > 0) {
        (void)nearer(r, v, r->number % count, &r->next[v]);
    }
}

void hf_layered_change_row(hf_layered_change *change, uint32_t row) {
    row_view r = view_of(change, row);
    find_touched(&r, change->faults);
    if (r.n_list == 0) {
        return;
    }
    find_distances(&r, change);
    const uint16_t *before = change->whole->distance + (size_t)row * r.topo->n_switch;
    bool is_farther = false;
    for (uint32_t i = 0; i < r.n_list; i++) {
        const uint32_t v = r.list[i];
        choose(&r, v);
        if (r.distance[v] != before[v]) {
            is_farther = true;
            count(change, before[v], -1);
            count(change, r.distance[v], 1);
        }
    }
    change->is_farther[change->n_row] = is_farther;
    change->row[change->n_row++] = row;
}

/* ---- layers ---- */

static hf_status lay_touched(hf_context *cx, hf_layered_change *change) {
    const uint32_t n = change->whole->goals.topo->n_switch;
    change->laying->n_layer = change->whole->n_vc;
    for (uint32_t i = 0; i < change->n_row && change->laying->n_layer <= change->most; i++) {
        const uint32_t row = change->row[i];
        const uint64_t *touched = change->touched + row * hf_words(n);
        for (size_t v = hf_bits_next(touched, n, 0); v < n; v = hf_bits_next(touched, n, v + 1)) {
            change->now.vc[(size_t)row * n + v] = HF_LAYER_NOT_YET;
        }
        HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
        HF_TRY(hf_laying_row(cx, change->laying, &change->now, row));
    }
    change->now.n_vc = change->laying->n_layer;
    return HF_OK;
}

hf_status hf_layered_change_lay(hf_context *cx, hf_context *keeper, hf_layered_change *change) {
    HF_TRY(change->whole->needs_more ? HF_OK : lay_touched(keeper, change));
    if (!change->whole->needs_more && change->now.n_vc <= change->most) {
        return HF_OK;
    }
    hf_laying anew;
    change->is_laid_anew = true;
    HF_TRY(hf_laying_init(cx, change->whole->goals.topo, &anew));
    return hf_laying_all(cx, &anew, &change->now);
}

void hf_layered_change_measure(const hf_layered_change *change, hf_measure *out) {
    uint32_t longest = change->farthest;
    while (longest > 0 && change->n_at[longest] == 0) {
        longest--;
    }
    out->extra[0] = change->now.n_vc;
    out->extra[1] = change->hops;
    out->extra[2] = longest;
}

void hf_layered_change_undo(hf_layered_change *change) {
    const hf_layered *whole = change->whole;
    const size_t n = whole->goals.topo->n_switch;
    for (uint32_t i = 0; i < change->n_row; i++) {
        const size_t first = change->row[i] * n;
        uint64_t *touched = change->touched + change->row[i] * hf_words(n);
        for (size_t v = hf_bits_next(touched, n, 0); v < n; v = hf_bits_next(touched, n, v + 1)) {
            if (change->now.distance[first + v] != whole->distance[first + v]) {
                count(change, change->now.distance[first + v], -1);
                count(change, whole->distance[first + v], 1);
            }
            change->now.next[first + v] = whole->next[first + v];
            change->now.distance[first + v] = whole->distance[first + v];
            change->now.vc[first + v] = whole->vc[first + v];
        }
        memset(touched, 0, hf_words(n) * sizeof *touched);
    }
    if (change->is_laid_anew) {
        memcpy(change->now.vc, whole->vc, whole->goals.n_row * n * sizeof *whole->vc);
    }
    change->n_row = 0;
    change->now.goals.failed = NULL;
    change->is_laid_anew = false;
    change->now.n_vc = whole->n_vc;
    change->now.needs_more = whole->needs_more;
    hf_layers_take_back(&change->laying->layers);
}
