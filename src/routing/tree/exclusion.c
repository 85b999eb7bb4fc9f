/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Exclusion state of a k-ary n-tree, kept along a stack of failed components.
 *
 *  Every interval that FT2EI ever stores is a union of whole leaf switches ("units"), so a port's exclusion is a bit mask of W =
 *  k^(n-1) units and a register is a pair of unit numbers. The up channel of link (stage s, switch o, up port j) has the id of
 *  its link, which is also the number of the up port here. The down channel of that link leads to the k^s units that share the
 *  digits >= s of o; its failure excludes them on up port j of all switches <s, X..X, low digits of o> but o itself [gomez2010,
 *  3.2.1; the interval's printed digit v_(n-e) is v_e]. What all up ports of a switch exclude is excluded one stage below on the
 *  ports that lead there, and so on [3.2.2].
 *
 *  Two masks a port: `lost`, the exact set that cannot be reached through it (what unlimited registers would hold), and `held`,
 *  what the registers hold. With unlimited registers the two are the same and only `lost` is kept. Every change is logged, so
 *  that a pop is a replay of old values. */
#include "src/routing/tree/state.h"

#include <assert.h>

#include "src/core/grow.h"

enum { LOG_LOST, LOG_HELD, LOG_BELOW, LOG_FRESH, LOG_KINDS };

/* ---- the log ---- */

static inline hf_status log_reserve(hf_context *cx, hf_tree_exclusion *t, size_t more) {
    HF_RESERVE(cx, t->log, t->log_size + more, t->log_capacity);
    return HF_OK;
}

static void log_words(hf_tree_exclusion *t, const uint64_t *data, size_t count) {
    if (count == 1) {
        t->log[t->log_size++] = *data;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        t->log[t->log_size++] = data[i];
    }
}

static hf_status log_mask(hf_context *cx, hf_tree_exclusion *t, unsigned kind, uint32_t index, const uint64_t *mask) {
    HF_TRY(log_reserve(cx, t, t->words + 1));
    log_words(t, mask, t->words);
    t->log[t->log_size++] = (uint64_t)index * LOG_KINDS + kind;
    return HF_OK;
}

static hf_status log_registers(hf_context *cx, hf_tree_exclusion *t, uint32_t port) {
    const uint32_t count = t->reg_count[port];
    HF_TRY(log_reserve(cx, t, t->words + count + 2));
    log_words(t, hf_tree_held_of(t, port), t->words);
    for (uint32_t i = 0; i < count; i++) {
        const hf_interval a = t->reg[(size_t)port * t->limit + i];
        t->log[t->log_size++] = (uint64_t)a.lo << 32 | a.hi;
    }
    t->log[t->log_size++] = count;
    t->log[t->log_size++] = (uint64_t)port * LOG_KINDS + LOG_HELD;
    return HF_OK;
}

static void restore_mask(hf_tree_exclusion *t, uint64_t *mask) {
    t->log_size -= t->words;
    if (t->words == 1) {
        *mask = t->log[t->log_size];
        return;
    }
    memcpy(mask, t->log + t->log_size, t->words * sizeof *mask);
}

static void log_undo_one(hf_tree_exclusion *t) {
    const uint64_t tail = t->log[--t->log_size];
    const uint32_t index = (uint32_t)(tail / LOG_KINDS);
    switch (tail % LOG_KINDS) {
    case LOG_LOST:
        restore_mask(t, hf_tree_lost_of(t, index));
        break;
    case LOG_BELOW:
        restore_mask(t, t->below + (size_t)index * t->words);
        break;
    case LOG_FRESH:
        t->lost[index] = 0;
        if (t->held) {
            t->held[index] = t->reg_count[index] = 0;
        }
        break;
    default:
        t->reg_count[index] = (uint32_t)t->log[--t->log_size];
        for (uint32_t i = t->reg_count[index]; i-- > 0;) {
            const uint64_t pair = t->log[--t->log_size];
            t->reg[(size_t)index * t->limit + i] = (hf_interval){(uint32_t)(pair >> 32), (uint32_t)pair};
        }
        restore_mask(t, hf_tree_held_of(t, index));
        break;
    }
}

/* ---- what all up ports of a switch exclude ---- */

static bool is_empty(const uint64_t *mask, size_t words) {
    for (size_t i = 0; i < words; i++) {
        if (mask[i]) {
            return false;
        }
    }
    return true;
}

bool hf_tree_common_exclusion_wide(const hf_tree_exclusion *t, const uint64_t *masks, uint32_t s, uint32_t o, uint64_t *common) {
    const size_t words = t->words;
    const uint64_t *mask = masks + ((size_t)s * t->shape.width + o) * t->shape.k * words;
    memcpy(common, mask, words * sizeof *common);
    for (uint32_t j = 1; j < t->shape.k; j++) {
        mask += words;
        uint64_t any = 0;
        for (size_t i = 0; i < words; i++) {
            common[i] &= mask[i];
            any |= common[i];
        }
        if (!any) {
            return false;
        }
    }
    hf_tree_clear_range(t, common, hf_tree_subtree_base(t, s, o), t->power[s]);
    return !is_empty(common, words);
}

/* ---- exact exclusion ---- */

static hf_status lost_add(hf_context *cx, hf_tree_exclusion *t, uint32_t port, const uint64_t *add);

/* The exact exclusion of a port has grown: what all ports of its switch exclude is excluded one stage below. */
static hf_status lost_spread(hf_context *cx, hf_tree_exclusion *t, uint32_t port) {
    const uint32_t s = hf_tree_stage_of(t, port), o = hf_tree_switch_of(t, port);
    uint64_t *common = t->spare + (size_t)(s + 1) * t->words;
    if (!hf_tree_common_exclusion(t, t->lost, s, o, common)) {
        return HF_OK;
    }
    if (s == 0) {
        t->is_cut = t->is_cut || !t->held;
        return HF_OK;
    }
    for (uint32_t x = 0; x < t->shape.k; x++) {
        HF_TRY(lost_add(cx, t, hf_tree_port_below(t, s, o, x), common));
    }
    return HF_OK;
}

static hf_status lost_add(hf_context *cx, hf_tree_exclusion *t, uint32_t port, const uint64_t *add) {
    uint64_t *mask = hf_tree_lost_of(t, port);
    bool grows = false, first = true;
    for (size_t i = 0; i < t->words; i++) {
        grows |= (add[i] & ~mask[i]) != 0;
        first &= mask[i] == 0;
    }
    if (!grows) {
        return HF_OK;
    }
    HF_TRY(log_mask(cx, t, LOG_LOST, port, mask));
    for (size_t i = 0; i < t->words; i++) {
        mask[i] |= add[i];
    }
    if (first && !t->held) {
        t->touched[t->n_touched++] = port;
    }
    return lost_spread(cx, t, port);
}

/* ---- exclusion by registers ---- */

static void registers_remove(hf_interval *reg, uint32_t *count, uint32_t at) {
    memmove(reg + at, reg + at + 1, (*count - at - 1) * sizeof *reg);
    (*count)--;
}

/* Unite register `at` with all others that it meets; the result moves to the lowest of them. */
static void registers_coalesce(const hf_tree_exclusion *t, hf_interval *reg, uint32_t *count, uint32_t at) {
    for (uint32_t i = 0; i < *count;) {
        if (i == at || !hf_interval_meets(reg[i], reg[at])) {
            i++;
            continue;
        }
        const uint32_t keep = i < at ? i : at, drop = i < at ? at : i;
        reg[keep] = hf_interval_unite(reg[keep], reg[drop], t->shape.n_unit);
        registers_remove(reg, count, drop);
        at = keep;
        i = 0;
    }
}

/* No register is free: the merge that adds the fewest units, lowest register first. */
static void registers_merge(const hf_tree_exclusion *t, hf_interval *reg, uint32_t *count, hf_interval add) {
    const uint32_t n = t->shape.n_unit;
    uint32_t best = 0;
    uint64_t best_cost = UINT64_MAX;
    for (uint32_t i = 0; i < *count; i++) {
        const uint64_t cost = hf_interval_size(hf_interval_enclose(reg[i], add, n), n) - hf_interval_size(reg[i], n);
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    reg[best] = hf_interval_enclose(reg[best], add, n);
    registers_coalesce(t, reg, count, best);
}

static void registers_insert(const hf_tree_exclusion *t, hf_interval *reg, uint32_t *count, hf_interval add) {
    for (uint32_t i = 0; i < *count; i++) {
        if (hf_interval_meets(reg[i], add)) {
            reg[i] = hf_interval_unite(reg[i], add, t->shape.n_unit);
            registers_coalesce(t, reg, count, i);
            return;
        }
    }
    if (*count < t->limit) {
        reg[(*count)++] = add;
    } else {
        registers_merge(t, reg, count, add);
    }
}

static void registers_mask(hf_tree_exclusion *t, uint32_t port) {
    uint64_t *mask = hf_tree_held_of(t, port);
    const hf_interval *reg = t->reg + (size_t)port * t->limit;
    hf_tree_fill_interval(t, reg[0], mask);
    for (uint32_t i = 1; i < t->reg_count[port]; i++) {
        uint64_t *more = t->spare;
        hf_tree_fill_interval(t, reg[i], more);
        for (size_t w = 0; w < t->words; w++) {
            mask[w] |= more[w];
        }
    }
}

static hf_status held_add(hf_context *cx, hf_tree_exclusion *t, uint32_t port, hf_interval add);

/* The next maximal cyclic run of `mask` that starts at or after `from`; a run that wraps starts at its high end. */
static bool next_run(const hf_tree_exclusion *t, const uint64_t *mask, uint32_t from, hf_interval *run) {
    const uint32_t n = t->shape.n_unit;
    const size_t lo = hf_bits_next(mask, n, from);
    if (lo >= n) {
        return false;
    }
    const size_t end = hf_bits_next_clear(mask, n, lo);
    *run = (hf_interval){(uint32_t)lo, (uint32_t)end - 1};
    if (end == n && lo > 0 && hf_bit_test(mask, 0)) {
        run->hi = (uint32_t)hf_bits_next_clear(mask, n, 0) - 1;
    }
    return true;
}

static hf_status held_propagate(hf_context *cx, hf_tree_exclusion *t, uint32_t s, uint32_t o, const uint64_t *common) {
    uint32_t from = hf_bit_test(common, 0) && hf_bit_test(common, t->shape.n_unit - 1)
                        ? (uint32_t)hf_bits_next_clear(common, t->shape.n_unit, 0)
                        : 0;
    hf_interval run;
    while (next_run(t, common, from, &run)) {
        for (uint32_t x = 0; x < t->shape.k; x++) {
            HF_TRY(held_add(cx, t, hf_tree_port_below(t, s, o, x), run));
        }
        if (run.hi < run.lo || run.hi + 1 >= t->shape.n_unit) {
            break;
        }
        from = run.hi + 1;
    }
    return HF_OK;
}

/* The registers of a port exclude more than before. */
static hf_status held_spread(hf_context *cx, hf_tree_exclusion *t, uint32_t port) {
    const uint32_t s = hf_tree_stage_of(t, port), o = hf_tree_switch_of(t, port);
    uint64_t *common = t->spare + (size_t)(s + 1 + t->shape.n) * t->words;
    if (!hf_tree_common_exclusion(t, t->held, s, o, common)) {
        return HF_OK;
    }
    if (s == 0) {
        t->is_cut = true;
        return HF_OK;
    }
    return held_propagate(cx, t, s, o, common);
}

static bool held_covers(hf_tree_exclusion *t, const uint64_t *held, hf_interval add) {
    uint64_t *mask = t->spare;
    hf_tree_fill_interval(t, add, mask);
    for (size_t i = 0; i < t->words; i++) {
        if (mask[i] & ~held[i]) {
            return false;
        }
    }
    return true;
}

/* An interval that one register already covers changes nothing; one that several adjacent registers cover together coalesces them
 * but excludes nothing new, so there is nothing to propagate. */
static hf_status held_add(hf_context *cx, hf_tree_exclusion *t, uint32_t port, hf_interval add) {
    hf_interval *reg = t->reg + (size_t)port * t->limit;
    for (uint32_t i = 0; i < t->reg_count[port]; i++) {
        if (hf_interval_covers(reg[i], add, t->shape.n_unit)) {
            return HF_OK;
        }
    }
    const bool grows = !held_covers(t, hf_tree_held_of(t, port), add);
    HF_TRY(log_registers(cx, t, port));
    if (t->reg_count[port] == 0) {
        t->touched[t->n_touched++] = port;
    }
    registers_insert(t, reg, &t->reg_count[port], add);
    registers_mask(t, port);
    if (!grows) {
        return HF_OK;
    }
    return held_spread(cx, t, port);
}

/* A port that excludes nothing yet, where a mask is one word: by far the commonest. */
static hf_status exclude_afresh(hf_context *cx, hf_tree_exclusion *t, uint32_t port, hf_interval add, uint64_t mask) {
    HF_TRY(log_reserve(cx, t, 1));
    t->log[t->log_size++] = (uint64_t)port * LOG_KINDS + LOG_FRESH;
    t->touched[t->n_touched++] = port;
    t->lost[port] = mask;
    if (!t->held) {
        return lost_spread(cx, t, port);
    }
    t->held[port] = mask;
    t->reg[(size_t)port * t->limit] = add;
    t->reg_count[port] = 1;
    uint64_t common;
    if (!hf_tree_common_exclusion(t, t->held, hf_tree_stage_of(t, port), hf_tree_switch_of(t, port), &common)) {
        return HF_OK; /* nor is there any of the exact exclusion, which is part of it */
    }
    HF_TRY(lost_spread(cx, t, port));
    return held_spread(cx, t, port);
}

static hf_status exclude(hf_context *cx, hf_tree_exclusion *t, uint32_t port, hf_interval add, const uint64_t *mask) {
    if (t->words == 1 && t->lost[port] == 0 && (!t->held || t->reg_count[port] == 0)) {
        return exclude_afresh(cx, t, port, add, *mask);
    }
    HF_TRY(lost_add(cx, t, port, mask));
    return t->held ? held_add(cx, t, port, add) : HF_OK;
}

/* ---- faults ---- */

static hf_status fail_up(hf_context *cx, hf_tree_exclusion *t, uint32_t port) {
    const hf_interval all = {0, t->shape.n_unit - 1};
    uint64_t *mask = t->spare + (size_t)(2 * t->shape.n + 1) * t->words;
    hf_tree_fill_interval(t, all, mask);
    return exclude(cx, t, port, all, mask);
}

static hf_status fail_down(hf_context *cx, hf_tree_exclusion *t, uint32_t link) {
    const uint32_t s = hf_tree_stage_of(t, link), o = hf_tree_switch_of(t, link), j = link % t->shape.k, block = t->power[s];
    const uint32_t low = o % block, own = o / block, n_x = t->shape.width / block;
    const hf_interval add = {own * block, own * block + block - 1};
    uint64_t *mask = t->spare + (size_t)(2 * t->shape.n + 1) * t->words;
    hf_tree_fill_interval(t, add, mask);
    const uint32_t index = t->below_base[s + 1] + j * block + low;
    uint64_t *below = t->below + (size_t)index * t->words;
    HF_TRY(log_mask(cx, t, LOG_BELOW, index, below));
    for (size_t i = 0; i < t->words; i++) {
        below[i] |= mask[i];
    }
    for (uint32_t x = 0; x < n_x; x++) {
        const uint32_t port = (s * t->shape.width + x * block + low) * t->shape.k + j;
        if (x != own) {
            HF_TRY(exclude(cx, t, port, add, mask));
        } else if (t->own && t->held) {
            HF_TRY(held_add(cx, t, port, add));
        }
    }
    return HF_OK;
}

static hf_status fail_channel(hf_context *cx, hf_tree_exclusion *t, uint32_t channel) {
    if (t->dead[channel]++ > 0) {
        return HF_OK;
    }
    const hf_topology *topo = t->universe->topo;
    const uint32_t link = topo->link[channel];
    if (link >= topo->n_switch_link) {
        t->n_dead_end++;
        return HF_OK;
    }
    return channel == topo->forward[link] ? fail_up(cx, t, link) : fail_down(cx, t, link);
}

static void unwind(hf_tree_exclusion *t, const hf_tree_frame *f, uint32_t n_channel) {
    while (t->log_size > f->log_size) {
        log_undo_one(t);
    }
    const uint32_t *channel = t->universe->channel + t->universe->channel_begin[f->component];
    for (uint32_t i = 0; i < n_channel; i++) {
        t->dead[channel[i]]--;
    }
    t->n_touched = f->n_touched;
    t->n_dead_end = f->n_dead_end;
    t->is_cut = f->is_cut;
}

hf_status hf_tree_exclusion_push(hf_context *cx, hf_tree_exclusion *t, uint32_t component) {
    HF_GROW(cx, t->stack, t->depth, t->stack_capacity);
    const hf_tree_frame f = {t->log_size, component, t->n_touched, t->n_dead_end, t->is_cut};
    const uint32_t begin = t->universe->channel_begin[component], end = t->universe->channel_begin[component + 1];
    for (uint32_t i = begin; i < end; i++) {
        const hf_status status = fail_channel(cx, t, t->universe->channel[i]);
        if (status != HF_OK) {
            unwind(t, &f, i - begin + 1);
            return status;
        }
    }
    t->stack[t->depth++] = f;
    return HF_OK;
}

void hf_tree_exclusion_pop(hf_tree_exclusion *t) {
    assert(t->depth > 0);
    const hf_tree_frame f = t->stack[--t->depth];
    unwind(t, &f, t->universe->channel_begin[f.component + 1] - t->universe->channel_begin[f.component]);
}
