/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The network files of the BookSim simulator's "anynet": each line names a router or a node, then what hangs on it, each with an
 *  optional latency in cycles: "router 0 node 0 router 1 15 router 2". A link is bidirectional once it is given. Given again from
 *  the other end it is the same link (there its latency is that of the other direction, which is checked and not kept). Routers
 *  and nodes are ordered by their numbers; ports are numbered from 0 in the order in which the links are given.
 *  Beyond the format: # starts a comment, and a link between two routers that is given several times is as many. */
#include <stdlib.h>
#include <string.h>

#include "src/topology/multistage/draft.h"

#include "src/core/grow.h"

enum { NUMBER_MAX = 100000000, LATENCY_MAX = 1000000000 };

/* One end of a link. */
typedef struct end {
    bool is_node;
    uint64_t number;
} end;

/* A link as it is told. */
typedef struct mention {
    end head, body;
    uint32_t latency, line;
} mention;

typedef struct anynet {
    hf_context *cx;
    hf_lines lines;
    mention *list;
    size_t count, capacity;
} anynet;

static const char *word_of(end e) { return e.is_node ? "node" : "router"; }

/* "router" or "node", then its number. */
static hf_status read_end(anynet *a, hf_slice type, end *out) {
    if (!hf_slice_is(type, "router") && !hf_slice_is(type, "node")) {
        HF_LINE_FAIL(&a->lines, HF_EINVAL,
                     "\"%.*s\" is neither \"router\" nor \"node\"; write router R node N router S [latency]", HF_SLICE(type));
    }
    out->is_node = type.text[0] == 'n';
    return hf_lines_number(&a->lines, out->is_node ? "the number of a node" : "the number of a router", 0, NUMBER_MAX,
                           &out->number);
}

static hf_status add_mention(anynet *a, const mention *m) {
    if (m->head.is_node && m->body.is_node) {
        HF_LINE_FAIL(&a->lines, HF_EINVAL, "node %" PRIu64 " is linked to node %" PRIu64 "; a node hangs on a router",
                     m->head.number, m->body.number);
    }
    HF_GROW(a->cx, a->list, a->count, a->capacity);
    a->list[a->count++] = *m;
    return HF_OK;
}

/* An optional latency behind a link. \param[out] type the word after it; empty at the end of the line */
static hf_status read_latency(anynet *a, mention *m, hf_slice *type) {
    m->latency = HF_NONE;
    const char *before = a->lines.at;
    if (!hf_lines_word(&a->lines, type) || hf_slice_is(*type, "router") || hf_slice_is(*type, "node")) {
        return HF_OK;
    }
    uint64_t latency;
    a->lines.at = before;
    HF_TRY(hf_lines_number(&a->lines, "a latency in cycles", 0, LATENCY_MAX, &latency));
    m->latency = (uint32_t)latency;
    (void)hf_lines_word(&a->lines, type);
    return HF_OK;
}

static hf_status read_line(anynet *a) {
    hf_slice type;
    (void)hf_lines_word(&a->lines, &type);
    mention m = {.line = a->lines.line};
    HF_TRY(read_end(a, type, &m.head));
    if (!hf_lines_word(&a->lines, &type)) {
        HF_LINE_FAIL(&a->lines, HF_EINVAL, "nothing hangs on %s %" PRIu64 "; write router R node N router S [latency]",
                     word_of(m.head), m.head.number);
    }
    while (type.size) {
        HF_TRY(read_end(a, type, &m.body));
        HF_TRY(read_latency(a, &m, &type));
        HF_TRY(add_mention(a, &m));
    }
    return HF_OK;
}

/* ---- nodes ---- */

