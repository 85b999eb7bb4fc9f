/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rates and durations with their units, by kind of component. */
#include "src/question/rates.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/registry.h"

enum { KINDS = 6, TIMES = 1001 };

/* ---- rates and durations, by kind of component ---- */

/* Units in failures per hour (rates), or in hours (durations); the first is meant where none stands. */
static const hf_unit rate_units[] = {{"", 1e-9},           {"FIT", 1e-9},         {"/h", 1}, {"/day", 1.0 / 24},
                                     {"/week", 1.0 / 168}, {"/year", 1.0 / 8766}, {0}};
static const hf_unit time_units[] = {{"", 1},   {"h", 1},   {"s", 1.0 / 3600}, {"min", 1.0 / 60},
                                     {"d", 24}, {"w", 168}, {"y", 8766},       {0}};
static const char *const kinds[KINDS + 1] = {"channels", "links", "terminal-links", "switches", "chips", "groups", NULL};

static hf_status find_kind(hf_context *cx, const char *option, hf_slice name, const bool *is_there, size_t *out) {
    const char *there[KINDS + 1] = {NULL};
    size_t n = 0, kind_of[KINDS], i;
    for (size_t k = 0; k < KINDS; k++) {
        if (is_there[k]) {
            kind_of[n] = k;
            there[n++] = kinds[k];
        }
    }
    if (hf_words_need(cx, "kind of component in this universe", there, name, &i) != HF_OK) {
        hf_context_prefix(cx, "--%s: ", option);
        return HF_ENOENT;
    }
    *out = kind_of[i];
    return HF_OK;
}

/* "100FIT", or "links=100FIT,switches=20FIT" with every kind that is there. value by kind; below 0: not given */
static hf_status read_by_kind(hf_context *cx, const char *option, const char *text, const hf_unit *units, const char *example,
                              const bool *is_there, double *value) {
    for (size_t k = 0; k < KINDS; k++) {
        value[k] = -1;
    }
    for (const char *at = text; at;) {
        const size_t size = strcspn(at, ",");
        const char *equals = memchr(at, '=', size), *number = equals ? equals + 1 : at;
        size_t kind = KINDS;
        double quantity;
        if (equals) {
            HF_TRY(find_kind(cx, option, (hf_slice){at, (size_t)(equals - at)}, is_there, &kind));
        }
        if (!hf_read_quantity((hf_slice){number, (size_t)(at + size - number)}, units, &quantity) ||
            (!equals && (at != text || at[size]))) {
            HF_FAIL(cx, HF_EINVAL, "--%s=%s is not right; need such as %s", option, text, example);
        }
        for (size_t k = 0; k < KINDS; k++) {
            value[k] = k == kind || kind == KINDS ? quantity : value[k];
        }
        at = at[size] ? at + size + 1 : NULL;
    }
    for (size_t k = 0; text && k < KINDS; k++) {
        if (is_there[k] && value[k] < 0) {
            HF_FAIL(cx, HF_EINVAL, "--%s=%s says nothing of %s, which can fail too; need such as %s", option, text, kinds[k],
                    example);
        }
    }
    return HF_OK;
}

/* ---- kinds and classes ---- */

static size_t kind_of(const hf_universe *u, uint32_t component) {
    const char *name = hf_universe_kind_name(u, component);
    size_t k = 0;
    while (strcmp(kinds[k], name) != 0) {
        k++;
    }
    return k;
}

/* Of a tally nothing is known but its universe's name. */
static void find_kinds(const hf_rated *r, bool *is_there) {
    const hf_universe *u = r->universe;
    for (size_t k = 0; !u && k < KINDS; k++) {
        is_there[k] = strcmp(r->spec, kinds[k]) == 0;
    }
    for (uint32_t i = 0; u && i < u->n_component; i++) {
        is_there[kind_of(u, i)] = true;
    }
}

/* A kind joins the class of one that fails and is repaired alike. */
static hf_status place_kind(hf_context *cx, hf_rated *r, double rate, double repair, uint32_t crews, size_t *out) {
    size_t c = 0;
    while (c < r->n_class && (r->class[c].rate != rate || r->class[c].mttr_h != repair)) {
        c++;
    }
    if (c == HF_RELIABILITY_CLASSES) {
        HF_FAIL(cx, HF_ERANGE, "more than %d different rates", HF_RELIABILITY_CLASSES);
    }
    if (c == r->n_class) {
        r->class[r->n_class++] = (hf_reliability_class){.rate = rate, .mttr_h = repair, .crews = crews};
    }
    *out = c;
    return HF_OK;
}

static hf_status classify(hf_context *cx, const bool *is_there, const double *rate, const double *repair, uint32_t crews,
                          hf_rated *r) {
    const hf_universe *u = r->universe;
    size_t class_of_kind[KINDS] = {0};
    for (size_t k = 0; k < KINDS; k++) {
        if (is_there[k]) {
            HF_TRY(place_kind(cx, r, rate[k], fmax(repair[k], 0), crews, &class_of_kind[k]));
        }
    }
    HF_TRY(hf_scratch(cx, u->n_component, 1, (void **)&r->class_of));
    for (uint32_t i = 0; i < u->n_component; i++) {
        r->class_of[i] = (uint8_t)class_of_kind[kind_of(u, i)];
        r->class[r->class_of[i]].n_component++;
    }
    return HF_OK;
}

hf_status hf_rates_classes(hf_context *cx, const hf_rates *rates, hf_rated *r) {
    bool is_there[KINDS] = {false};
    double rate[KINDS], repair[KINDS];
    size_t k = 0;
    find_kinds(r, is_there);
    HF_TRY(read_by_kind(cx, "rate", rates->rate, rate_units,
                        "100FIT (failures in 1e9 hours of a component), 1e-7/h, or links=100FIT,switches=50FIT", is_there, rate));
    HF_TRY(read_by_kind(cx, "mttr", rates->repair, time_units, "24h, or links=4h,switches=2d", is_there, repair));
    if (r->universe) {
        return classify(cx, is_there, rate, repair, rates->crews, r);
    }
    while (k + 1 < KINDS && !is_there[k]) {
        k++;
    }
    r->class[0] = (hf_reliability_class){r->n_component, rate[k], fmax(repair[k], 0), rates->crews};
    r->n_class = 1;
    return HF_OK;
}

/* ---- times ---- */

/* Two digits are enough for times that nobody asked for. */
static double round_time(double hours) {
    const double power = pow(10, floor(log10(hours)) - 1);
    return round(hours / power) * power;
}

hf_status hf_rates_times(hf_context *cx, const char *text, double end, double **hours, size_t *n) {
    const hf_list_form form = {.high = DBL_MAX, .ascends = true, .units = time_units};
    *n = 0;
    HF_TRY(hf_scratch(cx, TIMES, sizeof **hours, (void **)hours));
    if (text && !hf_read_list(text, &form, TIMES, *hours, n)) {
        HF_FAIL(cx, HF_EINVAL, "--times=%s is not right; need at most %d ascending times such as 0,100h,5y or 0..10y/1y", text,
                TIMES);
    }
    const double step = round_time(isfinite(end) && end > 0 ? end / 5 : 1e4);
    for (int i = 0; !text && i <= 10; i++) {
        (*hours)[(*n)++] = i * step;
    }
    return HF_OK;
}
