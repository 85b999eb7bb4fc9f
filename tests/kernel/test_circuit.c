/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks without buffers, where blocked packets are dropped or circuits refused: books, fairness of nothing held for ever,
 *  what two packets that meet do, and the limits that a source with few packets on their way cannot pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"
#include "tests/support/kernel_books.h"

typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set faults;
    hf_plan plan;
    hf_kernel *k;
} run;

static hf_kernel_options options_of(hf_contention contention) {
    hf_kernel_options o = hf_kernel_usual();
    o.contention = contention;
    return o;
}

static void open_run(run *r, const char *topo, const char *rule, const char *faults, const hf_kernel_options *o) {
    fixture_open(&r->fx, topo, NULL, rule);
    fixture_plan(&r->fx, faults, &r->faults, &r->plan);
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, o, &r->k));
    r->traffic = NULL;
}

static void offer(run *r, const char *pattern, double load) {
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, pattern, &r->traffic));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, load, 5));
}

static void close_run(run *r) {
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

/* Rules that would deadlock with buffers go on for ever here; packets neither vanish nor double. */
static void goes_on(void **state) {
    (void)state;
    static const char *const networks[][3] = {{"torus:dims=4x4", "dor", ""},
                                              {"ring:n=8", "minimal", ""},
                                              {"kary-tree:k=4,n=2", "updown", "s0:4-s4:0"},
                                              {"multibutterfly:radix=2,stages=3", "multipath", ""}};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        for (int contention = HF_CONTENTION_DROP; contention <= HF_CONTENTION_CIRCUIT; contention++) {
            hf_kernel_options o = options_of((hf_contention)contention);
            o.outstanding = 3;
            o.backoff = (hf_backoff)(i % 4);
            run r;
            uint64_t delivered = 0;
            open_run(&r, networks[i][0], networks[i][1], networks[i][2], &o);
            offer(&r, "uniform", 3);
            for (int step = 0; step < 20; step++) {
                bool is_whole;
                fixture_ok(&r.fx, hf_kernel_run(r.k, 1000));
                fixture_ok(&r.fx, kernel_is_whole(r.k, &is_whole));
                assert_true(is_whole);
                assert_true(hf_kernel_read(r.k)->delivered > delivered);
                delivered = hf_kernel_read(r.k)->delivered;
            }
            assert_true(hf_kernel_read(r.k)->retries > 0);
            assert_int_equal(hf_kernel_read(r.k)->lost, 0);
            close_run(&r);
        }
    }
}

/* Cycles until both packets are there. */
static uint64_t drain(run *r) {
    while (hf_kernel_present(r->k) > 0) {
        fixture_ok(&r->fx, hf_kernel_run(r->k, 1));
        assert_true(hf_kernel_read(r->k)->cycle < 10000);
    }
    return hf_kernel_read(r->k)->cycle;
}

/* Terminals 0 and 1 send to 3 over a line of four switches in the same cycle: t0's header comes to s1 after t1's has left it. */
static void two_meet(void **state) {
    (void)state;
    for (int contention = HF_CONTENTION_DROP; contention <= HF_CONTENTION_CIRCUIT; contention++) {
        const hf_kernel_options o = options_of((hf_contention)contention);
        run r;
        open_run(&r, "mesh:dims=4", "dor", "", &o);
        fixture_ok(&r.fx, hf_kernel_send(r.k, 0, 3));
        fixture_ok(&r.fx, hf_kernel_send(r.k, 1, 3));
        (void)drain(&r);
        const hf_kernel_counts *n = hf_kernel_read(r.k);
        assert_int_equal(n->delivered, 2);
        /* t0's leaves s0 in cycle 2 and asks at s1 in cycle 5; t1's left s1 in cycle 2: its 4 flits pass until cycle 6, or its
         * circuit stands until much later. So t0's is blocked at least once. */
        assert_true(n->retries >= 1);
        close_run(&r);
    }
}

