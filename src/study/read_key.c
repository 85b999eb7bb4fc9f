/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Keys of a study: texts, words and numbers, and where a mistake stands. */
#include <inttypes.h>

#include "src/core/number.h"
#include "src/core/registry.h"
#include "src/study/read.h"

const char *const hf_study_kind_names[] = {"claim", "combine", "line", "ask", NULL};

typedef hf_study_reader reader;

hf_status hf_study_at_key(const reader *r, hf_study_key key, hf_status status) {
    const hf_study_texts *t = r->texts;
    if (status != HF_OK) {
        hf_context_prefix(r->cx, "%s, line %" PRIu32 ", key \"%s\"%s%s%s: ", r->study->file, t->line[key] ? t->line[key] : t->at,
                          hf_study_key_name(key), *t->point ? " (" : "", t->point, *t->point ? ")" : "");
    }
    return status;
}

hf_status hf_study_need(const reader *r, hf_study_key key, const char **out) {
    *out = r->texts->value[key];
    if (!*out) {
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %" PRIu32 ": key \"%s\" is missing", r->study->file, r->texts->at,
                hf_study_key_name(key));
    }
    if (!**out) {
        HF_STUDY_FAIL_AT(r, key, "it is empty");
    }
    return HF_OK;
}

hf_status hf_study_read_word(const reader *r, hf_study_key key, const char *const *words, uint32_t fallback, uint32_t *out) {
    const char *text = r->texts->value[key];
    size_t i = fallback;
    if (text && hf_words_need(r->cx, hf_study_key_name(key), words, hf_slice_of(text), &i) != HF_OK) {
        return hf_study_at_key(r, key, HF_EINVAL);
    }
    *out = (uint32_t)i;
    return HF_OK;
}

hf_status hf_study_read_number(const reader *r, hf_study_key key, uint64_t low, uint64_t high, uint64_t fallback, uint64_t *out) {
    const char *text = r->texts->value[key];
    *out = fallback;
    if (!text) {
        return HF_OK;
    }
    if (!hf_read_number(text, low, high, out)) {
        HF_STUDY_FAIL_AT(r, key, "\"%s\" is not right; need a whole number in %" PRIu64 "..%" PRIu64, text, low, high);
    }
    return HF_OK;
}
