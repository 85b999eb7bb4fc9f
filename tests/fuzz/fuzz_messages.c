/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces of messages: refused with file, line and column, or messages in range by ascending cycle that are read back as they
 *  were written. */
#include <holdfast/kernel.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "cycle source destination flits\n"
                            "$n $n $n $n\n"
                            "$n $n $n $n # $t\n";
static const char words[] = "cycle source destination flits #";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

enum { TERMINALS = 16 };

static void check(hf_context *cx, const hf_messages *m) {
    hf_text text;
    hf_messages again;
    for (size_t i = 0; i < m->n; i++) {
        const hf_message *a = &m->item[i];
        expect(a->source < TERMINALS && a->destination < TERMINALS && a->source != a->destination, "terminals exist and differ");
        expect(a->flits >= 1 && a->flits <= 1000000000, "flits are in range");
        expect(i == 0 || a[-1].cycle <= a->cycle, "cycles ascend");
    }
    hf_text_init(cx, &text);
    expect(hf_messages_print(cx, m, &text) == HF_OK, "it is written");
    expect(hf_messages_parse(cx, "again", text.data, text.size, TERMINALS, &again) == HF_OK, "and read");
    expect(again.n == m->n, "all of it");
    for (size_t i = 0; i < m->n; i++) {
        const hf_message *a = &m->item[i], *b = &again.item[i];
        expect(a->cycle == b->cycle && a->source == b->source && a->destination == b->destination && a->flits == b->flits,
               "as it was");
    }
    hf_messages_free(&again);
    hf_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_messages m;
    if (!cx) {
        abort();
    }
    if (hf_messages_parse(cx, "input", size ? (const char *)data : "", size, TERMINALS, &m) == HF_OK) {
        check(cx, &m);
        hf_messages_free(&m);
    } else {
        const char *message = hf_context_message(cx);
        expect_refusal(cx);
        expect(strncmp(message, "input", 5) == 0, "first");
        expect(strstr(message, "nothing in it") || (strstr(message, "line ") && strstr(message, "column ")), "and the place");
    }
    hf_context_free(cx);
    return 0;
}
