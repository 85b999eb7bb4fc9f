/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO, DET-Lin, self-routing and the selection functions: FIR registers against the arithmetic rule, path counts of
 *  figure 4.5, and the claims of [gomez2010, 4.2] about balance, exclusive ways down and dependencies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "src/routing/tree/fir.h"
#include "src/topology/multistage/fly.h"
#include "tests/oracle/fixture.h"

/* ---- registers ---- */

/** Ports that the four registers of each port leave for a destination, as the hardware of figures 4.8 and 4.9. */
static uint32_t allowed(const hf_tree *tree, uint32_t sw, uint32_t destination) {
    uint32_t taken = 0, final = 0;
    hf_fir fir;
    for (uint32_t port = 0; port < 2 * tree->k; port++) {
        if (hf_fir_destro(tree, sw, port, &fir) && hf_fir_takes(&fir, destination)) {
            taken |= UINT32_C(1) << port;
        }
    }
    for (uint32_t port = 0; port < 2 * tree->k; port++) {
        if ((taken >> port & 1) && hf_fir_destro(tree, sw, port, &fir) && (taken & fir.rrr) == 0) {
            final |= UINT32_C(1) << port;
        }
    }
    return final;
}

static uint32_t power(uint32_t k, uint32_t e) { return e ? k * power(k, e - 1) : 1; }

/** The rule as the text says it, on digits alone. */
static uint32_t by_digits(uint32_t k, uint32_t n, uint32_t sw, uint32_t p) {
    const uint32_t width = power(k, n - 1), s = sw / width, o = sw % width;
    const bool is_below = p / power(k, s + 1) == o / power(k, s);
    return p / power(k, s) % k + (is_below ? 0 : k);
}

/** Registers, rule and text agree for every switch and destination that a packet can want there. */
static void registers_are_the_rule(void **state) {
    (void)state;
    static const char *const spec[] = {"kary-tree:k=2,n=1", "kary-tree:k=2,n=3", "kary-tree:k=2,n=5", "kary-tree:k=4,n=2",
                                       "kary-tree:k=4,n=3", "kary-tree:k=8,n=2", "kary-tree:k=16,n=2"};
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_tree tree;
        fixture_open(&fx, spec[i], NULL, "destro");
        fixture_plan(&fx, "", &set, &plan);
        assert_true(hf_tree_of(fx.topo, &tree));
        for (uint32_t sw = 0; sw < tree.n_switch; sw++) {
            for (uint32_t d = 0; d < tree.n_terminal; d++) {
                hf_hop hop;
                assert_int_equal(hf_plan_route(&plan, sw, HF_HOP_INJECTION, d, &hop), 1);
                const uint32_t port = fx.topo->from_port[hop.channel];
                assert_int_equal(port, by_digits(tree.k, tree.n, sw, d));
                assert_int_equal(allowed(&tree, sw, d), UINT32_C(1) << port);
            }
        }
        fixture_close(&fx);
    }
}

/** Digits of other sizes: the rule only. */
static void other_arities(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{3, 3}, {5, 2}, {6, 2}};
    for (size_t i = 0; i < 3; i++) {
        char spec[32];
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_register list[4];
        (void)snprintf(spec, sizeof spec, "kary-tree:k=%u,n=%u", shape[i][0], shape[i][1]);
        fixture_open(&fx, spec, NULL, "destro");
        fixture_plan(&fx, "", &set, &plan);
        assert_int_equal(plan.routing->registers(&plan, 0, 0, list, 4), 0);
        for (uint32_t sw = 0; sw < fx.topo->n_switch; sw++) {
            for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
                hf_hop hop;
                assert_int_equal(hf_plan_route(&plan, sw, HF_HOP_INJECTION, d, &hop), 1);
                assert_int_equal(fx.topo->from_port[hop.channel], by_digits(shape[i][0], shape[i][1], sw, d));
            }
        }
        fixture_close(&fx);
    }
}

/* ---- one path a pair ---- */

/** Paths over each channel and the destinations they go to, of a deterministic rule. */
typedef struct use {
    uint32_t *paths, *destination, *destinations; /**< the last destination seen, and how many */
} use;

