/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Checking of a class bound. Why the four steps suffice: c - 1 faults leave some class clean (1). By (3) nothing is ever
 *  excluded on a port that leads into the clean class: a fault touches ports of its own class only, and what a switch
 *  propagates goes to ports that lead to this switch, which have the class of its own up ports. So every leaf switch still
 *  sends every destination up into the clean class, where by (2) all channels on the way are healthy; and as the rule
 *  propagates what a switch has lost, no packet meets a fault in the other classes. (4) shows that one fault more can be too
 *  many.
 *
 *  Symmetry is not used. The permutations of a digit map faults to faults and classes to classes, so one fault of each stage
 *  and direction would stand for all; but then the check would rest on an argument about the rule instead of on what the rule
 *  does, and would prove nothing for filtered universes or groups. All single faults of the 8-ary 5-tree take about a second. */
#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/analysis/paths/walk.h"
#include "src/analysis/tolerance/bound.h"

enum { UNCOVERED = -1, MIXED = -2 };

typedef struct check {
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_bound *bound;
    hf_class_rule traits;
    hf_tree tree;
    uint32_t *part; /* per up channel: its class */
    int64_t *cover; /* per channel: the class of all components that take it down, UNCOVERED or MIXED */
} check;

/* A step that fails leaves its reason in the context. */
#define REJECT(cx, ...)                                                                                                          \
    do {                                                                                                                         \
        (void)hf_context_fail((cx), HF_EINVAL, __FILE__, __LINE__, __VA_ARGS__);                                                 \
        return false;                                                                                                            \
    } while (0)

static bool names_agree(hf_context *cx, const check *c) {
    const hf_bound *b = c->bound;
    if (strcmp(b->topology, c->universe->topo->spec) != 0 || strcmp(b->universe, c->universe->spec) != 0 ||
        strcmp(b->routing, c->rule->spec) != 0) {
        REJECT(cx, "bound: the certificate is for %s, %s, %s; asked about %s, %s, %s", b->topology, b->routing, b->universe,
               c->universe->topo->spec, c->rule->spec, c->universe->spec);
    }
    return true;
}

/* ---- (1) ---- */

static bool classes_exist(hf_context *cx, const check *c) {
    const hf_bound *b = c->bound;
    if (b->n_component != c->universe->n_component || b->n_class < 1 || b->n_class > c->tree.k) {
        REJECT(cx, "bound, step 1: %u components in %u classes; need %u components and 1 to %u classes", b->n_component,
               b->n_class, c->universe->n_component, c->tree.k);
    }
    for (uint32_t i = 0; i < b->n_component; i++) {
        if (b->class_of[i] >= b->n_class) {
            REJECT(cx, "bound, step 1: component %u has class %u; classes are 0 to %u", i, b->class_of[i], b->n_class - 1);
        }
    }
    return true;
}

/* ---- (2) ---- */

static void cover_channels(const check *c) {
    const hf_universe *u = c->universe;
    for (uint32_t channel = 0; channel < u->topo->n_channel; channel++) {
        c->cover[channel] = UNCOVERED;
    }
    for (uint32_t component = 0; component < u->n_component; component++) {
        const int64_t part = c->bound->class_of[component];
        for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
            int64_t *cover = &c->cover[u->channel[i]];
            *cover = *cover == UNCOVERED || *cover == part ? part : MIXED;
        }
    }
}

static bool is_clean(const check *c, uint32_t channel, uint32_t part) {
    return channel != HF_NONE && (c->cover[channel] == UNCOVERED || c->cover[channel] == part);
}

static bool terminals_are_safe(hf_context *cx, const check *c) {
    for (uint32_t t = 0; t < c->tree.n_terminal; t++) {
        if (c->cover[hf_tree_injection(&c->tree, t)] != UNCOVERED || c->cover[hf_tree_ejection(&c->tree, t)] != UNCOVERED) {
            REJECT(cx, "bound, step 2: the link of terminal t%u can fail, and no other leads there", t);
        }
    }
    return true;
}

