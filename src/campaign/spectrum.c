/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Random orders of failure: one of them tells of every size whether its first f components are tolerated. Where failure never
 *  mends, that is one number, the first size that is not tolerated, and a search finds it with few verdicts: from a usual place
 *  outwards, then by halves. Elsewhere every size is looked at. An order is that of `bounds --orders` with the same seed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/core/hash.h"

enum { PILOTS = 14, PILOT_SEED = 0 };
/* Behind the n + 2 places of an order: verdicts, and components that were failed for them. */
enum { VERDICTS, FAILURES, EFFORTS };

typedef struct orderly {
    hf_judge base;
    hf_allocator allocator;
    hf_judge *inner;
    uint32_t n;
    const hf_spectrum_job *job;
    uint32_t *order; /* n: told so far */
    uint32_t n_order, depth;
    uint64_t *lost; /* n + 2 + EFFORTS: see hf_spectrum_of_tally() */
    uint32_t usual, spread, last;
} orderly;

/* ---- one order ---- */

static uint64_t *effort(orderly *o, unsigned which) { return &o->lost[o->n + 2 + which]; }

static void fall_back(orderly *o, uint32_t f) {
    for (; o->depth > f; o->depth--) {
        o->inner->ops->pop(o->inner);
    }
}

/* Are the first f tolerated? */
static hf_status is_tolerated(hf_context *cx, orderly *o, uint32_t f, bool *out) {
    const hf_judge_ops *ops = o->inner->ops;
    hf_measure measure;
    fall_back(o, f);
    for (; o->depth < f; o->depth++) {
        HF_TRY(ops->push(cx, o->inner, o->order[o->depth]));
        ++*effort(o, FAILURES);
    }
    HF_TRY((ops->verdict ? ops->verdict : ops->read)(cx, o->inner, &measure));
    ++*effort(o, VERDICTS);
    *out = measure.tolerated;
    return HF_OK;
}

/* \param[out] first the lowest size that is not tolerated; n + 1: none */
static hf_status search(hf_context *cx, orderly *o, uint32_t *first) {
    uint32_t low = 0, high = o->n + 1, step = o->spread, f = o->usual;
    while (low < high) {
        bool good;
        const bool is_inside = f >= low && f < high && f <= o->n;
        f = is_inside ? f : low + (high - 1 - low) / 2;
        HF_TRY(is_tolerated(cx, o, f, &good));
        low = good ? f + 1 : low;
        high = good ? high : f;
        f = good ? f + step : f >= step ? f - step : 0;
        step *= 2;
    }
    *first = low;
    return HF_OK;
}

static hf_status find_first(hf_context *cx, orderly *o) {
    o->lost[o->last] = HF_UNKNOWN;
    HF_TRY(search(cx, o, &o->last));
    o->lost[o->last] = 1;
    return HF_OK;
}

static hf_status look_at_all(hf_context *cx, orderly *o) {
    for (size_t i = 0; i < o->job->n_f; i++) {
        bool good;
        HF_TRY(is_tolerated(cx, o, o->job->f[i], &good));
        o->lost[o->job->f[i]] = good ? HF_UNKNOWN : 1;
    }
    return HF_OK;
}

/* ---- the judge ---- */

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    orderly *o = (orderly *)base;
    (void)cx;
    o->order[o->n_order++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) { ((orderly *)base)->n_order--; }

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    orderly *o = (orderly *)base;
    *effort(o, VERDICTS) = *effort(o, FAILURES) = 0;
    const hf_status status = o->job->is_monotone ? find_first(cx, o) : look_at_all(cx, o);
    fall_back(o, 0);
    *out = (hf_measure){.tolerated = true, .quantity = o->lost};
    return status;
}

