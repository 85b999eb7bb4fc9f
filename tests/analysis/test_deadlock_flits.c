/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the verdicts mean for flits: deterministic relations against explicit search from the empty network. A deadlock comes
 *  about if packets may be held up for a moment. In lockstep some do not: an oblivious example. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/flits.h"
#include "tests/oracle/packets.h"
#include "tests/support/share.h"

enum { LIMIT = 100000, SMALL_LIMIT = 10000 };

static void decide(fixture *fx, const hf_plan *plan, hf_deadlock *out) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, out));
}

/* ---- the search that the program has, which leaves out what cannot matter ---- */

static hf_deadlock_answer lockstep(fixture *fx, const hf_plan *plan, bool same_step, hf_lockstep *out) {
    const hf_lockstep_options options = {.same_step = same_step, .state_limit = 1000000, .time_limit_s = 600};
    fixture_ok(fx, hf_lockstep_search(fx->cx, plan, &options, out));
    return out->answer;
}

static void compare_lockstep(fixture *fx, const char *name, const hf_plan *plan, uint64_t seed, size_t limit, uint32_t *count) {
    for (int same_step = 0; same_step < 2; same_step++) {
        size_t states;
        hf_lockstep l;
        const flits_answer slow = flits_search(plan, same_step ? FLITS_SAME_STEP : FLITS_NEXT_STEP, limit, &states);
        const hf_deadlock_answer fast = lockstep(fx, plan, same_step, &l);
        count[slow]++;
        if (slow != FLITS_TOO_MANY && fast != (slow == FLITS_FREE ? HF_DEADLOCK_FREE : HF_DEADLOCK_FOUND)) {
            print_error("%s, seed %llu, same_step %d: %s (%s), but the search of flits says otherwise after %zu states\n", name,
                        (unsigned long long)seed, same_step, hf_deadlock_answer_name(fast), l.reason ? l.reason : "", states);
            fail();
        }
    }
}

/* After L. Schwiebert, IEEE Transactions on Computers 50(9), 2001: a cycle that packets in lockstep cannot close. The rest of the
 * search is among the examples of docs/deadlock.md. */
static void four_messages(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock d;
    hf_lockstep l;
    fixture_open(&fx, "file:studies/examples/four-messages.anynet", NULL, "lua:studies/examples/four-messages.lua");
    fixture_plan(&fx, "", &none, &plan);
    decide(&fx, &plan, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    assert_true(d.is_connected);
    assert_int_equal(d.girth, 14);
    assert_int_equal(lockstep(&fx, &plan, false, &l), HF_DEADLOCK_FREE);
    assert_int_equal(l.n_state, 53940);
    fixture_close(&fx);
}

/* Two messages with ways of one length: the answer depends on when a channel can be taken. */
static void oblivious_cycle(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock d;
    size_t states;
    fixture_open(&fx, "file:studies/examples/oblivious-cycle.anynet", NULL, "lua:studies/examples/oblivious-cycle.lua");
    fixture_plan(&fx, "", &none, &plan);
    decide(&fx, &plan, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    assert_int_equal(d.method, HF_METHOD_FIXPOINT);
    assert_true(d.is_connected);
    assert_int_equal(d.girth, 4);
    assert_int_equal(flits_search(&plan, FLITS_NEXT_STEP, LIMIT, &states), FLITS_FREE);
    assert_int_equal(states, 29280);
    assert_int_equal(flits_search(&plan, FLITS_MAY_PAUSE, LIMIT, &states), FLITS_DEADLOCK);
    assert_int_equal(flits_search(&plan, FLITS_SAME_STEP, LIMIT, &states), FLITS_DEADLOCK);
    fixture_close(&fx);
}

/* Messages behind one shared channel: channels from there to the ring, and channels of the ring that each holds. */
typedef struct shape {
    uint32_t n, to_ring[4], on_ring[4];
    hf_deadlock_answer answer[2]; /* by same_step */
    bool is_small;                /* enough for the search of flits */
} shape;

/* Node 0, node 1 at the end of the shared channel, switches on the way to the ring, the ring. \return the first of the ring */
static uint32_t shape_ring(const shape *s, uint32_t *first_way) {
    uint32_t at = 2;
    for (uint32_t i = 0; i < s->n; i++) {
        first_way[i] = at;
        at += s->to_ring[i] - 1;
    }
    return at;
}

static uint32_t ring_size(const shape *s) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        n += s->on_ring[i];
    }
    return n;
}

