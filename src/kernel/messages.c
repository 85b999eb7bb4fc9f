/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces of messages: reading, writing, generating. A line holds cycle, source, destination and flits; the first one names
 *  them. Messages name line and column. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/lines.h"
#include "src/core/number.h"
#include "src/kernel/player.h"

#define FILE_LIMIT ((size_t)4 << 30)
static const char *const words[] = {"cycle", "source", "destination", "flits"};
enum { N_WORD = sizeof words / sizeof *words, FLITS_MAX = 1000000000 };
#define CYCLE_MAX UINT64_C(1000000000000000000)
#define HEADER "cycle source destination flits"

void hf_messages_free(hf_messages *m) {
    if (m->item) {
        hf_release(&m->allocator, m->item);
    }
    *m = (hf_messages){0};
}

static hf_status append(hf_context *cx, hf_messages *m, hf_message item) {
    HF_GROW(cx, m->item, m->n, m->capacity);
    m->item[m->n++] = item;
    return HF_OK;
}

/* ---- reading ---- */

#define COLUMN_FAIL(r, place, format, ...)                                                                                       \
    HF_FAIL((r)->cx, HF_EINVAL, "%s, line %" PRIu32 ", column %zu: " format, (r)->file, (r)->line,                               \
            (size_t)((place) - (r)->begin) + 1, __VA_ARGS__)

static hf_status end_of_line(hf_lines *r) {
    hf_slice more;
    if (hf_lines_word(r, &more)) {
        COLUMN_FAIL(r, more.text, "\"%.*s\" is too much; need \"" HEADER "\"", HF_SLICE(more));
    }
    return HF_OK;
}

static hf_status read_header(hf_lines *r) {
    if (!hf_lines_next_text(r)) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: nothing in it; need the header \"" HEADER "\" and lines of these numbers", r->file);
    }
    for (size_t i = 0; i < N_WORD; i++) {
        hf_slice word;
        (void)hf_lines_word(r, &word);
        if (!hf_slice_is(word, words[i])) {
            COLUMN_FAIL(r, word.text, "\"%.*s\" is not \"%s\"; need the header \"" HEADER "\"", HF_SLICE(word), words[i]);
        }
    }
    return end_of_line(r);
}

/* \param[out] place of the number, for messages */
static hf_status number(hf_lines *r, size_t i, uint64_t low, uint64_t high, const char **place, uint64_t *out) {
    hf_slice word;
    const bool is_there = hf_lines_word(r, &word);
    *place = word.text;
    if (!is_there) {
        COLUMN_FAIL(r, word.text, "no %s; need \"" HEADER "\"", words[i]);
    }
    if (!hf_slice_number(word, 10, out) || *out < low || *out > high) {
        COLUMN_FAIL(r, word.text, "%s \"%.*s\" is not right; need a whole number from %" PRIu64 " to %" PRIu64, words[i],
                    HF_SLICE(word), low, high);
    }
    return HF_OK;
}

static hf_status read_message(hf_lines *r, uint32_t n_terminal, uint64_t earliest, hf_message *out) {
    uint64_t source, destination, flits;
    const char *place;
    HF_TRY(number(r, 0, 0, CYCLE_MAX, &place, &out->cycle));
    if (out->cycle < earliest) {
        COLUMN_FAIL(r, place, "cycle %" PRIu64 " stands behind cycle %" PRIu64 "; need ascending cycles", out->cycle, earliest);
    }
    HF_TRY(number(r, 1, 0, n_terminal - 1, &place, &source));
    HF_TRY(number(r, 2, 0, n_terminal - 1, &place, &destination));
    if (source == destination) {
        COLUMN_FAIL(r, place, "terminal %" PRIu64 " sends to itself; need another destination", destination);
    }
    HF_TRY(number(r, 3, 1, FLITS_MAX, &place, &flits));
    out->source = (uint32_t)source;
    out->destination = (uint32_t)destination;
    out->flits = (uint32_t)flits;
    return end_of_line(r);
}

