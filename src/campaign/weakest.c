/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components whose loss is not tolerated: a ladder of ways, of which each proves what it says. */
#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>

#include <string.h>

/* Sets of a size that are walked before anything cleverer is tried; how many sets are judged while one is brought into its
 * canonical form; memory for counting without a walk. */
enum { FEW_SETS = 10000, CANONICAL = 100 };
static const double count_bytes = 1 << 28, free_bytes = 1 << 24;

typedef struct ladder {
    hf_context *cx;
    const hf_weakest_request *r;
    hf_weakest *out;
    uint32_t m;
} ladder;

static void take(hf_weakest *out, const uint32_t *component, uint32_t n) {
    if (n > 0) {
        memcpy(out->component, component, n * sizeof *component);
    }
    out->n = n;
    out->is_possible = true;
}

/* A set that is not tolerated, and all smaller ones are. */
static void settle(ladder *l, hf_weakest_proof proof) {
    l->out->is_exact = true;
    l->out->proof = proof;
}

/* ---- one set ---- */

static hf_status judge_set(ladder *l, const uint32_t *component, uint32_t n, bool *is_tolerated) {
    hf_judge *judge = NULL;
    hf_measure measure = {0};
    hf_status status = hf_judge_new(l->cx, l->r->universe, l->r->rule, l->r->criterion, &judge);
    for (uint32_t i = 0; i < n && status == HF_OK; i++) {
        status = judge->ops->push(l->cx, judge, component[i]);
    }
    if (status == HF_OK) {
        status = (judge->ops->verdict ? judge->ops->verdict : judge->ops->read)(l->cx, judge, &measure);
    }
    hf_judge_free(judge);
    *is_tolerated = measure.tolerated;
    hf_big_add_u128(l->out->looked, 1);
    return status;
}

/* Is it lost, and smaller than what is known? */
static hf_status try_set(ladder *l, const uint32_t *component, uint32_t n) {
    bool is_tolerated = true;
    if (n > 0 && (!l->out->is_possible || n < l->out->n)) {
        HF_TRY(judge_set(l, component, n, &is_tolerated));
    }
    if (!is_tolerated) {
        take(l->out, component, n);
    }
    return HF_OK;
}

static hf_status try_no_fault(ladder *l) {
    bool is_tolerated;
    HF_TRY(judge_set(l, NULL, 0, &is_tolerated));
    l->out->least = 1;
    if (!is_tolerated) {
        take(l->out, NULL, 0);
        l->out->least = 0;
        settle(l, HF_WEAKEST_SETS);
    }
    return HF_OK;
}

/* ---- classes, cuts, programs ---- */

static hf_status pass(hf_context *cx, hf_status status) {
    if (status != HF_ENOTSUP) {
        return status;
    }
    hf_context_clear(cx);
    return HF_OK;
}

static hf_status try_classes(ladder *l) {
    bool ok = false;
    if (l->r->criterion->flags != 0) {
        return HF_OK;
    }
    HF_TRY(pass(l->cx, hf_bound_make(l->cx, l->r->universe, l->r->rule, &l->out->bound)));
    if (!l->out->bound) {
        return HF_OK;
    }
    HF_TRY(hf_bound_check(l->cx, l->r->universe, l->r->rule, l->out->bound, &ok));
    if (ok) {
        take(l->out, l->out->bound->witness, l->out->bound->n_witness);
        l->out->least = l->out->n;
        settle(l, HF_WEAKEST_CLASSES);
        return HF_OK;
    }
    hf_context_clear(l->cx);
    hf_bound_free(l->out->bound);
    l->out->bound = NULL;
    return HF_OK;
}

static hf_status try_cut(ladder *l) {
    const hf_weakest_request *r = l->r;
    return hf_weakest_asks_cut(r->universe, r->rule, r->criterion)
               ? hf_weakest_cut(l->cx, r->universe, r->criterion, r->limit_s, r->want_paths, l->out)
               : HF_OK;
}

static hf_status try_hit(ladder *l) {
    const hf_weakest_request *r = l->r;
    return hf_weakest_is_monotone(r->universe, r->rule, r->criterion)
               ? hf_weakest_hit(l->cx, r->universe, r->rule, r->criterion, r->limit_s, l->out)
               : HF_OK;
}

