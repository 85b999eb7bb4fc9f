/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The emergency tree when all faults come at once. With equal hop times the notice of the highest priority reaches everybody
 *  over a shortest way, whatever other notices came before: a breadth-first tree. */
#include "src/routing/immunet/tree.h"

typedef struct levels {
    const hf_ways *ways;
    const uint64_t *dead;
    uint32_t *level;
} levels;

static hf_step enter(void *user, uint32_t from, uint32_t way, uint32_t to) {
    const levels *l = user;
    if (l->level[to] != HF_NONE || !hf_ways_is_alive(l->ways, l->dead, way)) {
        return HF_STEP_PASS;
    }
    l->level[to] = l->level[from] + 1;
    return HF_STEP_ENTER;
}

/** Levels of what `root` reaches. \return number of switches, in `queue` */
static uint32_t spread(const hf_ways *ways, const uint64_t *dead, uint32_t root, uint32_t *queue, hf_emergency *out) {
    levels l = {ways, dead, out->level};
    out->level[root] = 0;
    queue[0] = root;
    return hf_breadth_first(hf_ways_arcs(ways), queue, 1, enter, &l);
}

/* Does way `w` win against `best`, both to parents of the same priority in the same step? Ways are looked at by ascending
 * port. */
static bool wins(const hf_ways *ways, hf_ties ties, uint32_t w, uint32_t best) {
    switch (ties) {
    case HF_TIES_LAST_PORT:
        return true;
    case HF_TIES_LOW_ID:
        return ways->to[w] < ways->to[best];
    case HF_TIES_HIGH_ID:
        return ways->to[w] > ways->to[best];
    default:
        return false;
    }
}

static uint32_t choose_parent(const hf_ways *ways, hf_ties ties, const uint64_t *dead, uint32_t v, const hf_emergency *out) {
    uint32_t best = HF_NONE;
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        if (out->level[ways->to[w]] + 1 == out->level[v] && hf_ways_is_alive(ways, dead, w) &&
            (best == HF_NONE || wins(ways, ties, w, best))) {
            best = w;
        }
    }
    return best;
}

static uint32_t grow(const hf_ways *ways, const hf_emergency_rule *rule, const uint64_t *dead, uint32_t root, uint64_t priority,
                     uint32_t *queue, hf_emergency *out) {
    const uint32_t count = spread(ways, dead, root, queue, out);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = queue[i];
        out->priority[v] = priority;
        out->root[v] = root;
        out->times[v] = !out->is_boot;
        out->parent[v] = v == root ? HF_NONE : choose_parent(ways, rule->ties, dead, v, out);
    }
    const uint32_t last = out->level[queue[count - 1]];
    out->steps = last > out->steps ? last : out->steps;
    return count;
}

/* Priority 0 is not higher than the 0 of the start: the neighbours of switch 0 do not listen to it. */
static void leave_alone(uint32_t count, const uint32_t *queue, hf_emergency *out) {
    for (uint32_t i = 1; i < count; i++) {
        out->root[queue[i]] = HF_NONE;
        out->times[queue[i]] = 0;
    }
}

static bool detects(const hf_ways *ways, const uint64_t *dead, uint32_t v) {
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        if (!hf_ways_is_alive(ways, dead, w)) {
            return true;
        }
    }
    return false;
}

static void clear(const hf_ways *ways, hf_emergency *out) {
    for (uint32_t v = 0; v < ways->n; v++) {
        out->parent[v] = out->root[v] = out->level[v] = HF_NONE;
        out->priority[v] = out->times[v] = 0;
    }
    out->steps = out->sent = 0;
}

void hf_emergency_at_once(const hf_ways *ways, const hf_emergency_rule *rule, const uint64_t *dead, const uint64_t *gone,
                          uint32_t *queue, hf_emergency *out) {
    clear(ways, out);
    out->is_boot = false;
    bool any = false;
    for (uint32_t v = ways->n; v-- > 0;) {
        if (hf_bit_test(gone, v) || !detects(ways, dead, v)) {
            continue;
        }
        any = true;
        if (out->level[v] == HF_NONE) {
            const uint64_t priority = (rule->is_printed ? 0 : ways->n) + (uint64_t)v;
            const uint32_t count = grow(ways, rule, dead, v, priority, queue, out);
            if (priority == 0) {
                leave_alone(count, queue, out);
            }
        }
    }
    out->is_boot = true;
    for (uint32_t v = ways->n; v-- > 0;) {
        if (!hf_bit_test(gone, v) && out->level[v] == HF_NONE) {
            (void)grow(ways, rule, dead, v, 0, queue, out);
        }
    }
    out->is_boot = !any;
}
