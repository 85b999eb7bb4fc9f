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

#include <holdfast/protocol.h>

/* What came of ten seeds. */
typedef struct sums {
    uint64_t n_message, n_lost, n_duplicate;
    uint32_t n_complete;
} sums;

static sums run_seeds(hf_context *cx, const char *spec) {
    sums out = {0};
    hf_benchmark_options options;
    hf_messaging m;
    hf_program t;
    assert_int_equal(hf_messaging_parse(cx, spec, &options, &m), HF_OK);
    assert_int_equal(hf_benchmark_program(cx, &options, &t), HF_OK);
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
    static const char *const specs[] = {
        "reverse:network=grid3d,nodes=64,loss=0.1,jitter=7", "reverse:network=fat-tree,nodes=64,loss=0.1,jitter=7",
        "add:network=grid2d,nodes=64,failed-links=12,loss=0.1,jitter=7",
        "reverse:network=grid3d,nodes=64,loss=0.1,jitter=7,retention=40", "nbody:network=grid2d,nodes=16,loss=0.1,ids=60000"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        const sums s = run_seeds(*state, specs[i]);
        assert_true(s.n_complete == 10 && s.n_lost == 0 && s.n_duplicate == 0 && s.n_message > 0);
    }
}

/** Figure 3 in a whole machine: messages are forgotten that nobody acted on, and the program waits for them for ever. */
static void without_long_ids(void **state) {
    for (uint32_t ids = 1; ids <= 16; ids *= 2) {
        char spec[80];
        snprintf(spec, sizeof spec, "reverse:network=grid3d,nodes=64,loss=0.1,jitter=7,ids=%u", ids);
        const sums s = run_seeds(*state, spec);
        assert_true(s.n_lost > 0 && s.n_complete < 10);
    }
}

/** Figure 4: a CONF that names a line only hits another message's, and a copy is acted on again. */
static void without_ids_in_conf(void **state) {
    const sums s = run_seeds(*state, "reverse:network=grid3d,nodes=64,loss=0.1,jitter=7,secondary-ids=yes");
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
    hf_benchmark_options options;
    hf_messaging m;
    hf_messaging_result r;
    hf_program t;
    assert_int_equal(hf_messaging_parse(cx, "reverse:network=grid3d,nodes=64,loss=0.1,cycles=20000", &options, &m), HF_OK);
    assert_int_equal(hf_benchmark_program(cx, &options, &t), HF_OK);
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
