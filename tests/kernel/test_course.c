/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Work with an end through faults: a trace is the run of its load, fault by fault; what is lost is sent again; the series adds
 * up to the run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>
#include <holdfast/protocol.h>

#include "tests/oracle/fixture.h"

enum { FAULTS = 3, CYCLES = 6000, LENGTH = 4 };

typedef struct network {
    const char *topo, *rule, *universe;
    hf_switching switching;
    bool bubble;
} network;
static const network networks[] = {
    {"kary-tree:k=4,n=2", "ft2ei", "links", HF_SWITCHING_WORMHOLE, false},
    {"torus:dims=4x4", "immunet", "links", HF_SWITCHING_VCT, true},
    {"mesh:dims=4x4", "updown-graph", "links", HF_SWITCHING_SAF, false},
    {"mesh:dims=4x4", "updown-graph", "switches", HF_SWITCHING_WORMHOLE, false},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

typedef struct course {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set none, set[FAULTS];
    hf_plan start, plan[FAULTS];
    hf_kernel_fault fault[FAULTS];
    hf_play play;
    hf_messages trace;
} course;

/* Faults at random cycles of the first two thirds. */
static void open_course(course *c, const network *n, double load, uint64_t seed) {
    uint32_t component[FAULTS];
    hf_random random;
    fixture_open(&c->fx, n->topo, n->universe, n->rule);
    fixture_plan_set(&c->fx, NULL, 0, &c->none, &c->start);
    fixture_ok(&c->fx, hf_traffic_new(c->fx.cx, c->fx.topo, "uniform", &c->traffic));
    c->play = (hf_play){.plan = &c->start, .kernel = hf_kernel_usual(), .fault = c->fault, .n_fault = FAULTS};
    c->play.kernel.switching = n->switching;
    c->play.kernel.bubble = n->bubble;
    c->play.options = hf_reconfiguration_usual();
    c->play.options.swap_cycles = 200;
    c->play.options.hop_cycles = 20;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 1);
    hf_random_subset(&random, c->fx.universe->n_component, FAULTS, component);
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < FAULTS; i++) {
        cycle += 1 + hf_random_below(&random, CYCLES * 2 / 3 / FAULTS);
        fixture_plan_set(&c->fx, component, i + 1, &c->set[i], &c->plan[i]);
        c->fault[i] = (hf_kernel_fault){cycle, &c->set[i], &c->plan[i]};
    }
    const hf_generation g = {.plan = &c->start,
                             .traffic = c->traffic,
                             .load = load,
                             .packet_length = LENGTH,
                             .message_flits = LENGTH,
                             .seed = seed,
                             .cycles = CYCLES};
    fixture_ok(&c->fx, hf_messages_generate(c->fx.cx, &g, &c->trace));
}

static void close_course(course *c) {
    hf_messages_free(&c->trace);
    hf_traffic_free(c->traffic);
    fixture_close(&c->fx);
}

/* The twin is the load itself: the same packets are lost, by the same faults. Where a switch fails the pattern goes on sending to
 * its terminal, and the trace does not. */
static void a_trace_is_its_load(void **state) {
    (void)state;
    uint64_t hit = 0;
    for (size_t i = 0; i < NETWORKS - 1; i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            course c;
            hf_play_result r;
            hf_kernel *k;
            hf_kernel_reconfiguration was[FAULTS];
            open_course(&c, &networks[i], seed % 2 ? 0.1 : 0.9, seed);
            c.play.cycle_limit = CYCLES;
            fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &r));
            fixture_ok(&c.fx, hf_kernel_new(c.fx.cx, &c.start, &c.play.kernel, &k));
            fixture_ok(&c.fx, hf_kernel_offer(k, c.traffic, seed % 2 ? 0.1 : 0.9, seed));
            fixture_ok(&c.fx, hf_kernel_schedule(k, c.fault, FAULTS, &c.play.options));
            fixture_ok(&c.fx, hf_kernel_run(k, CYCLES));
            hf_kernel_reconfigurations(k, was);
            const hf_kernel_counts *n = hf_kernel_read(k);
            if (r.delivered != n->delivered || r.lost != n->lost + n->refused || r.flit_hops != n->flit_hops ||
                memcmp(r.histogram, n->histogram, sizeof r.histogram) != 0) {
                fail_msg("%s, seed %u: the trace has %u delivered, %u lost; the load %u, %u", networks[i].topo, (unsigned)seed,
                         (unsigned)r.delivered, (unsigned)r.lost, (unsigned)n->delivered, (unsigned)(n->lost + n->refused));
            }
            for (uint32_t f = 0; f < FAULTS; f++) {
                hit += was[f].hit;
                assert_int_equal(r.reconfiguration[f].hit, was[f].hit);
                assert_int_equal(r.reconfiguration[f].finished, was[f].finished);
                assert_int_equal(r.reconfiguration[f].messages, was[f].messages);
            }
            close_course(&c);
        }
    }
    assert_true(hit > 20);
}

