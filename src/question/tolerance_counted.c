/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rows of `tolerance` whose sets were not looked at one by one. */
#include <inttypes.h>
#include <math.h>

#include "src/core/machine.h"
#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/tolerance.h"

static void put_nothing(const tolerance *a, unsigned n) {
    for (; n > 0; n--) {
        hf_report_cell(a->answer, hf_cell_none());
    }
}

/* What is known of the sizes. */
typedef struct known {
    const hf_counted *exact;
    const hf_spectrum *spectrum; /* NULL: nothing of other sizes */
    double confidence;           /* of each of its rows, so that all hold together */
    hf_big *all, *good;
} known;

static bool is_exact(const known *k, uint32_t f) { return hf_counted_knows(k->exact, f); }
static bool is_there(const known *k, uint32_t f) { return is_exact(k, f) || k->spectrum; }

/* The share of the sets of f, and of those that are tolerated. \param[in] k with the numbers of both, where that is exact */
static void find_share(const known *k, uint32_t f, hf_estimate *bad, hf_estimate *good) {
    if (is_exact(k, f)) {
        const double x = hf_big_share(k->exact->not_tolerated[f], k->all), y = hf_big_share(k->good, k->all);
        *bad = (hf_estimate){x, x, x, HF_INTERVAL_EXACT};
        *good = (hf_estimate){y, y, y, HF_INTERVAL_EXACT};
        return;
    }
    *bad = k->spectrum ? hf_spectrum_share(k->spectrum, f, k->confidence) : (hf_estimate){NAN, NAN, NAN, HF_INTERVAL_EXACT};
    *good = (hf_estimate){1 - bad->value, 1 - bad->high, 1 - bad->low, bad->method};
}

static void put_percent(const tolerance *a, const known *k, uint32_t f, const hf_estimate *e) {
    hf_report_cell(a->answer, is_there(k, f) ? hf_cell_estimate(100 * e->value, 100 * e->low, 100 * e->high, e->method,
                                                                is_exact(k, f) ? "exact" : NULL)
                                             : hf_cell_none());
}

/* The numbers of sets, or of orders. */
static hf_status put_numbers(const tolerance *a, const known *k, uint32_t f) {
    hf_report *out = a->answer;
    if (is_exact(k, f) || !k->spectrum) {
        HF_TRY(hf_asked_big(a->cx, a->answer, k->all));
    } else {
        hf_report_cell(out, hf_cell_count(k->spectrum->orders));
    }
    if (is_exact(k, f)) {
        return hf_asked_big(a->cx, a->answer, k->exact->not_tolerated[f]);
    }
    hf_report_cell(out, k->spectrum ? hf_cell_count(k->spectrum->lost[f]) : hf_cell_none());
    return HF_OK;
}

/* Beside a spectrum the sizes that are exact were walked, or counted as far as the memory goes. */
static hf_method method_of(const tolerance *a, const known *k, uint32_t f) {
    const hf_method exact = a->choice.counted ? HF_METHOD_COUNTED : HF_METHOD_EXHAUSTIVE;
    return k->spectrum && is_exact(k, f) ? exact : a->run.campaign.method;
}

/* The cells of one row; of a size of which nothing is known there is but the number of its sets. What has to be looked at,
 * victims, lost paths and a witness, is not there. */
static hf_status add_row(const tolerance *a, const known *k, uint32_t f) {
    hf_report *out = a->answer;
    hf_estimate bad, good;
    char *population;
    hf_big_binomial(k->all, a->scene->universe->n_component, f);
    hf_big_copy(k->good, k->all);
    if (is_exact(k, f)) {
        hf_big_sub(k->good, k->exact->not_tolerated[f]);
    }
    HF_TRY(hf_big_text(a->cx, k->all, &population));
    find_share(k, f, &bad, &good);
    hf_report_cell(out, hf_cell_count(f));
    const hf_status status = put_numbers(a, k, f);
    put_percent(a, k, f, &bad);
    put_percent(a, k, f, &good);
    put_nothing(a, 4);
    hf_report_cell(out, hf_cell_flag(is_exact(k, f)));
    hf_report_cell(out, hf_cell_flag(is_there(k, f)));
    hf_report_cell(out, hf_cell_word(is_there(k, f) ? hf_method_name(method_of(a, k, f)) : NULL));
    hf_report_cell(out, hf_cell_word(population));
    hf_report_cell(out, hf_cell_real(bad.value));
    hf_report_cell(out, hf_cell_real(bad.low));
    hf_report_cell(out, hf_cell_real(bad.high));
    hf_report_cell(out, hf_cell_word(is_there(k, f) ? hf_interval_method_name(bad.method) : NULL));
    put_nothing(a, 5);
    hf_release(hf_context_allocator(a->cx), population);
    return status;
}