/* One packet on its way a terminal: at most one in its zero-load time, which a neighbour's is exactly. */
static void outstanding(void **state) {
    (void)state;
    const hf_kernel_options o = options_of(HF_CONTENTION_DROP);
    run r;
    open_run(&r, "ring:n=8", "dor", "", &o);
    offer(&r, "neighbour", 4);
    fixture_ok(&r.fx, hf_kernel_run(r.k, 10001));
    const hf_kernel_counts *n = hf_kernel_read(r.k);
    /* two switches: 2 ways of terminals, 1 link, 2 routings, 2 crossbars, 3 flits behind the header: 10 cycles */
    assert_int_equal(n->retries, 0);
    assert_true(n->delivered <= 8 * 1000 && n->delivered >= 8 * 990);
    close_run(&r);
}

static void same_bytes(void **state) {
    (void)state;
    hf_kernel_counts counts[2];
    for (int i = 0; i < 2; i++) {
        hf_kernel_options o = options_of(HF_CONTENTION_CIRCUIT);
        o.outstanding = 4;
        run r;
        open_run(&r, "kary-tree:k=4,n=2", "updown", "", &o);
        offer(&r, "uniform", 0.5);
        for (int step = 0; step < 5000; step += i ? 1000 : 1) {
            fixture_ok(&r.fx, hf_kernel_run(r.k, i ? 1000 : 1));
        }
        counts[i] = *hf_kernel_read(r.k);
        close_run(&r);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

static void refusals(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_kernel_options o = options_of(HF_CONTENTION_DROP);
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, "updown");
    fixture_plan(&fx, "", &none, &plan);
    o.outstanding = 0;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.outstanding = 1;
    o.reorder = 20;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.reorder = 0;
    o.selection = HF_SELECT_SADP;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    o.selection = HF_SELECT_UNBLOCKED; /* the rule of a tree knows no directions */
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_ENOTSUP);
    o.selection = HF_SELECT_FIRST;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    o.forward_after = 1;
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    const hf_kernel_fault event = {5, &none, &plan};
    const hf_reconfiguration_options r = hf_reconfiguration_usual();
    assert_int_equal(hf_kernel_schedule(k, &event, 1, &r), HF_ENOTSUP);
    o.contention = HF_CONTENTION_WAIT;
    assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), HF_EINVAL);
    fixture_close(&fx);
}

/* ---- faults at given cycles ---- */

enum { LINE = 5, LENGTH = 6, NO_SWAP = 1000000 };

typedef struct outcome {
    uint64_t delivered, lost, refused, retries, hit;
} outcome;

/* One packet over a line of five switches, whose third link fails in cycle `fault`; the tables do not change for long. */
static outcome send_over(hf_contention contention, uint64_t fault, uint32_t swap) {
    fixture fx;
    hf_fault_set none, broken;
    hf_plan start, after;
    hf_kernel *k;
    hf_kernel_reconfiguration repair;
    hf_kernel_options o = options_of(contention);
    hf_reconfiguration_options r = hf_reconfiguration_usual();
    o.packet_length = LENGTH;
    o.routing_delay = 2;
    o.link_delay = 3;
    r.swap_cycles = swap;
    fixture_open(&fx, "mesh:dims=5", NULL, "updown-graph");
    fixture_plan(&fx, "", &none, &start);
    fixture_plan(&fx, "s2:0-s3:1", &broken, &after);
    const hf_kernel_fault event = {fault, &broken, &after};
    fixture_ok(&fx, hf_kernel_new(fx.cx, &start, &o, &k));
    fixture_ok(&fx, hf_kernel_schedule(k, &event, 1, &r));
    fixture_ok(&fx, hf_kernel_send(k, 0, LINE - 1));
    for (int i = 0; i < 4000 && hf_kernel_present(k) > 0; i++) {
        fixture_ok(&fx, hf_kernel_run(k, 1));
    }
    fixture_ok(&fx, hf_kernel_run(k, 200));
    hf_kernel_reconfigurations(k, &repair);
    const hf_kernel_counts *n = hf_kernel_read(k);
    const outcome out = {n->delivered, n->lost, n->refused, n->retries, repair.hit};
    fixture_close(&fx);
    return out;
}