/* Policies of multipath networks; they are of two terminals in service at least. */
static hf_status try_policy(ladder *l) {
    const hf_weakest_request *r = l->r;
    hf_fewest found = {0};
    if (r->criterion->flags != 0 || r->criterion->live != 2 || r->criterion->live_is_share || !r->rule->routing->isolation) {
        return HF_OK;
    }
    const hf_status status = hf_fewest_break(l->cx, r->universe, r->rule, r->limit_s, &found);
    if (status != HF_OK) {
        return pass(l->cx, status);
    }
    HF_TRY(found.is_possible ? try_set(l, found.component, found.n) : HF_OK);
    if (found.is_exact && found.is_possible == l->out->is_possible) {
        l->out->least = found.is_possible ? found.n : l->m + 1;
        settle(l, HF_WEAKEST_PROGRAM);
    }
    return HF_OK;
}

/* ---- sets that may be lost ---- */

/* What cuts a switch off, or parts the network. */
static hf_status try_likely(ladder *l) {
    const hf_weakest_request *r = l->r;
    hf_weakest cut = {0};
    hf_criterion connected;
    uint32_t *set, n;
    HF_TRY(hf_scratch(l->cx, l->m, sizeof *set, (void **)&set));
    HF_TRY(hf_cut_find(l->cx, r->universe, set, &n));
    HF_TRY(try_set(l, set, n));
    HF_TRY(hf_criterion_init(l->cx, "connected", &connected));
    if (!hf_weakest_is_ring(r->universe->topo, &connected)) {
        return HF_OK;
    }
    cut.component = set;
    HF_TRY(hf_weakest_cut(l->cx, r->universe, &connected, r->limit_s, false, &cut));
    return cut.is_possible ? try_set(l, set, cut.n) : HF_OK;
}

/* ---- walks ---- */

static hf_status walk_size(ladder *l, uint32_t f, bool *is_lost) {
    const hf_weakest_request *r = l->r;
    const hf_campaign campaign = {.universe = r->universe,
                                  .rule = r->rule,
                                  .criterion = r->criterion,
                                  .f = &f,
                                  .n_f = 1,
                                  .method = HF_METHOD_EXHAUSTIVE,
                                  .threads = r->threads,
                                  .verdicts = true,
                                  .progress = r->progress,
                                  .progress_user = r->progress_user};
    hf_result *result = NULL;
    const hf_status status = hf_campaign_run(l->cx, &campaign, &result);
    if (status == HF_OK) {
        const hf_tally *t = &result->row[0].tally;
        *is_lost = t->not_tolerated > 0;
        hf_big_add_u128(l->out->looked, t->sets);
        if (*is_lost) {
            hf_big_set(l->out->sets, t->not_tolerated);
            l->out->is_counted = true;
        }
        if (*is_lost) {
            take(l->out, t->witness, f);
        }
    }
    hf_result_free(result);
    return status;
}

static bool is_within(const ladder *l, uint32_t f, uint64_t sets_most) {
    uint64_t sets;
    return hf_binomial(l->m, f, &sets) && sets <= sets_most;
}

/* Sizes from `least` on, as long as none is lost and they are no more than so many sets. */
static hf_status walk(ladder *l, uint64_t sets_most) {
    hf_weakest *out = l->out;
    bool is_lost = false;
    while (!is_lost && out->least <= l->m && !(out->is_possible && out->n == out->least)) {
        if (!is_within(l, out->least, sets_most)) {
            return HF_OK;
        }
        HF_TRY(walk_size(l, out->least, &is_lost));
        out->least += !is_lost;
    }
    settle(l, HF_WEAKEST_SETS);
    return HF_OK;
}

/* The next size by one set for all that symmetries make alike. It says how many are lost, not which: a set of the size above it
 * is to be known. \param[out] is_done it was looked at, and none is lost */
