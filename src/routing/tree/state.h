/** \file
 *  The state of exclusion registers and the small arithmetic on it, shared by the file that keeps it (exclusion.c) and the file
 *  that measures it (measure.c). */
#ifndef HOLDFAST_SRC_ROUTING_TREE_STATE_H
#define HOLDFAST_SRC_ROUTING_TREE_STATE_H

#include <string.h>

#include <holdfast/core/big.h>
#include <holdfast/core/bitset.h>

#include "src/core/simd.h"
#include "src/routing/tree/exclusion.h"

typedef struct hf_tree_frame {
    size_t log_size;
    uint32_t component;
    uint32_t n_touched, n_dead_end;
    bool is_cut;
} hf_tree_frame;

struct hf_tree_exclusion {
    const hf_universe *universe;
    hf_allocator allocator;
    hf_kary_tree shape;
    uint32_t power[66]; /* k^0 .. k^(n-1) */
    uint32_t n_port;    /* up ports of stages 0..n-2 = links between switches */
    uint32_t limit;     /* registers a port; HF_NONE: exact */
    bool own;
    uint32_t pair_ways; /* virtual channels of an up hop times those of a down hop */
    hf_u128 ways[66];   /* choices of them on a path that turns in stage i: pair_ways^i */
    size_t words;       /* 64-bit words of a unit mask */
    uint64_t *lost;     /* n_port masks */
    uint64_t *held;     /* n_port masks, NULL when exact */
    uint64_t *below;    /* per (e, low e digits), e = 1..n-1: units whose down channel at a switch <e, X, low> failed */
    uint32_t below_base[66];
    hf_interval *reg;      /* n_port x limit */
    uint32_t *reg_count;   /* n_port */
    uint64_t *spare;       /* n + 2 masks of scratch */
    uint64_t *mask_stack;  /* masks of the path walk, n of them */
    uint16_t *dead;        /* per channel: failed components that take it down */
    uint8_t *port_stage;   /* per up port */
    uint32_t *port_switch; /* per up port: number of its switch in the stage */
    uint32_t *first_below; /* per switch of stages 1..n-2: the up port of its child 0 that leads to it */
    uint64_t *level;       /* one word a mask only: per switch of stages 0..n-2 a row of n masks; entry l > s: units whose nearest
                            * common ancestors with the switch are in stage l; entry s: all units not below it */
    uint32_t *touched;     /* up ports that exclude something, in the order of their first exclusion */
    uint32_t n_touched;
    uint32_t n_dead_end; /* failed terminal channels */
    bool is_cut;         /* some leaf switch excludes a unit on all its up ports */
    uint32_t *senders;   /* per leaf switch: terminals that can still inject; read only while n_dead_end > 0 */
    uint32_t *receivers; /* per leaf switch: terminals that can still be reached */
    uint32_t *both;      /* per leaf switch: terminals that can do both */
    uint64_t *log;
    size_t log_size, log_capacity;
    hf_tree_frame *stack;
    uint32_t depth;
    size_t stack_capacity;
};

static inline uint64_t *hf_tree_lost_of(const hf_tree_exclusion *t, uint32_t port) { return t->lost + (size_t)port * t->words; }

/* What the plan excludes on a port: the registers' mask. */
static inline uint64_t *hf_tree_held_of(const hf_tree_exclusion *t, uint32_t port) {
    return (t->held ? t->held : t->lost) + (size_t)port * t->words;
}

static inline uint64_t hf_tree_low_ones(uint32_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }

