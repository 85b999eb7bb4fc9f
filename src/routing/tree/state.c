/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Making the exclusion state of a k-ary n-tree: its masks, and the tables that spare the hot paths their divisions. */
#include "src/routing/tree/state.h"

enum { MEMORY_LIMIT_MIB = 1024 };

static void set_shape(hf_tree_exclusion *t) {
    t->power[0] = 1;
    for (uint32_t s = 1; s < t->shape.n; s++) {
        t->power[s] = t->power[s - 1] * t->shape.k;
    }
    for (uint32_t e = 1, base = 0; e < t->shape.n; e++) {
        t->below_base[e] = base;
        base += t->power[e];
    }
    t->n_port = (t->shape.n - 1) * t->shape.width * t->shape.k;
    t->words = hf_words(t->shape.n_unit);
    t->ways[0] = 1;
    for (uint32_t s = 1; s < t->shape.n; s++) {
        t->ways[s] = t->ways[s - 1] * t->pair_ways;
    }
}

static hf_status allocate_masks(hf_context *cx, hf_tree_exclusion *t) {
    const size_t words = t->words, n_port = t->n_port;
    HF_TRY(hf_allocate(cx, n_port * words, sizeof *t->lost, (void **)&t->lost));
    HF_TRY(hf_allocate(cx, (t->n_port + t->shape.n) * words, sizeof *t->below, (void **)&t->below));
    HF_TRY(hf_allocate(cx, (2 * (size_t)t->shape.n + 2) * words, sizeof *t->spare, (void **)&t->spare));
    HF_TRY(hf_allocate(cx, (size_t)t->shape.n * words, sizeof *t->mask_stack, (void **)&t->mask_stack));
    HF_TRY(hf_allocate(cx, n_port, sizeof *t->touched, (void **)&t->touched));
    if (t->limit == HF_NONE) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, n_port * words, sizeof *t->held, (void **)&t->held));
    HF_TRY(hf_allocate(cx, n_port * t->limit, sizeof *t->reg, (void **)&t->reg));
    return hf_allocate(cx, n_port, sizeof *t->reg_count, (void **)&t->reg_count);
}

static hf_status make_tables(hf_context *cx, hf_tree_exclusion *t) {
    const uint32_t k = t->shape.k, n = t->shape.n, width = t->shape.width;
    HF_TRY(hf_allocate(cx, t->n_port, sizeof *t->port_stage, (void **)&t->port_stage));
    HF_TRY(hf_allocate(cx, t->n_port, sizeof *t->port_switch, (void **)&t->port_switch));
    HF_TRY(hf_allocate(cx, (size_t)n * width, sizeof *t->first_below, (void **)&t->first_below));
    for (uint32_t port = 0; port < t->n_port; port++) {
        t->port_stage[port] = (uint8_t)(port / k / width);
        t->port_switch[port] = port / k % width;
    }
    for (uint32_t s = 1; s + 1 < n; s++) {
        for (uint32_t o = 0; o < width; o++) {
            const uint32_t unit = t->power[s - 1], digit = o / unit % k;
            t->first_below[s * width + o] = ((s - 1) * width + o - digit * unit) * k + digit;
        }
    }
    if (t->words > 1) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, (size_t)n * width * n, sizeof *t->level, (void **)&t->level));
    for (uint32_t i = 0; i + width < n * width; i++) {
        const uint32_t s = i / width, o = i % width;
        uint64_t inner = hf_tree_low_ones(t->power[s]) << hf_tree_subtree_base(t, s, o);
        t->level[(size_t)i * n + s] = hf_tree_low_ones(width) & ~inner;
        for (uint32_t l = s + 1; l < n; l++) {
            const uint64_t outer = hf_tree_low_ones(t->power[l]) << hf_tree_subtree_base(t, l, o);
            t->level[(size_t)i * n + l] = outer & ~inner;
            inner = outer;
        }
    }
    return HF_OK;
}

static hf_status allocate_ends(hf_context *cx, hf_tree_exclusion *t) {
    HF_TRY(hf_allocate(cx, t->universe->topo->n_channel, sizeof *t->dead, (void **)&t->dead));
    HF_TRY(hf_allocate(cx, t->shape.n_unit, sizeof *t->senders, (void **)&t->senders));
    HF_TRY(hf_allocate(cx, t->shape.n_unit, sizeof *t->receivers, (void **)&t->receivers));
    return hf_allocate(cx, t->shape.n_unit, sizeof *t->both, (void **)&t->both);
}

bool hf_tree_exclusion_is_exact(const hf_topology *topo, const hf_tree_registers *registers) {
    hf_kary_tree shape;
    return hf_kary_tree_shape(topo, &shape) && registers->limit >= shape.n_unit;
}

bool hf_tree_exclusion_fits(const hf_topology *topo, const hf_tree_registers *registers) {
    hf_kary_tree shape;
    if (!hf_kary_tree_shape(topo, &shape)) {
        return false;
    }
    const bool is_exact = registers->limit >= shape.n_unit;
    const uint64_t n_port = (uint64_t)(shape.n - 1) * shape.width * shape.k, words = hf_words(shape.n_unit);
    return ((is_exact ? 2 : 3) * n_port * words + (is_exact ? 0 : n_port * registers->limit)) * 8 <= (uint64_t)MEMORY_LIMIT_MIB
                                                                                                         << 20;
}

hf_status hf_tree_exclusion_new(hf_context *cx, const hf_universe *universe, const hf_tree_registers *registers,
                                hf_tree_exclusion **out) {
    hf_kary_tree shape;
    if (!hf_kary_tree_shape(universe->topo, &shape)) {
        HF_FAIL(cx, HF_ENOTSUP, "topology \"%s\" is not a k-ary n-tree", universe->topo->spec);
    }
    if (!hf_tree_exclusion_fits(universe->topo, registers)) {
        HF_FAIL(cx, HF_ENOTSUP, "exclusion masks of \"%s\" need more than %d MiB", universe->topo->spec, MEMORY_LIMIT_MIB);
    }
    hf_tree_exclusion *t;
    HF_TRY(hf_allocate(cx, 1, sizeof *t, (void **)&t));
    t->universe = universe;
    t->allocator = *hf_context_allocator(cx);
    t->shape = shape;
    t->limit = hf_tree_exclusion_is_exact(universe->topo, registers) ? HF_NONE : (uint32_t)registers->limit;
    t->own = registers->own;
    t->pair_ways = registers->n_vc * registers->n_vc;
    set_shape(t);
    hf_status status = allocate_masks(cx, t);
    if (status == HF_OK) {
        status = make_tables(cx, t);
    }
    if (status == HF_OK) {
        status = allocate_ends(cx, t);
    }
    if (status != HF_OK) {
        hf_tree_exclusion_free(t);
        return status;
    }
    *out = t;
    return HF_OK;
}

void hf_tree_exclusion_free(hf_tree_exclusion *t) {
    if (!t) {
        return;
    }
    const hf_allocator allocator = t->allocator;
    void *const block[] = {t->port_stage, t->port_switch, t->first_below, t->level,      t->lost, t->held,    t->below,
                           t->reg,        t->reg_count,   t->spare,       t->mask_stack, t->dead, t->touched, t->senders,
                           t->receivers,  t->both,        t->log,         t->stack,      t};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}
