/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Campaigns: rows one after the other, with one crew of workers. */
#include <holdfast/campaign.h>

#include "src/campaign/orbits.h"
#include "src/campaign/row.h"
#include "src/campaign/size.h"

static uint64_t all_sets(hf_context *cx, const hf_campaign *c) {
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        hf_row_size size;
        if (hf_row_size_find(cx, c, c->f[i], &size) == HF_OK) {
            const uint64_t here = size.hi - size.lo;
            sum = sum > UINT64_MAX - here ? UINT64_MAX : sum + here;
        }
    }
    return sum;
}

static hf_status run_rows(hf_context *cx, const hf_campaign *c, hf_result *result) {
    hf_crew crew;
    hf_progress progress = {.all_total = all_sets(cx, c)};
    HF_TRY(hf_crew_init(cx, c, result->threads, &crew));
    hf_status status = HF_OK;
    while (result->n_row < c->n_f && status == HF_OK) {
        hf_row *row = &result->row[result->n_row++];
        status = hf_row_run(cx, c, c->f[result->n_row - 1], &crew, &progress, row);
    }
    hf_crew_free(cx, &crew);
    if (status == HF_OK && c->forecast) {
        HF_FAIL(cx, HF_ESTOP, "a forecast, not the campaign");
    }
    return status;
}

hf_status hf_campaign_run(hf_context *cx, const hf_campaign *c, hf_result **out) {
    HF_TRY(hf_campaign_check(cx, c));
    hf_result *result;
    HF_TRY(hf_allocate(cx, 1, sizeof *result, (void **)&result));
    result->allocator = *hf_context_allocator(cx);
    result->threads = hf_campaign_threads(c);
    hf_status status = hf_allocate(cx, c->n_f, sizeof *result->row, (void **)&result->row);
    if (status == HF_OK) {
        status = c->method == HF_METHOD_ORBITS ? hf_orbits_campaign(cx, c, result) : run_rows(cx, c, result);
    }
    if (status == HF_OK || status == HF_ESTOP) {
        *out = result;
    } else {
        hf_result_free(result);
    }
    return status;
}

void hf_result_free(hf_result *result) {
    if (!result) {
        return;
    }
    const hf_allocator allocator = result->allocator;
    for (size_t i = 0; i < result->n_row; i++) {
        hf_release(&allocator, result->row[i].population);
        hf_tally_free(&allocator, &result->row[i].tally);
    }
    hf_release(&allocator, result->row);
    hf_release(&allocator, result);
}
