/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tallies: what a range of fault sets adds up to. All operations commute, so the order of merging does not show. */
#include <math.h>
#include <string.h>

#include "src/campaign/work.h"

const char *hf_method_name(hf_method method) {
    static const char *const names[] = {"exhaustive", "sampled", "auto", "orbits", "counted", "spectrum"};
    return names[method];
}
const char *hf_order_name(hf_order order) { return order == HF_ORDER_RANDOM ? "random" : "component"; }

static unsigned bin_of(uint64_t value) { return value ? 64 - (unsigned)__builtin_clzll(value) : 0; }

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool is_lower(const uint32_t *a, const uint32_t *b, uint32_t f) {
    for (uint32_t i = 0; i < f; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

/* Keep the lexicographically lowest set. */
static void offer(bool *has, uint32_t *lowest, const uint32_t *set, uint32_t f) {
    if (lowest && (!*has || is_lower(set, lowest, f))) {
        memcpy(lowest, set, f * sizeof *set);
        *has = true;
    }
}

static void add_quantity(hf_quantity *to, const hf_quantity *more) {
    to->lowest = to->sets == 0 || (more->sets > 0 && more->lowest < to->lowest) ? more->lowest : to->lowest;
    to->highest = larger(to->highest, more->highest);
    to->sum += more->sum;
    to->sets += more->sets;
}

static hf_u128 capped_sum(hf_u128 a, hf_u128 b) { return a > ~b ? ~(hf_u128)0 : a + b; }

/* A set that has note i. */
static void offer_note(hf_tally *tally, uint32_t i, const uint32_t *set, uint32_t f) {
    bool has = tally->has_noted >> i & 1;
    offer(&has, tally->noted + i * (size_t)f, set, f);
    tally->has_noted |= (uint8_t)(1u << i);
}

void hf_tally_add_quantities(hf_tally *tally, const hf_measure *measure, uint64_t sets) {
    for (uint32_t i = 0; measure->quantity && i < tally->n_quantity; i++) {
        const uint64_t value = measure->quantity[i];
        if (value != HF_UNKNOWN) {
            add_quantity(&tally->quantity[i], &(hf_quantity){sets, value, value, (hf_u128)sets * value});
        }
    }
}

void hf_tally_offer(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f) {
    if (!measure->tolerated) {
        offer(&tally->has_witness, tally->witness, set, f);
    }
    for (uint32_t i = 0; i < HF_NOTES; i++) {
        if (measure->noted >> i & 1) {
            offer_note(tally, i, set, f);
        }
    }
}

void hf_tally_add(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f) {
    tally->sets++;
    if (measure->has_victims) {
        tally->victims_sum += measure->victims;
        tally->victims_max = larger(tally->victims_max, measure->victims);
        tally->victims_histogram[bin_of(measure->victims)]++;
    }
    if (measure->has_lost_paths) {
        tally->lost_paths_sets++;
        tally->lost_paths_sum += measure->lost_paths;
        tally->lost_paths_max = larger(tally->lost_paths_max, measure->lost_paths);
    }
    tally->outcome[measure->outcome % HF_OUTCOMES]++;
    for (size_t i = 0; i < HF_EXTRAS; i++) {
        const hf_u128 value = measure->extra[i];
        if (value > 0) {
            tally->extra_sum[i] += value;
            tally->extra_squares[i] = capped_sum(tally->extra_squares[i], value * value);
            tally->extra_max[i] = larger(tally->extra_max[i], measure->extra[i]);
        }
    }
    tally->not_tolerated += !measure->tolerated;
    hf_tally_offer(tally, measure, set, f);
    hf_tally_add_quantities(tally, measure, 1);
}

void hf_tally_add_stratum(hf_tally *tally, uint32_t stratum, const hf_measure *measure) {
    const uint64_t value = !measure->tolerated;
    add_quantity(&tally->quantity[stratum], &(hf_quantity){1, value, value, value});
}

void hf_tally_add_sum(hf_tally *tally, const hf_judge_sum *sum, uint64_t sets, const uint32_t *set, uint32_t f) {
    tally->sets += sets;
    tally->victims_histogram[0] += sum->has_victims ? 0 : sets;
    tally->victims_sum += sum->victims;
    tally->victims_max = larger(tally->victims_max, sum->victims_max);
    tally->outcome[0] += sets;
    tally->lost_paths_sets += sum->lost_paths_sets;
    tally->lost_paths_sum += sum->lost_paths;
    tally->lost_paths_max = larger(tally->lost_paths_max, sum->lost_paths_max);
    tally->not_tolerated += sum->not_tolerated;
    if (sum->not_tolerated > 0) {
        offer(&tally->has_witness, tally->witness, set, f);
    }
}

void hf_tally_merge(hf_tally *to, const hf_tally *from, uint32_t f) {
    to->sets += from->sets;
    to->not_tolerated += from->not_tolerated;
    to->victims_sum += from->victims_sum;
    to->lost_paths_sum += from->lost_paths_sum;
    to->lost_paths_sets += from->lost_paths_sets;
    to->victims_max = larger(to->victims_max, from->victims_max);
    to->lost_paths_max = larger(to->lost_paths_max, from->lost_paths_max);
    for (size_t i = 0; i < HF_HISTOGRAM_BINS; i++) {
        to->victims_histogram[i] += from->victims_histogram[i];
    }
    for (size_t i = 0; i < HF_OUTCOMES; i++) {
        to->outcome[i] += from->outcome[i];
    }
    for (size_t i = 0; i < HF_EXTRAS; i++) {
        to->extra_sum[i] += from->extra_sum[i];
        to->extra_squares[i] = capped_sum(to->extra_squares[i], from->extra_squares[i]);
        to->extra_max[i] = larger(to->extra_max[i], from->extra_max[i]);
    }
    if (from->has_witness) {
        offer(&to->has_witness, to->witness, from->witness, f);
    }
    for (uint32_t i = 0; i < HF_NOTES; i++) {
        if (from->has_noted >> i & 1) {
            offer_note(to, i, from->noted + i * (size_t)f, f);
        }
    }
    for (uint32_t i = 0; i < to->n_quantity && i < from->n_quantity; i++) {
        add_quantity(&to->quantity[i], &from->quantity[i]);
    }
}

bool hf_tally_has_victims(const hf_tally *tally) {
    uint64_t sets = 0;
    for (size_t i = 0; i < HF_HISTOGRAM_BINS; i++) {
        sets += tally->victims_histogram[i];
    }
    return sets == tally->sets;
}

uint32_t hf_campaign_quantities(const hf_campaign *c) { return c->inquiry ? c->inquiry->n_quantity : c->strata ? HF_STRATA : 0; }

hf_status hf_tally_init(hf_context *cx, const hf_campaign *c, uint32_t f, hf_tally *out) {
    *out = (hf_tally){.n_quantity = hf_campaign_quantities(c)};
    HF_TRY(hf_allocate(cx, (1 + HF_NOTES) * (size_t)f, sizeof *out->witness, (void **)&out->witness));
    out->noted = out->witness + f;
    return out->n_quantity ? hf_allocate(cx, out->n_quantity, sizeof *out->quantity, (void **)&out->quantity) : HF_OK;
}

void hf_tally_free(const hf_allocator *allocator, hf_tally *tally) {
    hf_release(allocator, tally->witness);
    hf_release(allocator, tally->quantity);
}

void hf_tally_clear(hf_tally *tally) {
    const hf_tally kept = *tally;
    *tally = (hf_tally){.witness = kept.witness, .noted = kept.noted, .quantity = kept.quantity, .n_quantity = kept.n_quantity};
    if (kept.n_quantity) {
        memset(kept.quantity, 0, kept.n_quantity * sizeof *kept.quantity);
    }
}

hf_sample hf_tally_sample(const hf_tally *tally, size_t i, double most) {
    const hf_u128 squares = tally->extra_squares[i];
    return (hf_sample){.n = tally->sets,
                       .sum = (double)tally->extra_sum[i],
                       .squares = squares == ~(hf_u128)0 ? INFINITY : (double)squares,
                       .largest = (double)tally->extra_max[i],
                       .most = most};
}
