/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies: refused with the file's name, or with a name, a title and cells. */
#include <holdfast/holdfast.h>

#include "tests/fuzz/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_study *study = NULL;
    if (!cx) {
        abort();
    }
    if (hf_study_parse(cx, "input", (const char *)data, size, &study) == HF_OK) {
        expect(*hf_study_name(study) && *hf_study_title(study), "a study has name and title");
        expect(hf_study_cell_count(study) > 0, "a study has cells");
    } else {
        expect_refusal(cx);
        expect(strncmp(hf_context_message(cx), "input", 5) == 0, "first");
    }
    hf_study_free(study);
    hf_context_free(cx);
    return 0;
}
