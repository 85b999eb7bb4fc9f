/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lost ways, by what is touched. */
#include "src/routing/any/layered_count.h"

bool hf_layered_count_fits(const hf_topology *topo) {
    bool fits = true;
    for (uint32_t v = topo->n_switch; v < topo->n_node && fits; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        fits = topo->out_begin[v + 1] - out == 1 && topo->in_begin[v + 1] - in == 1 &&
               topo->to[topo->out_list[out]] < topo->n_switch && topo->from[topo->in_list[in]] < topo->n_switch;
    }
    return fits;
}

static uint32_t first_of(const hf_topology *topo, uint32_t terminal) {
    return topo->out_list[topo->out_begin[topo->n_switch + terminal]];
}

static bool is_way(const hf_layered_count *count, uint32_t source, uint32_t destination) {
    const hf_goals *goals = &count->whole->goals;
    const size_t first = (size_t)goals->row[destination] * goals->topo->n_switch;
    return source != destination && count->whole->distance[first + count->entry[source]] != HF_FAR;
}

/* Ways from each terminal and to each, by the switches with a way to a row, and by its terminals. None leads to oneself. */
static hf_status count_whole(hf_context *cx, hf_layered_count *count) {
    const hf_goals *goals = &count->whole->goals;
    const uint32_t n = goals->topo->n_switch, *begin = count->members->begin;
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *goals_of; /* by switch: terminals to which there is a way */
    HF_TRY(hf_scratch(cx, n, sizeof *goals_of, (void **)&goals_of));
    for (uint32_t row = 0; row < goals->n_row; row++) {
        const uint16_t *distance = count->whole->distance + (size_t)row * n;
        uint32_t sources = 0;
        for (uint32_t v = 0; v < n; v++) {
            sources += distance[v] != HF_FAR ? count->n_entry[v] : 0;
            goals_of[v] += distance[v] != HF_FAR ? begin[row + 1] - begin[row] : 0;
        }
        for (uint32_t i = begin[row]; i < begin[row + 1]; i++) {
            const uint32_t d = count->members->item[i];
            count->n_taken[d] = sources - (distance[count->entry[d]] != HF_FAR);
        }
    }
    for (uint32_t s = 0; s < goals->topo->n_terminal; s++) {
        const uint16_t *own = count->whole->distance + (size_t)goals->row[s] * n;
        count->n_sent[s] = goals_of[count->entry[s]] - (own[count->entry[s]] != HF_FAR);
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_layered_count_init(hf_context *cx, const hf_layered *whole, const hf_rows *members, hf_layered_count *out) {
    const hf_topology *topo = whole->goals.topo;
    *out = (hf_layered_count){.whole = whole, .members = members};
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *out->entry, (void **)&out->entry));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->n_entry, (void **)&out->n_entry));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *out->cut, (void **)&out->cut));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *out->n_sent, (void **)&out->n_sent));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *out->n_taken, (void **)&out->n_taken));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        out->entry[t] = topo->to[first_of(topo, t)];
        out->n_entry[out->entry[t]]++;
    }
    return count_whole(cx, out);
}

/* ---- what is cut off ---- */

/* HF_NONE: a switch. */
static uint32_t terminal_of(const hf_topology *topo, uint32_t node) {
    return hf_topology_is_terminal(topo, node) ? node - topo->n_switch : HF_NONE;
}

static uint32_t source_of(const hf_fault_set *faults, uint32_t i) {
    return terminal_of(faults->topo, faults->topo->from[faults->channel[i]]);
}

/* All ways to terminals that cannot be sent to, all from those that cannot send, those from one to another once. Switches have
 * only those left that can send. \param[out] cuts is any terminal cut off? */
static uint64_t cut_off(hf_layered_count *count, const hf_fault_set *faults, bool *cuts) {
    uint64_t lost = 0;
    count->n_cut = 0;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t d = terminal_of(faults->topo, faults->topo->to[faults->channel[i]]);
        if (d != HF_NONE) {
            lost += count->n_taken[d];
            count->cut[count->n_cut++] = d;
        }
    }
    *cuts = count->n_cut > 0;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t source = source_of(faults, i);
        if (source != HF_NONE) {
            *cuts = true;
            count->n_entry[count->entry[source]]--;
            lost += count->n_sent[source];
            for (uint32_t k = 0; k < count->n_cut; k++) {
                lost -= is_way(count, source, count->cut[k]);
            }
        }
    }
    return lost;
}

static void put_back(hf_layered_count *count, const hf_fault_set *faults) {
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t source = source_of(faults, i);
        if (source != HF_NONE) {
            count->n_entry[count->entry[source]]++;
        }
    }
}

/* ---- what is touched ---- */

/* Is a terminal's own way to its row among those of the senders? */
static bool is_sent(const hf_layered_count *count, const hf_layered_change *change, const uint64_t *touched, uint32_t terminal) {
    const uint32_t c = first_of(count->whole->goals.topo, terminal);
    return hf_bit_test(touched, count->entry[terminal]) && !hf_goals_is_failed(&change->now.goals, c);
}

/* Touched ways between terminals that are not cut off. */
static uint64_t count_row(const hf_layered_count *count, const hf_layered_change *change, uint32_t row, bool *serves_all) {
    const size_t n = count->whole->goals.topo->n_switch;
    const uint64_t *touched = change->touched + row * hf_words(n);
    const uint16_t *distance = change->now.distance + row * n;
    uint64_t lost = 0, unserved = 0, sum = 0;
    for (size_t v = hf_bits_next(touched, n, 0); v < n; v = hf_bits_next(touched, n, v + 1)) {
        const uint32_t sources = count->n_entry[v];
        lost += sources;
        unserved += distance[v] == HF_FAR ? sources : 0;
    }
    for (uint32_t i = count->members->begin[row]; i < count->members->begin[row + 1]; i++) {
        const uint32_t d = count->members->item[i];
        const bool is_own = is_sent(count, change, touched, d);
        sum += hf_goals_is_cut_off(&change->now.goals, d) ? 0 : lost - is_own;
        *serves_all &= unserved == (is_own && distance[count->entry[d]] == HF_FAR);
    }
    return sum;
}

uint64_t hf_layered_count_lost(hf_layered_count *count, const hf_layered_change *change, bool *serves_all) {
    bool cuts;
    uint64_t lost = cut_off(count, change->faults, &cuts);
    for (uint32_t i = 0; i < change->n_row; i++) {
        lost += count_row(count, change, change->row[i], serves_all);
    }
    put_back(count, change->faults);
    *serves_all &= !cuts || count->whole->goals.topo->n_terminal == 1;
    return lost;
}
