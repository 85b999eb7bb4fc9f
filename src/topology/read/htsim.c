/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of htsim: a fat-tree of two or three tiers, a word and a number a line, in upper or lower case.
 *
 *      Nodes 32
 *      Tiers 2
 *      Podsize 32
 *      Tier 0
 *      Downlink_speed_Gbps 100
 *      Radix_Down 8                  ports of a switch of the tier
 *      Radix_Up 2
 *      Oversubscribed 4              what Radix_Down is over Radix_Up, if it is told
 *      Downlink_Latency_ns 1000
 *      Tier 1
 *      Radix_Down 4
 *      Bundle 1                      links side by side to each switch below
 *
 *  Switches are called tor0, agg0 and core0, as failures of htsim number them, hosts by their number. Ports down come before
 *  ports up: link_id i of a failure is port Radix_Down + i. Core switch podpos U + i is what up port i (bundles counted once) of
 *  agg switch podpos of every pod leads to, U being Radix_Up over Bundle. Delays of switches and sizes of queues are not kept. */
#include <stddef.h>
#include <strings.h>

#include "src/core/number.h"
#include "src/topology/multistage/draft.h"

enum { TOR, AGG, CORE, TIERS, HOSTS_MAX = 1 << 20, PORTS_MAX = 1 << 16, SPEED_MAX = 4000000 };

typedef struct tier {
    bool is_told;
    uint64_t speed_gbps, down, up, bundle, oversubscribed; /* 0: not told; of links below, but `up` */
    uint64_t latency_ns;                                   /* HF_NONE: not told */
} tier;

typedef struct htsim {
    hf_context *cx;
    hf_lines lines;
    hf_draft *draft;
    uint64_t n_host, n_tier, pod; /* hosts of a pod */
    uint64_t n_pod, width[TIERS]; /* switches of a tier in a pod; of all core switches */
    uint32_t first[TIERS];        /* node of the draft: the first switch of a tier */
    tier tier[TIERS];
    tier *at; /* NULL: before the first tier */
} htsim;

/* ---- lines ---- */

static bool is_word(hf_slice word, const char *name) {
    return word.size == strlen(name) && strncasecmp(word.text, name, word.size) == 0;
}

static const struct {
    const char *name;
    size_t offset;
    uint64_t low, high;
} keys[] = {
    {"Downlink_speed_Gbps", offsetof(tier, speed_gbps), 1, SPEED_MAX},
    {"Radix_Down", offsetof(tier, down), 1, PORTS_MAX},
    {"Radix_Up", offsetof(tier, up), 1, PORTS_MAX},
    {"Bundle", offsetof(tier, bundle), 1, PORTS_MAX},
    {"Oversubscribed", offsetof(tier, oversubscribed), 1, PORTS_MAX},
    {"Downlink_Latency_ns", offsetof(tier, latency_ns), 0, UINT32_MAX - 1},
};
static const char *const passed_over[] = {"Switch_Latency_ns", "Queue_Down", "Queue_Up"};

static hf_status read_tier(htsim *h) {
    uint64_t number;
    HF_TRY(hf_lines_number(&h->lines, "the number of a tier", 0, TIERS - 1, &number));
    h->at = &h->tier[number];
    if (h->at->is_told) {
        HF_LINE_FAIL(&h->lines, HF_EINVAL, "tier %" PRIu64 " stands twice", number);
    }
    h->at->is_told = true;
    return HF_OK;
}

static hf_status read_of_tier(htsim *h, hf_slice word) {
    uint64_t unused;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (is_word(word, keys[i].name)) {
            uint64_t *field = (uint64_t *)(void *)((char *)h->at + keys[i].offset);
            return hf_lines_number(&h->lines, keys[i].name, keys[i].low, keys[i].high, field);
        }
    }
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++) {
        if (is_word(word, passed_over[i])) {
            return hf_lines_number(&h->lines, passed_over[i], 0, UINT64_MAX, &unused);
        }
    }
    HF_LINE_FAIL(&h->lines, HF_EINVAL,
                 "\"%.*s\" is not of htsim; a tier has Downlink_speed_Gbps, Radix_Down, Radix_Up, Bundle, Oversubscribed, "
                 "Downlink_Latency_ns, Switch_Latency_ns, Queue_Down and Queue_Up",
                 HF_SLICE(word));
}

