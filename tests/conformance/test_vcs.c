/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules that take any number of virtual channels: between switches each hop is offered on all of them, whichever a packet came
 *  by, and nothing else changes; so the verdict about deadlock is that of one virtual channel, decided for both. Rules whose
 *  virtual channels are classes have a limit of their own in the registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"

enum { N_VC = 3, ROOM = 256, MANY = 64 };

typedef struct pair {
    fixture fx[2];
    hf_fault_set set[2];
    hf_plan plan[2]; /* with one virtual channel, and with N_VC */
} pair;

/* Those that keep a packet on the virtual channel that it has taken, deal destinations out over them, or have classes
 * (test_lanes.c has these). */
static const char *const others[] = {"dragonfly-min", "ecmp", "nue", "o1turn", NULL};

static bool takes_any_number(const hf_routing *routing) {
    for (const char *const *name = others; *name; name++) {
        if (strcmp(routing->name, *name) == 0) {
            return false;
        }
    }
    for (const hf_param *p = routing->params; p->name; p++) {
        if (strcmp(p->name, "vcs") == 0) {
            return p->low == 1 && p->high == MANY;
        }
    }
    return false;
}

/* \return whether the rule accepts the topology */
static bool open_pair(pair *x, const char *topo, const char *rule, uint32_t failed_link) {
    hf_rule tried;
    char spec[80], name[80] = "";
    fixture_open(&x->fx[0], topo, NULL, NULL);
    const bool is_accepted = hf_rule_init(x->fx[0].cx, rule, x->fx[0].topo, &tried) == HF_OK;
    if (is_accepted) {
        hf_rule_free(&tried);
    }
    if (failed_link != HF_NONE && failed_link < x->fx[0].topo->n_switch_link) {
        hf_topology_link_name(x->fx[0].topo, failed_link, name, sizeof name);
    }
    fixture_close(&x->fx[0]);
    for (int i = 0; i < 2 && is_accepted; i++) {
        (void)snprintf(spec, sizeof spec, "%s:vcs=%d", rule, i ? N_VC : 1);
        fixture_open(&x->fx[i], topo, NULL, spec);
        fixture_plan(&x->fx[i], name, &x->set[i], &x->plan[i]);
    }
    return is_accepted;
}

static void differ(const pair *x, const char *what, uint32_t at, uint32_t destination) {
    fail_msg("%s on %s: %s at node %u for t%u", x->fx[1].rule.spec, x->fx[1].topo->spec, what, (unsigned)at,
             (unsigned)destination);
}

/* The hops of one virtual channel, each on as many as there are. \return how many there are of one */
static size_t compare_hops(const pair *x, uint32_t at, hf_hop in, uint32_t vc, uint32_t destination, hf_hop *one) {
    hf_hop many[ROOM];
    const hf_topology *topo = x->plan[0].topo;
    const size_t n_one = hf_plan_route(&x->plan[0], at, in, destination, one);
    in.vc = vc;
    const size_t n_many = hf_plan_route(&x->plan[1], at, in, destination, many);
    size_t n = 0;
    for (size_t i = 0; i < n_one; i++) {
        const bool is_inside = topo->link[one[i].channel] < topo->n_switch_link;
        for (uint32_t v = 0; v < (is_inside ? N_VC : 1); v++, n++) {
            if (!hf_hops_hold(many, n_many, (hf_hop){one[i].channel, v, one[i].tag})) {
                differ(x, "a hop is not offered", at, destination);
            }
        }
    }
    if (n != n_many) {
        differ(x, "other hops are offered", at, destination);
    }
    return n_one;
}

/* All arrivals of packets for one destination, from all sources. */
static uint32_t walk(const pair *x, uint32_t destination) {
    const hf_topology *topo = x->plan[0].topo;
    hf_hop hops[ROOM];
    uint32_t n = 0, *list = calloc(topo->n_channel, sizeof *list);
    bool *seen = calloc(topo->n_channel, sizeof *seen);
    assert_true(list && seen);
    for (uint32_t s = 0; s < topo->n_terminal + n; s++) {
        const bool starts = s < topo->n_terminal;
        const hf_hop in = starts ? HF_HOP_INJECTION : (hf_hop){list[s - topo->n_terminal], 0, 0};
        const uint32_t at = starts ? topo->n_switch + s : topo->to[in.channel];
        const uint32_t last = !starts && topo->link[in.channel] < topo->n_switch_link ? N_VC - 1 : 0;
        if (at == topo->n_switch + destination) {
            continue;
        }
        for (uint32_t vc = 0; vc <= last; vc++) {
            const size_t n_hop = compare_hops(x, at, in, starts ? in.vc : vc, destination, hops);
            for (size_t i = 0; i < n_hop; i++) {
                if (!seen[hops[i].channel]) {
                    seen[hops[i].channel] = true;
                    list[n++] = hops[i].channel;
                }
            }
        }
    }
    free(list);
    free(seen);
    return n;
}

static void compare_verdicts(const pair *x, uint32_t *count) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    hf_deadlock found[2];
    for (int i = 0; i < 2; i++) {
        fixture_ok(&x->fx[i], hf_deadlock_decide(x->fx[i].cx, &x->plan[i], &options, &found[i]));
    }
    assert_int_not_equal(found[0].answer, HF_DEADLOCK_UNKNOWN);
    if (found[0].answer != found[1].answer) {
        fail_msg("%s on %s: %s, with one virtual channel %s", x->fx[1].rule.spec, x->fx[1].topo->spec,
                 hf_deadlock_answer_name(found[1].answer), hf_deadlock_answer_name(found[0].answer));
    }
    count[found[0].answer]++;
}

static void compare(const char *topo, const char *rule, uint32_t failed_link, uint32_t *count) {
    pair x;
    if (!open_pair(&x, topo, rule, failed_link)) {
        return;
    }
    for (uint32_t d = 0; d < x.plan[0].topo->n_terminal; d++) {
        (void)walk(&x, d);
    }
    compare_verdicts(&x, count);
    fixture_close(&x.fx[0]);
    fixture_close(&x.fx[1]);
}

static void all_are_alike(void **state) {
    (void)state;
    uint32_t count[3] = {0};
    size_t n_rule = 0;
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const hf_routing *routing = hf_routing_at(i);
        if (!takes_any_number(routing)) {
            continue;
        }
        n_rule++;
        for (size_t t = 0; t < N_TOPOLOGY_SPEC; t++) {
            compare(topology_specs[t], routing->name, HF_NONE, count);
            compare(topology_specs[t], routing->name, 0, count);
        }
    }
    print_message("%zu rules, %u relations free, %u not\n", n_rule, count[HF_DEADLOCK_FREE], count[HF_DEADLOCK_FOUND]);
    assert_true(n_rule >= 15 && count[HF_DEADLOCK_FREE] > 100 && count[HF_DEADLOCK_FOUND] > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
