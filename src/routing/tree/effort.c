/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/routing/tree/effort.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/routing/tree/control.h"

enum { UPWARDS, DOWNWARDS, CASCADES, ALL_MESSAGES, ALL_HIGH, ALL_HOPS, ALL_CYCLES, TOLD, TOLD_HOPS, SOURCES, SOURCE_HOPS };

const hf_effort hf_tree_efforts[] = {
    [UPWARDS] = {"upwards", "messages", "model",
                 "by one up port a stage that excludes nothing, or by ports that serve all together", false, false},
    [DOWNWARDS] = {"downwards", "messages", "model", "over all healthy down links, to the stage below the fault", false, false},
    [CASCADES] = {"cascades", "messages", "model",
                  "of switches all of whose up ports exclude a destination, to all switches below", false, false},
    [ALL_MESSAGES] = {"all", "messages", "model", "fault by fault", false, false},
    [ALL_HIGH] = {"all", "messages", "upper bound", "half the switches and one, of a single fault (gomez2010, 3.4.3)", false,
                  false},
    [ALL_HOPS] = {"all", "hops", "model", "until the last register is set, fault by fault", false, false},
    [ALL_CYCLES] = {"all", "cycles", "lower bound", "store and forward at zero load, fault by fault", false, false},
    [TOLD] = {"manager", "messages", "model",
              "a notice of every failed channel to the first leaf switch, and one packet to each other switch that changes",
              false, true},
    [TOLD_HOPS] = {"manager", "hops", "lower bound",
                   "until the last register is set, fault by fault; packets leave in turn, the farthest first", false, true},
    [SOURCES] = {"sources", "messages", "model", "one to every terminal whose ways led over the failed channel", false, false},
    [SOURCE_HOPS] = {"sources", "hops", "lower bound", "until the last terminal knows, fault by fault", false, false},
    {0},
};

hf_status hf_tree_spread_init(hf_context *cx, const hf_tree *tree, uint32_t n_channel, hf_interval_list *const *port,
                              hf_tree_spread *out) {
    *out = (hf_tree_spread){.tree = tree, .port = port};
    HF_TRY(hf_scratch(cx, hf_words(n_channel), sizeof *out->failed, (void **)&out->failed));
    HF_TRY(hf_scratch(cx, hf_words(tree->n_switch), sizeof *out->changed, (void **)&out->changed));
    HF_TRY(hf_scratch(cx, tree->n_switch, sizeof *out->now, (void **)&out->now));
    return hf_scratch(cx, tree->n_switch, sizeof *out->below, (void **)&out->below);
}

/* ---- downwards ---- */

/* From `top` to the switches of stage `last`, each met by one packet. \return hops until the last one has it */
static uint64_t go_down(hf_tree_spread *s, uint32_t top, uint32_t last) {
    uint32_t count = 1;
    uint64_t hops = 0;
    s->now[0] = top;
    for (uint32_t stage = s->tree->n - 1; stage > last && count > 0; stage--) {
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
        s->down += n;
        hops += n > 0;
    }
    return hops;
}

/* ---- upwards ---- */

/* \return hops until the last switch has the packet. As deep as the tree has stages. */
static uint64_t climb(hf_tree_spread *s, uint32_t sw, uint32_t last) {
    uint64_t most = 0;
    if (hf_tree_stage(s->tree, sw) + 1 == s->tree->n) {
        return go_down(s, sw, last);
    }
    const hf_port_range ports = hf_tree_news_ports(s->tree, s->failed, s->port[sw], sw);
    for (uint32_t j = ports.begin; j < ports.end; j++) {
        if (!hf_bit_test(s->failed, hf_tree_up_channel(s->tree, sw, j))) {
            s->up++;
            const uint64_t here = climb(s, hf_tree_above(s->tree, sw, j), last);
            most = here + 1 > most ? here + 1 : most;
        }
    }
    return most;
}

void hf_tree_spread_fail(hf_tree_spread *s, uint32_t channel) {
    hf_bit_set(s->failed, channel);
    const uint32_t link = channel < s->tree->n_link ? channel : channel - s->tree->n_link;
    if (link >= s->tree->n_switch_link || channel < s->tree->n_link) {
        return; /* an up link is excluded by its own switch, without a packet */
    }
    const uint32_t lower = link / s->tree->k, upper = hf_tree_above(s->tree, lower, link % s->tree->k);
    s->hops += climb(s, upper, hf_tree_stage(s->tree, lower));
}

/* ---- a manager, and sources ---- */

/* Hops between the first leaf switch and another one in a whole tree. */
static uint32_t hops_from_first(const hf_tree *tree, uint32_t sw) {
    const uint32_t stage = hf_tree_stage(tree, sw);
    uint32_t top = tree->n - 1;
    while (top > stage && hf_tree_digit(tree, sw % tree->width, top - 1) == 0) {
        top--;
    }
    return 2 * top - stage;
}

/* The notice comes from switch `at`, which knows itself; then the packets of the manager. */
static void tell_changed(hf_tree_spread *s, uint32_t at) {
    uint64_t of[2 * HF_TREE_STAGES_MAX] = {0}; /* how many are so far away */
    uint64_t sent = 0, last = 0;
    for (uint32_t sw = 1; sw < s->tree->n_switch; sw++) {
        of[hops_from_first(s->tree, sw)] += sw != at && hf_bit_test(s->changed, sw);
    }
    for (uint32_t hops = 2 * s->tree->n; hops > 0; hops--) {
        sent += of[hops];
        last = of[hops] && sent - 1 + hops > last ? sent - 1 + hops : last;
    }
    s->told += 1 + sent;
    s->told_hops += sent ? hops_from_first(s->tree, at) + last : 0;
}

void hf_tree_spread_compare(hf_tree_spread *s, uint32_t channel) {
    const hf_tree *tree = s->tree;
    const bool is_up = channel < tree->n_link;
    const uint32_t link = is_up ? channel : channel - tree->n_link;
    if (link < tree->n_switch_link) {
        const uint32_t lower = link / tree->k, stage = hf_tree_stage(tree, lower), below = tree->power[stage + 1];
        tell_changed(s, is_up ? lower : hf_tree_above(tree, lower, link % tree->k));
        s->sources += is_up ? below : tree->n_terminal - below;
        s->source_hops += is_up ? stage + 1 : (tree->n - 2 - stage) + tree->n;
    }
    memset(s->changed, 0, hf_words(tree->n_switch) * sizeof *s->changed);
}

uint64_t hf_tree_spread_tell(const hf_tree_spread *s, uint32_t sw) {
    uint64_t packets = 0;
    for (uint32_t l = 0; l < s->tree->k; l++) {
        packets += !hf_bit_test(s->failed, hf_tree_down_channel(s->tree, sw, l));
    }
    return packets;
}

void hf_tree_effort(const hf_tree_spread *s, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value) {
    value[UPWARDS] = s->up;
    value[DOWNWARDS] = s->down;
    value[CASCADES] = s->cascade;
    value[ALL_MESSAGES] = s->up + s->down + s->cascade;
    value[ALL_HIGH] = plan->faults->n_component == 1 ? s->tree->n_switch / 2 + 1 : HF_UNKNOWN;
    value[ALL_HOPS] = s->hops + s->cascade_hops;
    value[ALL_CYCLES] = value[ALL_HOPS] * costs->packet_cycles;
    value[TOLD] = s->told;
    value[TOLD_HOPS] = s->told_hops;
    value[SOURCES] = s->sources;
    value[SOURCE_HOPS] = s->source_hops;
}
