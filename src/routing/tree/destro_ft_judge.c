/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns with DESTRO-FT. A pair is served exactly if a healthy minimal path is left, so verdicts are those of
 *  all minimal paths. A path without faults all of whose channels are healthy stays: no switch on it has lost its destination. So
 *  a lost path is one over a failed channel, there are no victims, and only the pairs of those channels take other paths. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/routing/tree/destro_ft.h"
#include "src/routing/tree/exclusion.h"

typedef struct destro_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *cx; /* its arena holds what is known without faults */
    const hf_universe *universe;
    const hf_rule *rule;
    hf_judge *minimal; /* of all minimal paths */
    hf_fault_stack failed;
    hf_tree tree;
    hf_fault_set no_faults;
    hf_plan free;                 /* without faults */
    uint64_t *free_paths, *paths; /* n_channel: paths over it without faults, and of the set that is read */
} destro_judge;

/* One virtual channel: what the rule offers is one hop. */
static size_t step(const hf_plan *plan, uint32_t at, uint32_t destination, hf_hop *hop) {
    return plan->routing->route(plan, at, HF_HOP_INJECTION, destination, hop);
}

/* ---- the stack ---- */

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    destro_judge *j = (destro_judge *)base;
    HF_TRY(hf_fault_stack_push(cx, &j->failed, component));
    const hf_status status = j->minimal->ops->push(cx, j->minimal, component);
    if (status != HF_OK) {
        (void)hf_fault_stack_pop(&j->failed);
    }
    return status;
}

static void pop(hf_judge *base) {
    destro_judge *j = (destro_judge *)base;
    j->minimal->ops->pop(j->minimal);
    (void)hf_fault_stack_pop(&j->failed);
}

/* ---- verdicts ---- */

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    hf_judge *minimal = ((destro_judge *)base)->minimal;
    return minimal->ops->verdict(cx, minimal, out);
}

static hf_status count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                       uint64_t *first) {
    hf_judge *minimal = ((destro_judge *)base)->minimal;
    return minimal->ops->count(cx, minimal, r, lo, hi, not_tolerated, first);
}

static bool safe(hf_judge *base, uint32_t r) {
    hf_judge *minimal = ((destro_judge *)base)->minimal;
    return minimal->ops->safe(minimal, r);
}

static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    hf_judge *minimal = ((destro_judge *)base)->minimal;
    return minimal->ops->surviving(cx, minimal, out);
}

/* ---- pairs of a channel ---- */

/* What one set does to paths. */
typedef struct change {
    const destro_judge *judge;
    const hf_plan *plan;
    uint32_t channel; /* a failed one */
    uint64_t lost;
} change;

/* Each pair once: by the first failed channel of its path without faults. */
static bool is_first_failed(const change *x, uint32_t source, uint32_t destination) {
    const hf_topology *topo = x->plan->topo;
    uint32_t at = topo->n_switch + source;
    hf_hop hop = {0};
    do {
        (void)step(&x->judge->free, at, destination, &hop);
        at = topo->to[hop.channel];
    } while (!hf_bit_test(x->plan->faults->channel_set, hop.channel));
    return hop.channel == x->channel;
}

/* It leaves its path and takes what is left. */
static void break_pair(change *x, uint32_t source, uint32_t destination) {
    if (source != destination && is_first_failed(x, source, destination)) {
        hf_destro_ft_follow(&x->judge->free, step, source, destination, UINT64_MAX, x->judge->paths); /* one less */
        hf_destro_ft_follow(x->plan, step, source, destination, 1, x->judge->paths);
        x->lost++;
    }
}

/* The channels between switch <s, o> and what its up port s leads to. */
typedef struct place {
    uint32_t block; /* terminals below the switch */
    uint32_t below; /* the first of them */
    uint32_t first; /* destination below the switch that is led down that way; up: all that differ by a multiple of `block` */
} place;

static place place_of(const hf_tree *tree, uint32_t link) {
    const uint32_t sw = link / tree->k, port = link % tree->k, s = hf_tree_stage(tree, sw), o = sw - s * tree->width;
    const uint32_t block = tree->power[s + 1], below = o / tree->power[s] * block;
    return (place){block, below, below + port * tree->power[s] + o % tree->power[s]};
}

