/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks of which heads alone are moved against their slow twin (tests/oracle/heads.c): what becomes of every packet and in
 *  which cycle, on networks with failed components, rings of two, trees of two and links side by side, under any delays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/heads.h"

enum { CYCLES = 250, PACKETS = 20000 };

typedef struct draw {
    fixture fx;
    hf_fault_set faults;
    hf_plan plan;
    hf_random random;
    hf_kernel_options o;
    uint32_t percent; /* of the idle sources, that send in a cycle */
    hf_kernel *k;
    oracle_heads *twin;
    uint32_t n_sent, sent_now;
    oracle_fate fate[PACKETS];
    uint64_t end[PACKETS];
} draw;

static uint32_t below(draw *d, uint32_t n) { return (uint32_t)hf_random_below(&d->random, n); }

static void draw_options(draw *d) {
    d->o = hf_kernel_usual();
    d->o.contention = below(d, 2) ? HF_CONTENTION_LOSE : HF_CONTENTION_STORE;
    d->o.selection = HF_SELECT_FIRST;
    d->o.packet_length = 1 + below(d, 9);
    const bool is_plain = below(d, 2);
    d->o.routing_delay = is_plain ? 0 : below(d, 3);
    d->o.crossbar_delay = is_plain ? 0 : below(d, 2);
    d->o.link_delay = is_plain ? 1 : 1 + below(d, 3);
    d->o.fly_delay = is_plain ? 1 : 1 + below(d, 2);
    d->percent = 1 + below(d, 60);
    d->o.hold_cycles = below(d, 2) * (1 + below(d, 12));
}

static hf_status send_some(hf_kernel *k, void *user) {
    draw *d = user;
    const uint32_t n = d->fx.topo->n_terminal;
    d->sent_now = 0;
    for (uint32_t t = 0; t < n; t++) {
        const bool is_idle = k->lane[k->n_resource + t].packet == HF_NONE;
        if (is_idle != oracle_heads_is_idle(d->twin, t)) {
            fail_msg("cycle %llu: t%u is %s", (unsigned long long)k->counts.cycle, t, is_idle ? "idle" : "not idle");
        }
        if (is_idle && below(d, 100) < d->percent && d->n_sent < PACKETS) {
            const uint32_t to = (t + 1 + below(d, n - 1)) % n, length = 1 + below(d, d->o.packet_length);
            oracle_heads_send(d->twin, t, to, length);
            d->sent_now++;
            HF_TRY(hf_kernel_put_at_head(
                k, &(hf_packet){
                       .source = t, .destination = to, .length = length, .generated = k->counts.cycle, .user = d->n_sent++}));
        }
    }
    return HF_OK;
}

static hf_status be_idle(hf_kernel *k, void *user, uint32_t t) {
    (void)k;
    (void)user;
    (void)t;
    return HF_OK;
}

static hf_status take_gone(hf_kernel *k, void *user, const hf_packet *packet) {
    draw *d = user;
    assert_int_equal(d->fate[packet->user], ORACLE_UNDER_WAY);
    d->fate[packet->user] = packet->is_lost ? ORACLE_LOST : ORACLE_THERE;
    d->end[packet->user] = k->counts.cycle;
    return HF_OK;
}

/* Arrivals of a cycle are told when it begins, so those of the last cycle are compared. */
static void compare(draw *d, const char *name, uint64_t seed) {
    const uint64_t now = d->k->counts.cycle;
    for (uint32_t i = 0; i < d->n_sent; i++) {
        uint64_t end;
        oracle_fate want = oracle_heads_fate(d->twin, i, &end);
        want = want == ORACLE_REFUSED ? ORACLE_LOST : want;
        if (want != d->fate[i] || (want != ORACLE_UNDER_WAY && end != d->end[i])) {
            fail_msg("%s, seed %u: packet %u has fate %d in cycle %llu after cycle %llu; need %d in %llu", name, (unsigned)seed,
                     i, d->fate[i], (unsigned long long)d->end[i], (unsigned long long)now, want, (unsigned long long)end);
        }
    }
    assert_int_equal(d->k->counts.flit_hops, oracle_heads_flit_hops(d->twin));
}

