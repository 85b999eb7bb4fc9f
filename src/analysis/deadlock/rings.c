/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a certificate of bubble escape rests on: what has been checked, and what the flow control has to keep [puente2004]. */
#include <inttypes.h>

#include <holdfast/analysis/deadlock.h>

#include "src/core/print.h"

typedef struct ring_figures {
    uint32_t count, shortest, longest; /* lengths in virtual channels */
} ring_figures;

static hf_status measure_rings(hf_context *cx, const hf_plan *plan, const uint32_t *ring, ring_figures *out) {
    const uint32_t n = plan->topo->n_channel * plan->n_vc;
    uint32_t *length;
    *out = (ring_figures){0, UINT32_MAX, 0};
    HF_TRY(hf_scratch(cx, n, sizeof *length, (void **)&length));
    for (uint32_t r = 0; r < n; r++) {
        if (ring[r] != HF_NONE) {
            length[ring[r]]++;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        if (length[r] > 0) {
            out->count++;
            out->shortest = length[r] < out->shortest ? length[r] : out->shortest;
            out->longest = length[r] > out->longest ? length[r] : out->longest;
        }
    }
    return HF_OK;
}

static hf_status name_rings(hf_context *cx, const hf_plan *plan, const uint32_t *ring_of, const char **out) {
    ring_figures r;
    char *text, *length;
    HF_TRY(measure_rings(cx, plan, ring_of, &r));
    if (r.shortest == r.longest) {
        HF_TRY(hf_scratch_print(cx, &length, "%" PRIu32, r.longest));
    } else {
        HF_TRY(hf_scratch_print(cx, &length, "%" PRIu32 " to %" PRIu32, r.shortest, r.longest));
    }
    HF_TRY(hf_scratch_print(cx, &text, "checked: %" PRIu32 " ring%s of %s virtual channels, %s directed cycle", r.count,
                            hf_plural(r.count), length, r.count == 1 ? "one" : "each one"));
    *out = text;
    return HF_OK;
}

hf_status hf_deadlock_conditions(hf_context *cx, const hf_plan *plan, const uint32_t *ring_of, hf_condition *out) {
    static const char starts[] = "assumed: a free buffer on every ring at the start",
                      starts_after_faults[] = "assumed: a free buffer on every ring at the start; after faults this is "
                                              "conditional on the drain of a full ring through the interfaces";
    HF_TRY(name_rings(cx, plan, ring_of, &out[0].text));
    out[0].is_assumed = false;
    out[1] = (hf_condition){true, "assumed: virtual cut-through; a packet moves where a buffer for the largest packet is free, "
                                  "and enters a ring where two are; a virtual channel has two or more"};
    out[2] = (hf_condition){true, plan->faults->n_channel > 0 ? starts_after_faults : starts};
    out[3] = (hf_condition){false, "checked: on a ring a packet comes to its destination, or to where it leaves, within one lap"};
    out[4] = (hf_condition){false, "checked: a packet may ask for a ring wherever it is, and no packet goes round for ever"};
    return HF_OK;
}

const char *hf_rings_remark(const hf_plan *plan, bool has_bubbles) {
    return has_bubbles || !hf_plan_has_rings(plan) ? NULL
                                                   : "has rings and needs --switching vct --flow bubble; without, packets on "
                                                     "them may wait for each other for ever";
}