/* Write the units lo..hi (cyclic) into `mask`. */
static inline void hf_tree_fill_interval(const hf_tree_exclusion *t, hf_interval a, uint64_t *mask) {
    if (t->words == 1) {
        const uint64_t upto = hf_tree_low_ones(a.hi + 1), from = ~hf_tree_low_ones(a.lo);
        mask[0] = (a.lo <= a.hi ? upto & from : upto | from) & hf_tree_low_ones(t->shape.n_unit);
        return;
    }
    memset(mask, 0, t->words * sizeof *mask);
    if (a.lo <= a.hi) {
        hf_bits_fill(mask, a.lo, (size_t)a.hi + 1);
    } else {
        hf_bits_fill(mask, a.lo, t->shape.n_unit);
        hf_bits_fill(mask, 0, (size_t)a.hi + 1);
    }
}

/* The units below switch o of stage s are [base, base + k^s). */
static inline uint32_t hf_tree_subtree_base(const hf_tree_exclusion *t, uint32_t s, uint32_t o) { return o - o % t->power[s]; }

static inline void hf_tree_clear_range(const hf_tree_exclusion *t, uint64_t *mask, uint32_t lo, uint32_t count) {
    if (t->words == 1) {
        mask[0] &= ~(hf_tree_low_ones(count) << lo);
        return;
    }
    for (uint32_t x = lo; x < lo + count;) {
        const uint32_t bit = x & 63, take = 64 - bit < lo + count - x ? 64 - bit : lo + count - x;
        mask[x >> 6] &= ~(hf_tree_low_ones(take) << bit);
        x += take;
    }
}

/* Number of units of `mask` in [lo, lo + count). */
HF_SIMD_BODY uint64_t hf_tree_count_range(const hf_tree_exclusion *t, const uint64_t *mask, uint32_t lo, uint32_t count) {
    if (t->words == 1) {
        return (uint64_t)__builtin_popcountll((mask[0] >> lo) & hf_tree_low_ones(count));
    }
    uint64_t sum = 0;
    for (uint32_t x = lo; x < lo + count;) {
        const uint32_t bit = x & 63, take = 64 - bit < lo + count - x ? 64 - bit : lo + count - x;
        sum += (uint64_t)__builtin_popcountll((mask[x >> 6] >> bit) & hf_tree_low_ones(take));
        x += take;
    }
    return sum;
}

static inline uint32_t hf_tree_stage_of(const hf_tree_exclusion *t, uint32_t port) { return t->port_stage[port]; }
static inline uint32_t hf_tree_switch_of(const hf_tree_exclusion *t, uint32_t port) { return t->port_switch[port]; }

/* Up port of stage s-1, child x of switch o, that leads to switch o of stage s, 1 <= s <= n-2. */
static inline uint32_t hf_tree_port_below(const hf_tree_exclusion *t, uint32_t s, uint32_t o, uint32_t x) {
    return t->first_below[(size_t)s * t->shape.width + o] + x * t->power[s - 1] * t->shape.k;
}

/* The row of level masks of a switch; only when a mask is one word. */
static inline const uint64_t *hf_tree_levels_of(const hf_tree_exclusion *t, uint32_t s, uint32_t o) {
    return t->level + ((size_t)s * t->shape.width + o) * t->shape.n;
}

/* Where a mask has several words. */
bool hf_tree_common_exclusion_wide(const hf_tree_exclusion *t, const uint64_t *masks, uint32_t s, uint32_t o, uint64_t *common);

/** The units that all k up ports of a switch exclude, of those not below it. \param[in] masks of all ports \return whether there
 *  are any; if not, `common` means nothing */
static inline bool hf_tree_common_exclusion(const hf_tree_exclusion *t, const uint64_t *masks, uint32_t s, uint32_t o,
                                            uint64_t *common) {
    if (t->words > 1) {
        return hf_tree_common_exclusion_wide(t, masks, s, o, common);
    }
    const uint64_t *mask = masks + ((size_t)s * t->shape.width + o) * t->shape.k;
    uint64_t all = mask[0];
    for (uint32_t j = 1; j < t->shape.k && all; j++) {
        all &= mask[j];
    }
    *common = all ? all & hf_tree_levels_of(t, s, o)[s] : 0;
    return *common != 0;
}

#endif
