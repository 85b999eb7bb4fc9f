/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Which method a campaign takes when it is told none: the one that says most among those that are not too dear.
 *  It goes by numbers of sets and verdicts, never by a clock, so that the same campaign takes the same method everywhere. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>

#include "src/campaign/orbits.h"

/* Sets that are walked without a thought, as nothing else tells all quantities: one by one, with a decision over each and none of
 * these, and many at once; those that are walked if nothing else is exact; verdicts of orbits, each about as dear as ten sets. */
static const double few_sets = 1e7, few_decisions = 1e3, few_in_lanes = 1e9, most_sets = 1e10, most_verdicts = 2e7, dearer = 10;

static double count_sets(const hf_campaign *c) {
    double sum = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        const double m = c->universe->n_component, f = c->f[i];
        sum += f <= m ? exp(lgamma(m + 1) - lgamma(f + 1) - lgamma(m - f + 1)) : 0;
    }
    return round(sum);
}

static hf_status has_lanes(hf_context *cx, const hf_campaign *c, bool *out) {
    hf_judge *judge;
    HF_TRY(hf_judge_new(cx, c->universe, c->rule, c->criterion, &judge));
    *out = judge->ops->count;
    hf_judge_free(judge);
    return HF_OK;
}

/* A method that refuses is none; whatever else fails, fails. */
static hf_status try_method(hf_context *cx, hf_status status) {
    if (status == HF_ENOTSUP || status == HF_ERANGE) {
        hf_context_clear(cx);
        return HF_OK;
    }
    return status;
}

static hf_status try_orbits(hf_context *cx, const hf_campaign *c, double sets, hf_choice *out) {
    double verdicts = INFINITY;
    HF_TRY(try_method(cx, hf_orbits_estimate(cx, c, most_verdicts, &verdicts)));
    if (verdicts <= most_verdicts && verdicts * dearer < sets) {
        out->method = HF_METHOD_ORBITS;
        (void)snprintf(out->why, sizeof out->why, "some %.2g verdicts for %.3g sets", verdicts, sets);
    }
    return HF_OK;
}

static void choose_sample(const hf_campaign *c, bool may_order, double sets, hf_choice *out) {
    const hf_universe *u = c->universe;
    const bool by_orders = may_order && c->n_f > 1 && hf_spectrum_fits(c) &&
                           hf_reliability_is_monotone(hf_rule_traits(c->rule), c->criterion, u->switch_begin[u->n_component] > 0);
    out->method = by_orders ? HF_METHOD_SPECTRUM : HF_METHOD_SAMPLED;
    (void)snprintf(out->why, sizeof out->why, "%.3g sets are too many to walk, and no exact method fits%s", sets,
                   by_orders ? "; random orders inform all rows" : "");
}

static hf_status try_counted(hf_context *cx, const hf_campaign *c, double memory, double sets, hf_choice *out) {
    uint32_t most = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        most = c->f[i] > most ? c->f[i] : most;
    }
    HF_TRY(try_method(cx, hf_counted_run(cx, c->universe, c->rule, c->criterion, most, memory, &out->counted)));
    if (out->counted && out->counted->reach >= most) {
        out->method = HF_METHOD_COUNTED;
        (void)snprintf(out->why, sizeof out->why, "%.3g sets, none of which has to be looked at", sets);
    }
    return HF_OK;
}

/* Exact where more than looking at sets does it. */
static hf_status try_exact(hf_context *cx, const hf_campaign *c, unsigned may, double memory, double sets, hf_choice *out) {
    bool lanes = false;
    if (!c->inquiry && sets <= few_in_lanes) {
        HF_TRY(has_lanes(cx, c, &lanes));
    }
    if (!lanes && may & hf_method_bit(HF_METHOD_COUNTED)) {
        HF_TRY(try_counted(cx, c, memory, sets, out));
    }
    const bool by_orbits = !lanes && out->method == HF_METHOD_EXHAUSTIVE && may & hf_method_bit(HF_METHOD_ORBITS);
    return by_orbits && c->n_part <= 1 ? try_orbits(cx, c, sets, out) : HF_OK;
}

hf_status hf_campaign_choose(hf_context *cx, const hf_campaign *c, unsigned may, double memory, hf_choice *out) {
    const unsigned exact = hf_method_bit(HF_METHOD_COUNTED) | hf_method_bit(HF_METHOD_ORBITS);
    const double sets = count_sets(c);
    const bool is_decided = c->inquiry && c->inquiry->n_quantity == 0;
    *out = (hf_choice){.method = HF_METHOD_EXHAUSTIVE};
    if (may & exact && sets > (is_decided ? few_decisions : few_sets)) {
        HF_TRY(try_exact(cx, c, may, memory, sets, out));
    }
    if (out->method == HF_METHOD_EXHAUSTIVE && sets > most_sets) {
        choose_sample(c, may & hf_method_bit(HF_METHOD_SPECTRUM), sets, out);
    } else if (out->method == HF_METHOD_EXHAUSTIVE) {
        (void)snprintf(out->why, sizeof out->why, "%.0f set%s", sets, sets == 1 ? "" : "s");
    }
    if (out->counted && out->method != HF_METHOD_COUNTED && out->method != HF_METHOD_SPECTRUM) {
        hf_counted_free(out->counted);
        out->counted = NULL;
    }
    return HF_OK;
}