/* Sent again, all that has terminals arrives, in messages of several packets too. */
static void what_is_lost_is_sent_again(void **state) {
    (void)state;
    uint64_t lost = 0, resent = 0;
    for (size_t i = 0; i < NETWORKS; i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            course c;
            hf_play_result r;
            open_course(&c, &networks[i], 0.15, seed);
            for (size_t m = 0; m < c.trace.n; m++) {
                c.trace.item[m].flits = 1 + (uint32_t)(m * 7 % 11);
            }
            fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &r));
            assert_true(r.is_complete && r.messages == c.trace.n && r.delivered + r.lost == r.messages && r.resent == 0);
            lost += r.lost;
            c.play.resend = 30;
            fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &r));
            const bool is_cut_off = strcmp(networks[i].universe, "switches") == 0;
            if (!r.is_complete || r.delivered + r.lost != c.trace.n || (r.lost > 0 && !is_cut_off)) {
                fail_msg("%s, seed %u: %u of %u delivered, %u lost", networks[i].topo, (unsigned)seed, (unsigned)r.delivered,
                         (unsigned)c.trace.n, (unsigned)r.lost);
            }
            resent += r.resent;
            close_course(&c);
        }
    }
    assert_true(lost > 50 && resent > 50);
}

/* Windows follow each other to the end; packets, flits and latencies add up to those of the run; what comes after a long pause
 * stands in its window. */
static void the_series_adds_up(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        course c;
        hf_play_result r;
        open_course(&c, &networks[seed % 2], 0.2, seed);
        c.play.window = 100 * seed + 7;
        c.play.resend = 10;
        c.trace.item[c.trace.n - 1].cycle = 50000;
        fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &r));
        double flits = 0, latency = 0, hops = 0;
        uint64_t packets = 0, last = 0, lost = 0;
        for (size_t i = 0; i < r.n_window; i++) {
            const hf_kernel_window *w = &r.window[i];
            flits += w->accepted * (double)(w->cycle - last) * c.fx.topo->n_terminal;
            latency += w->packets ? w->latency * (double)w->packets : 0;
            hops += w->packets ? w->hops * w->accepted * (double)(w->cycle - last) * c.fx.topo->n_terminal : 0;
            packets += w->packets;
            lost += w->lost + w->refused;
            assert_true(w->cycle - last == c.play.window || (i + 1 == r.n_window && w->cycle - last < c.play.window));
            assert_true(w->cycle < CYCLES * 2 || w->cycle > 50000 || w->packets == 0);
            last = w->cycle;
        }
        assert_true(r.window[r.n_window - 1].packets == 1 && last >= r.cycles);
        assert_int_equal(packets, r.packets);
        assert_int_equal(lost, r.resent);
        assert_true(fabs(hops - (double)r.flit_hops) < 1e-3);
        assert_true(fabs(flits - (double)r.flits) < 1e-3);
        assert_true(fabs(latency - r.latency * (double)r.delivered) < 1e-3);
        close_course(&c);
    }
}

/* Faults that come with packets are those of the cycles at which so many had arrived. */
static void faults_come_with_packets(void **state) {
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            course c;
            hf_play_result a, b;
            open_course(&c, &networks[i], 0.15, seed);
            for (uint32_t f = 0; f < FAULTS; f++) {
                c.fault[f].cycle = 100 * seed + 200 * (uint64_t)f;
            }
            c.play.resend = 30;
            c.play.options.by_packets = true;
            fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &a));
            c.play.options.by_packets = false;
            for (uint32_t f = 0; f < FAULTS; f++) {
                hf_play_result until;
                c.fault[f].cycle = a.reconfiguration[f].cycle;
                c.play.n_fault = f;
                c.play.cycle_limit = c.fault[f].cycle + 1; /* what comes in this cycle comes before its faults */
                fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &until));
                assert_true(until.packets >= 100 * seed + 200 * f);
                c.play.cycle_limit--;
                fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &until));
                assert_true(until.packets < 100 * seed + 200 * f);
            }
            c.play.n_fault = FAULTS;
            c.play.cycle_limit = 0;
            fixture_ok(&c.fx, hf_play_messages(c.fx.cx, &c.play, &c.trace, &b));
            assert_true(a.cycles == b.cycles && a.flit_hops == b.flit_hops && a.resent == b.resent && a.latency == b.latency);
            assert_memory_equal(a.histogram, b.histogram, sizeof a.histogram);
            close_course(&c);
        }
    }
}

/* ---- applications ---- */

static void write_down(fixture *fx, const char *text, uint32_t n, hf_program *out) {
    hf_application a;
    fixture_ok(fx, hf_application_parse(fx->cx, text, &a));
    fixture_ok(fx, hf_application_program(fx->cx, &a, n, 1, out));
}

/* Messages of so many flits that cross the network. */
static uint64_t count(const hf_program *t, uint32_t flits) {
    uint64_t n = 0;
    for (uint32_t b = 0; b < t->n_block; b++) {
        for (uint32_t m = t->blocks[b].first; m != HF_NONE; m = t->messages[m].next) {
            n += t->messages[m].destination != t->blocks[b].node && t->messages[m].size == flits;
        }
    }
    return n;
}