/* From every leaf switch, climb by up port k + class and then by port k, over clean channels whose reverse is clean too. Leaf
 * switches that share their digits >= t meet after t steps; so any two of them have a clean minimal path, up from the one and
 * down the reverse of the other's. */
static bool class_serves_all(hf_context *cx, const check *c, uint32_t part) {
    const hf_topology *topo = c->universe->topo;
    const hf_tree *tree = &c->tree;
    uint32_t meeting[HF_TREE_STAGES_MAX];
    for (uint32_t leaf = 0; leaf < tree->width; leaf++) {
        uint32_t sw = leaf;
        for (uint32_t t = 1; t < tree->n; t++) {
            const uint32_t up = hf_topology_channel_at(topo, sw, tree->k + (t == 1 ? part : 0));
            if (!is_clean(c, up, part) || !is_clean(c, topo->reverse[up], part)) {
                REJECT(cx, "bound, step 2: class %u does not serve leaf switch s%u when the other classes fail", part, leaf);
            }
            sw = topo->to[up];
            if (leaf % tree->power[t] == 0) {
                meeting[t] = sw;
            } else if (meeting[t] != sw) {
                REJECT(cx, "bound, step 2: leaf switch s%u does not meet its neighbours at stage %u in class %u", leaf, t, part);
            }
        }
    }
    return true;
}

static bool classes_serve_all(hf_context *cx, const check *c) {
    cover_channels(c);
    if (!terminals_are_safe(cx, c)) {
        return false;
    }
    for (uint32_t part = 0; part < c->bound->n_class; part++) {
        if (!class_serves_all(cx, c, part)) {
            return false;
        }
    }
    return true;
}

/* ---- (3) ---- */

static bool touches_own_class(const check *c, uint32_t channel, uint32_t part) {
    const hf_tree_touch touch = hf_tree_fault(&c->tree, channel, c->traits.own);
    for (uint32_t i = 0; i < touch.count; i++) {
        const uint32_t sw = touch.first + i * touch.step;
        if (sw != touch.skip && c->part[hf_tree_up_channel(&c->tree, sw, touch.port)] != part) {
            return false;
        }
    }
    return true;
}

/* What a switch of stage >= 1 propagates concerns the ports that lead to it. They have the class of its own up ports. */
static bool propagation_keeps_class(hf_context *cx, const check *c) {
    const hf_topology *topo = c->universe->topo;
    for (uint32_t up = 0; up < c->tree.n_switch_link; up++) {
        const uint32_t sw = topo->to[up];
        for (uint32_t j = 0; j < c->tree.k && hf_tree_stage(&c->tree, sw) + 1 < c->tree.n; j++) {
            if (hf_tree_class(&c->tree, hf_tree_up_channel(&c->tree, sw, j)) != hf_tree_class(&c->tree, up)) {
                REJECT(cx, "bound, step 3: switch s%u is led to by class %u and leads up into another", sw,
                       hf_tree_class(&c->tree, up));
            }
        }
    }
    return true;
}

static bool faults_keep_class(hf_context *cx, const check *c) {
    const hf_universe *u = c->universe;
    if (!c->traits.has_registers) {
        return true; /* a path is lost to a fault on it and to nothing else */
    }
    for (uint32_t up = 0; up < c->tree.n_switch_link; up++) {
        c->part[up] = hf_tree_class(&c->tree, up);
    }
    for (uint32_t component = 0; component < u->n_component; component++) {
        for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
            if (!touches_own_class(c, u->channel[i], c->bound->class_of[component])) {
                char name[HF_NAME_SIZE];
                hf_universe_name(u, component, name, sizeof name);
                REJECT(cx, "bound, step 3: the fault of %s changes registers outside of class %u", name,
                       c->bound->class_of[component]);
            }
        }
    }
    return propagation_keeps_class(cx, c);
}

/* ---- (4) ---- */

