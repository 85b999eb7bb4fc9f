/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Distances of the adaptive network, all sources at once. */
#include <math.h>
#include <string.h>

#include "src/core/machine.h"
#include "src/routing/immunet/immunet.h"

const char *const hf_immunet_outcomes[] = {"connected", "disconnected", NULL};
const char *const hf_immunet_extras[] = {"ring_hops",
                                         "connected_pairs",
                                         "provisional_distance_hops",
                                         "provisional_longest_hops",
                                         "optimised_distance_hops",
                                         "optimised_longest_hops",
                                         "adaptive_distance_hops",
                                         "adaptive_longest_hops",
                                         NULL};

/* A ring goes twice over each link of a tree, once in each direction; a way on it is shorter than the ring. */
static double most_of_ring(const hf_topology *topo) { return 2 * hf_most_hops(topo); }
static double most_of_rings(const hf_topology *topo) { return hf_most_switch_pairs(topo) * most_of_ring(topo); }

const hf_extra_note hf_immunet_extra_notes[] = {
    {"hops once round the safe ring, all rings together; 0 where the safe network is dimension order", NULL, 0, most_of_ring},
    {"ordered pairs of switches with a way between them", NULL, 0, hf_most_switch_pairs},
    {"hops over the safe network with the provisional tables, sum over these pairs", "provisional_hops_a_pair", HF_IMMUNET_PAIRS,
     most_of_rings},
    {"hops over the safe network with the provisional tables, of the farthest pair", NULL, 0, most_of_ring},
    {"hops over the safe network with the optimised tables, sum over these pairs", "optimised_hops_a_pair", HF_IMMUNET_PAIRS,
     most_of_rings},
    {"hops over the safe network with the optimised tables, of the farthest pair", NULL, 0, most_of_ring},
    {"hops over the adaptive network, sum over these pairs", "adaptive_hops_a_pair", HF_IMMUNET_PAIRS, hf_most_hops_sum},
    {"hops over the adaptive network, of the farthest pair", NULL, 0, hf_most_hops}};

bool hf_immunet_is_grid(const hf_topology *topo) {
    hf_grid grid;
    return hf_grid_of(topo, &grid) && !grid.is_complete;
}

/* One hop more: what a switch is reached from is what its neighbours were reached from. \return pairs reached */
static uint64_t widen(const hf_ways *ways, const uint64_t *dead, const uint64_t *reach, uint64_t *wider) {
    const size_t words = hf_words(ways->n);
    uint64_t count = 0;
    for (uint32_t v = 0; v < ways->n; v++) {
        uint64_t *to = wider + v * words;
        memcpy(to, reach + v * words, words * sizeof *to);
        for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
            const uint64_t *from = reach + ways->to[w] * words;
            if (hf_bit_test(dead, ways->topo->link[ways->channel[w]])) {
                continue;
            }
            for (size_t i = 0; i < words; i++) {
                to[i] |= from[i];
            }
        }
        count += hf_bits_count(to, words);
    }
    return count;
}

/* Sum and maximum over pairs that live links connect. */
static hf_status measure_distances(hf_context *cx, const hf_ways *ways, const uint64_t *dead, uint64_t *reach,
                                   uint64_t *reach_next, uint64_t *sum, uint64_t *longest) {
    const size_t words = hf_words(ways->n);
    memset(reach, 0, ways->n * words * sizeof *reach);
    for (uint32_t v = 0; v < ways->n; v++) {
        hf_bit_set(reach + v * words, v);
    }
    uint64_t before = ways->n, hops = 0;
    *sum = *longest = 0;
    for (;;) {
        HF_TRY(hf_context_go_on(cx, "measuring distances"));
        const uint64_t now = widen(ways, dead, reach, reach_next);
        if (now == before) {
            return HF_OK;
        }
        *sum += ++hops * (now - before);
        *longest = hops;
        before = now;
        uint64_t *const swap = reach;
        reach = reach_next;
        reach_next = swap;
    }
}

static void take_rings(const hf_ring_measure *m, bool has_dor, hf_measure *out) {
    const uint64_t *adaptive = out->extra + HF_IMMUNET_ADAPTIVE_SUM;
    out->extra[HF_IMMUNET_RING] = has_dor ? 0 : m->hops;
    out->extra[HF_IMMUNET_PAIRS] = m->pairs;
    out->extra[HF_IMMUNET_PROVISIONAL_SUM] = has_dor ? adaptive[0] : m->provisional_sum;
    out->extra[HF_IMMUNET_PROVISIONAL_LONGEST] = has_dor ? adaptive[1] : m->provisional_longest;
    out->extra[HF_IMMUNET_OPTIMISED_SUM] = has_dor ? adaptive[0] : m->optimised_sum;
    out->extra[HF_IMMUNET_OPTIMISED_LONGEST] = has_dor ? adaptive[1] : m->optimised_longest;
}

/* One ring visits all switches that have not failed. */
static bool is_connected(const hf_ways *ways, const uint64_t *gone, const hf_ring *ring) {
    const uint64_t failed = hf_bits_count(gone, hf_words(ways->n));
    return failed == ways->n || (ring->n_rank > 0 && ring->size[0] == ways->n - failed);
}

hf_status hf_immunet_measure_fits(hf_context *cx, const hf_topology *topo) {
    const double bytes = 2.0 * topo->n_switch * (double)hf_words(topo->n_switch) * sizeof(uint64_t);
    return hf_machine_fits(cx, bytes, HUGE_VAL, "distances of routing \"immunet\" on \"%s\", all pairs at once,", topo->spec);
}

hf_status hf_immunet_measure(hf_context *cx, const hf_ways *ways, const uint64_t *dead, const uint64_t *gone, bool has_dor,
                             const hf_ring *ring, uint32_t *next, uint64_t *reach, uint64_t *reach_next, hf_measure *out) {
    hf_ring_measure m;
    HF_TRY(hf_ring_measure_all(cx, ways, ring, next, &m));
    HF_TRY(measure_distances(cx, ways, dead, reach, reach_next, &out->extra[HF_IMMUNET_ADAPTIVE_SUM],
                             &out->extra[HF_IMMUNET_ADAPTIVE_LONGEST]));
    take_rings(&m, has_dor, out);
    out->outcome = is_connected(ways, gone, ring) ? HF_IMMUNET_CONNECTED : HF_IMMUNET_DISCONNECTED;
    return HF_OK;
}
