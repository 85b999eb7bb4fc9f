/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading the JSON of holdfast simulate back: the throughput that was reached. */
#include <math.h>
#include <string.h>

#include <holdfast/kernel.h>

#include "src/bridge/json.h"

typedef struct wanted {
    const char *file, *topology, *routing;
} wanted;

static hf_status check_spec(hf_context *cx, const wanted *w, const hf_json *root) {
    const hf_json *spec = hf_json_get(root, "spec");
    const char *command = hf_json_string(hf_json_get(root, "command")), *topology = hf_json_string(hf_json_get(spec, "topology")),
               *routing = hf_json_string(hf_json_get(spec, "routing"));
    int64_t schema = 0;
    if (!hf_json_whole(hf_json_get(root, "schema"), &schema) || schema != 1 || !command || strcmp(command, "simulate") != 0 ||
        !topology || !routing) {
        HF_FAIL(cx, HF_EINVAL, "%s: no results of a simulation; need what `holdfast simulate --json` wrote (schema 1)", w->file);
    }
    if (strcmp(topology, w->topology) != 0 || (w->routing && strcmp(routing, w->routing) != 0)) {
        HF_FAIL(cx, HF_EINVAL, "%s: results of %.100s, %.100s; need those of %s%s%s", w->file, topology, routing, w->topology,
                w->routing ? ", " : "", w->routing ? w->routing : "");
    }
    return HF_OK;
}

static hf_status find_largest(hf_context *cx, const wanted *w, const hf_json *root, double *out, double *half) {
    const hf_json *rows = hf_json_get(root, "rows");
    *out = *half = 0;
    for (size_t i = 0; i < hf_json_count(rows); i++) {
        const hf_json *row = hf_json_at(rows, i);
        double accepted = 0, width = 0;
        if (!hf_json_number(hf_json_get(row, "accepted"), &accepted) || !(accepted >= 0) || accepted > 1e6) {
            HF_FAIL(cx, HF_EINVAL, "%s: rows[%zu].accepted is not right; need flits per cycle and terminal", w->file, i);
        }
        (void)hf_json_number(hf_json_get(row, "accepted_half"), &width);
        if (accepted > *out) {
            *out = accepted;
            *half = fabs(width);
        }
    }
    if (*out <= 0) {
        HF_FAIL(cx, HF_EINVAL, "%s: no row has accepted traffic above 0", w->file);
    }
    return HF_OK;
}

hf_status hf_results_throughput(hf_context *cx, const char *file, const char *data, size_t size, const char *topology,
                                const char *routing, double *out, double *half) {
    const wanted w = {file, topology, routing};
    hf_json *root;
    HF_TRY(hf_json_parse(cx, file, data, size, &root));
    hf_status status = check_spec(cx, &w, root);
    status = status == HF_OK ? find_largest(cx, &w, root, out, half) : status;
    hf_json_free(root);
    return status;
}
