/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work with an end as a study writes it. */
#include "src/study/work.h"

#include <string.h>

#include "src/core/registry.h"

hf_status hf_study_barrier_parse(hf_context *cx, const char *text, hf_study_work *out) {
    out->kind = HF_STUDY_WORK_BARRIER;
    return hf_barrier_parse(cx, text, &out->barrier, &out->text);
}

static const hf_param generated_params[] = {
    {.name = "cycles", .type = HF_PARAM_UINT, .low = 1, .high = UINT64_C(1000000000000), .help = "that the load generates for"},
    {.name = "message",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 1000000000,
     .help = "flits that come at once; 0: a packet"},
    {0},
};

static hf_status read_generated(hf_context *cx, const char *text, hf_study_work *out) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, "trace", "generated", generated_params, text, &args));
    out->kind = HF_STUDY_WORK_GENERATED;
    out->cycles = hf_args_get(&args, "cycles")->number;
    out->message_flits = (uint32_t)hf_args_get(&args, "message")->number;
    const hf_status status = hf_args_canonical(cx, "generated", &args, &out->text);
    hf_args_free(&args);
    return status;
}

hf_status hf_study_trace_parse(hf_context *cx, const char *text, hf_study_work *out) {
    static const char *const kinds[] = {"file", "generated", NULL};
    size_t size, kind;
    const char *rest = hf_spec_split(text, &size);
    HF_TRY(hf_words_need(cx, "trace", kinds, (hf_slice){text, size}, &kind));
    if (kind == 1) {
        return read_generated(cx, rest, out);
    }
    if (!*rest) {
        HF_FAIL(cx, HF_EINVAL, "trace \"%s\" is not right; need file:PATH", text);
    }
    out->kind = HF_STUDY_WORK_FILE;
    out->path = rest;
    return hf_duplicate(cx, "trace", &out->text);
}

hf_status hf_study_program_parse(hf_context *cx, const char *text, hf_study_work *out) {
    out->kind = HF_STUDY_WORK_PROGRAM;
    HF_TRY(hf_benchmark_find(cx, text, strlen(text), &out->program));
    return hf_duplicate(cx, text, &out->text);
}
