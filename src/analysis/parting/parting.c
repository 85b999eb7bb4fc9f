/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The stack of failed components, what a search over it says, and the sums of rows. */
#include "src/analysis/parting/parting.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/topology/search.h"

/* ---- the stack ---- */

hf_status hf_parting_push(hf_context *cx, hf_parting *p, uint32_t component) {
    const hf_universe *u = p->universe;
    HF_TRY(hf_fault_stack_push(cx, &p->stack, component));
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        p->down[u->channel[i]]++;
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        p->gone[u->switch_list[i]]++;
    }
    return HF_OK;
}

void hf_parting_pop(hf_parting *p) {
    const hf_universe *u = p->universe;
    const uint32_t component = hf_fault_stack_pop(&p->stack);
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        p->down[u->channel[i]]--;
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        p->gone[u->switch_list[i]]--;
    }
}

/* ---- searching ---- */

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)from;
    hf_parting *p = user;
    if (p->down[arc] != 0 || hf_topology_is_terminal(p->universe->topo, to) || p->gone[to] != 0 || hf_bit_test(p->seen, to)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(p->seen, to);
    return HF_STEP_ENTER;
}

/* Switches that a search from `start` sees, with the channels or against them. */
static uint32_t search(hf_parting *p, uint32_t start, bool is_back) {
    const hf_topology *topo = p->universe->topo;
    memset(p->seen, 0, hf_words(topo->n_switch) * sizeof *p->seen);
    hf_bit_set(p->seen, start);
    p->queue[0] = start;
    return hf_breadth_first(hf_channels(topo, is_back), p->queue, 1, enter, p);
}

/* Does a healthy channel of the list join the terminal to a switch that has not failed? */
static bool is_joined(const hf_parting *p, const uint32_t *list, uint32_t n, const uint32_t *end) {
    for (uint32_t i = 0; i < n; i++) {
        if (p->down[list[i]] == 0 && !hf_topology_is_terminal(p->universe->topo, end[list[i]]) && p->gone[end[list[i]]] == 0) {
            return true;
        }
    }
    return false;
}

uint32_t hf_parting_live(const hf_parting *p, uint32_t enough) {
    const hf_topology *topo = p->universe->topo;
    const bool by_switches = topo->n_terminal < 2;
    uint32_t live = 0;
    for (uint32_t v = 0; by_switches && v < topo->n_switch && live < enough; v++) {
        live += p->gone[v] == 0;
    }
    for (uint32_t v = topo->n_switch; !by_switches && v < topo->n_node && live < enough; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        live += is_joined(p, topo->out_list + out, topo->out_begin[v + 1] - out, topo->to) ||
                is_joined(p, topo->in_list + in, topo->in_begin[v + 1] - in, topo->from);
    }
    return live;
}

bool hf_parting_read(hf_parting *p) {
    if (hf_parting_live(p, p->least) < p->least) {
        return false;
    }
    uint32_t start = HF_NONE, left = 0;
    for (uint32_t v = p->universe->topo->n_switch; v-- > 0;) {
        if (p->gone[v] == 0) {
            start = v;
            left++;
        }
    }
    return left < 2 || (search(p, start, false) == left && search(p, start, true) == left);
}

hf_status hf_parting_is_whole(hf_context *cx, const hf_fault_set *faults, uint32_t least, bool *out, uint32_t *live) {
    const hf_topology *topo = faults->topo;
    const hf_universe universe = {.topo = topo};
    hf_parting p = {.universe = &universe, .least = least};
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *p.down, (void **)&p.down));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *p.gone, (void **)&p.gone));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *p.queue, (void **)&p.queue));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *p.seen, (void **)&p.seen));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        p.down[c] = hf_bit_test(faults->channel_set, c);
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        p.gone[v] = hf_bit_test(faults->switch_set, v);
    }
    *out = hf_parting_read(&p);
    *live = hf_parting_live(&p, HF_NONE);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* ---- counting ---- */

void hf_parting_take(hf_parting_sum *sum, uint64_t size, uint64_t bad, bool (*is_bad)(const void *user, uint64_t i),
                     const void *user) {
    const uint64_t begin = sum->index, end = begin + size;
    const uint64_t lo = sum->lo > begin ? sum->lo - begin : 0,
                   hi = sum->hi < end ? sum->hi - (sum->hi < begin ? sum->hi : begin) : size;
    sum->index = end;
    if (bad == 0 || lo >= hi) {
        return;
    }
    if (sum->first == UINT64_MAX || hi - lo < size) {
        bad = hi - lo < size ? 0 : bad;
        for (uint64_t i = lo; i < hi; i++) {
            if (is_bad(user, i)) {
                sum->first = sum->first == UINT64_MAX ? begin + i : sum->first;
                bad += hi - lo < size;
            }
        }
    }
    sum->bad += bad;
}