static hf_status read_line(htsim *h) {
    hf_slice word;
    (void)hf_lines_word(&h->lines, &word);
    if (is_word(word, "Tier")) {
        return read_tier(h);
    }
    if (h->at) {
        return read_of_tier(h, word);
    }
    if (is_word(word, "Nodes")) {
        return hf_lines_number(&h->lines, "the number of hosts", 1, HOSTS_MAX, &h->n_host);
    }
    if (is_word(word, "Tiers")) {
        return hf_lines_number(&h->lines, "the number of tiers", 2, TIERS, &h->n_tier);
    }
    if (is_word(word, "Podsize")) {
        return hf_lines_number(&h->lines, "the hosts of a pod", 1, HOSTS_MAX, &h->pod);
    }
    HF_LINE_FAIL(&h->lines, HF_EINVAL, "\"%.*s\" stands before the first tier; need Nodes, Tiers, Podsize or Tier",
                 HF_SLICE(word));
}

static hf_status read_lines(htsim *h) {
    while (hf_lines_next_text(&h->lines)) {
        HF_TRY(read_line(h));
        HF_TRY(hf_lines_end(&h->lines, "a word and a number"));
    }
    return HF_OK;
}

/* ---- does it fit together? ---- */

/* a is b times what is told beside it. */
static hf_status expect(const htsim *h, bool holds, const char *what, uint64_t a, const char *with, uint64_t b) {
    if (!holds) {
        HF_FAIL(h->cx, HF_EINVAL, "%s: %s of %" PRIu64 " does not fit %s of %" PRIu64, h->draft->file, what, a, with, b);
    }
    return HF_OK;
}

static hf_status check_tier(const htsim *h, uint32_t i) {
    const tier *t = &h->tier[i];
    const bool is_top = i + 1 == h->n_tier;
    if (!t->is_told || !t->down || (!is_top && !t->up)) {
        HF_FAIL(h->cx, HF_EINVAL, "%s: tier %" PRIu32 " has no %s", h->draft->file, i,
                !t->is_told ? "lines"
                : !t->down  ? "Radix_Down"
                            : "Radix_Up");
    }
    const bool is_over = !is_top && t->oversubscribed && t->down / t->up != t->oversubscribed;
    HF_TRY(expect(h, !is_over, "Oversubscribed", t->oversubscribed, "a Radix_Down over Radix_Up", is_top ? 0 : t->down / t->up));
    HF_TRY(expect(h, i > 0 || t->bundle <= 1, "Bundle of tier 0", t->bundle, "hosts with one link, a Bundle", 1));
    return expect(h, i == 0 || h->tier[i - 1].up % (t->bundle ? t->bundle : 1) == 0, "Bundle", t->bundle, "a Radix_Up below",
                  i ? h->tier[i - 1].up : 0);
}

static uint64_t bundle_of(const htsim *h, uint32_t i) { return h->tier[i].bundle ? h->tier[i].bundle : 1; }

/* Switches of each tier: as many as the ports up below need. */
static hf_status count(htsim *h) {
    HF_TRY(expect(h, h->n_host && h->n_tier && h->pod, "Nodes", h->n_host, "Tiers", h->n_tier));
    for (uint32_t i = 0; i < h->n_tier; i++) {
        HF_TRY(check_tier(h, i));
    }
    const tier *t = h->tier;
    HF_TRY(expect(h, h->n_host % h->pod == 0, "Nodes", h->n_host, "a Podsize", h->pod));
    HF_TRY(expect(h, h->pod % t[TOR].down == 0, "Podsize", h->pod, "a Radix_Down", t[TOR].down));
    h->n_pod = h->n_host / h->pod;
    HF_TRY(expect(h, h->n_tier > CORE || h->n_pod == 1, "Podsize", h->pod, "two tiers, which are one pod: Nodes", h->n_host));
    h->width[TOR] = h->pod / t[TOR].down;
    h->width[AGG] = t[TOR].up / bundle_of(h, AGG);
    HF_TRY(expect(h, t[AGG].down == h->width[TOR] * bundle_of(h, AGG), "Radix_Down of tier 1", t[AGG].down,
                  "the switches below it in a pod, times Bundle,", h->width[TOR] * bundle_of(h, AGG)));
    if (h->n_tier > CORE) {
        h->width[CORE] = h->width[AGG] * (t[AGG].up / bundle_of(h, CORE));
        HF_TRY(expect(h, t[CORE].down == h->n_pod * bundle_of(h, CORE), "Radix_Down of tier 2", t[CORE].down,
                      "pods, times Bundle,", h->n_pod * bundle_of(h, CORE)));
    }
    return HF_OK;
}

