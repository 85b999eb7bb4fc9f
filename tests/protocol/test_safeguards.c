/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The simulation looks at every message: with the safeguards none is lost or acted on twice, and without one of them
 *  [brown2002, 2.2] the same runs are told as wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/protocol/messaged.h"

/* What came of ten seeds. */
typedef struct sums {
    uint64_t n_message, n_lost, n_duplicate;
    uint32_t n_complete;
} sums;

/* A benchmark on a network, and what is said of both. */
static void make(hf_context *cx, hf_messaged_choice what, const char *said, hf_messaging *m, hf_program *t) {
    hf_messaged all = {.messaging = hf_messaging_default((hf_network_kind)what.network)};
    hf_benchmark_options options;
    assert_int_equal(hf_group_read(cx, &hf_messaged_group, said, &all), HF_OK);
    assert_int_equal(hf_messaged_programs(&all, &what, 0, &options), 1);
    assert_int_equal(hf_messaged_networks(&all, &what, m), 1);
    assert_int_equal(hf_benchmark_program(cx, &options, t), HF_OK);
}

static const hf_messaged_choice reverse_3d = {HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_3D};

static sums run_seeds(hf_context *cx, hf_messaged_choice what, const char *said) {
    sums out = {0};
    hf_messaging m;
    hf_program t;
    make(cx, what, said, &m, &t);
    for (m.seed = 1; m.seed <= 10; m.seed++) {
        hf_messaging_result r;
        assert_int_equal(hf_messaging_run(cx, &m, &t, &r), HF_OK);
        assert_true(r.is_complete == (r.n_waiting == 0) && r.n_lost <= r.n_waiting);
        out.n_message += r.n_message;
        out.n_lost += r.n_lost;
        out.n_duplicate += r.n_duplicate;
        out.n_complete += r.is_complete;
    }
    hf_program_free(&t);
    return out;
}

static void with_all(void **state) {
    static const struct {
        hf_messaged_choice what;
        const char *said;
    } runs[] = {{{HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_3D}, "nodes=64,loss=0.1,jitter=7"},
                {{HF_BENCHMARK_REVERSE, HF_NETWORK_FAT_TREE}, "nodes=64,loss=0.1,jitter=7"},
                {{HF_BENCHMARK_ADD, HF_NETWORK_GRID_2D}, "nodes=64,failed-links=12,loss=0.1,jitter=7"},
                {{HF_BENCHMARK_REVERSE, HF_NETWORK_GRID_3D}, "nodes=64,loss=0.1,jitter=7,retention=40"},
                {{HF_BENCHMARK_NBODY, HF_NETWORK_GRID_2D}, "nodes=16,loss=0.1,ids=60000"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const sums s = run_seeds(*state, runs[i].what, runs[i].said);
        assert_true(s.n_complete == 10 && s.n_lost == 0 && s.n_duplicate == 0 && s.n_message > 0);
    }
}

/** Figure 3 in a whole machine: messages are forgotten that nobody acted on, and the program waits for them for ever. */
static void without_long_ids(void **state) {
    for (uint32_t ids = 1; ids <= 16; ids *= 2) {
        char spec[80];
        snprintf(spec, sizeof spec, "nodes=64,loss=0.1,jitter=7,ids=%u", ids);
        const sums s = run_seeds(*state, reverse_3d, spec);
        assert_true(s.n_lost > 0 && s.n_complete < 10);
    }
}

/** Figure 4: a CONF that names a line only hits another message's, and a copy is acted on again. */
static void without_ids_in_conf(void **state) {
    const sums s = run_seeds(*state, reverse_3d, "nodes=64,loss=0.1,jitter=7,secondary-ids=yes");
    assert_true(s.n_duplicate > 0 && s.n_lost == 0);
}

/** What is not sent again, or never forgotten: nothing is lost in the protocol's sense, but the program stands still, and the run
 *  ends when nothing is left to happen. */
static void without_sending_again(void **state) {
    const struct {
        unsigned once;
        uint64_t retention;
        bool has_end; /* before the limit of cycles */
    } cases[] = {{HF_ONCE_MSG, 0, true}, {HF_ONCE_ACK, 0, false}, {0, HF_RETENTION_FOREVER, false}};
    hf_context *cx = *state;
    hf_messaging m;
    hf_messaging_result r;
    hf_program t;
    make(cx, reverse_3d, "nodes=64,loss=0.1,cycles=20000", &m, &t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        m.protocol.once = cases[i].once;
        m.protocol.retention = cases[i].retention;
        assert_int_equal(hf_messaging_run(cx, &m, &t, &r), HF_OK);
        assert_true(!r.is_complete && r.n_waiting > 0 && r.n_lost == 0 && r.n_duplicate == 0);
        assert_true(!cases[i].has_end || r.n_packet[HF_PROTOCOL_MSG] <= r.n_message);
    }
    hf_program_free(&t);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(with_all, cx),
        cmocka_unit_test_prestate(without_long_ids, cx),
        cmocka_unit_test_prestate(without_ids_in_conf, cx),
        cmocka_unit_test_prestate(without_sending_again, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