/* Where message i leaves for its destination: one switch into the stretch of the next one. */
static uint32_t ring_exit(const shape *s, uint32_t i) {
    uint32_t at = 1;
    for (uint32_t k = 0; k <= i; k++) {
        at += s->on_ring[k];
    }
    return at % ring_size(s);
}

static void write_shape(const shape *s, FILE *file) {
    uint32_t first_way[4], ring = shape_ring(s, first_way), entry = 0;
    fprintf(file, "router 0 router 1");
    for (uint32_t i = 0; i < s->n; i++) {
        fprintf(file, " router %u", ring + ring_exit(s, i));
    }
    fprintf(file, "\n");
    for (uint32_t i = 0; i < s->n; entry += s->on_ring[i++]) {
        uint32_t at = 1;
        for (uint32_t k = 0; k + 1 < s->to_ring[i]; at = first_way[i] + k++) {
            fprintf(file, "router %u router %u\n", at, first_way[i] + k);
        }
        fprintf(file, "router %u router %u\nrouter %u node %u\n", at, ring + entry, ring + ring_exit(s, i), i);
    }
    for (uint32_t k = 0; k < ring_size(s); k++) {
        fprintf(file, "router %u router %u\n", ring + k, ring + (k + 1) % ring_size(s));
    }
}

/* The way to destination `d` from node `from`, added hop by hop. */
static void add_way(packets_relation *relation, const shape *s, uint32_t source, uint32_t d) {
    const uint32_t n_switch = relation->topo->n_switch;
    uint32_t first_way[4], ring = shape_ring(s, first_way), entry = 0, way[40], n = 0;
    for (uint32_t k = 0; k < d; k++) {
        entry += s->on_ring[k];
    }
    way[n++] = n_switch + source;
    way[n++] = ring + ring_exit(s, source);
    way[n++] = 0;
    way[n++] = 1;
    for (uint32_t k = 0; k + 1 < s->to_ring[d]; k++) {
        way[n++] = first_way[d] + k;
    }
    for (uint32_t k = 0; k <= s->on_ring[d] + 1; k++) {
        way[n++] = ring + (entry + k) % ring_size(s);
    }
    way[n++] = n_switch + d;
    for (uint32_t k = 1; k + 1 < n; k++) {
        packets_relation_add(relation, d, way[k - 1], way[k], way[k + 1]);
    }
}