static void release(hf_judge *base) {
    orderly *o = (orderly *)base;
    const hf_allocator allocator = o->allocator;
    hf_judge_free(o->inner);
    hf_release(&allocator, o->order);
    hf_release(&allocator, o->lost);
    hf_release(&allocator, o);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

/* Where a search begins and how far it looks first: the middle of what a few orders say, and how they lie about it; the same in
 * every thread. It shows in the effort alone. */
static hf_status find_usual(hf_context *cx, orderly *o) {
    uint32_t first[PILOTS];
    for (uint32_t i = 0; i < PILOTS; i++) {
        hf_random random;
        for (uint32_t c = 0; c < o->n; c++) {
            o->order[c] = c;
        }
        hf_random_init(&random, PILOT_SEED, HF_PURPOSE_ORDER, i);
        hf_random_shuffle(&random, o->order, o->n);
        HF_TRY(search(cx, o, &first[i]));
        fall_back(o, 0);
        for (uint32_t k = i; k > 0 && first[k - 1] > first[k]; k--) {
            const uint32_t keep = first[k];
            first[k] = first[k - 1];
            first[k - 1] = keep;
        }
        o->usual = first[(i + 1) / 2];
    }
    o->spread = (first[5 * PILOTS / 7] - first[PILOTS / 7]) / 2 + 1;
    return HF_OK;
}

static hf_status start(hf_context *cx, orderly *o) {
    HF_TRY(hf_allocate(cx, o->n, sizeof *o->order, (void **)&o->order));
    HF_TRY(hf_allocate(cx, (size_t)o->n + 2 + EFFORTS, sizeof *o->lost, (void **)&o->lost));
    for (uint32_t i = 0; i < o->n + 2; i++) {
        o->lost[i] = HF_UNKNOWN;
    }
    return o->job->is_monotone ? find_usual(cx, o) : HF_OK;
}

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const hf_spectrum_job *job = user;
    orderly *o;
    HF_TRY(hf_allocate(cx, 1, sizeof *o, (void **)&o));
    *o = (orderly){.base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .n = job->m, .spread = 1, .job = job};
    hf_status status = job->use_relation ? hf_judge_new_relation(cx, universe, rule, job->criterion, &o->inner)
                                         : hf_judge_new(cx, universe, rule, job->criterion, &o->inner);
    status = status == HF_OK ? start(cx, o) : status;
    if (status != HF_OK) {
        release(&o->base);
        return status;
    }
    *out = &o->base;
    return HF_OK;
}

/* ---- the campaign ---- */

/* Orders are random: so a rule that goes by them has to be asked of sets in random order. */
bool hf_spectrum_fits(const hf_campaign *c) {
    const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;
    return (c->criterion->flags & asks_network) || (hf_rule_traits(c->rule) & HF_ROUTING_ORDER_FREE) ||
           c->order == HF_ORDER_RANDOM;
}

hf_status hf_spectrum_prepare(hf_context *cx, const hf_campaign *c, uint64_t orders, hf_spectrum_job *out) {
    const hf_universe *u = c->universe;
    if (!hf_spectrum_fits(c)) {
        HF_FAIL(
            cx, HF_ENOTSUP,
            "method spectrum lets components fail in random order, which \"%s\" goes by; use --order random, or another method",
            c->rule->spec);
    }
    *out = (hf_spectrum_job){.criterion = c->criterion, .use_relation = c->use_relation, .m = u->n_component};
    out->is_monotone = hf_reliability_is_monotone(hf_rule_traits(c->rule), c->criterion, u->switch_begin[u->n_component] > 0);
    out->f = c->f;
    out->n_f = c->n_f;
    uint64_t sizes = HF_HASH_START;
    for (size_t i = 0; i < c->n_f && !out->is_monotone; i++) {
        sizes = hf_hash_number(sizes, c->f[i], sizeof c->f[i]);
    }
    (void)snprintf(out->key, sizeof out->key, "spectrum:%s,%016" PRIx64, c->criterion->spec, sizes);
    out->inquiry = (hf_inquiry){.key = out->key, .user = out, .n_quantity = out->m + 2 + EFFORTS, .orders = true, .judge = judge};
    out->campaign = *c;
    out->campaign.inquiry = &out->inquiry;
    out->campaign.criterion = NULL;
    out->campaign.f = &out->m;
    out->campaign.n_f = 1;
    out->campaign.method = HF_METHOD_SAMPLED;
    out->campaign.samples = orders;
    out->campaign.verdicts = false;
    return HF_OK;
}

/* ---- sizes with few sets ---- */

static bool has_few(uint32_t m, uint32_t f, uint64_t most) {
    uint64_t all;
    return f <= m && hf_binomial(m, f, &all) && all <= most;
}

/* From 0 on, then what is asked for. \param[out] f room for m + 1 */
static size_t list_few(const hf_campaign *c, uint64_t most, uint32_t *f) {
    const uint32_t m = c->universe->n_component;
    uint32_t low = 0;
    while (has_few(m, low, most)) {
        f[low] = low;
        low++;
    }
    size_t n = low;
    for (size_t i = 0; i < c->n_f; i++) {
        if (c->f[i] >= low && has_few(m, c->f[i], most)) {
            f[n++] = c->f[i];
        }
    }
    return n;
}