/* ---- nodes and links ---- */

static hf_status add_nodes(htsim *h, const char *name, uint64_t n, bool is_terminal) {
    for (uint64_t i = 0; i < n; i++) {
        char *label;
        HF_TRY(hf_scratch_print(h->cx, &label, "%s%" PRIu64, name, i));
        HF_TRY(hf_draft_add_node(h->cx, h->draft, &(hf_draft_node){.label = hf_slice_of(label), .is_terminal = is_terminal}));
    }
    return HF_OK;
}

/* Links below a tier: from up port `up` + i to down port `down` + i. */
static hf_status join(htsim *h, uint32_t above, uint64_t a, uint64_t up, uint64_t b, uint64_t down) {
    const tier *t = &h->tier[above];
    for (uint64_t i = 0; i < bundle_of(h, above); i++) {
        const hf_draft_link link = {.a = (uint32_t)a,
                                    .a_port = (uint32_t)(up + i),
                                    .b = (uint32_t)b,
                                    .b_port = (uint32_t)(down + i),
                                    .latency = HF_NONE,
                                    .both_ways = true,
                                    .rate_mbps = (uint32_t)t->speed_gbps * 1000,
                                    .delay_ns = (uint32_t)t->latency_ns};
        HF_TRY(hf_draft_add_link(h->cx, h->draft, &link));
    }
    return HF_OK;
}

static hf_status join_pod(htsim *h, uint64_t pod) {
    const uint64_t bundle = bundle_of(h, AGG), tors = h->width[TOR], aggs = h->width[AGG];
    for (uint64_t t = 0; t < tors; t++) {
        for (uint64_t a = 0; a < aggs; a++) {
            HF_TRY(join(h, AGG, h->first[TOR] + pod * tors + t, h->tier[TOR].down + a * bundle, h->first[AGG] + pod * aggs + a,
                        t * bundle));
        }
    }
    return HF_OK;
}

static hf_status join_cores(htsim *h, uint64_t agg) {
    const uint64_t bundle = bundle_of(h, CORE), each = h->tier[AGG].up / bundle;
    const uint64_t pod = agg / h->width[AGG], place = agg % h->width[AGG];
    for (uint64_t i = 0; i < each; i++) {
        HF_TRY(
            join(h, CORE, h->first[AGG] + agg, h->tier[AGG].down + i * bundle, h->first[CORE] + place * each + i, pod * bundle));
    }
    return HF_OK;
}

static hf_status build(htsim *h) {
    static const char *const names[] = {"tor", "agg", "core"};
    for (uint32_t i = 0; i < TIERS && i < h->n_tier; i++) {
        h->first[i] = h->draft->n_node;
        HF_TRY(add_nodes(h, names[i], i == CORE ? h->width[i] : h->n_pod * h->width[i], false));
    }
    const uint32_t hosts = h->draft->n_node;
    HF_TRY(add_nodes(h, "", h->n_host, true));
    for (uint64_t i = 0; i < h->n_host; i++) {
        HF_TRY(join(h, TOR, hosts + i, 0, h->first[TOR] + i / h->tier[TOR].down, i % h->tier[TOR].down));
    }
    for (uint64_t pod = 0; pod < h->n_pod; pod++) {
        HF_TRY(join_pod(h, pod));
    }
    for (uint64_t agg = 0; h->n_tier > CORE && agg < h->n_pod * h->width[AGG]; agg++) {
        HF_TRY(join_cores(h, agg));
    }
    return HF_OK;
}

hf_status hf_read_htsim(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    htsim h = {.cx = cx, .draft = draft};
    for (uint32_t i = 0; i < TIERS; i++) {
        h.tier[i].latency_ns = HF_NONE;
    }
    hf_lines_start(cx, draft->file, data, size, &h.lines);
    HF_TRY(read_lines(&h));
    HF_TRY(count(&h));
    return build(&h);
}

bool hf_is_htsim(hf_slice word) { return is_word(word, "Nodes") || is_word(word, "Tiers") || is_word(word, "Podsize"); }
