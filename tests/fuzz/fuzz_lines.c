/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What studies gave, as CSV: refused with file and line, or lines that are printed and read again as the same bytes. */
#include <holdfast/holdfast.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "cell,f,published,computed,value,value_low,value_high,method,verdict,remark,citation\n"
                            "\"a, f=$n\",$n,1%,$n%,$n,,,exact,reproduced,,s\n"
                            "a,,,$n,$n,$n,$n,\"sampled $n, seed $n\",no published value,why,s\n"
                            "\"b\",$n,,,,,,$w,not computable here,\"$w, \"\"$w\"\"\",s\n"
                            "c,,,$n,$n,,,holds in ..$n,holds,,s\n";
static const char words[] = "a b c f=1 \"\" \" \"\"\" differs open holds reproduced cell value inf nan -1 1e400";
const fuzz_grammar fuzz_format = {lines, words, ",\"\r", NULL};

static const char study_text[] =
    "schema: 1\nname: x\ntitle: t\nsource: s\ndefaults:\n  topology: kary-tree:k=2,n=2\n"
    "  routing: ft2ei\n  universe: channels\n  ask: tolerance\n  column: not_tolerated_percent\ncells:\n"
    "  - {label: a, faults: 0..2}\n  - {label: a, faults: 1, id: a}\n  - {label: b, faults: 2, id: b}\n  - {label: c, kind: "
    "claim, of: a, against: b, holds: \"..1%\"}\n";

static void print(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_form form, hf_text *out) {
    hf_report report;
    out->size = 0;
    expect(hf_study_outcome_report(cx, study, outcome, &report) == HF_OK, "lines make a report");
    expect(hf_report_print(&report, &(hf_report_style){.form = form}, out) == HF_OK, "which is printed");
}

static void again(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome) {
    hf_text text[2];
    hf_study_outcome *same = NULL;
    hf_text_init(cx, &text[0]);
    hf_text_init(cx, &text[1]);
    for (int form = HF_FORMS - 1; form >= 0; form--) {
        print(cx, study, outcome, (hf_form)form, &text[0]);
    }
    print(cx, study, outcome, HF_FORM_CSV, &text[0]);
    expect(hf_study_outcome_read(cx, study, "again", text[0].data, text[0].size, &same) == HF_OK, "its CSV is read");
    print(cx, study, same, HF_FORM_CSV, &text[1]);
    expect(text[0].size == text[1].size && memcmp(text[0].data, text[1].data, text[0].size) == 0, "as it was");
    hf_study_outcome_free(same);
    hf_text_free(&text[0]);
    hf_text_free(&text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_study *study = NULL;
    hf_study_outcome *outcome = NULL;
    if (!cx || hf_study_parse(cx, "in.yaml", study_text, sizeof study_text - 1, &study) != HF_OK) {
        abort();
    }
    if (hf_study_outcome_read(cx, study, "input", (const char *)data, size, &outcome) == HF_OK) {
        again(cx, study, outcome);
        hf_study_outcome_free(outcome);
    } else {
        expect_refusal(cx);
    }
    hf_study_free(study);
    hf_context_free(cx);
    return 0;
}
