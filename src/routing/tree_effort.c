/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control packets that spread the news of a failed down link through a k-ary n-tree [gomez2010, 3.3.2]: from the switch above
 * it up to the last stage by one healthy port a stage, then down over all healthy links to the stage below the fault. Faults
 * count one after the other, as the paper demands; what a switch that loses a destination passes on further (3.3.3) is not in it.
 */
#include "src/routing/tree_effort.h"

#include <holdfast/bitset.h>

#include "src/routing/tree_plan.h"

enum { UPWARDS, DOWNWARDS, ALL_MESSAGES, ALL_HIGH, ALL_HOPS, ALL_CYCLES };

const hf_effort hf_tree_efforts[] = {
    [UPWARDS] = {"upwards", "messages", "model", "by one healthy port a stage", false},
    [DOWNWARDS] = {"downwards", "messages", "model", "over all healthy down links, to the stage below the fault", false},
    [ALL_MESSAGES] = {"all", "messages", "model", "fault by fault", false},
    [ALL_HIGH] = {"all", "messages", "upper bound", "half the switches and one, of a single fault (gomez2010, 3.4.3)", false},
    [ALL_HOPS] = {"all", "hops", "lower bound", "until the last register is set, fault by fault", false},
    [ALL_CYCLES] = {"all", "cycles", "lower bound", "store and forward at zero load", false},
    {0},
};

typedef struct spread {
    const hf_tree *tree;
    uint64_t *failed;      /* n_channel bits: so far */
    uint32_t *now, *below; /* switches that hold the packet */
    uint64_t *value;
} spread;

static uint32_t healthy_port(const spread *s, uint32_t sw) {
    uint32_t j = 0;
    while (j < s->tree->k && hf_bit_test(s->failed, hf_tree_up_channel(s->tree, sw, j))) {
        j++;
    }
    return j;
}

/* \return a switch of the last stage; HF_NONE: no way up */
static uint32_t go_up(const spread *s, uint32_t sw) {
    while (hf_tree_stage(s->tree, sw) + 1 < s->tree->n) {
        const uint32_t j = healthy_port(s, sw);
        if (j == s->tree->k) {
            return HF_NONE;
        }
        sw = hf_tree_above(s->tree, sw, j);
        s->value[UPWARDS]++;
        s->value[ALL_HOPS]++;
    }
    return sw;
}

/* From `top` to the switches of stage `last`, each met by one packet. */
static void go_down(spread *s, uint32_t top, uint32_t last) {
    uint32_t count = 1;
    s->now[0] = top;
    for (uint32_t stage = s->tree->n - 1; stage > last; stage--) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t l = 0; l < s->tree->k; l++) {
                if (!hf_bit_test(s->failed, hf_tree_down_channel(s->tree, s->now[i], l))) {
                    s->below[n++] = hf_tree_under(s->tree, s->now[i], l);
                }
            }
        }
        uint32_t *const swap = s->now;
        s->now = s->below;
        s->below = swap;
        count = n;
        s->value[DOWNWARDS] += n;
        s->value[ALL_HOPS] += n > 0;
    }
}

static void insert(spread *s, uint32_t channel, const hf_topology *topo) {
    hf_bit_set(s->failed, channel);
    const uint32_t from = topo->from[channel], to = topo->to[channel];
    if (hf_topology_is_terminal(topo, from) || hf_topology_is_terminal(topo, to) || to > from) {
        return; /* an up link is excluded by its own switch, without a packet */
    }
    const uint32_t top = go_up(s, from);
    if (top != HF_NONE) {
        go_down(s, top, hf_tree_stage(s->tree, to));
    }
}

hf_status hf_tree_effort(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value) {
    hf_tree tree;
    (void)hf_tree_of(plan->topo, &tree);
    spread s = {.tree = &tree, .value = value};
    HF_TRY(hf_scratch(cx, hf_words(plan->topo->n_channel), sizeof *s.failed, (void **)&s.failed));
    HF_TRY(hf_scratch(cx, tree.n_switch, sizeof *s.now, (void **)&s.now));
    HF_TRY(hf_scratch(cx, tree.n_switch, sizeof *s.below, (void **)&s.below));
    for (size_t i = 0; i <= ALL_CYCLES; i++) {
        value[i] = 0;
    }
    for (uint32_t i = 0; i < plan->faults->n_channel; i++) {
        insert(&s, plan->faults->channel[i], plan->topo);
    }
    value[ALL_MESSAGES] = value[UPWARDS] + value[DOWNWARDS];
    value[ALL_HIGH] = plan->faults->n_component == 1 ? tree.n_switch / 2 + 1 : HF_EFFORT_UNKNOWN;
    value[ALL_CYCLES] = value[ALL_HOPS] * costs->packet_cycles;
    return HF_OK;
}