static void follow_all(fixture *fx, use *u) {
    hf_fault_set set;
    hf_plan plan;
    void *memory[3];
    fixture_plan(fx, "", &set, &plan);
    for (size_t i = 0; i < 3; i++) {
        fixture_ok(fx, hf_scratch(fx->cx, fx->topo->n_channel, sizeof(uint32_t), &memory[i]));
    }
    *u = (use){memory[0], memory[1], memory[2]};
    for (uint32_t d = 0; d < fx->topo->n_terminal; d++) {
        for (uint32_t s = 0; s < fx->topo->n_terminal; s++) {
            uint32_t at = fx->topo->n_switch + s;
            hf_hop in = HF_HOP_INJECTION, hop;
            while (s != d && at != fx->topo->n_switch + d) {
                assert_int_equal(hf_plan_route(&plan, at, in, d, &hop), 1);
                const uint32_t c = hop.channel;
                u->destinations[c] += u->paths[c]++ == 0 || u->destination[c] != d;
                u->destination[c] = d;
                at = fx->topo->to[c];
                in = hop;
            }
        }
    }
}

/** All channels of a stage, up and down, carry the same number of paths; `want` by stage of the link. */
static void check_balance(const hf_topology *topo, const use *u, const uint32_t *want) {
    const uint32_t *stage = topo->attribute[0].of_link;
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        assert_int_equal(u->paths[topo->forward[l]], want[stage[l]]);
        assert_int_equal(u->paths[topo->backward[l]], want[stage[l]]);
    }
}

/** Figure 4.5: N - k^(s+1) paths on each channel between stages s and s+1, hence 6 and 4 in the 2-ary 3-tree. A channel down
 * carries those to one destination. */
static void claims_of_destro(void **state) {
    (void)state;
    static const uint32_t shape[][2] = {{2, 3}, {2, 5}, {3, 3}, {4, 3}, {5, 2}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const uint32_t k = shape[i][0], n = shape[i][1], n_terminal = power(k, n);
        char spec[32];
        fixture fx;
        use u;
        uint32_t want[8];
        for (uint32_t s = 0; s + 1 < n; s++) { /* k^(s+1) sources, as many ways up */
            want[s] = n_terminal - power(k, s + 1);
        }
        (void)snprintf(spec, sizeof spec, "kary-tree:k=%u,n=%u", k, n);
        for (int rule = 0; rule < 2; rule++) {
            fixture_open(&fx, spec, NULL, rule ? "det-lin" : "destro");
            follow_all(&fx, &u);
            check_balance(fx.topo, &u, want);
            for (uint32_t l = 0; l < fx.topo->n_switch_link; l++) {
                assert_true(rule == 1 || u.destinations[fx.topo->backward[l]] == 1);
            }
            fixture_close(&fx);
        }
    }
}

/** In the way up of minimal=no, and in RUFT, each link carries N paths less those to oneself; and no ways down are shared. */
static void the_longer_way(void **state) {
    (void)state;
    fixture fx;
    use u;
    fixture_open(&fx, "kary-tree:k=2,n=4", NULL, "destro:minimal=no");
    follow_all(&fx, &u);
    for (uint32_t l = 0; l < fx.topo->n_switch_link; l++) {
        assert_true(u.paths[fx.topo->forward[l]] == 16 - 1 || u.paths[fx.topo->forward[l]] == 16);
        assert_int_equal(u.destinations[fx.topo->backward[l]], 1);
        assert_true(u.paths[fx.topo->backward[l]] <= 15);
    }
    fixture_close(&fx);
    fixture_open(&fx, "ruft:k=2,n=4", NULL, "ruft");
    follow_all(&fx, &u);
    for (uint32_t l = 0; l < fx.topo->n_switch_link; l++) {
        assert_true(u.paths[l] == 16 - 1 || u.paths[l] == 16);
    }
    for (uint32_t l = fx.topo->n_switch_link; l < fx.topo->n_link; l++) {
        assert_int_equal(u.paths[l], 15);
    }
    fixture_close(&fx);
}

/** Figure 5.4: the way from 0 to 7 in the RUFT of the 2-ary 4-tree takes outputs 1, 1, 1, 0. */
static void way_of_ruft(void **state) {
    (void)state;
    static const uint32_t port[] = {1, 1, 1, 0};
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "ruft:k=2,n=4", NULL, "ruft");
    fixture_plan(&fx, "", &set, &plan);
    hf_hop hop;
    assert_int_equal(hf_plan_route(&plan, fx.topo->n_switch, HF_HOP_INJECTION, 7, &hop), 1);
    for (uint32_t s = 0; s < 4; s++) {
        assert_int_equal(hf_plan_route(&plan, fx.topo->to[hop.channel], hop, 7, &hop), 1);
        assert_int_equal(fx.topo->from_port[hop.channel], 2 + port[s]);
    }
    assert_int_equal(fx.topo->to[hop.channel], fx.topo->n_switch + 7);
    fixture_close(&fx);
}

