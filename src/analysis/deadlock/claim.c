/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates: what is in them, holdfast-check makes anew or follows; what it cannot is not written. */
#include "src/analysis/deadlock/claim.h"

#include <stdlib.h>

#include "src/analysis/deadlock/blocked.h"

/* Runs: value, length, value, length, ...; -1 for virtual channels that do not count. */
static hf_json *json_runs(const hf_deadlock *d) {
    hf_json *list = hf_json_array();
    for (uint32_t r = 0; r < d->n_resource;) {
        uint32_t end = r + 1;
        while (end < d->n_resource && d->number[end] == d->number[r]) {
            end++;
        }
        hf_json_push(list, hf_json_integer(d->number[r] == HF_NONE ? -1 : (int64_t)d->number[r]));
        hf_json_push(list, hf_json_integer(end - r));
        r = end;
    }
    return list;
}

static hf_json *json_escape(const hf_deadlock *d) {
    if (d->method != HF_METHOD_ESCAPE && d->method != HF_METHOD_BUBBLE_ESCAPE) {
        return hf_json_null();
    }
    if (d->escape.is_declared) {
        return hf_json_text("declared");
    }
    hf_json *list = hf_json_array();
    for (uint32_t vc = 0; vc < 64; vc++) {
        if (d->escape.vcs >> vc & 1) {
            hf_json_push(list, hf_json_integer(vc));
        }
    }
    return list;
}

static hf_json *json_spec(const hf_claim *claim, const hf_text *failed) {
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(claim->topology));
    hf_json_set(spec, "routing", hf_json_text(claim->routing));
    hf_json_set(spec, "switching", hf_json_text(hf_switching_name(claim->switching)));
    hf_json_set(spec, "timing", hf_json_text(hf_timing_name(claim->timing)));
    hf_json_set(spec, "flow", hf_json_text(claim->flow));
    hf_json_set(spec, "choose", hf_json_text(claim->choose_once ? "once" : "always"));
    hf_json_set(spec, "universe", failed->size && claim->universe ? hf_json_text(claim->universe) : hf_json_null());
    hf_json_set(spec, "failed", failed->size ? hf_json_text(failed->data) : hf_json_null());
    return spec;
}

static int compare(const void *a, const void *b) {
    const uint32_t x = ((const hf_blocked *)a)->hold[0], y = ((const hf_blocked *)b)->hold[0];
    return (x > y) - (x < y);
}

/* What has been checked holdfast-check checks for itself. */
static hf_json *json_conditions(const hf_claim *claim) {
    hf_json *list = claim->condition ? hf_json_array() : hf_json_null();
    for (size_t i = 0; claim->condition && i < HF_CONDITIONS; i++) {
        if (claim->condition[i].is_assumed) {
            hf_json_push(list, hf_json_text(claim->condition[i].text));
        }
    }
    return list;
}

static hf_json *json_certificate(const hf_claim *claim, const hf_blocked *blocked) {
    const hf_deadlock *d = claim->found;
    const bool is_proved = d->answer == HF_DEADLOCK_FREE && d->method < HF_METHOD_WORMS;
    hf_json *c = hf_json_object();
    hf_json_set(c, "verdict", hf_json_text(hf_deadlock_answer_name(d->answer)));
    hf_json_set(c, "method", hf_json_text(claim->method));
    hf_json_set(c, "serves", is_proved ? hf_json_text(hf_serves_name(d->serves)) : hf_json_null());
    hf_json_set(c, "vcs", hf_json_integer(d->n_vc));
    hf_json_set(c, "escape", json_escape(d));
    hf_json_set(c, "conditions", json_conditions(claim));
    hf_json_set(c, "numbers", is_proved ? json_runs(d) : hf_json_null());
    hf_json_set(c, "blocked", hf_blocked_json(claim->topo, d->n_vc, claim->classes, blocked, d->n_blocked));
    return c;
}

static hf_status sorted(hf_context *cx, const hf_deadlock *d, hf_blocked **out) {
    HF_TRY(hf_scratch(cx, d->n_blocked, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        (*out)[i] = d->blocked[i];
    }
    if (d->n_blocked > 1) {
        qsort(*out, d->n_blocked, sizeof **out, compare);
    }
    return HF_OK;
}

hf_status hf_claim_print(hf_context *cx, const hf_claim *claim, hf_text *out) {
    hf_blocked *blocked;
    hf_text failed;
    HF_TRY(sorted(cx, claim->found, &blocked));
    hf_text_init(cx, &failed);
    hf_fault_set_names(claim->faults, &failed);
    hf_json *root = hf_json_frame(claim->command);
    hf_json_set(root, "spec", json_spec(claim, &failed));
    hf_json_set(root, "certificate", json_certificate(claim, blocked));
    hf_status status = hf_text_check(cx, &failed);
    status = status == HF_OK ? hf_json_print(cx, root, out) : status;
    hf_json_free(root);
    hf_text_free(&failed);
    return status;
}