static bool witness_is_a_set(hf_context *cx, const check *c) {
    const hf_bound *b = c->bound;
    bool ascends = b->n_witness == b->n_class;
    for (uint32_t i = 0; i < b->n_witness && ascends; i++) {
        ascends = b->witness[i] < b->n_component && (i == 0 || b->witness[i - 1] < b->witness[i]);
    }
    if (!ascends) {
        REJECT(cx, "bound, step 4: the witness is not an ascending set of %u components", b->n_class);
    }
    return true;
}

/* A leaf switch and a destination that it has no hop for. By rule 6 of FT2EI, and for updown by its meaning, a set of faults
 * between switches is not tolerated exactly if there is one; so the search need not walk. */
static hf_status find_cut(hf_context *cx, const hf_plan *plan, const hf_tree *tree, uint32_t *source, uint32_t *destination,
                          bool *is_found) {
    hf_hop *hops;
    *is_found = false;
    HF_TRY(hf_scratch(cx, hf_plan_room(plan), sizeof *hops, (void **)&hops));
    for (uint32_t leaf = 0; leaf < tree->width; leaf++) {
        for (uint32_t unit = 0; unit < tree->width; unit++) {
            const hf_hop in = {hf_tree_injection(tree, leaf * tree->k), 0, 0};
            size_t n = 1;
            HF_TRY(unit == leaf ? HF_OK : hf_plan_read(cx, plan, leaf, in, unit * tree->k, hops, &n));
            if (n == 0) {
                *source = leaf * tree->k;
                *destination = unit * tree->k;
                *is_found = true;
                return HF_OK;
            }
        }
    }
    return HF_OK;
}

/* Does the relation leave the pair without service? */
static hf_status confirm_cut(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, bool *is_cut) {
    hf_walk walk;
    void *mark;
    HF_TRY(hf_walk_init(cx, plan->topo, &walk));
    HF_TRY(hf_walk_explore(cx, &walk, plan, destination));
    HF_TRY(hf_walk_turn(cx, &walk));
    HF_TRY(hf_scratch(cx, hf_words(walk.n_state), sizeof(uint64_t), &mark));
    hf_walk_served(&walk, mark);
    *is_cut = !hf_bit_test(mark, source);
    return HF_OK;
}

static hf_status witness_fails(hf_context *cx, const check *c, bool *ok) {
    hf_fault_set faults;
    hf_plan plan;
    uint32_t source = 0, destination = 0;
    HF_TRY(hf_fault_set_make(cx, c->universe, c->bound->witness, c->bound->n_witness, &faults));
    HF_TRY(hf_plan_make_plain(cx, c->rule, &faults, &plan));
    HF_TRY(find_cut(cx, &plan, &c->tree, &source, &destination, ok));
    if (*ok) {
        HF_TRY(confirm_cut(cx, &plan, source, destination, ok));
    }
    if (!*ok) {
        (void)hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__, "bound, step 4: the witness is tolerated");
    }
    return HF_OK;
}

static hf_status run(hf_context *cx, check *c, bool *ok) {
    void *memory;
    HF_TRY(hf_scratch(cx, c->universe->topo->n_channel, sizeof *c->cover, &memory));
    c->cover = memory;
    HF_TRY(hf_scratch(cx, c->tree.n_switch_link, sizeof *c->part, (void **)&c->part));
    *ok = names_agree(cx, c) && classes_exist(cx, c) && classes_serve_all(cx, c) && faults_keep_class(cx, c) &&
          witness_is_a_set(cx, c);
    return *ok ? witness_fails(cx, c, ok) : HF_OK;
}

hf_status hf_bound_check(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_bound *bound, bool *ok) {
    check c = {.universe = universe, .rule = rule, .bound = bound};
    if (!hf_tree_of(universe->topo, &c.tree) || c.tree.n < 2 || !hf_bound_applies(rule, &c.traits)) {
        HF_FAIL(cx, HF_ENOTSUP, "class bound: \"%s\" on \"%s\" has no classes", rule->spec, universe->topo->spec);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run(cx, &c, ok);
    hf_scratch_reset(cx, mark);
    return status;
}
