/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of holdfast reliability: rates and durations with their units, by kind of component. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/cli/reliability.h"
#include "src/core/number.h"
#include "src/core/registry.h"

/* Units in failures per hour (rates), or in hours (durations); the first is meant where none stands. */
static const hf_unit rate_units[] = {{"", 1e-9},           {"FIT", 1e-9},         {"/h", 1}, {"/day", 1.0 / 24},
                                     {"/week", 1.0 / 168}, {"/year", 1.0 / 8766}, {0}};
static const hf_unit time_units[] = {{"", 1},   {"h", 1},   {"s", 1.0 / 3600}, {"min", 1.0 / 60},
                                     {"d", 24}, {"w", 168}, {"y", 8766},       {0}};

static const char *const kinds[RELIABILITY_KINDS + 1] = {"channels", "links", "terminal-links", "switches", "chips",
                                                         "groups",   NULL};

static hf_status find_kind(const cli *c, const char *option, const char *text, size_t size, const bool *is_there, size_t *out) {
    const char *there[RELIABILITY_KINDS + 1] = {NULL};
    size_t n = 0, kind_of[RELIABILITY_KINDS], i;
    for (size_t k = 0; k < RELIABILITY_KINDS; k++) {
        if (is_there[k]) {
            kind_of[n] = k;
            there[n++] = kinds[k];
        }
    }
    if (hf_words_need(c->cx, "kind of component in this universe", there, (hf_slice){text, size}, &i) != HF_OK) {
        hf_context_prefix(c->cx, "--%s: ", option);
        return HF_ENOENT;
    }
    *out = kind_of[i];
    return HF_OK;
}

/* "100FIT", or "links=100FIT,switches=20FIT" with every kind that is there. \param[in,out] value by kind; below 0: not given */
static hf_status read_by_kind(const cli *c, const char *option, const hf_unit *units, const char *example, const bool *is_there,
                              double *value) {
    const char *text = cli_value(c, option);
    for (const char *at = text; at;) {
        const size_t size = strcspn(at, ",");
        const char *equals = memchr(at, '=', size), *number = equals ? equals + 1 : at;
        size_t kind = RELIABILITY_KINDS;
        double quantity;
        if (equals) {
            HF_TRY(find_kind(c, option, at, (size_t)(equals - at), is_there, &kind));
        }
        if (!hf_read_quantity((hf_slice){number, (size_t)(at + size - number)}, units, &quantity) || (!equals && at != text) ||
            (!equals && at[size])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right; need such as %s", option, text, example);
        }
        for (size_t k = 0; k < RELIABILITY_KINDS; k++) {
            value[k] = k == kind || kind == RELIABILITY_KINDS ? quantity : value[k];
        }
        at = at[size] ? at + size + 1 : NULL;
    }
    for (size_t k = 0; text && k < RELIABILITY_KINDS; k++) {
        if (is_there[k] && value[k] < 0) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s=%s says nothing of %s, which can fail too; need such as %s", option, text, kinds[k],
                    example);
        }
    }
    return HF_OK;
}

/* ---- kinds and classes ---- */

static size_t kind_of(const hf_universe *u, uint32_t component) {
    const hf_component *p = &u->component[component];
    switch (p->type) {
    case HF_COMPONENT_CHANNEL:
        return 0;
    case HF_COMPONENT_LINK:
        return p->id < u->topo->n_switch_link ? 1 : 2;
    case HF_COMPONENT_SWITCH:
        return 3;
    default:
        return strstr(u->spec, "groups:") ? 5 : 4;
    }
}

/* A kind joins the class of one that fails and is repaired alike. */
static hf_status place_kind(reliability *r, double rate, double repair, uint32_t crews, size_t *out) {
    size_t c = 0;
    while (c < r->n_class && (r->class[c].rate != rate || r->class[c].mttr_h != repair)) {
        c++;
    }
    if (c == HF_RELIABILITY_CLASSES) {
        HF_FAIL(r->c->cx, HF_ERANGE, "more than %d different rates", HF_RELIABILITY_CLASSES);
    }
    if (c == r->n_class) {
        r->class[r->n_class++] = (hf_reliability_class){.rate = rate, .mttr_h = repair, .crews = crews};
    }
    *out = c;
    return HF_OK;
}

