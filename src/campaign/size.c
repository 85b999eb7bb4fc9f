/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Sizes of rows, and the checks of a campaign: everything that can be refused before any work. */
#include "src/campaign/size.h"
#include "src/core/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/combination.h>

enum { THREADS_MAX = 1024, DIGITS_SHOWN = 40 };

/* floor(total * part / parts) without overflow. */
static uint64_t share(uint64_t total, uint32_t part, uint32_t parts) { return (uint64_t)((hf_u128)total * part / parts); }

uint32_t hf_campaign_threads(const hf_campaign *c) { return c->threads ? c->threads : hf_jobs_cores(); }

hf_status hf_row_population(hf_context *cx, const hf_campaign *c, uint32_t f, char **out) {
    hf_big *all;
    HF_TRY(hf_big_new(cx, &all));
    hf_big_binomial(all, c->universe->n_component, f);
    const hf_status status = hf_big_text(cx, all, out);
    hf_big_free(all);
    return status;
}

static hf_status refuse_size(hf_context *cx, const hf_campaign *c, uint32_t f) {
    char *number;
    HF_TRY(hf_row_population(cx, c, f, &number));
    const size_t digits = strlen(number);
    char short_form[32];
    snprintf(short_form, sizeof short_form, "%c.%.3s*10^%zu", number[0], number + 1, digits - 1);
    const hf_status status = hf_context_fail(cx, HF_ERANGE, __FILE__, __LINE__,
                                             "f=%" PRIu32 ": C(%" PRIu32 ", %" PRIu32
                                             ") = %s fault sets are too many to walk, the limit is 2^63; use --method sampled",
                                             f, c->universe->n_component, f, digits <= DIGITS_SHOWN ? number : short_form);
    hf_release(hf_context_allocator(cx), number);
    return status;
}

hf_status hf_row_size_find(hf_context *cx, const hf_campaign *c, uint32_t f, hf_row_size *out) {
    uint64_t all;
    const bool fits = hf_binomial(c->universe->n_component, f, &all) && all < UINT64_C(1) << 63;
    /* More samples than sets: look at each set once instead. */
    const bool are_orders = c->inquiry && c->inquiry->orders;
    out->exhaustive =
        !are_orders && (c->method == HF_METHOD_EXHAUSTIVE || c->method == HF_METHOD_ORBITS || (fits && c->samples >= all));
    if (out->exhaustive && !fits) {
        return refuse_size(cx, c, f);
    }
    const uint32_t part = c->n_part ? c->part : 1, parts = c->n_part ? c->n_part : 1;
    out->total = out->exhaustive ? all : c->samples;
    out->lo = share(out->total, part - 1, parts);
    out->hi = share(out->total, part, parts);
    return HF_OK;
}

hf_status hf_campaign_check_faults(hf_context *cx, const hf_campaign *c) {
    const uint32_t m = c->universe->n_component;
    for (size_t i = 0; i < c->n_f; i++) {
        if (c->f[i] > m) {
            HF_FAIL(cx, HF_EINVAL,
                    "f=%" PRIu32 " faults are more than the %" PRIu32
                    " components of universe \"%s\" on \"%s\"; need f <= %" PRIu32,
                    c->f[i], m, c->universe->spec, c->universe->topo->spec, m);
        }
    }
    return HF_OK;
}

hf_status hf_campaign_check(hf_context *cx, const hf_campaign *c) {
    if (c->method == HF_METHOD_SAMPLED && (c->samples == 0 || c->samples >= UINT64_C(1) << 63)) {
        HF_FAIL(cx, HF_EINVAL, "samples=%" PRIu64 " is out of range; need at least 1 and fewer than 2^63", c->samples);
    }
    if (c->n_part && (c->part < 1 || c->part > c->n_part)) {
        HF_FAIL(cx, HF_EINVAL, "part %" PRIu32 "/%" PRIu32 " is not right; parts are 1/%" PRIu32 " to %" PRIu32 "/%" PRIu32,
                c->part, c->n_part, c->n_part, c->n_part, c->n_part);
    }
    if (c->threads > THREADS_MAX) {
        HF_FAIL(cx, HF_EINVAL, "threads=%" PRIu32 " is out of range; need at most %d", c->threads, THREADS_MAX);
    }
    HF_TRY(hf_campaign_check_faults(cx, c));
    for (size_t i = 0; i < c->n_f; i++) {
        hf_row_size size;
        HF_TRY(hf_row_size_find(cx, c, c->f[i], &size));
    }
    return HF_OK;
}