static hf_status read_all(hf_lines *r, uint32_t n_terminal, hf_messages *out) {
    hf_message m = {0};
    HF_TRY(read_header(r));
    while (hf_lines_next_text(r)) {
        HF_TRY(read_message(r, n_terminal, m.cycle, &m));
        HF_TRY(append(r->cx, out, m));
    }
    return HF_OK;
}

hf_status hf_messages_parse(hf_context *cx, const char *file, const char *data, size_t size, uint32_t n_terminal,
                            hf_messages *out) {
    hf_lines r;
    *out = (hf_messages){.allocator = *hf_context_allocator(cx)};
    if (n_terminal < 2) {
        HF_FAIL(cx, HF_EINVAL, "%s: need at least two terminals, there is %" PRIu32, file, n_terminal);
    }
    hf_lines_start(cx, file, data, size, &r);
    const hf_status status = read_all(&r, n_terminal, out);
    if (status != HF_OK) {
        hf_messages_free(out);
    }
    return status;
}

hf_status hf_messages_load(hf_context *cx, const char *path, uint32_t n_terminal, hf_messages *out) {
    hf_text text;
    hf_text_init(cx, &text);
    HF_TRY(hf_text_load(cx, path, FILE_LIMIT, &text));
    const hf_status status = hf_messages_parse(cx, path, text.data, text.size, n_terminal, out);
    hf_text_free(&text);
    return status;
}

/* ---- writing ---- */

hf_status hf_messages_print(hf_context *cx, const hf_messages *messages, hf_text *out) {
    hf_text_print(out, HEADER "\n");
    for (size_t i = 0; i < messages->n; i++) {
        const hf_message *m = &messages->item[i];
        hf_text_print(out, "%" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", m->cycle, m->source, m->destination, m->flits);
    }
    return hf_text_check(cx, out);
}

/* ---- generating ---- */

static int compare(const void *a, const void *b) {
    const hf_message *x = a, *y = b;
    return x->cycle != y->cycle     ? (x->cycle > y->cycle) - (x->cycle < y->cycle)
           : x->source != y->source ? (x->source > y->source) - (x->source < y->source)
                                    : (x->flits < y->flits) - (x->flits > y->flits);
}

static uint32_t flits_at_once(const hf_generation *g) { return g->message_flits ? g->message_flits : g->packet_length; }

/* The packets of what a source generates now. */
static hf_status append_packets(hf_context *cx, const hf_generation *g, const hf_generator *s, uint32_t t, hf_messages *out) {
    for (uint32_t left = flits_at_once(g); left > 0;) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped after %zu messages", out->n);
        }
        const uint32_t flits = left < g->packet_length ? left : g->packet_length;
        HF_TRY(append(cx, out, (hf_message){s->next, t, s->destination, flits}));
        left -= flits;
    }
    return HF_OK;
}

static hf_status generate(hf_context *cx, const hf_generation *g, const hf_rhythm *rhythm, uint32_t t, hf_messages *out) {
    hf_generator s;
    if (!hf_source_start(g->plan, g->traffic, rhythm, g->seed, 0, t, &s)) {
        return HF_OK;
    }
    for (; s.next < g->cycles; hf_generator_next(g->plan, g->traffic, rhythm, t, &s)) {
        HF_TRY(append_packets(cx, g, &s, t, out));
    }
    return HF_OK;
}

hf_status hf_messages_generate(hf_context *cx, const hf_generation *g, hf_messages *out) {
    hf_rhythm rhythm;
    *out = (hf_messages){.allocator = *hf_context_allocator(cx)};
    HF_TRY(hf_rhythm_make(cx, g->load, g->burst, flits_at_once(g), &rhythm));
    for (uint32_t t = 0; t < g->traffic->n_terminal; t++) {
        const hf_status status = generate(cx, g, &rhythm, t, out);
        if (status != HF_OK) {
            hf_messages_free(out);
            return status;
        }
    }
    if (out->n > 0) {
        qsort(out->item, out->n, sizeof *out->item, compare);
    }
    return HF_OK;
}
