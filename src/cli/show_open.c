/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show: the fault set by name, its plan, and the verdict. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/cli/show.h"

#include "src/core/grow.h"
#include "src/core/number.h"

static void take_victim(void *user, uint32_t sw, uint32_t port, uint32_t destination) {
    show *s = user;
    if (s->collecting == HF_OK) {
        s->collecting = hf_reserve_heap(s->c->cx, s->n_victim + 1, sizeof *s->victim, (void **)&s->victim, &s->victim_capacity);
    }
    if (s->collecting == HF_OK) {
        s->victim[s->n_victim++] = (show_victim){sw, port, destination};
    }
}

/* Is a switch at either end of the channel down as a whole? */
static bool at_failed_switch(const show *s, uint32_t channel) {
    const uint32_t end[] = {s->net.topo->from[channel], s->net.topo->to[channel]};
    for (size_t i = 0; i < 2; i++) {
        if (end[i] < s->net.topo->n_switch && hf_bit_test(s->faults.switch_set, end[i])) {
            return true;
        }
    }
    return false;
}

static hf_status keep_name(show *s, const char *name) {
    char *copy;
    HF_TRY(hf_scratch_print(s->c->cx, &copy, "%s", name));
    s->failed[s->n_failed++] = copy;
    return HF_OK;
}

/* Names without a universe: failed switches, then links whose channels have all failed, then single channels. */
static hf_status name_plain(show *s) {
    const hf_topology *topo = s->net.topo;
    char name[HF_NAME_SIZE];
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (hf_bit_test(s->faults.switch_set, v)) {
            hf_topology_node_name(topo, v, name, sizeof name);
            HF_TRY(keep_name(s, name));
        }
    }
    for (uint32_t i = 0; i < s->faults.n_channel; i++) {
        const uint32_t c = s->faults.channel[i], reverse = topo->reverse[c];
        const bool is_link = reverse != HF_NONE && hf_bit_test(s->faults.channel_set, reverse);
        if (at_failed_switch(s, c) || (is_link && c > reverse)) {
            continue;
        }
        if (is_link) {
            hf_topology_link_name(topo, topo->link[c], name, sizeof name);
        } else {
            hf_topology_channel_name(topo, c, name, sizeof name);
        }
        HF_TRY(keep_name(s, name));
    }
    return HF_OK;
}

/* Names of what has failed, as components of the universe where there is one. */
static hf_status name_failed(show *s) {
    const hf_universe *u = s->faults.universe;
    const size_t room = u ? s->faults.n_component : (size_t)s->faults.n_channel + s->net.topo->n_switch;
    HF_TRY(hf_scratch(s->c->cx, room, sizeof *s->failed, (void **)&s->failed));
    if (!u) {
        return name_plain(s);
    }
    for (uint32_t i = 0; i < s->faults.n_component; i++) {
        char name[HF_NAME_SIZE];
        hf_universe_name(u, s->faults.component[i], name, sizeof name);
        HF_TRY(keep_name(s, name));
    }
    return HF_OK;
}

/* Components of `universe` that make up the fault set, in its order. */
static hf_status as_components(const show *s, const hf_universe *universe, uint32_t *component, uint32_t *count) {
    *count = 0;
    if (s->faults.universe) {
        *count = s->faults.n_component;
        memcpy(component, s->faults.component, *count * sizeof *component);
        return HF_OK;
    }
    for (uint32_t i = 0; i < s->faults.n_channel; i++) {
        for (uint32_t c = 0; c < universe->n_component; c++) {
            if (universe->component[c].id == s->faults.channel[i]) {
                component[(*count)++] = c;
            }
        }
    }
    if (*count != s->faults.n_channel) {
        HF_FAIL(s->c->cx, HF_EINVAL, "a network of more than %d terminals needs --universe here, with what has failed in it",
                SHOW_TERMINALS_MAX);
    }
    return HF_OK;
}

static hf_status judge_set(show *s, const hf_universe *universe, hf_judge *judge) {
    uint32_t *component, count;
    HF_TRY(hf_scratch(s->c->cx, (size_t)s->faults.n_channel + s->faults.n_component, sizeof *component, (void **)&component));
    HF_TRY(as_components(s, universe, component, &count));
    for (uint32_t i = 0; i < count; i++) {
        HF_TRY(judge->ops->push(s->c->cx, judge, component[i]));
    }
    HF_TRY(judge->ops->read(s->c->cx, judge, &s->measure));
    s->verdict.tolerated = s->measure.tolerated;
    return HF_OK;
}