static void find_kinds(const reliability *r, bool *is_there) {
    if (!r->net.universe) {
        for (size_t k = 0; k < RELIABILITY_KINDS; k++) { /* of a tally nothing is known but its universe's name */
            is_there[k] = strcmp(r->tally.universe, kinds[k]) == 0;
        }
        return;
    }
    for (uint32_t i = 0; i < r->net.universe->n_component; i++) {
        is_there[kind_of(r->net.universe, i)] = true;
    }
}

static hf_status classify(reliability *r, const bool *is_there, const double *rate, const double *repair, uint32_t crews) {
    size_t class_of_kind[RELIABILITY_KINDS] = {0};
    for (size_t k = 0; k < RELIABILITY_KINDS; k++) {
        if (is_there[k]) {
            HF_TRY(place_kind(r, rate[k], fmax(repair[k], 0), crews, &class_of_kind[k]));
        }
    }
    HF_TRY(hf_scratch(r->c->cx, r->net.universe->n_component, 1, (void **)&r->class_of));
    for (uint32_t i = 0; i < r->net.universe->n_component; i++) {
        r->class_of[i] = (uint8_t)class_of_kind[kind_of(r->net.universe, i)];
        r->class[r->class_of[i]].n_component++;
    }
    return HF_OK;
}

hf_status reliability_classes(reliability *r) {
    const cli *c = r->c;
    bool is_there[RELIABILITY_KINDS] = {false};
    double rate[RELIABILITY_KINDS], repair[RELIABILITY_KINDS];
    uint64_t crews;
    const char *text;
    for (size_t k = 0; k < RELIABILITY_KINDS; k++) {
        rate[k] = repair[k] = -1;
    }
    find_kinds(r, is_there);
    HF_TRY(cli_require(c, "rate", &text));
    HF_TRY(read_by_kind(c, "rate", rate_units,
                        "100FIT (failures in 1e9 hours of a component), 1e-7/h, or links=100FIT,switches=50FIT", is_there, rate));
    HF_TRY(read_by_kind(c, "repair", time_units, "24h, or links=4h,switches=2d", is_there, repair));
    HF_TRY(cli_number(c, "crews", 1, 1000000, 0, &crews));
    r->has_repair = cli_has(c, "repair");
    if (cli_has(c, "crews") && !r->has_repair) {
        HF_FAIL(c->cx, HF_EINVAL, "--crews goes with --repair");
    }
    if (r->net.universe) {
        return classify(r, is_there, rate, repair, (uint32_t)crews);
    }
    size_t k = 0;
    while (k + 1 < RELIABILITY_KINDS && !is_there[k]) {
        k++;
    }
    r->class[0] = (hf_reliability_class){r->tally.n_component, rate[k], fmax(repair[k], 0), (uint32_t)crews};
    r->n_class = 1;
    return HF_OK;
}

/* ---- times ---- */

/* Two digits are enough for times that nobody asked for. */
static double round_time(double hours) {
    const double power = pow(10, floor(log10(hours)) - 1);
    return round(hours / power) * power;
}

hf_status reliability_times(reliability *r) {
    const char *text = cli_value(r->c, "times");
    HF_TRY(hf_scratch(r->c->cx, RELIABILITY_TIMES, sizeof *r->hours, (void **)&r->hours));
    const hf_list_form form = {.high = DBL_MAX, .ascends = true, .units = time_units};
    size_t n = 0;
    if (text && !hf_read_list(text, &form, RELIABILITY_TIMES, r->hours, &n)) {
        HF_FAIL(r->c->cx, HF_EINVAL, "--times=%s is not right; need at most %d ascending times such as 0,100h,5y or 0..10y/1y",
                text, RELIABILITY_TIMES);
    }
    r->n_time = (uint32_t)n;
    const double end = isfinite(r->mttf.value) && r->mttf.value > 0 ? r->mttf.value : r->mttf.low;
    const double step = round_time(isfinite(end) && end > 0 ? end / 5 : 1e4);
    for (int i = 0; !text && i <= 10; i++) {
        r->hours[r->n_time++] = i * step;
    }
    return HF_OK;
}

uint32_t reliability_terminals(const reliability *r) {
    return cli_has(r->c, "terminals") && r->net.topo ? r->net.topo->n_terminal : 0;
}