/* By hand: the header leaves the source in cycle 0 and is at s0 one later; a switch takes 2 cycles to route and 1 + 3 to the next
 * switch, so it leaves s2 in cycle 3 + 6 + 6 = 15, is at s3 in cycle 19, its tail there 5 later. It is at its destination in
 * cycle 27 + 2 = 29. The answer of a circuit goes back without routing; it has passed the third link 2 + 4 + 4 later and is at
 * the source after 4 + 4 + 1 more; the tail of the data is at s3 after 1 + 3 x 4 + 5. */
static void a_fault_on_the_way(void **state) {
    (void)state;
    enum { LEAVES = 15, TAIL_AT = 19 + LENGTH - 1, PASSED = 29 + 2 + 4 + 4, DATA_AT = PASSED + 9 + 13 + LENGTH - 1 };
    for (uint64_t fault = 1; fault < 100; fault++) {
        const outcome d = send_over(HF_CONTENTION_DROP, fault, NO_SWAP), c = send_over(HF_CONTENTION_CIRCUIT, fault, NO_SWAP);
        const bool drop_cut = fault > LEAVES && fault < TAIL_AT, data_cut = fault >= PASSED && fault < DATA_AT;
        assert_int_equal(d.hit, drop_cut);
        assert_int_equal(d.lost, drop_cut);
        assert_int_equal(d.delivered, fault >= TAIL_AT);
        assert_true((d.retries > 0) == (fault <= LEAVES)); /* again and again: there is no other way */
        assert_int_equal(c.hit, data_cut);
        assert_int_equal(c.lost, data_cut);
        assert_int_equal(c.delivered, fault >= DATA_AT);
        assert_true((c.retries > 0) == (fault < PASSED));
    }
    /* Once the tables say that there is no way the source lets it go. */
    const outcome d = send_over(HF_CONTENTION_DROP, 5, 300), c = send_over(HF_CONTENTION_CIRCUIT, 20, 300);
    assert_true(d.refused == 1 && d.retries > 0 && c.refused == 1 && c.retries > 0);
}

/* Under load: books, tables and what is lost afterwards. */
static void faults(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *universe;
    } rows[] = {{"kary-tree:k=4,n=2", "ft2ei", "links"},
                {"kary-tree:k=3,n=3", "ft2ei:intervals=2", "channels"},
                {"mesh:dims=4x4", "updown-graph", "links+switches"},
                {"torus:dims=4x4", "immunet", "links"},
                {"multibutterfly:radix=2,stages=3", "multipath", "switches:stage=1"}};
    enum { FAULTS = 3, EVERY = 1500 };
    uint64_t hit = 0;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const hf_contention contention = i % 2 ? HF_CONTENTION_CIRCUIT : HF_CONTENTION_DROP;
        for (uint64_t seed = 1; seed <= 4; seed++) {
            run r;
            hf_random random;
            uint32_t component[FAULTS];
            hf_fault_set set[FAULTS];
            hf_plan plan[FAULTS];
            hf_kernel_fault fault[FAULTS];
            hf_kernel_reconfiguration repair[FAULTS];
            hf_kernel_options o = options_of(contention);
            hf_reconfiguration_options costs = hf_reconfiguration_usual();
            o.outstanding = 2;
            costs.swap_cycles = 200;
            costs.hop_cycles = 10;
            costs.control = (hf_control)(seed % 3);
            costs.has_emergency_paths = seed > 2;
            open_run(&r, rows[i / 2].topo, rows[i / 2].rule, "", &o);
            fixture_ok(&r.fx, hf_universe_new(r.fx.cx, r.fx.topo, rows[i / 2].universe, NULL, &r.fx.universe));
            hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
            hf_random_subset(&random, r.fx.universe->n_component, FAULTS, component);
            for (uint32_t f = 0; f < FAULTS; f++) {
                fixture_plan_set(&r.fx, component, f + 1, &set[f], &plan[f]);
                fault[f] = (hf_kernel_fault){1000 + EVERY * (uint64_t)f, &set[f], &plan[f]};
            }
            offer(&r, "uniform", 1);
            fixture_ok(&r.fx, hf_kernel_schedule(r.k, fault, FAULTS, &costs));
            uint64_t delivered = 0;
            for (int step = 0; step < 14; step++) {
                bool is_whole;
                fixture_ok(&r.fx, hf_kernel_run(r.k, 500));
                fixture_ok(&r.fx, kernel_is_whole(r.k, &is_whole));
                assert_true(is_whole && hf_kernel_read(r.k)->delivered > delivered);
                delivered = hf_kernel_read(r.k)->delivered;
            }
            hf_kernel_reconfigurations(r.k, repair);
            for (uint32_t f = 0; f < FAULTS; f++) {
                if (!repair[f].is_finished || repair[f].lost_late > 0) {
                    fail_msg("%s, %s, %s, seed %u, fault %u: %s, %u lost late", rows[i / 2].topo, rows[i / 2].rule,
                             hf_kernel_switching_name(&o), (unsigned)seed, f, repair[f].is_finished ? "finished" : "not finished",
                             (unsigned)repair[f].lost_late);
                }
                hit += repair[f].hit;
            }
            close_run(&r);
        }
    }
    assert_true(hit > 20);
}

