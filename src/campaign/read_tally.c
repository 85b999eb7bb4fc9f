/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading the JSON of holdfast tolerance back as a tally. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>

#include "src/bridge/json.h"
#include "src/core/number.h"

typedef struct reader {
    hf_context *cx;
    const char *file;
    hf_tally_file *out;
} reader;

#define FAIL_IN(r, ...)                                                                                                          \
    do {                                                                                                                         \
        hf_context_fail((r)->cx, HF_EINVAL, __FILE__, __LINE__, __VA_ARGS__);                                                    \
        hf_context_prefix((r)->cx, "%s: ", (r)->file);                                                                           \
        return HF_EINVAL;                                                                                                        \
    } while (0)

static hf_status copy_text(const reader *r, const hf_json *object, const char *key, const char **out) {
    const char *text = hf_json_string(hf_json_get(object, key));
    char *copy;
    if (!text) {
        FAIL_IN(r, "spec.%s is missing; need what `holdfast tolerance --json` wrote", key);
    }
    HF_TRY(hf_scratch_print(r->cx, &copy, "%s", text));
    *out = copy;
    return HF_OK;
}

static hf_status read_spec(const reader *r, const hf_json *root) {
    const hf_json *spec = hf_json_get(root, "spec");
    const char *command = hf_json_string(hf_json_get(root, "command")), *part = hf_json_string(hf_json_get(spec, "part"));
    int64_t schema = 0, components = 0;
    if (!hf_json_whole(hf_json_get(root, "schema"), &schema) || schema != 1 || !command || strcmp(command, "tolerance") != 0) {
        FAIL_IN(r, "this is no tally; need what `holdfast tolerance --json` wrote (schema 1, command \"tolerance\")");
    }
    if (part) {
        FAIL_IN(r, "this is part %.20s of a tally; need a whole one: run all parts with one store, then without --part", part);
    }
    HF_TRY(copy_text(r, spec, "topology", &r->out->topology));
    HF_TRY(copy_text(r, spec, "routing", &r->out->routing));
    HF_TRY(copy_text(r, spec, "universe", &r->out->universe));
    HF_TRY(copy_text(r, spec, "criterion", &r->out->criterion));
    if (!hf_json_whole(hf_json_get(spec, "components"), &components) || components < 1 || components >= HF_NONE) {
        FAIL_IN(r, "spec.components is not right; need the number of components that can fail");
    }
    r->out->n_component = (uint32_t)components;
    return HF_OK;
}

static bool read_decimal(const hf_json *value, uint64_t *out) {
    const char *text = hf_json_string(value);
    return text && hf_slice_number(hf_slice_of(text), 10, out);
}

static hf_status read_row(const reader *r, const hf_json *row, size_t i) {
    hf_reliability_count *out = &r->out->row[i];
    int64_t f = -1;
    bool is_complete = false;
    if (!hf_json_whole(hf_json_get(row, "f"), &f) || f < 0 || f > r->out->n_component) {
        FAIL_IN(r, "rows[%zu].f is not right; need a number of faults in 0..%" PRIu32, i, r->out->n_component);
    }
    out->f = (uint32_t)f;
    if (i > 0 && out->f <= out[-1].f) {
        FAIL_IN(r, "rows[%zu].f is %" PRIu32 " after %" PRIu32 "; need ascending numbers of faults", i, out->f, out[-1].f);
    }
    if (!read_decimal(hf_json_get(row, "sets"), &out->sets) || out->sets == 0) {
        FAIL_IN(r, "rows[%zu].sets is not right; need a number of fault sets above 0, as a decimal text", i);
    }
    if (!read_decimal(hf_json_get(row, "not_tolerated"), &out->not_tolerated) || out->not_tolerated > out->sets) {
        FAIL_IN(r, "rows[%zu].not_tolerated is not right; need a decimal text, at most the %" PRIu64 " sets", i, out->sets);
    }
    if (!hf_json_truth(hf_json_get(row, "exact"), &out->is_exact) || !hf_json_truth(hf_json_get(row, "complete"), &is_complete) ||
        !is_complete) {
        FAIL_IN(r, "rows[%zu] is not finished (\"exact\" and \"complete\" tell)", i);
    }
    uint64_t all;
    if (out->is_exact && (!hf_binomial(r->out->n_component, out->f, &all) || all != out->sets)) {
        FAIL_IN(r, "rows[%zu] is exact but has %" PRIu64 " sets; need all sets of %" PRIu32 " out of %" PRIu32 " components", i,
                out->sets, out->f, r->out->n_component);
    }
    return HF_OK;
}

static hf_status read_all(const reader *r, const hf_json *root) {
    const hf_json *rows = hf_json_get(root, "rows");
    HF_TRY(read_spec(r, root));
    r->out->n_row = hf_json_count(rows);
    if (r->out->n_row == 0) {
        FAIL_IN(r, "there are no rows");
    }
    HF_TRY(hf_scratch(r->cx, r->out->n_row, sizeof *r->out->row, (void **)&r->out->row));
    for (size_t i = 0; i < r->out->n_row; i++) {
        HF_TRY(read_row(r, hf_json_at(rows, i), i));
    }
    return HF_OK;
}

hf_status hf_tally_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_tally_file *out) {
    hf_json *root;
    *out = (hf_tally_file){0};
    const reader r = {.cx = cx, .file = file, .out = out};
    HF_TRY(hf_json_parse(cx, file, data, size, &root));
    const hf_status status = read_all(&r, root);
    hf_json_free(root);
    return status;
}
