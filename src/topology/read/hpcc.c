/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of the HPCC simulator and of those that descend from it (SimAI among them). The first line counts, and then
 *  words follow, wherever the lines break:
 *
 *      5 2 5                        nodes, switches, links
 *      3 4                          numbers of the switches
 *      0 3 100Gbps 1us 0            a link: its two ends, data rate, delay, error rate
 *      ...
 *
 *  SimAI's first line has seven such words, or six: nodes, accelerators of a server, NVSwitches, switches, links, name of the
 *  accelerator. The numbers of the NVSwitches come before those of the switches. Nodes that are no switch are hosts. A host is a
 *  terminal; of a host with several links each is a terminal, called NUMBER/P1, NUMBER/P2, as no packet crosses a host. Ports are
 *  numbered from 0 in the order of the links. What stands below the last link is prose, as in the files of the simulator. */
#include "src/core/number.h"
#include "src/topology/multistage/draft.h"

enum { SHORT_HEADER = 3, LONG_HEADER = 6, LONGEST_HEADER = 7 };

typedef struct hpcc {
    hf_context *cx;
    hf_lines lines;
    hf_draft *draft;
    size_t size; /* of the file, bytes */
    uint64_t n_node, n_switch, n_link;
    uint8_t *is_switch; /* by the file's number */
    uint32_t *degree;   /* links of each node */
    uint32_t *base;     /* node of the file -> its first one in the draft */
} hpcc;

/* ---- words ---- */

/* Go to where the next word stands, on this line or below. */
static hf_status find_word(hf_lines *r, const char *what) {
    hf_lines_blanks(r);
    while (r->at == r->end) {
        if (!hf_lines_next_text(r)) {
            HF_LINE_FAIL(r, HF_EINVAL, "the file ends where %s is expected", what);
        }
    }
    return HF_OK;
}

static hf_status read_number(hf_lines *r, const char *what, uint64_t high, uint64_t *out) {
    HF_TRY(find_word(r, what));
    return hf_lines_number(r, what, 0, high, out);
}

static const hf_unit rates[] = {
    {"bps", 1e-6},  {"b/s", 1e-6},  {"Bps", 8e-6},  {"B/s", 8e-6},  {"kbps", 1e-3}, {"kb/s", 1e-3},
    {"Kbps", 1e-3}, {"Kb/s", 1e-3}, {"kBps", 8e-3}, {"kB/s", 8e-3}, {"KBps", 8e-3}, {"KB/s", 8e-3},
    {"Mbps", 1},    {"Mb/s", 1},    {"MBps", 8},    {"MB/s", 8},    {"Gbps", 1e3},  {"Gb/s", 1e3},
    {"GBps", 8e3},  {"GB/s", 8e3},  {"Tbps", 1e6},  {"Tb/s", 1e6},  {"", 1e-6},     {0},
};
static const hf_unit delays[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"ps", 1e-3}, {"fs", 1e-6}, {"", 1e9}, {0}};

/* A decimal with one of the units behind it, in units of size 1, rounded. */
static bool take_measure(hf_slice word, const hf_unit *units, uint32_t low, uint32_t *out) {
    double value;
    if (!hf_read_quantity(word, units, &value) || value < 0 || value + 0.5 < low || value + 0.5 >= HF_NONE) {
        return false;
    }
    *out = (uint32_t)(value + 0.5);
    return true;
}

static hf_status read_measure(hf_lines *r, const char *what, const hf_unit *units, uint32_t low, const char *need,
                              uint32_t *out) {
    hf_slice word;
    HF_TRY(find_word(r, what));
    (void)hf_lines_word(r, &word);
    if (!take_measure(word, units, low, out)) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not %s; need %s", HF_SLICE(word), what, need);
    }
    return HF_OK;
}

/* ---- the counts ---- */

/* Words of the present line, up to one more than a header has. */
static size_t split(hf_lines r, hf_slice *word) {
    size_t n = 0;
    while (n <= LONGEST_HEADER && hf_lines_word(&r, &word[n])) {
        n++;
    }
    return n;
}

