/** \file
 *  What the plans of k-ary n-trees share: digits, ports and channels by arithmetic, the ports that one fault touches, and
 *  sorted lists of spans.
 *  Source: [gomez2010, 2.1.3, 3.1 and 3.2.1], with the slips mended that the comments name. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_PLAN_H
#define HOLDFAST_SRC_ROUTING_TREE_PLAN_H

#include "src/routing/ends.h"

enum { HF_TREE_STAGES_MAX = 32 };

/** A k-ary n-tree, ready for arithmetic. Switch <s, o> has id s * width + o; digit i of o has weight power[i]. Digits s and
 *  above of a switch are those of the leaf switches below it, digits below s are the up ports that lead there from them. */
typedef struct hf_tree {
    uint32_t k, n;
    uint32_t width;      /**< switches a stage, k^(n-1); also the number of units */
    uint32_t n_terminal; /**< k^n */
    uint32_t n_switch;
    uint32_t n_switch_link, n_link;
    uint32_t power[HF_TREE_STAGES_MAX + 1]; /**< power[i] = k^i, i <= n */
} hf_tree;

/** Fill in from a topology. \return false if it is no k-ary n-tree. */
bool hf_tree_of(const hf_topology *topo, hf_tree *tree);
/** The `accepts` callback of every rule for k-ary n-trees. \param[in] rule its name, for the message */
hf_status hf_tree_accepts(hf_context *cx, const hf_topology *topo, const char *rule);
/** The `chooses` callback of rules that offer all ways up: a tree of one stage has none. */
bool hf_tree_chooses(const hf_topology *topo, const hf_args *args);

static inline uint32_t hf_tree_stage(const hf_tree *tree, uint32_t sw) { return sw / tree->width; }
static inline uint32_t hf_tree_digit(const hf_tree *tree, uint32_t o, uint32_t i) { return o / tree->power[i] % tree->k; }

/** Is terminal `d` below switch `sw`? */
static inline bool hf_tree_is_below(const hf_tree *tree, uint32_t sw, uint32_t d) {
    uint32_t s = hf_tree_stage(tree, sw);
    return d / tree->power[s + 1] == (sw - s * tree->width) / tree->power[s];
}
/** The down port that leads from a switch of stage s towards a terminal below it. */
static inline uint32_t hf_tree_down_port(const hf_tree *tree, uint32_t s, uint32_t d) { return d / tree->power[s] % tree->k; }

/** The switch at the other end of up port k + j; not for the last stage. */
static inline uint32_t hf_tree_above(const hf_tree *tree, uint32_t sw, uint32_t j) {
    uint32_t s = hf_tree_stage(tree, sw);
    uint32_t old = hf_tree_digit(tree, sw - s * tree->width, s);
    return sw + tree->width + j * tree->power[s] - old * tree->power[s];
}
/** The switch at the other end of down port l; not for stage 0. */
static inline uint32_t hf_tree_under(const hf_tree *tree, uint32_t sw, uint32_t l) {
    uint32_t s = hf_tree_stage(tree, sw);
    uint32_t old = hf_tree_digit(tree, sw - s * tree->width, s - 1);
    return sw - tree->width + l * tree->power[s - 1] - old * tree->power[s - 1];
}

/** Channels by switch and port. Links are in the order (lower stage, lower switch, up port), hence the products. */
static inline uint32_t hf_tree_up_channel(const hf_tree *tree, uint32_t sw, uint32_t j) { return sw * tree->k + j; }
static inline uint32_t hf_tree_injection(const hf_tree *tree, uint32_t terminal) { return tree->n_switch_link + terminal; }
static inline uint32_t hf_tree_ejection(const hf_tree *tree, uint32_t terminal) {
    return tree->n_link + tree->n_switch_link + terminal;
}
static inline uint32_t hf_tree_down_channel(const hf_tree *tree, uint32_t sw, uint32_t l) {
    uint32_t s = hf_tree_stage(tree, sw);
    if (s == 0) {
        return hf_tree_ejection(tree, sw * tree->k + l);
    }
    uint32_t port = hf_tree_digit(tree, sw - s * tree->width, s - 1);
    return tree->n_link + hf_tree_up_channel(tree, hf_tree_under(tree, sw, l), port);
}

/** For hf_likeness.run of rules that offer, in a whole tree, one channel down and always the same ones up: terminals below a down
 *  port, and those on one side of all that is below the switch. With faults every terminal counts by itself. */
uint32_t hf_tree_run(const hf_plan *plan, const hf_tree *tree, uint32_t at, uint32_t destination);

/** The inclusion interval of a port, terminals; port < k is down, the others up. The last stage has no up ports.
 *  Source: [gomez2010, 3.1, figure 3.3]. */
hf_interval hf_tree_inclusion(const hf_tree *tree, uint32_t sw, uint32_t port);

/** The up ports whose exclusion registers one failed channel concerns, and what they have to exclude: up port k + `port` of
 *  the switches first, first + step, ... (`count` of them), but not of `skip`. */
typedef struct hf_tree_touch {
    uint32_t first, step, count;
    uint32_t skip; /**< switch id or HF_NONE */
    uint32_t port; /**< 0..k-1 */
    hf_interval excluded;
} hf_tree_touch;
/** \param[in] own also the switch below the failed link itself, which never sends those destinations up
 *  Terminal channels concern no port (count 0). Source: [gomez2010, 3.2.1]; the printed digit v_(n-e) is v_e. */
hf_tree_touch hf_tree_fault(const hf_tree *tree, uint32_t channel, bool own);

/** The class of a channel between switches: the lowest digit of its switch of stage >= 1 (of both where both are). A leaf switch
 *  has one up port into each class, and what goes up in a class stays in it. HF_NONE for terminal channels. */
static inline uint32_t hf_tree_class(const hf_tree *tree, uint32_t channel) {
    uint32_t link = channel < tree->n_link ? channel : channel - tree->n_link;
    if (link >= tree->n_switch_link) {
        return HF_NONE;
    }
    return link < tree->width * tree->k ? link % tree->k : link / tree->k % tree->width % tree->k;
}

/* ---- spans: ascending, disjoint and not adjacent pieces [lo..hi], lo <= hi, of a line ---- */

/** Is x in one of the spans? Time O(log count). */
bool hf_spans_has(const hf_interval_list *spans, uint32_t x);
/** Add a span at the end; its lo is not below that of the last one. Memory is from the arena. */
hf_status hf_spans_append(hf_context *cx, hf_interval_list *spans, hf_interval add);
/** The spans of a list of cyclic intervals of [0, n). `out` is overwritten. */
hf_status hf_spans_cut(hf_context *cx, const hf_interval_list *cyclic, uint32_t n, hf_interval_list *out);
/** out = a AND b, out = a OR b; `out` is neither a nor b and is overwritten. Time O(a + b). */
hf_status hf_spans_intersect(hf_context *cx, const hf_interval_list *a, const hf_interval_list *b, hf_interval_list *out);
hf_status hf_spans_unite(hf_context *cx, const hf_interval_list *a, const hf_interval_list *b, hf_interval_list *out);

#endif
