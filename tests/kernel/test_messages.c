/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces of messages: what is written is read back; a generated one, played, is the run of the pattern; refusals name line and
 *  column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"

static void parse(hf_context *cx, const char *text, hf_messages *out) {
    assert_int_equal(hf_messages_parse(cx, "t", text, strlen(text), 8, out), HF_OK);
}

static void assert_same(const hf_message *a, const hf_message *b) {
    assert_int_equal(a->cycle, b->cycle);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->destination, b->destination);
    assert_int_equal(a->flits, b->flits);
}

static void comments_and_blanks(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_messages m;
    parse(cx, "# a trace\r\n\n  cycle\tsource destination flits # header\n0 1 2 3\n\n\t5  7 0 1000000000#end\r\n5 1 2 1", &m);
    const hf_message want[] = {{0, 1, 2, 3}, {5, 7, 0, 1000000000}, {5, 1, 2, 1}};
    assert_int_equal(m.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_same(&m.item[i], &want[i]);
    }
    hf_messages_free(&m);
    parse(cx, "cycle source destination flits", &m);
    assert_int_equal(m.n, 0);
    hf_messages_free(&m);
    hf_context_free(cx);
}

static void refusals(void **state) {
    (void)state;
#define HEAD "cycle source destination flits\n"
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "t: nothing in it; need the header \"cycle source destination flits\" and lines of these numbers"},
        {"# only\n", "t: nothing in it"},
        {"0 1 2 3\n", "t, line 1, column 1: \"0\" is not \"cycle\""},
        {"cycle source flits\n", "t, line 1, column 14: \"flits\" is not \"destination\""},
        {HEAD "x 1 2 3", "t, line 2, column 1: cycle \"x\" is not right; need a whole number from 0 to 1000000000000000000"},
        {HEAD "0 -1 2 3", "t, line 2, column 3: source \"-1\" is not right; need a whole number from 0 to 7"},
        {HEAD "0 1 8 3", "t, line 2, column 5: destination \"8\" is not right; need a whole number from 0 to 7"},
        {HEAD "0 1 2 0", "t, line 2, column 7: flits \"0\" is not right; need a whole number from 1 to 1000000000"},
        {HEAD "0 1 2", "t, line 2, column 6: no flits; need"},
        {HEAD "0 1 2 3 4", "t, line 2, column 9: \"4\" is too much"},
        {HEAD "0 1 1 3", "t, line 2, column 5: terminal 1 sends to itself"},
        {HEAD "7 1 2 3\n\n  6 1 2 3", "t, line 4, column 3: cycle 6 stands behind cycle 7"},
        {HEAD "1 1 2 99999999999999999999999", "t, line 2, column 7: flits \"99999999999999999999999\" is not right"},
        {HEAD "1000000000000000001 1 2 1", "t, line 2, column 1: cycle \"1000000000000000001\" is not right"},
    };
    hf_context *cx = hf_context_new(NULL);
    hf_messages m;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hf_messages_parse(cx, "t", bad[i].text, strlen(bad[i].text), 8, &m), HF_EINVAL);
        if (!strstr(hf_context_message(cx), bad[i].message)) {
            fail_msg("\"%s\": %s", bad[i].text, hf_context_message(cx));
        }
    }
    assert_int_equal(hf_messages_load(cx, "/nowhere/t", 8, &m), HF_ENOENT);
    hf_context_free(cx);
}

/* The trace of what a pattern generates, in small: fixture, plan, pattern. */
typedef struct pattern {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
} pattern;

static void open_pattern(pattern *p, const char *topo, const char *rule, const char *traffic) {
    fixture_open(&p->fx, topo, NULL, rule);
    fixture_plan(&p->fx, "", &p->none, &p->plan);
    fixture_ok(&p->fx, hf_traffic_new(p->fx.cx, p->fx.topo, traffic, &p->traffic));
}

static void close_pattern(pattern *p) {
    hf_traffic_free(p->traffic);
    fixture_close(&p->fx);
}

static void what_is_written_is_read(void **state) {
    (void)state;
    pattern p;
    hf_messages a, b;
    hf_text text;
    open_pattern(&p, "torus:dims=4x4", "dor:vcs=2,dateline=yes", "hot-spot");
    const hf_generation g = {.plan = &p.plan, .traffic = p.traffic, .load = 0.3, .packet_length = 5, .seed = 9, .cycles = 3000};
    fixture_ok(&p.fx, hf_messages_generate(p.fx.cx, &g, &a));
    hf_text_init(p.fx.cx, &text);
    fixture_ok(&p.fx, hf_messages_print(p.fx.cx, &a, &text));
    fixture_ok(&p.fx, hf_messages_parse(p.fx.cx, "t", text.data, text.size, 16, &b));
    assert_true(a.n > 2000 && a.n == b.n);
    for (size_t i = 0; i < a.n; i++) {
        assert_same(&a.item[i], &b.item[i]);
    }
    hf_text_free(&text);
    hf_messages_free(&a);
    hf_messages_free(&b);
    close_pattern(&p);
}