static void no_cycle_of_dependencies(void **state) {
    (void)state;
    static const char *const list[][2] = {{"kary-tree:k=2,n=4", "destro"},  {"kary-tree:k=4,n=2", "destro:minimal=no"},
                                          {"kary-tree:k=3,n=3", "det-lin"}, {"ruft:k=3,n=3", "ruft"},
                                          {"omega:k=2,n=4", "ruft"},        {"kary-tree:k=2,n=3", "updown:selection=SOP"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock answer;
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
        fixture_open(&fx, list[i][0], NULL, list[i][1]);
        fixture_plan(&fx, "", &set, &plan);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &answer));
        assert_int_equal(answer.answer, HF_DEADLOCK_FREE);
        assert_int_equal(answer.method, HF_METHOD_ACYCLIC);
        assert_true(answer.is_connected);
        fixture_close(&fx);
    }
}

/* ---- selection functions ---- */

/** The preferred up port of a switch of stage s for a packet from a to b, as [gomez2010, 4.3.1] says. */
static uint32_t first_choice(const char *name, uint32_t k, uint32_t s, uint32_t o, uint32_t a, uint32_t b) {
    return strcmp(name, "SSP") == 0        ? o / power(k, s) % k
           : strcmp(name, "SDP") == 0      ? b % k
           : strcmp(name, "SOP") == 0      ? a % k
           : strcmp(name, "SADP") == 0     ? b / power(k, s) % k
           : strcmp(name, "adap-lin") == 0 ? a / power(k, s) % k
                                           : 0;
}

/** Along any way up: all k ports are offered, in turn from the preferred one. */
static void selections_order_the_hops(void **state) {
    (void)state;
    static const char *const name[] = {"FF", "SSP", "SDP", "SOP", "CP", "SADP", "MC", "adap-lin"};
    enum { K = 3, N = 3, WIDTH = 9 };
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        char rule[32];
        (void)snprintf(rule, sizeof rule, "updown:selection=%s", name[i]);
        fixture_open(&fx, "kary-tree:k=3,n=3", NULL, rule);
        fixture_plan(&fx, "", &set, &plan);
        for (uint32_t trial = 0; trial < 27 * 27; trial++) {
            const uint32_t a = trial / 27, b = trial % 27;
            hf_hop hop[K], in;
            assert_true(a == b || hf_plan_route(&plan, fx.topo->n_switch + a, HF_HOP_INJECTION, b, &in) == 1);
            for (uint32_t s = 0; a != b && s + 1 < N; s++) {
                const uint32_t sw = fx.topo->to[in.channel];
                const size_t count = hf_plan_route(&plan, sw, in, b, hop);
                if (count < K) {
                    assert_int_equal(count, 1);
                    break;
                }
                for (uint32_t j = 0; j < K; j++) {
                    const uint32_t want = (first_choice(name[i], K, s, sw % WIDTH, a, b) + j) % K;
                    assert_int_equal(fx.topo->from_port[hop[j].channel], K + want);
                }
                in = hop[(a + b + s) % K];
            }
        }
        fixture_close(&fx);
    }
}

/* ---- figure 4.7 ---- */

/* Channels between switches that carry packets to one destination, from wherever they come. */
static uint32_t channels_to(const hf_plan *plan, uint32_t destination) {
    const hf_topology *topo = plan->topo;
    bool *is_used = calloc(topo->n_channel, sizeof *is_used);
    uint32_t n_used = 0;
    assert_non_null(is_used);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        hf_hop in = HF_HOP_INJECTION, hops[64];
        for (uint32_t at = topo->n_switch + s; s != destination && at != topo->n_switch + destination;
             at = topo->to[in.channel]) {
            assert_int_equal(hf_plan_route(plan, at, in, destination, hops), 1);
            in = hops[0];
            n_used += topo->link[in.channel] < topo->n_switch_link && !is_used[in.channel];
            is_used[in.channel] = true;
        }
    }
    free(is_used);
    return n_used;
}

/* "16 network links are used to communicate only with destination node 7", and "6 network links" by DESTRO: every destination of
 * the 2-ary 3-tree is alike. */
static void links_to_a_hot_spot(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        uint32_t links;
    } cases[] = {{"det-lin", 16}, {"destro", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        fixture_open(&fx, "kary-tree:k=2,n=3", NULL, cases[i].rule);
        fixture_plan(&fx, "", &set, &plan);
        for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
            assert_int_equal(channels_to(&plan, d), cases[i].links);
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers_are_the_rule),
                                       cmocka_unit_test(other_arities),
                                       cmocka_unit_test(claims_of_destro),
                                       cmocka_unit_test(the_longer_way),
                                       cmocka_unit_test(way_of_ruft),
                                       cmocka_unit_test(no_cycle_of_dependencies),
                                       cmocka_unit_test(selections_order_the_hops),
                                       cmocka_unit_test(links_to_a_hot_spot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
