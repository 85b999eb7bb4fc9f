/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every listed routing on small instances of every listed topology that it accepts, under every switching mode: where `verify`
 *  says that no deadlock is possible, three times the load that saturates the terminals does not stop the network; where it shows
 *  a deadlock, its packets, put in place, cannot move. HOLDFAST_CYCLES says for how many cycles a free relation is run; a
 *  million takes about an hour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { CYCLES = 2000, WINDOW = 500 };

typedef struct seen {
    uint64_t cycles;
    uint32_t free, replayed, skipped;
} seen;

static hf_kernel_options options_for(hf_switching switching) {
    hf_kernel_options o = hf_kernel_usual();
    o.switching = switching;
    o.buffer = o.packet_length;
    if (switching == HF_SWITCHING_WORMHOLE) { /* worms over several channels */
        o.packet_length = 16;
    }
    return o;
}

static void expect_no_stop(fixture *fx, const hf_plan *plan, const hf_kernel_options *o, uint64_t cycles) {
    hf_kernel *k;
    hf_traffic *traffic;
    hf_blocked *blocked;
    uint32_t count = 0;
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, "uniform", &traffic));
    fixture_ok(fx, hf_kernel_new(fx->cx, plan, o, &k));
    fixture_ok(fx, hf_kernel_offer(k, traffic, 3, 1));
    for (uint64_t done = 0; done < cycles && count == 0; done += WINDOW) {
        fixture_ok(fx, hf_kernel_run(k, WINDOW));
        fixture_ok(fx, hf_kernel_deadlock(k, &blocked, &count));
    }
    if (count > 0) {
        fail_msg("%s, %s, %s: proved free of deadlock, but %u packets wait for each other", fx->topo->spec, fx->rule.spec,
                 hf_switching_name(o->switching), count);
    }
    hf_traffic_free(traffic);
}

/* Without output queues, and with. */
static void expect_no_move(fixture *fx, const hf_plan *plan, const hf_kernel_options *usual, const hf_deadlock *answer) {
    for (uint32_t room = 0; room < 2; room++) {
        hf_kernel_options o = *usual;
        hf_kernel *k;
        o.output_queue = room * (o.packet_length + 1);
        o.speedup = room + 1;
        fixture_ok(fx, hf_kernel_new(fx->cx, plan, &o, &k));
        fixture_ok(fx, hf_kernel_place(k, answer->blocked, answer->n_blocked));
        fixture_ok(fx, hf_kernel_run(k, WINDOW));
        if (hf_kernel_read(k)->flit_hops > 0) {
            fail_msg("%s, %s, %s, output queues of %u flits: the packets of the deadlock move", fx->topo->spec, fx->rule.spec,
                     hf_switching_name(o.switching), o.output_queue);
        }
    }
}

static void check(fixture *fx, hf_switching switching, seen *s) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock answer;
    const hf_kernel_options o = options_for(switching);
    const hf_deadlock_options how = {.switching = switching, .want_witness = true, .threads = 1, .time_limit_s = 5};
    fixture_plan(fx, "", &none, &plan);
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &how, &answer));
    if (answer.answer == HF_DEADLOCK_FREE) {
        expect_no_stop(fx, &plan, &o, s->cycles);
        s->free++;
    } else if (answer.answer == HF_DEADLOCK_FOUND) {
        expect_no_move(fx, &plan, &o, &answer);
        s->replayed++;
    } else {
        s->skipped++;
    }
    hf_scratch_reset(fx->cx, mark);
}

static void check_rule(fixture *fx, const char *rule, seen *s) {
    if (hf_rule_init(fx->cx, rule, fx->topo, &fx->rule) != HF_OK) {
        return;
    }
    for (int switching = HF_SWITCHING_WORMHOLE; switching <= HF_SWITCHING_SAF; switching++) {
        check(fx, (hf_switching)switching, s);
    }
    hf_rule_free(&fx->rule);
}

static void verdicts(void **state) {
    (void)state;
    const char *cycles = getenv("HOLDFAST_CYCLES");
    seen s = {.cycles = cycles ? strtoull(cycles, NULL, 10) : CYCLES};
    for (size_t t = 0; t < N_TOPOLOGY_SPEC; t++) {
        fixture fx = {0};
        fixture_open(&fx, topology_specs[t], NULL, NULL);
        for (size_t r = t % share_step(); r < hf_routing_count() && fx.topo->n_terminal > 1; r += share_step()) {
            check_rule(&fx, hf_routing_at(r)->name, &s);
        }
        for (size_t r = t % share_step(); r < N_RULE_SPEC && fx.topo->n_terminal > 1; r += share_step()) {
            check_rule(&fx, rule_specs[r], &s);
        }
        fixture_close(&fx);
    }
    print_message("%u free, %u replayed, %u unknown\n", s.free, s.replayed, s.skipped);
    assert_true(s.free > 300 / share_step() && s.replayed > 30 / share_step() && s.skipped < s.free / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