static hf_status count_few(hf_context *cx, const hf_campaign *c, hf_counted *out) {
    hf_result *result = NULL;
    HF_TRY(hf_allocate(cx, (size_t)out->reach + 1, sizeof *out->not_tolerated, (void **)&out->not_tolerated));
    hf_status status = hf_campaign_run(cx, c, &result);
    for (size_t i = 0; status == HF_OK && i < result->n_row; i++) {
        hf_big **number = &out->not_tolerated[result->row[i].f];
        status = hf_big_new(cx, number);
        if (status == HF_OK) {
            hf_big_set(*number, result->row[i].tally.not_tolerated);
        }
    }
    hf_result_free(result);
    return status;
}

hf_status hf_counted_few(hf_context *cx, const hf_campaign *tolerance, uint64_t most, hf_counted **out) {
    const uint32_t m = tolerance->universe->n_component;
    hf_campaign c = *tolerance;
    uint32_t *f;
    hf_counted *counted;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, (size_t)m + 1, sizeof *f, (void **)&f));
    HF_TRY(hf_allocate(cx, 1, sizeof *counted, (void **)&counted));
    *counted = (hf_counted){.m = m, .reach = m, .allocator = *hf_context_allocator(cx)};
    c.f = f;
    c.n_f = list_few(tolerance, most, f);
    c.method = HF_METHOD_EXHAUSTIVE;
    c.verdicts = true;
    c.part = c.n_part = 0;
    const hf_status status = count_few(cx, &c, counted);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_counted_free(counted);
        return status;
    }
    *out = counted;
    return HF_OK;
}

/* ---- what the orders say ---- */

hf_status hf_spectrum_of_tally(hf_context *cx, const hf_spectrum_job *job, const hf_tally *tally, hf_spectrum *out) {
    const double orders = tally->sets > 0 ? (double)tally->sets : 1;
    *out = (hf_spectrum){.orders = tally->sets, .is_monotone = job->is_monotone, .joined = HF_NONE};
    HF_TRY(hf_scratch(cx, (size_t)job->m + 1, sizeof *out->lost, (void **)&out->lost));
    for (uint32_t f = 0; f <= job->m; f++) {
        out->lost[f] = tally->quantity[f].sets + (job->is_monotone && f > 0 ? out->lost[f - 1] : 0);
    }
    out->verdicts = (double)tally->quantity[job->m + 2 + VERDICTS].sum / orders;
    out->failures = (double)tally->quantity[job->m + 2 + FAILURES].sum / orders;
    return HF_OK;
}

/* Orders that part before the sizes that are exact say nothing of those behind them. */
static uint64_t lost_before(const hf_spectrum *s) { return s->joined == HF_NONE ? 0 : s->lost[s->joined]; }

hf_estimate hf_spectrum_share(const hf_spectrum *s, uint32_t f, double confidence) {
    const uint64_t before = lost_before(s), orders = s->orders - before;
    if (orders == 0) {
        return (hf_estimate){1, s->exact_share, 1, HF_INTERVAL_CLOPPER_PEARSON};
    }
    const hf_estimate e = hf_estimate_clopper_pearson(s->lost[f] - before, orders, confidence);
    const double rest = 1 - s->exact_share;
    return (hf_estimate){s->exact_share + rest * e.value, s->exact_share + rest * e.low, s->exact_share + rest * e.high,
                         e.method};
}

double hf_spectrum_gain(const hf_spectrum *s, uint32_t f, uint32_t rows, uint64_t failures) {
    const double orders = (double)s->orders, after = orders - (double)lost_before(s), rest = 1 - s->exact_share,
                 share = hf_spectrum_share(s, f, 0.95).value, q = rest > 0 ? (share - s->exact_share) / rest : 0,
                 by_verdicts = orders * s->verdicts / rows,
                 by_failures = failures ? orders * s->failures / (double)failures : INFINITY,
                 sets = fmin(by_verdicts, by_failures);
    const double mine = rest * rest * q * (1 - q) / after, plain = share * (1 - share) / sets;
    return mine > 0 && sets > 0 ? plain / mine : NAN;
}
