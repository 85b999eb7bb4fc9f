/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A question asked from C: how many fault sets of a fat-tree are not tolerated, and the same answer as a table for LaTeX.
 *
 *      gcc ask.c $(pkg-config --cflags --libs holdfast) -o ask && ./ask kary-tree:k=4,n=2 */
#include <holdfast/holdfast.h>
#include <inttypes.h>
#include <stdio.h>

static hf_status ask(hf_context *cx, const char *topology, hf_text *out) {
    const hf_argument arguments[] = {{"topology", topology}, {"routing", "updown"}, {"universe", "links"}, {"faults", "0..4"}};
    hf_report answer;
    HF_TRY(hf_ask(cx, "tolerance", arguments, sizeof arguments / sizeof *arguments, &answer));
    for (size_t row = 0; row < hf_report_rows(&answer, NULL); row++) {
        const hf_cell *f = hf_report_value(&answer, NULL, row, "f"), *bad = hf_report_value(&answer, NULL, row, "not_tolerated");
        printf("f=%" PRIu64 ": %" PRIu64 " not tolerated\n", (uint64_t)f->count, (uint64_t)bad->count);
    }
    return hf_report_print(&answer, &(hf_report_style){.form = HF_FORM_LATEX, .columns = "f,sets,not_tolerated"}, out);
}

int main(int argc, char **argv) {
    hf_context *cx = hf_context_new(NULL);
    hf_text table;
    hf_text_init(cx, &table);
    const hf_status status = ask(cx, argc > 1 ? argv[1] : "kary-tree:k=4,n=2", &table);
    if (status == HF_OK) {
        printf("%s", table.data);
    } else {
        fprintf(stderr, "ask: %s\n", hf_context_message(cx));
    }
    hf_text_free(&table);
    hf_context_free(cx);
    return status == HF_OK ? 0 : 2;
}
