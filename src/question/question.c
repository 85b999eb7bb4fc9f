/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The registry of the questions, which are asked by name. */
#include <holdfast/question.h>

#include "src/core/registry.h"

/* A build of the tests adds to the list. */
#ifndef HF_QUESTION_LIST
#define HF_QUESTION_LIST "src/question/list.def"
#endif

#define X(name) extern const hf_question hf_question_##name;
#include HF_QUESTION_LIST
#undef X

static const void *const entries[] = {
#define X(name) &hf_question_##name,
#include HF_QUESTION_LIST
#undef X
};
static const hf_registry registry = HF_REGISTRY("question", entries);

size_t hf_question_count(void) { return registry.n; }
const hf_question *hf_question_at(size_t i) { return hf_registry_at(&registry, i); }

hf_status hf_question_find(hf_context *cx, const char *name, const hf_question **out) {
    *out = hf_registry_need(cx, &registry, hf_slice_of(name));
    return *out ? HF_OK : HF_ENOENT;
}

hf_status hf_ask(hf_context *cx, const char *question, const hf_argument *arguments, size_t n, hf_report *answer) {
    const hf_question *found;
    HF_TRY(hf_question_find(cx, question, &found));
    return hf_question_ask(cx, found, "question", NULL, arguments, n, NULL, answer);
}

hf_status hf_ask_new(hf_context *cx, const char *question, const hf_argument *arguments, size_t n, const hf_conduct *conduct,
                     const hf_report **answer) {
    const hf_question *found;
    hf_report *report;
    HF_TRY(hf_question_find(cx, question, &found));
    HF_TRY(hf_scratch(cx, 1, sizeof *report, (void **)&report));
    *answer = report;
    return hf_question_ask(cx, found, "question", NULL, arguments, n, conduct, report);
}
