/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The ways of a plan, row by row, as faults change them, and their layers. */
#include <string.h>

#include "src/core/layers.h"
#include "src/core/rows.h"
#include "src/routing/any/layered.h"

/* ---- ways ---- */

/** Number of channels of `v` that lead nearer, and the one of them with number `pick`. */
static uint32_t nearer(const hf_layered *ways, uint32_t row, uint32_t v, uint32_t pick, uint32_t *channel) {
    const hf_topology *topo = ways->goals.topo;
    const uint16_t *distance = ways->distance + (size_t)row * topo->n_switch;
    uint32_t count = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (to < topo->n_switch && distance[to] < distance[v] && !hf_goals_is_failed(&ways->goals, c)) {
            *channel = count++ == pick ? c : *channel;
        }
    }
    return count;
}

/* Ways that are as short are shared among the destinations in turn. */
static void choose_way(const hf_layered *ways, uint32_t row, uint32_t v) {
    uint32_t *next = &ways->next[(size_t)row * ways->goals.topo->n_switch + v];
    *next = HF_NONE;
    const uint32_t count = nearer(ways, row, v, HF_NONE, next);
    if (count > 0) {
        (void)nearer(ways, row, v, row % count, next);
    }
}

/* Does the channel of the whole network still lead nearer? */
static bool keeps_way(const hf_layered *ways, const hf_layered *like, uint32_t row, uint32_t v) {
    const hf_topology *topo = ways->goals.topo;
    const uint16_t *distance = ways->distance + (size_t)row * topo->n_switch;
    const uint32_t c = like->next[(size_t)row * topo->n_switch + v];
    return c != HF_NONE && !hf_goals_is_failed(&ways->goals, c) && distance[topo->to[c]] < distance[v];
}

static hf_status find_row(hf_context *cx, hf_layered *ways, const hf_layered *like, uint32_t row) {
    const size_t n = ways->goals.topo->n_switch, first = row * n;
    HF_TRY(hf_goals_search(cx, &ways->goals, row, ways->distance + first));
    for (uint32_t v = 0; v < n; v++) {
        if (keeps_way(ways, like, row, v)) {
            ways->next[first + v] = like->next[first + v];
        } else {
            choose_way(ways, row, v);
        }
    }
    return HF_OK;
}

/* Choose anew where the channel of the whole network has failed. If a switch has no other one that leads nearer, or a terminal on
 * several switches has lost a channel, distances are searched anew, too. */
static hf_status change_row(hf_context *cx, const hf_fault_set *faults, const hf_layered *like, hf_layered *ways, uint32_t row) {
    const hf_topology *topo = faults->topo;
    const size_t first = (size_t)row * topo->n_switch;
    bool is_longer = false;
    for (uint32_t i = 0; i < faults->n_channel && !is_longer; i++) {
        const uint32_t c = faults->channel[i], from = topo->from[c], to = topo->to[c];
        const bool is_inside = from < topo->n_switch && to < topo->n_switch;
        if (is_inside && like->next[first + from] == c) {
            ways->is_new[row] = true;
            choose_way(ways, row, from);
            is_longer = ways->next[first + from] == HF_NONE;
        }
        is_longer |= to == ways->goals.goal[row] && !is_inside;
    }
    ways->is_new[row] |= is_longer;
    return is_longer ? find_row(cx, ways, like, row) : HF_OK;
}

static hf_status change_ways(hf_context *cx, const hf_plan *plan, const hf_layered *like, hf_layered *ways) {
    const size_t size = (size_t)ways->goals.n_row * plan->topo->n_switch;
    HF_TRY(hf_scratch(cx, ways->goals.n_row, sizeof *ways->is_new, (void **)&ways->is_new));
    memcpy(ways->distance, like->distance, size * sizeof *ways->distance);
    memcpy(ways->next, like->next, size * sizeof *ways->next);
    for (uint32_t row = 0; row < ways->goals.n_row; row++) {
        HF_TRY(change_row(cx, plan->faults, like, ways, row));
    }
    return HF_OK;
}

