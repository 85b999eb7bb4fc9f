/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Block-structured traces as text: the nodes, then each block with its messages. Blocks count from 0 in their order. */
#include <holdfast/protocol.h>

#include "src/core/lines.h"

#define FILE_LIMIT ((size_t)4 << 30)
enum { NODES_MAX = 65536 };

/* ---- writing ---- */

hf_status hf_program_print(hf_context *cx, const hf_program *program, hf_text *out) {
    hf_text_print(out, "nodes %" PRIu32 "\n", program->n_node);
    for (uint32_t b = 0; b < program->n_block; b++) {
        hf_text_print(out, "block %" PRIu32 " %" PRIu32 "\n", program->blocks[b].node, program->blocks[b].time);
        for (uint32_t i = program->blocks[b].first; i != HF_NONE; i = program->messages[i].next) {
            const hf_program_message *m = &program->messages[i];
            hf_text_print(out, "message %" PRIu32 " %" PRIu32 " %" PRIu32, m->destination, m->size, m->offset);
            hf_text_print(out, m->target == HF_NONE ? " -\n" : " %" PRIu32 "\n", m->target);
        }
    }
    return hf_text_check(cx, out);
}

/* ---- reading ---- */

typedef struct reader {
    hf_lines lines;
    hf_program *program;
    uint32_t last_target, last_line; /**< the highest block that a message signals, and where */
} reader;

/* The next line with something in it, and its first word. */
static bool next_line(reader *r, hf_slice *word) { return hf_lines_next_text(&r->lines) && hf_lines_word(&r->lines, word); }

static hf_status number(reader *r, const char *what, uint64_t low, uint64_t high, uint32_t *out) {
    uint64_t value = 0;
    HF_TRY(hf_lines_number(&r->lines, what, low, high, &value));
    *out = (uint32_t)value;
    return HF_OK;
}

static hf_status read_block(reader *r) {
    hf_program *t = r->program;
    uint32_t node, cycles;
    HF_TRY(number(r, "the node of the block", 0, t->n_node - 1, &node));
    HF_TRY(number(r, "its cycles of work", 0, UINT32_MAX, &cycles));
    t->block = hf_program_block_new(t, node);
    HF_TRY(t->status);
    t->blocks[t->block].time = cycles;
    return hf_lines_end(&r->lines, "the end of the line");
}

static hf_status read_target(reader *r, uint32_t *target) {
    hf_slice word;
    *target = HF_NONE;
    hf_lines ahead = r->lines;
    if (hf_lines_word(&ahead, &word) && hf_slice_is(word, "-")) {
        r->lines = ahead;
        return HF_OK;
    }
    HF_TRY(number(r, "the block that it signals", 0, HF_NONE - 1, target));
    if (r->last_line == 0 || *target > r->last_target) {
        r->last_target = *target;
        r->last_line = r->lines.line;
    }
    return HF_OK;
}

static hf_status read_message(reader *r) {
    hf_program *t = r->program;
    uint32_t destination, size, offset, target;
    if (t->n_block == 0) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "%s", "a message before the first block; need \"block NODE CYCLES\" before it");
    }
    hf_program_block *b = &t->blocks[t->block];
    HF_TRY(number(r, "the destination", 0, t->n_node - 1, &destination));
    HF_TRY(number(r, "its flits", destination != b->node, HF_MESSAGE_SIZE_MAX, &size));
    HF_TRY(number(r, "its offset", 0, b->time, &offset));
    HF_TRY(read_target(r, &target));
    const uint32_t i = hf_program_send(t, destination, size, target);
    HF_TRY(t->status);
    t->messages[i].offset = offset;
    return hf_lines_end(&r->lines, "the end of the line");
}

static hf_status read_nodes(reader *r) {
    hf_slice word;
    uint32_t nodes;
    if (!next_line(r, &word)) {
        HF_FAIL(r->lines.cx, HF_EINVAL, "%s: nothing in it; need \"nodes N\", then blocks and their messages", r->lines.file);
    }
    if (!hf_slice_is(word, "nodes")) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" is not \"nodes\"; need \"nodes N\" first", HF_SLICE(word));
    }
    HF_TRY(number(r, "the number of nodes", 1, NODES_MAX, &nodes));
    r->program->n_node = nodes;
    return hf_lines_end(&r->lines, "the end of the line");
}

static hf_status read_all(reader *r) {
    hf_slice word;
    HF_TRY(read_nodes(r));
    while (next_line(r, &word)) {
        if (hf_slice_is(word, "block")) {
            HF_TRY(read_block(r));
        } else if (hf_slice_is(word, "message")) {
            HF_TRY(read_message(r));
        } else {
            HF_LINE_FAIL(&r->lines, HF_EINVAL,
                         "\"%.*s\" is not right; need \"block NODE CYCLES\" or \"message DESTINATION FLITS OFFSET TARGET\"",
                         HF_SLICE(word));
        }
    }
    if (r->last_line > 0 && r->last_target >= r->program->n_block) {
        HF_FAIL(r->lines.cx, HF_EINVAL, "%s, line %" PRIu32 ": block %" PRIu32 " is signalled, but there are %" PRIu32 " blocks",
                r->lines.file, r->last_line, r->last_target, r->program->n_block);
    }
    return hf_program_finish(r->program);
}

hf_status hf_program_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_program *out) {
    reader r = {.program = out};
    *out = (hf_program){.cx = cx, .work_factor = 1, .request_size = HF_PROGRAM_REQUEST, .reply_size = HF_PROGRAM_REPLY};
    hf_lines_start(cx, file, data, size, &r.lines);
    const hf_status status = read_all(&r);
    if (status != HF_OK) {
        hf_program_free(out);
    }
    return status;
}

hf_status hf_program_read_file(hf_context *cx, const char *path, hf_program *out) {
    hf_text text;
    hf_text_init(cx, &text);
    *out = (hf_program){0};
    hf_status status = hf_text_load(cx, path, FILE_LIMIT, &text);
    status = status == HF_OK ? hf_program_parse(cx, path, text.data, text.size, out) : status;
    hf_text_free(&text);
    return status;
}
