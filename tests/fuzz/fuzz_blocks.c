/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Trace files: refused with file and line, or a trace in range that is written and read back as it was. */
#include <holdfast/protocol.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "nodes $n\n"
                            "block $n $n\n"
                            "message $n $n $n $n\n"
                            "message $n $n $n -\n"
                            "# $t\n";
static const char words[] = "nodes block message - 0";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

static void check_range(const hf_program *t) {
    uint64_t n_signal = 0, n_target = 0, n_message = 0;
    for (uint32_t b = 0; b < t->n_block; b++) {
        const hf_program_block *block = &t->blocks[b];
        expect(block->node < t->n_node, "nodes of blocks exist");
        n_signal += block->n_signal;
        for (uint32_t i = block->first; i != HF_NONE; i = t->messages[i].next) {
            const hf_program_message *m = &t->messages[i];
            expect(m->destination < t->n_node, "destinations exist");
            expect(m->size <= HF_MESSAGE_SIZE_MAX && (m->size > 0 || m->destination == block->node), "flits are in range");
            expect(m->offset <= block->time, "offsets are within the block");
            expect(m->target == HF_NONE || m->target < t->n_block, "signalled blocks exist");
            n_target += m->target != HF_NONE;
            n_message++;
        }
    }
    expect(n_signal == n_target && n_message == t->n_message, "every message is in a block, every signal counts");
}

static void check(hf_context *cx, const hf_program *t) {
    hf_text text, second;
    hf_program again;
    check_range(t);
    hf_text_init(cx, &text);
    hf_text_init(cx, &second);
    expect(hf_program_print(cx, t, &text) == HF_OK, "it is written");
    expect(hf_program_parse(cx, "again", text.data, text.size, &again) == HF_OK, "and read");
    expect(hf_program_print(cx, &again, &second) == HF_OK && strcmp(text.data, second.data) == 0, "as it was");
    hf_program_free(&again);
    hf_text_free(&second);
    hf_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_program t;
    if (!cx) {
        abort();
    }
    if (hf_program_parse(cx, "input", (const char *)data, size, &t) == HF_OK) {
        check(cx, &t);
        hf_program_free(&t);
    } else {
        const char *message = hf_context_message(cx);
        expect_refusal(cx);
        expect(strncmp(message, "input", 5) == 0, "first");
        expect(strstr(message, "nothing in it") || strstr(message, "line "), "and the line");
    }
    hf_context_free(cx);
    return 0;
}