/* Whoever is below sends over it to destinations that are not, whose digits below s are those of o, and digit s is the port. */
static void break_up(change *x, place p) {
    for (uint32_t d = p.first % p.block; d < x->judge->tree.n_terminal; d += p.block) {
        for (uint32_t source = p.below; source < p.below + p.block && d != p.first; source++) {
            break_pair(x, source, d);
        }
    }
}

static void break_down(change *x, place p) {
    for (uint32_t source = 0; source < x->judge->tree.n_terminal; source++) {
        if (source / p.block != p.below / p.block) {
            break_pair(x, source, p.first);
        }
    }
}

static void break_channel(change *x) {
    const hf_tree *tree = &x->judge->tree;
    const bool is_up = x->channel < tree->n_link;
    const uint32_t link = is_up ? x->channel : x->channel - tree->n_link, own = link - tree->n_switch_link;
    if (link < tree->n_switch_link) {
        (is_up ? break_up : break_down)(x, place_of(tree, link));
        return;
    }
    for (uint32_t other = 0; other < tree->n_terminal; other++) {
        break_pair(x, is_up ? own : other, is_up ? other : own);
    }
}

/* Paths over the channels between switches, without faults. */
static void count_free_paths(destro_judge *j) {
    const hf_tree *tree = &j->tree;
    for (uint32_t link = 0; link < tree->n_switch_link; link++) {
        const uint64_t block = place_of(tree, link).block;
        j->free_paths[link] = block * (tree->n_terminal / block - 1);
        j->free_paths[tree->n_link + link] = tree->n_terminal - block;
    }
}

/* ---- one set ---- */

static hf_plan plan_of(const destro_judge *j, const hf_fault_set *faults) {
    return (hf_plan){.routing = j->rule->routing, .topo = faults->topo, .faults = faults, .args = &j->rule->args, .n_vc = 1};
}

static hf_status measure(hf_context *cx, destro_judge *j, hf_measure *out) {
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, &faults));
    hf_plan plan = plan_of(j, &faults);
    change x = {.judge = j, .plan = &plan};
    HF_TRY(plan.routing->plan(cx, &plan));
    memcpy(j->paths, j->free_paths, faults.topo->n_channel * sizeof *j->paths);
    for (uint32_t i = 0; i < faults.n_channel; i++) {
        x.channel = faults.channel[i];
        break_channel(&x);
    }
    out->has_victims = out->has_lost_paths = true;
    out->lost_paths = x.lost;
    out->extra[0] = hf_destro_ft_most(faults.topo, j->paths);
    return HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(verdict(cx, base, out));
    const hf_status status = measure(cx, (destro_judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    destro_judge *j = (destro_judge *)base;
    const hf_allocator allocator = j->allocator;
    if (j->minimal) {
        j->minimal->ops->free(j->minimal);
    }
    hf_release(&allocator, j->failed.component);
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push,
                                 .pop = pop,
                                 .read = read,
                                 .verdict = verdict,
                                 .count = count,
                                 .safe = safe,
                                 .surviving = surviving,
                                 .free = release};

static hf_status fill(destro_judge *j) {
    const hf_topology *topo = j->universe->topo;
    HF_TRY(hf_scratch(j->cx, topo->n_channel, sizeof *j->free_paths, (void **)&j->free_paths));
    HF_TRY(hf_scratch(j->cx, topo->n_channel, sizeof *j->paths, (void **)&j->paths));
    HF_TRY(hf_fault_set_make(j->cx, j->universe, NULL, 0, &j->no_faults));
    j->free = plan_of(j, &j->no_faults);
    count_free_paths(j);
    return j->free.routing->plan(j->cx, &j->free);
}

hf_status hf_destro_ft_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    destro_judge *j;
    if (hf_args_get(&rule->args, "vcs")->number > 1) {
        HF_FAIL(cx, HF_ENOTSUP, "DESTRO-FT is judged from its relation where there are several virtual channels");
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (destro_judge){.base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .rule = rule};
    (void)hf_tree_of(universe->topo, &j->tree);
    hf_status status = hf_minimal_tree_judge_new(cx, universe, 1, &j->minimal);
    if (status == HF_OK) {
        j->cx = hf_context_new(&j->allocator);
        status = j->cx ? fill(j) : HF_ENOMEM;
    }
    if (status == HF_OK) {
        *out = &j->base;
        return HF_OK;
    }
    release(&j->base);
    HF_FAIL(cx, HF_ENOMEM, "out of memory: the paths of a judge cannot be had");
}