/* ---- layers ---- */

/* Number the dependencies of a row. \param[out] after n_switch: that of the way's channel from a switch on the one behind it;
 * HF_NONE: there is none behind it */
static hf_status number_row(hf_context *cx, const hf_layered *ways, uint32_t row, hf_layer_set *layers, uint32_t *after) {
    const hf_topology *topo = ways->goals.topo;
    const uint32_t *next = ways->next + (size_t)row * topo->n_switch;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t behind = next[v] == HF_NONE ? HF_NONE : next[topo->to[next[v]]];
        after[v] = HF_NONE;
        if (behind != HF_NONE) {
            HF_TRY(hf_layers_edge(cx, layers, next[v], behind, &after[v]));
        }
    }
    return HF_OK;
}

/* Ways of a row run together: behind a switch whose way is put, a way is put already. What lies behind on the way of one on layer
 * 0 is on layer 0, too. */
static hf_status lay_row(hf_context *cx, hf_layered *ways, uint32_t row, hf_layer_set *layers, const uint32_t *after,
                         uint32_t *way) {
    enum { NOT_YET = 0xff };
    const hf_topology *topo = ways->goals.topo;
    const uint32_t *next = ways->next + (size_t)row * topo->n_switch;
    uint8_t *vc = ways->vc + (size_t)row * topo->n_switch;
    memset(vc, NOT_YET, topo->n_switch);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t n_new = 0, n, u = v, layer;
        if (vc[v] != NOT_YET) {
            continue;
        }
        for (; vc[u] == NOT_YET && after[u] != HF_NONE; u = topo->to[next[u]]) {
            way[n_new++] = after[u];
        }
        const uint32_t least = vc[u] == NOT_YET ? 0 : vc[u];
        for (n = n_new; after[u] != HF_NONE; u = topo->to[next[u]]) {
            way[n++] = after[u];
        }
        HF_TRY(hf_layers_extend(cx, layers, way, n, n_new, least, &layer));
        if (layer == HF_NONE) {
            ways->needs_more = true;
            return HF_OK;
        }
        vc[v] = (uint8_t)layer;
        for (u = v; layer == 0 && n_new-- > 0; u = topo->to[next[u]]) {
            vc[u] = 0;
        }
    }
    return HF_OK;
}

static hf_status lay(hf_context *cx, hf_layered *ways) {
    const hf_topology *topo = ways->goals.topo;
    hf_layer_set layers;
    uint32_t *way, *after;
    HF_TRY(hf_layers_init(cx, topo->n_channel, &layers));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *way, (void **)&way));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *after, (void **)&after));
    for (uint32_t row = 0; row < ways->goals.n_row && !ways->needs_more; row++) {
        HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
        HF_TRY(number_row(cx, ways, row, &layers, after));
        HF_TRY(lay_row(cx, ways, row, &layers, after, way));
    }
    ways->n_vc = layers.n_layer > 0 ? layers.n_layer : 1;
    return HF_OK;
}

/* The channel that follows that of `v` on the way of a row, HF_NONE. */
static uint32_t following(const hf_layered *ways, const uint32_t *next, uint32_t v) {
    return next[v] == HF_NONE ? HF_NONE : next[ways->goals.topo->to[next[v]]];
}