/* Each count takes bytes of the file, so that a short file does not ask for much memory. */
static hf_status check_counts(const hpcc *h) {
    if (h->n_switch == 0 || h->n_switch > h->n_node) {
        HF_LINE_FAIL(&h->lines, HF_EINVAL, "%" PRIu64 " of %" PRIu64 " nodes are switches; need 1 to %" PRIu64, h->n_switch,
                     h->n_node, h->n_node);
    }
    if (h->n_node - h->n_switch > h->n_link) {
        HF_LINE_FAIL(&h->lines, HF_EINVAL, "%" PRIu64 " hosts have %" PRIu64 " links; every host needs one",
                     h->n_node - h->n_switch, h->n_link);
    }
    if (h->n_switch + h->n_link > h->size) {
        HF_LINE_FAIL(&h->lines, HF_EINVAL, "%" PRIu64 " switches and %" PRIu64 " links do not fit a file of %zu bytes",
                     h->n_switch, h->n_link, h->size);
    }
    return HF_OK;
}

static hf_status read_counts(hpcc *h) {
    hf_slice word[LONGEST_HEADER + 1];
    uint64_t unused, n_inner = 0;
    HF_TRY(find_word(&h->lines, "the number of nodes"));
    const size_t n = split(h->lines, word);
    if (n != SHORT_HEADER && n != LONG_HEADER && n != LONGEST_HEADER) {
        HF_LINE_FAIL(&h->lines, HF_EINVAL,
                     "\"%.*s\" does not count; write NODES SWITCHES LINKS, or NODES ACCELERATORS NVSWITCHES SWITCHES LINKS TYPE",
                     HF_SLICE(hf_lines_rest(&h->lines)));
    }
    HF_TRY(read_number(&h->lines, "the number of nodes", UINT32_MAX - 1, &h->n_node));
    if (n > SHORT_HEADER) {
        HF_TRY(read_number(&h->lines, "the number of accelerators of a server", UINT32_MAX - 1, &unused));
        HF_TRY(read_number(&h->lines, "the number of NVSwitches", UINT32_MAX - 1, &n_inner));
    }
    HF_TRY(read_number(&h->lines, "the number of switches", UINT32_MAX - 1, &h->n_switch));
    HF_TRY(read_number(&h->lines, "the number of links", UINT32_MAX - 1, &h->n_link));
    h->n_switch += n_inner;
    h->lines.at = h->lines.end;
    return check_counts(h);
}

static hf_status read_switches(hpcc *h) {
    HF_TRY(hf_scratch(h->cx, (size_t)h->n_node, 1, (void **)&h->is_switch));
    for (uint64_t i = 0; i < h->n_switch; i++) {
        uint64_t v;
        HF_TRY(read_number(&h->lines, "the number of a switch", h->n_node - 1, &v));
        if (h->is_switch[v]) {
            HF_LINE_FAIL(&h->lines, HF_EINVAL, "switch %" PRIu64 " is listed twice", v);
        }
        h->is_switch[v] = 1;
    }
    return HF_OK;
}

/* ---- links ---- */

static hf_status read_link(hpcc *h) {
    uint64_t a, b;
    uint32_t error; /* it is not kept */
    static const hf_unit none[] = {{"", 1}, {0}};
    hf_draft_link link = {.a_port = HF_NONE, .b_port = HF_NONE, .latency = HF_NONE, .both_ways = true};
    HF_TRY(read_number(&h->lines, "the number of a node", h->n_node - 1, &a));
    link.line = h->lines.line;
    HF_TRY(read_number(&h->lines, "the number of a node", h->n_node - 1, &b));
    HF_TRY(read_measure(&h->lines, "a data rate", rates, 1, "1 Mbit/s or more, such as 100Gbps", &link.rate_mbps));
    HF_TRY(read_measure(&h->lines, "a delay", delays, 0, "up to 4 s, such as 0.001ms", &link.delay_ns));
    HF_TRY(read_measure(&h->lines, "an error rate", none, 0, "a number such as 0", &error));
    link.a = (uint32_t)a;
    link.b = (uint32_t)b;
    h->degree[a] += a != b;
    h->degree[b] += a != b;
    return hf_draft_add_link(h->cx, h->draft, &link);
}

/* Below the links there is prose, or nothing. */
static hf_status check_rest(hpcc *h) {
    hf_lines_blanks(&h->lines);
    if (h->lines.at == h->lines.end && !hf_lines_next_text(&h->lines)) {
        return HF_OK;
    }
    if (*h->lines.at >= '0' && *h->lines.at <= '9') {
        HF_LINE_FAIL(&h->lines, HF_EINVAL, "\"%.*s\" stands behind the last of %" PRIu64 " links",
                     HF_SLICE(hf_lines_rest(&h->lines)), h->n_link);
    }
    return HF_OK;
}