/* Said to be quiet until then, it is. */
static void run(draw *d, const char *name, uint64_t seed) {
    uint64_t quiet = 0;
    for (int i = 0; i < CYCLES; i++) {
        const hf_kernel_counts before = d->k->counts;
        fixture_ok(&d->fx, hf_kernel_run(d->k, 1));
        oracle_heads_step(d->twin);
        compare(d, name, seed);
        if (before.cycle < quiet && d->sent_now == 0) {
            assert_int_equal(before.flit_hops, d->k->counts.flit_hops);
            assert_int_equal(before.delivered + before.lost, d->k->counts.delivered + d->k->counts.lost);
        }
        quiet = d->sent_now && before.cycle < quiet ? 0 : quiet;
        const uint64_t next = hf_kernel_heads_next(d->k);
        quiet = next > d->k->counts.cycle ? next : quiet;
        if (i == CYCLES / 2) {
            d->percent = below(d, 2) * d->percent / 8; /* it runs empty, or nearly */
        }
    }
}

typedef struct tally {
    uint64_t delivered, lost, refused, waiting;
} tally;

static void try_one(const char *topo, const char *rule, const char *universe, uint64_t seed, tally *sum) {
    static const hf_client client = {.begin = send_some, .idle = be_idle, .gone = take_gone};
    draw *d = calloc(1, sizeof *d);
    uint32_t component[4];
    hf_random_init(&d->random, seed, HF_PURPOSE_TEST, 0);
    draw_options(d);
    fixture_open(&d->fx, topo, universe, rule);
    const uint32_t m = d->fx.universe->n_component, f = below(d, m < 4 ? m : 4);
    hf_random_subset(&d->random, m, f, component);
    fixture_plan_set(&d->fx, component, f, &d->faults, &d->plan);
    d->plan.runs = seed % 3 ? d->plan.runs : NULL;
    fixture_ok(&d->fx, hf_kernel_new(d->fx.cx, &d->plan, &d->o, &d->k));
    d->twin = oracle_heads_new(&d->plan, &d->o);
    fixture_ok(&d->fx, hf_kernel_attach(d->k, &client, d));
    run(d, topo, seed);
    sum->delivered += d->k->counts.delivered;
    sum->lost += d->k->counts.lost;
    sum->refused += d->k->counts.refused;
    sum->waiting += hf_kernel_present(d->k);
    oracle_heads_free(d->twin);
    fixture_close(&d->fx);
    free(d);
}

static void same_fates(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"mesh:dims=3x4", "minimal", "links"},
        {"mesh:dims=4x4", "dor", "channels"},
        {"torus:dims=2x3,double=yes", "minimal", "links"},
        {"torus:dims=4x3", "minimal", "links+terminal-links"},
        {"ring:n=2", "minimal", "links"},
        {"ring:n=6,terminals=2", "dor:vcs=2,dateline=yes", "links"},
        {"hypercube:n=3", "minimal", "switches"},
        {"kary-tree:k=2,n=3", "minimal", "links"},
        {"kary-tree:k=2,n=3", "updown", "links"},
        {"xgft:h=3,m=1x4x2,w=1x1x1,p=1x2x4", "minimal", "links"},
        {"xgft:h=3,m=2x2x2,w=1x2x1,p=1x2x1", "minimal", "links"},
        {"multibutterfly:radix=2,stages=3", "multipath", "switches"},
        {"torus:dims=4x4", "duato", "links"},
        {"clos:tiers=2,radix=4,bundle=2", "ecmp:tables=stale", "links+terminal-links"}, /* failed channels are chosen */
        {"torus:dims=2x3,double=yes", "ecmp:tables=stale,vcs=2", "channels"},
        {"hyperx:dims=2x3", "ugal", "links"},
    };
    enum { SEEDS = 24 };
    tally sum = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            try_one(rows[i][0], rows[i][1], rows[i][2], seed, &sum);
        }
    }
    assert_true(sum.delivered > 40000 && sum.lost > 10000 && sum.refused > 1000 && sum.waiting > 400);
}

/** What there is none of is refused. */
static void bad_options(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_kernel *k;
    fixture_open(&fx, "ring:n=4", NULL, "minimal");
    fixture_plan(&fx, "", &set, &plan);
    hf_kernel_options o = hf_kernel_usual();
    o.contention = HF_CONTENTION_LOSE;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "no selection but first"));
    o.selection = HF_SELECT_FIRST;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    assert_string_equal(hf_kernel_switching_name(&o), "lose");
    const hf_reconfiguration_options usual = hf_reconfiguration_usual();
    assert_int_equal(hf_kernel_schedule(k, &(hf_kernel_fault){5, &set, &plan}, 1, &usual), HF_ENOTSUP);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_fates), cmocka_unit_test(bad_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