static hf_status walk_orbits_of(ladder *l, uint32_t f, uint64_t *kept, bool *is_done) {
    hf_counted *counted = NULL;
    hf_u128 lost = 1;
    *is_done = false;
    const hf_status status = hf_orbits_run(l->cx, l->r->universe, l->r->rule, l->r->criterion, f, &counted);
    if (status == HF_ENOTSUP || status == HF_ERANGE) {
        hf_context_clear(l->cx);
        return HF_OK;
    }
    HF_TRY(status);
    *is_done = counted->reach >= f && hf_big_get_u128(counted->not_tolerated[f], &lost) && lost == 0;
    *kept = counted->kept;
    hf_counted_free(counted);
    return HF_OK;
}

static hf_status walk_orbits(ladder *l) {
    hf_weakest *out = l->out;
    uint64_t kept = 0;
    bool is_done = out->is_possible;
    while (is_done && out->least < out->n && kept <= l->r->sets_most / CANONICAL / l->m) {
        HF_TRY(walk_orbits_of(l, out->least, &kept, &is_done));
        out->least += is_done;
    }
    if (is_done && out->least == out->n) {
        settle(l, HF_WEAKEST_ORBITS);
    }
    return HF_OK;
}

/* ---- how many ---- */

/* Without a walk. What asks for connectivity is counted as that. */
static hf_status count_freely(ladder *l) {
    const hf_weakest_request *r = l->r;
    hf_weakest *out = l->out;
    hf_criterion connected;
    hf_counted *counted = NULL;
    HF_TRY(hf_criterion_init(l->cx, "connected", &connected));
    const bool is_cut = r->criterion->flags == 0 && hf_weakest_asks_cut(r->universe, r->rule, r->criterion);
    const hf_status status = hf_counted_run(l->cx, r->universe, r->rule, is_cut ? &connected : r->criterion, out->n,
                                            r->counts ? count_bytes : free_bytes, &counted);
    if (status == HF_ENOTSUP || status == HF_ERANGE) {
        hf_context_clear(l->cx);
        return HF_OK;
    }
    HF_TRY(status);
    if (counted->reach >= out->n) {
        hf_big_copy(out->sets, counted->not_tolerated[out->n]);
        out->is_counted = true;
    }
    hf_counted_free(counted);
    return HF_OK;
}

static hf_status count(ladder *l) {
    bool is_lost;
    if (!l->out->is_exact || !l->out->is_possible || l->out->is_counted) {
        return HF_OK;
    }
    HF_TRY(is_within(l, l->out->n, FEW_SETS) ? HF_OK : count_freely(l));
    return !l->out->is_counted && is_within(l, l->out->n, l->r->counts ? l->r->sets_most : FEW_SETS)
               ? walk_size(l, l->out->n, &is_lost)
               : HF_OK;
}

/* ---- the ladder ---- */

static hf_status climb(ladder *l) {
    hf_status (*const steps[])(ladder *) = {try_classes, try_cut, try_no_fault};
    hf_status (*const more[])(ladder *) = {try_hit, try_policy, try_likely};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !l->out->is_exact; i++) {
        HF_TRY(steps[i](l));
    }
    HF_TRY(l->out->is_exact ? HF_OK : walk(l, l->r->sets_most < FEW_SETS ? l->r->sets_most : FEW_SETS));
    for (size_t i = 0; i < sizeof more / sizeof *more && !l->out->is_exact; i++) {
        HF_TRY(more[i](l));
    }
    HF_TRY(l->out->is_exact ? HF_OK : walk(l, l->r->sets_most));
    HF_TRY(l->out->is_exact ? HF_OK : walk_orbits(l));
    return count(l);
}

hf_status hf_weakest_find(hf_context *cx, const hf_weakest_request *request, hf_weakest *out) {
    ladder l = {.cx = cx, .r = request, .out = out, .m = request->universe->n_component};
    uint32_t least;
    *out = (hf_weakest){0};
    HF_TRY(hf_criterion_least(cx, request->criterion, request->universe->topo, &least));
    HF_TRY(hf_scratch(cx, (size_t)l.m + 1, sizeof *out->component, (void **)&out->component));
    HF_TRY(hf_big_new(cx, &out->sets));
    HF_TRY(hf_big_new(cx, &out->looked));
    return climb(&l);
}