static hf_status read_links(hpcc *h) {
    HF_TRY(hf_scratch(h->cx, (size_t)h->n_node, sizeof *h->degree, (void **)&h->degree));
    for (uint64_t l = 0; l < h->n_link; l++) {
        HF_TRY(read_link(h));
    }
    return check_rest(h);
}

/* ---- nodes ---- */

/* A switch, or one of the terminals of a host. */
static hf_status add_node(hpcc *h, uint32_t v, uint32_t rank) {
    char *label;
    if (h->is_switch[v] || h->degree[v] <= 1) {
        HF_TRY(hf_scratch_print(h->cx, &label, "%" PRIu32, v));
    } else {
        HF_TRY(hf_scratch_print(h->cx, &label, "%" PRIu32 "/P%" PRIu32, v, rank + 1));
    }
    return hf_draft_add_node(h->cx, h->draft, &(hf_draft_node){.label = hf_slice_of(label), .is_terminal = !h->is_switch[v]});
}

static hf_status add_nodes(hpcc *h) {
    HF_TRY(hf_scratch(h->cx, (size_t)h->n_node, sizeof *h->base, (void **)&h->base));
    for (uint32_t v = 0; v < h->n_node; v++) {
        h->base[v] = h->draft->n_node;
        for (uint32_t rank = 0; rank == 0 || (!h->is_switch[v] && rank < h->degree[v]); rank++) {
            HF_TRY(add_node(h, v, rank));
        }
    }
    return HF_OK;
}

/* A host takes its terminals one by one. */
static uint32_t next_of(hpcc *h, uint32_t v) { return h->is_switch[v] ? h->base[v] : h->base[v]++; }

static hf_status read_all(hpcc *h) {
    HF_TRY(read_counts(h));
    HF_TRY(read_switches(h));
    HF_TRY(read_links(h));
    HF_TRY(add_nodes(h));
    for (uint32_t l = 0; l < h->draft->n_link; l++) {
        hf_draft_link *link = &h->draft->link[l];
        link->a = next_of(h, link->a);
        link->b = next_of(h, link->b);
    }
    return HF_OK;
}

hf_status hf_read_hpcc(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    hpcc h = {.cx = cx, .draft = draft, .size = size};
    hf_lines_start(cx, draft->file, data, size, &h.lines);
    return read_all(&h);
}

/* ---- is it one? ---- */

static bool skip_numbers(hf_lines *r, uint64_t count) {
    hf_slice word;
    uint64_t value;
    for (uint64_t i = 0; i < count; i++) {
        while (!hf_lines_word(r, &word)) {
            if (!hf_lines_next_text(r)) {
                return false;
            }
        }
        if (!hf_slice_number(word, 10, &value)) {
            return false;
        }
    }
    return true;
}

/* A number and letters, such as 25Gbps. */
static bool is_quantity(hf_slice word) {
    double number = 0;
    return hf_take_real(&word, &number) && word.size > 0 && (*word.text | 32) >= 'a' && (*word.text | 32) <= 'z';
}

bool hf_is_hpcc(hf_lines r) {
    hf_slice word[LONGEST_HEADER + 1];
    uint64_t n_switch, n_inner = 0, value;
    uint32_t rate;
    hf_lines_again(&r);
    if (!hf_lines_next_text(&r)) {
        return false;
    }
    const size_t n = split(r, word);
    const bool is_long = n == LONG_HEADER || n == LONGEST_HEADER;
    if (!is_long && n != SHORT_HEADER) {
        return false;
    }
    if (!hf_slice_number(word[is_long ? 3 : 1], 10, &n_switch) || (is_long && !hf_slice_number(word[2], 10, &n_inner)) ||
        n_switch > UINT32_MAX || n_inner > UINT32_MAX) {
        return false;
    }
    r.at = r.end;
    if (!skip_numbers(&r, n_switch + n_inner + 2)) { /* the two ends of the first link too */
        return false;
    }
    const bool has_rate = hf_lines_word(&r, &word[0]) && !hf_slice_number(word[0], 10, &value);
    if (!has_rate || take_measure(word[0], rates, 1, &rate)) {
        return has_rate;
    }
    return is_quantity(word[0]) && hf_lines_word(&r, &word[1]) && is_quantity(word[1]); /* with a unit that there is not */
}