static int compare_ends(const void *x, const void *y) {
    const end *a = x, *b = y;
    if (a->is_node != b->is_node) {
        return a->is_node ? 1 : -1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* All ends, routers first, each once, by number. \param[out] sorted in the arena */
static hf_status list_ends(const anynet *a, end **sorted, uint32_t *n) {
    end *list;
    HF_TRY(hf_scratch(a->cx, 2 * a->count + 1, sizeof *list, (void **)&list));
    for (size_t i = 0; i < a->count; i++) {
        list[2 * i] = a->list[i].head;
        list[2 * i + 1] = a->list[i].body;
    }
    qsort(list, 2 * a->count, sizeof *list, compare_ends);
    uint32_t count = 0;
    for (size_t i = 0; i < 2 * a->count; i++) {
        if (count == 0 || compare_ends(&list[count - 1], &list[i]) != 0) {
            list[count++] = list[i];
        }
    }
    *sorted = list;
    *n = count;
    return HF_OK;
}

static hf_status add_nodes(hf_context *cx, const end *list, uint32_t n, hf_draft *draft) {
    for (uint32_t i = 0; i < n; i++) {
        char *label;
        HF_TRY(hf_scratch_print(cx, &label, "%s%" PRIu64, word_of(list[i]), list[i].number));
        HF_TRY(hf_draft_add_node(cx, draft, &(hf_draft_node){.label = {label, strlen(label)}, .is_terminal = list[i].is_node}));
    }
    return HF_OK;
}

/* ---- links ---- */

/* A link with the order in which it was told. */
typedef struct told {
    uint32_t low, high; /* nodes of the draft */
    size_t mention;
} told;

static int compare_told(const void *x, const void *y) {
    const told *a = x, *b = y;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->mention > b->mention) - (a->mention < b->mention);
}

/* Mark, in `is_link`, the mentions that make a link. Two routers have as many links as the end that tells more of them: told from
 * both ends, the i-th of one is the i-th of the other. A node has one. */
static void pair_up(const anynet *a, const told *list, bool *is_link) {
    size_t start = 0, count[2] = {0, 0}; /* mentions of this pair, by end */
    for (size_t i = 0; i < a->count; i++) {
        if (list[i].low != list[start].low || list[i].high != list[start].high) {
            start = i;
            count[0] = count[1] = 0;
        }
        const mention *m = &a->list[list[i].mention], *first = &a->list[list[start].mention];
        const bool is_other = compare_ends(&m->head, &first->head) != 0, has_node = m->head.is_node || m->body.is_node;
        is_link[list[i].mention] = has_node ? i == start : count[is_other] >= count[!is_other];
        count[is_other]++;
    }
}

/* A node hangs on one router. \param[in,out] home by node of the draft: 1 + its router, 0 not known yet */
static hf_status settle(const anynet *a, const mention *m, uint32_t *home, const end *list, const told *pair) {
    if (!m->head.is_node && !m->body.is_node) {
        return HF_OK;
    }
    if (home[pair->high] && home[pair->high] != pair->low + 1) {
        HF_FAIL(a->cx, HF_EINVAL,
                "%s, line %" PRIu32 ": node %" PRIu64 " hangs on router %" PRIu64 " and on router %" PRIu64
                "; it may hang on one",
                a->lines.file, m->line, list[pair->high].number, list[home[pair->high] - 1].number, list[pair->low].number);
    }
    home[pair->high] = pair->low + 1;
    return HF_OK;
}

static uint32_t index_of(const end *list, uint32_t n, const end *e) {
    const end *found = bsearch(e, list, n, sizeof *list, compare_ends);
    return (uint32_t)(found - list);
}

/* What is told of which pair, in the order of the file. */
static hf_status list_pairs(const anynet *a, const end *list, uint32_t n, told *pairs) {
    uint32_t *home;
    HF_TRY(hf_scratch(a->cx, n + 1, sizeof *home, (void **)&home));
    for (size_t i = 0; i < a->count; i++) {
        const uint32_t x = index_of(list, n, &a->list[i].head), y = index_of(list, n, &a->list[i].body);
        pairs[i] = (told){x < y ? x : y, x < y ? y : x, i};
        HF_TRY(settle(a, &a->list[i], home, list, &pairs[i]));
    }
    return HF_OK;
}

static hf_status add_links(const anynet *a, const end *list, uint32_t n, hf_draft *draft) {
    told *pairs;
    bool *is_link;
    HF_TRY(hf_scratch(a->cx, a->count + 1, sizeof *pairs, (void **)&pairs));
    HF_TRY(hf_scratch(a->cx, a->count + 1, sizeof *is_link, (void **)&is_link));
    HF_TRY(list_pairs(a, list, n, pairs));
    qsort(pairs, a->count, sizeof *pairs, compare_told);
    pair_up(a, pairs, is_link);
    for (size_t i = 0; i < a->count; i++) {
        const mention *m = &a->list[i];
        if (is_link[i]) {
            const hf_draft_link link = {.a = index_of(list, n, &m->head),
                                        .a_port = HF_NONE,
                                        .b = index_of(list, n, &m->body),
                                        .b_port = HF_NONE,
                                        .latency = m->latency,
                                        .delay_ns = HF_NONE,
                                        .line = m->line,
                                        .both_ways = true};
            HF_TRY(hf_draft_add_link(a->cx, draft, &link));
        }
    }
    return HF_OK;
}

static hf_status read_all(anynet *a, hf_draft *draft) {
    end *list;
    uint32_t n;
    while (hf_lines_next_text(&a->lines)) {
        HF_TRY(read_line(a));
    }
    HF_TRY(list_ends(a, &list, &n));
    HF_TRY(add_nodes(a->cx, list, n, draft));
    return add_links(a, list, n, draft);
}

hf_status hf_read_anynet(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    anynet a = {.cx = cx};
    hf_lines_start(cx, draft->file, data, size, &a.lines);
    const hf_status status = read_all(&a, draft);
    hf_release(hf_context_allocator(cx), a.list);
    return status;
}