/* Is every set of f tolerated? Orders that show none that is not prove nothing. */
static hf_answer ask_all(const known *k, uint32_t f) {
    if (is_exact(k, f)) {
        hf_big_set(k->all, 0);
        return hf_big_compare(k->exact->not_tolerated[f], k->all) == 0 ? HF_ANSWER_YES : HF_ANSWER_NO;
    }
    return k->spectrum && k->spectrum->lost[f] > 0 ? HF_ANSWER_NO : HF_ANSWER_OPEN;
}

static hf_status add_rows(const tolerance *a, known *k) {
    HF_TRY(hf_big_new(a->cx, &k->all));
    hf_status status = hf_big_new(a->cx, &k->good);
    for (size_t i = 0; i < a->run.campaign.n_f && status == HF_OK; i++) {
        const uint32_t f = a->run.campaign.f[i];
        status = add_row(a, k, f);
        const hf_answer one = a->requires ? ask_all(k, f) : HF_ANSWER_YES;
        a->answer->answer = one == HF_ANSWER_NO || a->answer->answer == HF_ANSWER_YES ? one : a->answer->answer;
    }
    hf_big_free(k->all);
    hf_big_free(k->good);
    return status;
}

/* ---- counted, or by orbits ---- */

static hf_status refuse_walking(const tolerance *a, const hf_asked *asked, const char *const *others) {
    for (; *others; others++) {
        if (hf_asked_given(asked, *others)) {
            HF_FAIL(a->cx, HF_EINVAL, "--%s goes with methods that walk over sets; --method %s does not", *others,
                    hf_method_name(a->run.campaign.method));
        }
    }
    return HF_OK;
}

static hf_status find_most(const tolerance *a, uint32_t *most) {
    const hf_campaign *c = &a->run.campaign;
    *most = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        *most = c->f[i] > *most ? c->f[i] : *most;
    }
    if (*most > c->universe->n_component) {
        HF_FAIL(a->cx, HF_EINVAL, "f=%" PRIu32 " faults are more than the %" PRIu32 " components; need f <= %" PRIu32, *most,
                c->universe->n_component, c->universe->n_component);
    }
    return HF_OK;
}

/* A layer is kept for every vertex: what auto takes is done in some ten seconds. */
double hf_tolerance_memory(const hf_asked *asked) {
    const tolerance_args *args = asked->args;
    const double gib = 1 << 30, half = hf_machine_memory() / 2, n = asked->scene->topo->n_switch,
                 quick = fmin(gib / 4, 8 * gib / (n + 1));
    const bool is_meant = args->campaign.method == HF_METHOD_COUNTED;
    return args->memory_gib > 0 ? args->memory_gib * gib : is_meant ? half : fmin(half, quick);
}

/* What auto has counted already is taken over. */
static hf_status find_counted(tolerance *a, const hf_asked *asked, hf_counted **out) {
    const hf_campaign *c = &a->run.campaign;
    uint32_t most;
    HF_TRY(find_most(a, &most));
    if (a->choice.counted) {
        *out = a->choice.counted;
        a->choice.counted = NULL;
        return HF_OK;
    }
    return c->method == HF_METHOD_ORBITS
               ? hf_orbits_run(a->cx, c->universe, c->rule, c->criterion, most, out)
               : hf_counted_run(a->cx, c->universe, c->rule, c->criterion, most, hf_tolerance_memory(asked), out);
}

/* What it would take. */
static hf_status forecast(tolerance *a, const hf_asked *asked) {
    hf_forecast *out = asked->conduct->forecast;
    HF_TRY(a->run.campaign.method == HF_METHOD_ORBITS
               ? hf_orbits_forecast(a->cx, &a->run.campaign, out)
               : hf_counted_forecast(a->cx, &a->run.campaign, hf_tolerance_memory(asked), out));
    HF_FAIL(a->cx, HF_ESTOP, "a forecast, not the campaign");
}

hf_status hf_tolerance_counted(tolerance *a, const hf_asked *asked) {
    static const char *const others[] = {"part", "order", "judge", "seed", "verdicts", NULL};
    hf_counted *counted;
    char *note;
    HF_TRY(a->choice.why[0] ? HF_OK : refuse_walking(a, asked, others));
    HF_TRY(asked->conduct->forecast ? forecast(a, asked) : HF_OK);
    HF_TRY(find_counted(a, asked, &counted));
    known k = {.exact = counted};
    hf_status status = add_rows(a, &k);
    status = status == HF_OK
                 ? hf_scratch_print(a->cx, &note, "%s%s", counted->how,
                                    a->choice.why[0] ? " Victims and lost paths: --method exhaustive or sampled." : "")
                 : status;
    hf_counted_free(counted);
    HF_TRY(status);
    hf_report_note(a->answer, note);
    return HF_OK;
}

/* ---- by random orders ---- */

enum { ORDERS = 10000 };