/* Every block of the matrix that a node needs and does not have, by looking at every product. */
static uint64_t lu_blocks(uint32_t n, uint32_t rows, uint32_t columns) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t node = 0; node < rows * columns; node++) {
            bool needs[64][64] = {{false}};
            for (uint32_t i = k; i < n; i++) {
                for (uint32_t j = k; j < n; j++) {
                    const bool is_mine = i % rows * columns + j % columns == node && i + j > 2 * k;
                    const bool is_border = i == k || j == k;
                    needs[k][k] |= is_mine && is_border;
                    needs[i][k] |= is_mine && !is_border;
                    needs[k][j] |= is_mine && !is_border;
                }
            }
            for (uint32_t i = 0; i < n; i++) {
                for (uint32_t j = 0; j < n; j++) {
                    sum += needs[i][j] && i % rows * columns + j % columns != node;
                }
            }
        }
    }
    return sum;
}

/* As many lines as the algorithm shares, closed forms; commands: one or two a line, and two of each node but 0 a barrier. */
static void lines_and_commands(void **state) {
    (void)state;
    fixture fx;
    hf_program t;
    fixture_open(&fx, "mesh:dims=2", NULL, "dor");
    for (uint32_t n = 4; n <= 64; n *= 4) {
        const uint64_t patch = 65536 / n / n * 16 / 64, lines = 3 * n * (n - 1) * (patch ? patch : 1);
        write_down(&fx, "fft", n, &t);
        assert_int_equal(count(&t, 19), lines);
        assert_int_equal(count(&t, 3), lines + UINT64_C(5) * 2 * (n - 1));
        hf_program_free(&t);
    }
    write_down(&fx, "lu:size=256", 64, &t);
    assert_int_equal(count(&t, 19), 32 * lu_blocks(16, 8, 8));
    hf_program_free(&t);
    write_down(&fx, "lu:size=96", 8, &t);
    assert_int_equal(count(&t, 19), 32 * lu_blocks(6, 2, 4));
    hf_program_free(&t);
    /* radix on 64 nodes: a run of 8 keys is half a line. Per pass 1024 lines a node; of those of its own home the neighbour, of
     * those of the neighbour's home itself is asked; in the second pass 512 lines of keys a node, 8 of its own; 64 lines at each
     * of 2 (64 - 1) places of the tree. */
    write_down(&fx, "radix", 64, &t);
    assert_int_equal(count(&t, 19), 64 * (2 * 1024 + 512 - 8) + 2 * 2 * 63 * 64);
    hf_program_free(&t);
    fixture_close(&fx);
}

/* They end, the sooner the more accesses wait at once, and later where links fail meanwhile. */
static void applications_end(void **state) {
    (void)state;
    static const char *const names[] = {"fft:size=1024,outstanding=%u", "radix:size=16384,outstanding=%u",
                                        "lu:size=64,outstanding=%u"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        course c;
        hf_play_result one, many, faulty;
        hf_program t;
        char text[64];
        open_course(&c, &networks[1], 0.1, 3);
        c.play.n_fault = 0;
        (void)snprintf(text, sizeof text, names[i], 1);
        c.play.kernel.packet_length = 20;
        c.play.kernel.buffer = 40;
        write_down(&c.fx, text, 16, &t);
        fixture_ok(&c.fx, hf_play_program(c.fx.cx, &c.play, &t, &one));
        hf_program_free(&t);
        (void)snprintf(text, sizeof text, names[i], 8);
        write_down(&c.fx, text, 16, &t);
        fixture_ok(&c.fx, hf_play_program(c.fx.cx, &c.play, &t, &many));
        c.play.n_fault = FAULTS;
        c.play.resend = 50;
        c.play.options.manage_cycles = 1000;
        fixture_ok(&c.fx, hf_play_program(c.fx.cx, &c.play, &t, &faulty));
        hf_program_free(&t);
        assert_true(one.is_complete && many.is_complete && faulty.is_complete);
        assert_true(many.cycles < one.cycles && many.cycles < faulty.cycles);
        assert_int_equal(faulty.delivered, many.delivered);
        close_course(&c);
    }
}

static void refusals(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_application a;
    hf_program t;
    assert_int_equal(hf_application_parse(cx, "barnes", &a), HF_ENOENT);
    assert_int_equal(hf_application_parse(cx, "fft:line=33", &a), HF_ERANGE);
    assert_int_equal(hf_application_parse(cx, "fft:size=128", &a), HF_OK);
    assert_int_equal(hf_application_program(cx, &a, 16, 1, &t), HF_ERANGE);
    assert_string_equal(hf_context_message(cx), "fft:size=128 on 16 nodes is not right; need a power of 4, at least the nodes");
    assert_int_equal(hf_application_parse(cx, "lu", &a), HF_OK);
    assert_int_equal(hf_application_program(cx, &a, 12, 1, &t), HF_ERANGE);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_is_its_load),
                                       cmocka_unit_test(what_is_lost_is_sent_again),
                                       cmocka_unit_test(the_series_adds_up),
                                       cmocka_unit_test(faults_come_with_packets),
                                       cmocka_unit_test(lines_and_commands),
                                       cmocka_unit_test(applications_end),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