static hf_status summarize(show *s) {
    hf_universe *channels = NULL;
    hf_judge *judge = NULL;
    hf_status status;
    const hf_universe *universe = s->net.universe;
    if (!universe) {
        HF_TRY(hf_universe_new(s->c->cx, s->net.topo, "channels", NULL, &channels));
        universe = channels;
    }
    HF_TRY_DONE(hf_judge_new(s->c->cx, universe, &s->net.rule, &s->criterion, &judge));
    HF_TRY_DONE(judge_set(s, universe, judge));
done:
    hf_judge_free(judge);
    hf_universe_free(channels);
    return status;
}

/* --switch: its number, or its name. */
static hf_status read_switch(show *s) {
    const hf_topology *topo = s->net.topo;
    const char *text = cli_value(s->c, "switch");
    uint64_t number;
    uint32_t first, id;
    char type;
    s->only_switch = UINT64_MAX;
    if (!text) {
        return HF_OK;
    }
    if (hf_read_number(text, 0, UINT64_MAX, &number) && hf_topology_find_label(topo, text, strlen(text), &first) == 0) {
        return cli_number(s->c, "switch", 0, topo->n_switch - 1, UINT64_MAX, &s->only_switch);
    }
    HF_TRY(hf_topology_parse_name(s->c->cx, topo, text, strlen(text), &type, &id));
    if (type != 's') {
        HF_FAIL(s->c->cx, HF_EINVAL, "--switch=%s is not a switch; need a number from 0 to %" PRIu32 " or a name", text,
                topo->n_switch - 1);
    }
    s->only_switch = id;
    return HF_OK;
}

hf_status show_open(show *s) {
    static const char *const of_routing[] = {"registers", "criterion", "switch"};
    const cli *c = s->c;
    const char *topology;
    char *names;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_belong(c, of_routing, sizeof of_routing / sizeof *of_routing, "routing", NULL));
    HF_TRY(cli_number(c, "limit", 0, UINT32_MAX, 20, &s->limit));
    HF_TRY(hf_criterion_init(c->cx, cli_value_or(c, "criterion", "all-pairs"), &s->criterion));
    HF_TRY(cli_network_open(c, topology, cli_value(c, "routing"), cli_value(c, "universe"), NULL, &s->net));
    HF_TRY(read_switch(s));
    HF_TRY(cli_fault_names(c, "failed", &names));
    HF_TRY(hf_fault_set_parse(c->cx, s->net.topo, s->net.universe, names, &s->faults));
    HF_TRY(name_failed(s));
    if (cli_has(c, "sacrifice")) {
        HF_TRY(show_fewest_find(c, &s->faults, &s->fewest));
    }
    if (!s->net.has_rule) {
        return HF_OK;
    }
    HF_TRY(hf_plan_make(c->cx, &s->net.rule, &s->faults, &s->plan));
    s->is_summary = s->net.topo->n_terminal > SHOW_TERMINALS_MAX;
    if (s->is_summary) {
        return summarize(s);
    }
    HF_TRY(hf_tolerance_judge(c->cx, &s->plan, &s->criterion, true, &s->verdict));
    HF_TRY(hf_scratch(c->cx, hf_words(s->net.topo->n_terminal), sizeof *s->cut, (void **)&s->cut));
    HF_TRY(hf_cut_off(c->cx, s->net.topo->n_terminal, s->verdict.bad_pair, s->cut, &s->n_cut));
    HF_TRY(hf_tolerance_victims(c->cx, &s->net.rule, &s->plan, take_victim, s));
    return s->collecting;
}

void show_close(show *s) {
    hf_release(hf_context_allocator(s->c->cx), s->victim);
    cli_network_free(&s->net);
}

bool show_is_bad_pair(const show *s, uint32_t from, uint32_t to) {
    return hf_bit_test(s->verdict.bad_pair, (size_t)from * s->net.topo->n_terminal + to);
}