/* Under full load; the fault of cycle 800 is scheduled in cycle `when`, with headers waiting at their sources. */
static hf_kernel_counts run_scheduled(const char *topo, const char *rule, const char *failed, uint32_t outstanding,
                                      hf_contention contention, uint64_t when) {
    run r;
    hf_fault_set set;
    hf_plan after;
    hf_kernel_options o = options_of(contention);
    hf_reconfiguration_options costs = hf_reconfiguration_usual();
    o.outstanding = outstanding;
    o.packet_length = 1;
    costs.swap_cycles = 0;
    costs.detection_cycles = 0;
    open_run(&r, topo, rule, "", &o);
    fixture_plan(&r.fx, failed, &set, &after);
    const hf_kernel_fault fault = {800, &set, &after};
    offer(&r, "uniform", 1);
    fixture_ok(&r.fx, hf_kernel_run(r.k, when));
    fixture_ok(&r.fx, hf_kernel_schedule(r.k, &fault, 1, &costs));
    fixture_ok(&r.fx, hf_kernel_run(r.k, 2000 - when));
    const hf_kernel_counts counts = *hf_kernel_read(r.k);
    close_run(&r);
    return counts;
}

/* When a fault is scheduled does not matter, only when it comes, but for packets that are nearly there when it is scheduled. */
static void scheduled_late(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *failed;
    } rows[] = {{"torus:dims=4x4", "adaptive-bubble", "s0"},
                {"torus:dims=4x4", "adaptive-bubble", "s5,s6,s10"},
                {"mesh:dims=3x3", "solid-fault-adaptive", "s4"},
                {"torus:dims=4x4", "immunet", "s1,s2"},
                {"multibutterfly:radix=2,stages=3", "multipath", "s4,s6"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (hf_contention c = HF_CONTENTION_DROP; c <= HF_CONTENTION_CIRCUIT; c++) {
            for (uint32_t n = 1; n <= 16; n *= 4) {
                const hf_kernel_counts early = run_scheduled(rows[i].topo, rows[i].rule, rows[i].failed, n, c, 0),
                                       late = run_scheduled(rows[i].topo, rows[i].rule, rows[i].failed, n, c, 770);
                if (memcmp(&early, &late, sizeof early) != 0) {
                    fail_msg("%s, %s, %s, %s, %u outstanding: %u delivered, late %u", rows[i].topo, rows[i].rule, rows[i].failed,
                             c == HF_CONTENTION_DROP ? "drop" : "circuit", n, (unsigned)early.delivered,
                             (unsigned)late.delivered);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on),    cmocka_unit_test(two_meet),       cmocka_unit_test(outstanding),
        cmocka_unit_test(same_bytes), cmocka_unit_test(refusals),       cmocka_unit_test(a_fault_on_the_way),
        cmocka_unit_test(faults),     cmocka_unit_test(scheduled_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
