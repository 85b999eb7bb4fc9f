/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Studies: refused with the file's name, or with a name, a title and cells. */
#include <holdfast/holdfast.h>

#include "src/study/keys.h"
#include "tests/fuzz/fuzz.h"

static const char lines[] = "$w: $n\n"
                            "  $w: $n\n"
                            "    $w: $w\n"
                            "  - $w: $w\n"
                            "  - label: $t\n    $w: $n\n"
                            "  - topology: \"ring:n={$w}\"\n"
                            "front: {$w: $w, $w: [$w, $w], $w: {$w: $n..$n, $w: $w}}\n"
                            "  - label: \"{$w}\"\n    grid: {$w: [$n, $w], $w: $n..$n}\n"
                            "    names: {$w: [$w, $n]}\n    except: [{$w: $n, $w: $w}]\n"
                            "    cells:\n      - label: \"{$w}\"\n"
                            "$w:\n";
#define KEY(name, key, where) key " "
static const char words[] = HF_STUDY_KEYS(KEY) "tolerance simulate claim exact sampled links kary-tree:k=2,n=2 updown ring:n=4 "
                                               "schema: 2 yes no {k} {{ ~ design: 3..10 ring:n={n} &x *x null [] {} >-";
#undef KEY
const fuzz_grammar fuzz_format = {lines, words, ":\"-,", NULL};

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