/* Rows that are estimated, the components of a set of each, and the one where the orders gain least. */
typedef struct estimated {
    uint32_t rows, f;
    uint64_t failures;
    double gain;
} estimated;

static void find_estimated(const tolerance *a, const known *k, estimated *out) {
    const hf_campaign *c = &a->run.campaign;
    *out = (estimated){.gain = INFINITY};
    for (size_t i = 0; i < c->n_f; i++) {
        out->rows += !is_exact(k, c->f[i]);
        out->failures += is_exact(k, c->f[i]) ? 0 : c->f[i];
    }
    for (size_t i = 0; i < c->n_f; i++) {
        const double gain = is_exact(k, c->f[i]) ? NAN : hf_spectrum_gain(k->spectrum, c->f[i], out->rows, out->failures);
        if (gain < out->gain) {
            out->gain = gain;
            out->f = c->f[i];
        }
    }
}

static hf_status note_spectrum(const tolerance *a, const known *k, const estimated *e) {
    const hf_spectrum *s = k->spectrum;
    char *note, *joined = NULL, *gain = NULL;
    HF_TRY(s->joined == HF_NONE
               ? HF_OK
               : hf_scratch_print(a->cx, &joined,
                                  " Orders that are tolerated at f=%" PRIu32 ", whose share is exact, say the rest.", s->joined));
    HF_TRY(isinf(e->gain)
               ? HF_OK
               : hf_scratch_print(a->cx, &gain,
                                  " An order took %.3g verdict%s: for as many, sets of their own would have at least %.3g "
                                  "times the variance (f=%" PRIu32 ").",
                                  s->verdicts, s->verdicts == 1 ? "" : "s", e->gain, e->f));
    HF_TRY(hf_scratch_print(a->cx, &note,
                            "%" PRIu64 " random order%s of failure, seed %" PRIu64
                            ", for all f together; rows marked exact have no more sets than that.%s Intervals: "
                            "Clopper-Pearson, all hold together with 95%%.%s",
                            s->orders, hf_plural(s->orders), a->run.campaign.seed, joined ? joined : "", gain ? gain : ""));
    hf_report_note(a->answer, e->rows > 0 ? note : NULL);
    return HF_OK;
}

/* Sizes from nothing on that are exact. */
static void join(const known *k, hf_spectrum *s) {
    uint32_t f = 0;
    while (s->is_monotone && is_exact(k, f)) {
        f++;
    }
    if (f > 0) {
        s->joined = f - 1;
        hf_big_binomial(k->all, k->exact->m, f - 1);
        s->exact_share = hf_big_share(k->exact->not_tolerated[f - 1], k->all);
    }
}

static hf_status run_orders(tolerance *a, const hf_asked *asked, hf_spectrum_job *job, hf_spectrum *out) {
    hf_asked_campaign run = {.campaign = job->campaign};
    hf_status status = hf_asked_campaign_run(a->cx, asked, &run);
    if (status == HF_OK) {
        status = hf_spectrum_of_tally(a->cx, job, &run.result->row[0].tally, out);
    }
    hf_result_free(run.result);
    return status;
}

static hf_status answer_spectrum(tolerance *a, const hf_asked *asked, hf_spectrum_job *job, known *k) {
    hf_spectrum s;
    estimated e;
    HF_TRY(run_orders(a, asked, job, &s));
    HF_TRY(hf_big_new(a->cx, &k->all));
    join(k, &s);
    hf_big_free(k->all);
    k->spectrum = &s;
    find_estimated(a, k, &e);
    k->confidence = 1 - 0.05 / (e.rows > 0 ? e.rows : 1);
    HF_TRY(add_rows(a, k));
    return note_spectrum(a, k, &e);
}

hf_status hf_tolerance_spectrum(tolerance *a, const hf_asked *asked) {
    static const char *const others[] = {"verdicts", NULL};
    const tolerance_args *args = asked->args;
    const uint64_t orders = args->campaign.orders ? args->campaign.orders : ORDERS;
    hf_spectrum_job job;
    hf_counted *exact;
    uint32_t most;
    char *number;
    HF_TRY(a->choice.why[0] ? HF_OK : refuse_walking(a, asked, others));
    HF_TRY(find_most(a, &most));
    HF_TRY(hf_scratch_print(a->cx, &number, "%" PRIu64, orders));
    hf_report_argument_as(a->answer, "orders", number, HF_COLUMN_COUNT);
    HF_TRY(hf_spectrum_prepare(a->cx, &a->run.campaign, orders, &job));
    exact = a->choice.counted;
    HF_TRY(exact ? HF_OK : hf_counted_few(a->cx, &a->run.campaign, orders, &exact));
    known k = {.exact = exact};
    const hf_status status = answer_spectrum(a, asked, &job, &k);
    hf_counted_free(exact == a->choice.counted ? NULL : exact);
    return status;
}
