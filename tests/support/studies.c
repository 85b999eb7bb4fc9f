/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/studies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

hf_study_outcome *study_run(hf_context *cx, const char *yaml, const hf_study_options *options) {
    hf_study *study = NULL;
    hf_study_outcome *out = NULL;
    if (hf_study_parse(cx, "in.yaml", yaml, strlen(yaml), &study) != HF_OK || hf_study_run(cx, study, options, &out) != HF_OK) {
        fail_msg("%s", hf_context_message(cx));
    }
    hf_study_free(study);
    return out;
}

const hf_study_line *study_find(const hf_study_outcome *o, const char *label) {
    for (size_t i = 0; i < o->n_line; i++) {
        if (strcmp(o->line[i].label, label) == 0) {
            return &o->line[i];
        }
    }
    fail_msg("no line \"%s\"", label);
    return NULL;
}