static void check_shape(const shape *s, uint64_t row) {
    char path[] = "/tmp/holdfast-shape-XXXXXX", spec[64];
    uint32_t count[3] = {0};
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fixture fx;
    packets_relation relation;
    hf_fault_set none;
    assert_non_null(file);
    write_shape(s, file);
    fclose(file);
    snprintf(spec, sizeof spec, "file:%s,format=anynet", path);
    fixture_open(&fx, spec, NULL, NULL);
    unlink(path);
    packets_relation_empty(fx.topo, 1, &relation);
    for (uint32_t a = 0; a < s->n; a++) {
        for (uint32_t d = 0; d < s->n; d++) {
            if (a != d) {
                add_way(&relation, s, a, d);
            }
        }
    }
    fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
    const hf_plan plan = packets_plan(&relation, &none);
    hf_deadlock d;
    decide(&fx, &plan, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    assert_true(d.is_connected);
    for (int same_step = 0; same_step < 2; same_step++) {
        hf_lockstep l;
        if (lockstep(&fx, &plan, same_step, &l) != s->answer[same_step]) {
            print_error("row %u, same_step %d: %s after %zu states\n", (unsigned)row, same_step,
                        hf_deadlock_answer_name(l.answer), (size_t)l.n_state);
            fail();
        }
    }
    if (s->is_small) {
        compare_lockstep(&fx, "shape", &plan, row, 4 * LIMIT, count);
        assert_int_equal(count[FLITS_TOO_MANY], 0);
    }
    packets_relation_free(&relation);
    fixture_close(&fx);
}

/* Two messages behind a shared channel never keep each other out for sure; four may, if their ways differ in length. */
static void shared_channels(void **state) {
    (void)state;
    const hf_deadlock_answer no = HF_DEADLOCK_FREE, yes = HF_DEADLOCK_FOUND;
    const shape row[] = {
        {2, {1, 1}, {2, 2}, {no, yes}, true},
        {2, {1, 2}, {2, 2}, {yes, yes}, true},
        {2, {2, 2}, {1, 1}, {yes, yes}, true},
        {2, {1, 1}, {3, 2}, {no, yes}, true},
        {3, {1, 1, 1}, {1, 2, 1}, {no, yes}, false},
        {3, {1, 2, 1}, {2, 2, 2}, {no, yes}, false},
        {4, {1, 1, 1, 1}, {2, 2, 2, 2}, {no, yes}, false},
        {4, {1, 2, 1, 2}, {2, 2, 2, 2}, {no, yes}, false},
        {4, {1, 2, 1, 2}, {2, 3, 2, 3}, {no, no}, false},
        {4, {1, 2, 1, 2}, {3, 2, 3, 2}, {no, yes}, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        check_shape(&row[i], i);
    }
}

static void known_rings(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        flits_answer answer;
    } row[] = {{"ring:n=3", FLITS_FREE}, {"ring:n=4", FLITS_DEADLOCK}, {"mesh:dims=3", FLITS_FREE}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (flits_timing timing = FLITS_NEXT_STEP; timing <= FLITS_MAY_PAUSE; timing++) {
            fixture fx;
            hf_fault_set none;
            hf_plan plan;
            size_t states;
            fixture_open(&fx, row[i].topo, NULL, "dor:ties=plus");
            fixture_plan(&fx, "", &none, &plan);
            const flits_answer answer = flits_search(&plan, timing, LIMIT, &states);
            if (answer != row[i].answer && !(row[i].answer == FLITS_FREE && answer == FLITS_TOO_MANY)) {
                print_error("%s, timing %d: answer %d after %zu states\n", row[i].topo, (int)timing, answer, states);
                fail();
            }
            fixture_close(&fx);
        }
    }
}

static void compare(fixture *fx, const char *topo, uint64_t seed, uint32_t *count, uint32_t *lockstep_count) {
    packets_relation relation;
    hf_fault_set none;
    hf_deadlock d;
    size_t states;
    packets_relation_make(fx->topo, 1, seed, 1, false, &relation);
    fixture_ok(fx, hf_no_faults(fx->cx, fx->topo, &none));
    const hf_plan plan = packets_plan(&relation, &none);
    decide(fx, &plan, &d);
    const flits_answer answer = d.is_connected ? flits_search(&plan, FLITS_MAY_PAUSE, SMALL_LIMIT, &states) : FLITS_TOO_MANY;
    const flits_answer right = d.answer == HF_DEADLOCK_FOUND ? FLITS_DEADLOCK : FLITS_FREE;
    if (answer != FLITS_TOO_MANY && answer != right) {
        print_error("%s, seed %llu: %s, but the search of flits says otherwise after %zu states\n", topo,
                    (unsigned long long)seed, hf_deadlock_answer_name(d.answer), states);
        fail();
    }
    count[answer]++;
    if (d.is_connected) {
        compare_lockstep(fx, topo, &plan, seed, SMALL_LIMIT, lockstep_count);
    }
    packets_relation_free(&relation);
}

/* One hop in each place: what is called a deadlock comes about from the empty network, and nothing else does. */
static void verdicts_are_reached(void **state) {
    (void)state;
    static const char *const topos[] = {"mesh:dims=2", "mesh:dims=3", "ring:n=3"};
    uint32_t count[3] = {0}, lockstep_count[3] = {0};
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        fixture fx;
        fixture_open(&fx, topos[i], NULL, NULL);
        for (uint64_t seed = 1; seed <= 400; seed += share_step()) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            compare(&fx, topos[i], seed, count, lockstep_count);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u free, %u deadlock, %u not compared\n", count[FLITS_FREE], count[FLITS_DEADLOCK], count[FLITS_TOO_MANY]);
    print_message("in lockstep: %u free, %u deadlock, %u not compared\n", lockstep_count[FLITS_FREE],
                  lockstep_count[FLITS_DEADLOCK], lockstep_count[FLITS_TOO_MANY]);
    assert_true(count[FLITS_DEADLOCK] > 0 && count[FLITS_FREE] > 0);
    assert_true(lockstep_count[FLITS_DEADLOCK] > 0 && lockstep_count[FLITS_FREE] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_messages), cmocka_unit_test(oblivious_cycle),      cmocka_unit_test(shared_channels),
        cmocka_unit_test(known_rings),   cmocka_unit_test(verdicts_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