hf_status hf_layered_find_order(hf_context *cx, hf_layered *ways) {
    const hf_topology *topo = ways->goals.topo;
    const size_t size = (size_t)ways->goals.n_row * topo->n_switch;
    uint32_t *pending, *queue, n = 0;
    hf_rows after;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *ways->order, (void **)&ways->order));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *pending, (void **)&pending));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *queue, (void **)&queue));
    HF_TRY(hf_rows_start(cx, topo->n_channel, &after));
    for (size_t i = 0; i < size; i++) {
        const uint32_t then = following(ways, ways->next + i / topo->n_switch * topo->n_switch, (uint32_t)(i % topo->n_switch));
        if (then != HF_NONE) {
            hf_rows_count(&after, ways->next[i]);
            pending[then]++;
        }
    }
    HF_TRY(hf_rows_lay(cx, &after));
    for (size_t i = 0; i < size; i++) {
        const uint32_t then = following(ways, ways->next + i / topo->n_switch * topo->n_switch, (uint32_t)(i % topo->n_switch));
        if (then != HF_NONE) {
            hf_rows_put(&after, ways->next[i], then);
        }
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (pending[c] == 0) {
            queue[n++] = c;
        }
    }
    for (uint32_t head = 0; head < n; head++) {
        ways->order[queue[head]] = head;
        for (uint32_t i = after.begin[queue[head]]; i < after.begin[queue[head] + 1]; i++) {
            if (--pending[after.item[i]] == 0) {
                queue[n++] = after.item[i];
            }
        }
    }
    ways->order = n == topo->n_channel ? ways->order : NULL;
    return HF_OK;
}

/* Do the new ways go along the order of the old ones? Then no cycle closes on the first layer. */
static bool keeps_order(const hf_layered *ways, const hf_layered *like) {
    const uint32_t n = ways->goals.topo->n_switch, *order = like->order;
    bool keeps = order != NULL;
    for (uint32_t row = 0; row < ways->goals.n_row && keeps; row++) {
        const uint32_t *next = ways->next + (size_t)row * n;
        for (uint32_t v = 0; v < n && ways->is_new[row]; v++) {
            const uint32_t then = following(ways, next, v);
            keeps &= then == HF_NONE || order[next[v]] < order[then];
        }
    }
    return keeps;
}

/* ---- all ---- */

static hf_status lay_out(hf_context *cx, const hf_plan *plan, hf_layered *out) {
    *out = (hf_layered){.n_vc = 1};
    HF_TRY(hf_goals_init(cx, plan, sizeof *out->next + sizeof *out->distance + sizeof *out->vc, &out->goals));
    const size_t size = (size_t)out->goals.n_row * plan->topo->n_switch;
    HF_TRY(hf_scratch(cx, size, sizeof *out->next, (void **)&out->next));
    HF_TRY(hf_scratch(cx, size, sizeof *out->distance, (void **)&out->distance));
    return hf_scratch(cx, size, sizeof *out->vc, (void **)&out->vc);
}

/* The ways of the whole network, without layers. */
static hf_status find_whole(hf_context *cx, const hf_plan *plan, hf_layered *out) {
    hf_fault_set none;
    HF_TRY(hf_no_faults(cx, plan->topo, &none));
    hf_plan whole = *plan;
    whole.faults = &none;
    HF_TRY(lay_out(cx, &whole, out));
    return hf_layered_balance(cx, out, 2);
}

hf_status hf_layered_make(hf_context *cx, const hf_plan *plan, const hf_layered *like, hf_layered *out) {
    hf_layered whole;
    if (!like && plan->faults->n_channel == 0) {
        HF_TRY(find_whole(cx, plan, out));
        return lay(cx, out);
    }
    HF_TRY(like ? HF_OK : find_whole(cx, plan, &whole));
    HF_TRY(lay_out(cx, plan, out));
    HF_TRY(change_ways(cx, plan, like ? like : &whole, out));
    return like && keeps_order(out, like) ? HF_OK : lay(cx, out);
}

void hf_layered_measure(const hf_layered *ways, hf_measure *out) {
    const size_t size = (size_t)ways->goals.n_row * ways->goals.topo->n_switch;
    uint64_t sum = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < size; i++) {
        const uint32_t hops = ways->distance[i] == HF_FAR ? 0 : ways->distance[i];
        sum += hops;
        most = hops > most ? hops : most;
    }
    out->extra[0] = ways->n_vc;
    out->extra[1] = sum;
    out->extra[2] = most;
}