/* Up to any cycle a played trace is the run that the pattern itself gives: same packets, hops and latencies. */
static void a_trace_is_its_pattern(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *traffic;
        hf_burst burst;
        double load;
    } rows[] = {
        {"torus:dims=4x4", "dor:vcs=2,dateline=yes", "uniform", {0, 0, false}, 0.2},
        {"mesh:dims=3x3", "duato", "complement", {20, 2, false}, 0.4},
        {"kary-tree:k=2,n=3", "updown", "hot-spot:percent=30,node=1", {50, 1, true}, 0.9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t seed = 1; seed < 4; seed++) {
            const uint64_t cycles = 700 * seed;
            pattern p;
            hf_messages m;
            hf_play_result r;
            hf_kernel *k;
            open_pattern(&p, rows[i].topo, rows[i].rule, rows[i].traffic);
            const hf_generation g = {.plan = &p.plan,
                                     .traffic = p.traffic,
                                     .load = rows[i].load,
                                     .burst = rows[i].burst,
                                     .packet_length = 4,
                                     .seed = seed,
                                     .cycles = cycles};
            const hf_play play = {.plan = &p.plan, .kernel = hf_kernel_usual(), .cycle_limit = cycles};
            fixture_ok(&p.fx, hf_messages_generate(p.fx.cx, &g, &m));
            fixture_ok(&p.fx, hf_play_messages(p.fx.cx, &play, &m, &r));
            fixture_ok(&p.fx, hf_kernel_new(p.fx.cx, &p.plan, &play.kernel, &k));
            hf_kernel_bursts(k, rows[i].burst);
            fixture_ok(&p.fx, hf_kernel_offer(k, p.traffic, rows[i].load, seed));
            fixture_ok(&p.fx, hf_kernel_run(k, cycles));
            const hf_kernel_counts *c = hf_kernel_read(k);
            assert_false(r.is_complete);
            assert_true(c->delivered > 30);
            assert_int_equal(r.delivered, c->delivered);
            assert_int_equal(r.flit_hops, c->flit_hops);
            assert_int_equal((uint64_t)(r.latency * (double)r.delivered + 0.5), c->latency_sum);
            assert_int_equal((uint64_t)(r.network_latency * (double)r.delivered + 0.5), c->network_latency_sum);
            assert_memory_equal(r.histogram, c->histogram, sizeof r.histogram);
            hf_messages_free(&m);
            close_pattern(&p);
        }
    }
}

/* Messages are those that come where packets are as long, piece by piece. */
static void messages_come_in_packets(void **state) {
    (void)state;
    pattern p;
    hf_messages whole, cut;
    open_pattern(&p, "kary-tree:k=2,n=3", "updown", "disks:count=2");
    hf_generation g = {.plan = &p.plan,
                       .traffic = p.traffic,
                       .load = 0.3,
                       .burst = {300, 1, false},
                       .packet_length = 10,
                       .seed = 5,
                       .cycles = 20000};
    fixture_ok(&p.fx, hf_messages_generate(p.fx.cx, &g, &whole));
    g.packet_length = 4;
    g.message_flits = 10;
    fixture_ok(&p.fx, hf_messages_generate(p.fx.cx, &g, &cut));
    assert_true(whole.n > 1000 && cut.n == 3 * whole.n);
    for (size_t i = 0; i < cut.n; i++) {
        hf_message piece = whole.item[i / 3];
        piece.flits = i % 3 < 2 ? 4 : 2;
        assert_same(&cut.item[i], &piece);
    }
    hf_messages_free(&whole);
    hf_messages_free(&cut);
    close_pattern(&p);
}

/* What is generated depends on terminals, pattern and seed, not on the network: several networks can play one trace. */
static void every_network_gets_the_same_messages(void **state) {
    (void)state;
    static const char *const network[][2] = {{"kary-tree:k=2,n=7", "destro"},
                                             {"kary-tree:k=2,n=7", "destro:minimal=no"},
                                             {"kary-tree:k=2,n=7", "updown"},
                                             {"ruft:k=2,n=7", "ruft"}};
    hf_messages m[4];
    for (size_t i = 0; i < 4; i++) {
        pattern p;
        open_pattern(&p, network[i][0], network[i][1], "disks:seed=3");
        const hf_generation g = {.plan = &p.plan,
                                 .traffic = p.traffic,
                                 .load = 0.05,
                                 .burst = {5000, 1, true},
                                 .packet_length = 256,
                                 .seed = 4,
                                 .cycles = 400000};
        fixture_ok(&p.fx, hf_messages_generate(p.fx.cx, &g, &m[i]));
        close_pattern(&p);
        assert_true(m[i].n > 500 && m[i].n == m[0].n);
        for (size_t k = 0; k < m[0].n; k++) {
            assert_same(&m[i].item[k], &m[0].item[k]);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        hf_messages_free(&m[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_blanks),      cmocka_unit_test(refusals),
        cmocka_unit_test(what_is_written_is_read),  cmocka_unit_test(a_trace_is_its_pattern),
        cmocka_unit_test(messages_come_in_packets), cmocka_unit_test(every_network_gets_the_same_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
