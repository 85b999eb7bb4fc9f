/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a certificate of bubble escape rests on: what has been checked, and what the flow control has to keep [puente2004]. */
#include <inttypes.h>

#include "src/cli/verify.h"

typedef struct ring_figures {
    uint32_t count, shortest, longest; /* lengths in virtual channels */
} ring_figures;

static hf_status measure_rings(hf_context *cx, const hf_plan *plan, ring_figures *out) {
    const uint32_t n = plan->topo->n_channel * plan->n_vc;
    uint32_t *length;
    *out = (ring_figures){0, UINT32_MAX, 0};
    HF_TRY(hf_scratch(cx, n, sizeof *length, (void **)&length));
    for (uint32_t r = 0; r < n; r++) {
        const uint32_t ring = plan->routing->ring(plan, r / plan->n_vc, r % plan->n_vc);
        if (ring < n) {
            length[ring]++;
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

enum { CONDITIONS = 5 };

static hf_status name_rings(const verify *v, const hf_plan *plan, const char **out) {
    ring_figures r;
    char *text, *length;
    HF_TRY(measure_rings(v->c->cx, plan, &r));
    if (r.shortest == r.longest) {
        HF_TRY(hf_scratch_print(v->c->cx, &length, "%" PRIu32, r.longest));
    } else {
        HF_TRY(hf_scratch_print(v->c->cx, &length, "%" PRIu32 " to %" PRIu32, r.shortest, r.longest));
    }
    HF_TRY(hf_scratch_print(v->c->cx, &text, "checked: %" PRIu32 " ring%s of %s virtual channels, %s directed cycle", r.count,
                            r.count == 1 ? "" : "s", length, r.count == 1 ? "one" : "each one"));
    *out = text;
    return HF_OK;
}

static const char moves[] =
    "assumed: virtual cut-through; a packet moves where a buffer for the largest packet is free, and enters "
    "a ring where two are; a virtual channel has two or more";

static const char *starts_of(const verify_row *row) {
    return row->faults->n_channel > 0 ? "assumed: a free buffer on every ring at the start; after faults this is conditional on "
                                        "the drain of a full ring through the interfaces"
                                      : "assumed: a free buffer on every ring at the start";
}

static hf_status list_conditions(const verify *v, const verify_row *row, const char *text[CONDITIONS]) {
    HF_TRY(name_rings(v, row->plan, &text[0]));
    text[1] = moves;
    text[2] = starts_of(row);
    text[3] = "checked: on a ring a packet comes to its destination, or to where it leaves, within one lap";
    text[4] = "checked: a packet may ask for a ring wherever it is, and no packet goes round for ever";
    return HF_OK;
}

hf_status verify_print_conditions(const verify *v, const verify_row *row, hf_text *out) {
    const char *text[CONDITIONS];
    if (row->deadlock->method != HF_METHOD_BUBBLE_ESCAPE) {
        return HF_OK;
    }
    HF_TRY(list_conditions(v, row, text));
    for (size_t i = 0; i < CONDITIONS; i++) {
        hf_text_print(out, "  (%zu) %s\n", i + 1, text[i]);
    }
    return HF_OK;
}

hf_json *verify_json_conditions(const verify_row *row) {
    if (row->deadlock->method != HF_METHOD_BUBBLE_ESCAPE) {
        return NULL;
    }
    hf_json *list = hf_json_array();
    hf_json_push(list, hf_json_text(moves));
    hf_json_push(list, hf_json_text(starts_of(row)));
    return list;
}
