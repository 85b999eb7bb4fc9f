/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces, programs and networks: closed forms without load, exactly one action for each message whatever is lost, and the
 *  published figures for add. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/protocol/network.h"

static const hf_network_kind kinds[] = {HF_NETWORK_GRID_2D, HF_NETWORK_GRID_3D, HF_NETWORK_FAT_TREE};

static hf_messaging on(hf_network_kind kind, bool is_buffered) {
    return (hf_messaging){.network = {.kind = kind, .leaf_width = 1, .growth = 2},
                          .protocol = hf_protocol_default(),
                          .is_buffered = is_buffered,
                          .seed = 7,
                          .cycle_limit = 10000000};
}

static hf_messaging_result run(hf_context *cx, const hf_messaging *m, const hf_program *t) {
    hf_messaging_result r;
    assert_int_equal(hf_messaging_run(cx, m, t, &r), HF_OK);
    return r;
}

static void child(hf_program *t, void *user) {
    hf_program_work(t, 9);
    hf_program_join(t, 0, user, 5);
}

/** A Load takes a request of 8 flits and a reply of 4, each with its channels, injection and the cycle of its ejection. The ACK
 * goes ahead of the reply; the perfect network has neither ACK nor checksum. */
static void load_without_traffic(void **state) {
    static const uint32_t channels[3][2] = {{2, 14}, {2, 9}, {4, 6}}; /* on 64 nodes, from 0 to 9 and to 63 */
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t far = 0; far < 2; far++) {
            const uint64_t h = channels[k][far];
            hf_program t;
            const int64_t word = 3;
            assert_int_equal(hf_program_init(*state, 64, &t), HF_OK);
            assert_int_equal(hf_program_load(&t, far ? 63 : k == 1 ? 5 : 9, &word), 3);
            hf_program_finish(&t);
            hf_messaging m = on(kinds[k], false);
            const hf_messaging_result lossy = run(*state, &m, &t);
            assert_int_equal(lossy.cycles, (h + 1 + 8) + 4 + (h + 1 + 4));
            assert_int_equal(lossy.n_packet[HF_PROTOCOL_MSG], 2);
            assert_int_equal(lossy.path_messages, 2);
            m.piggybacks = true; /* the ACK is as long as a reply of 4 flits and an ACK of 4 with one header and checksum */
            const hf_messaging_result short_way = run(*state, &m, &t);
            assert_int_equal(short_way.cycles, (h + 1 + 8) + (h + 1 + 6));
            assert_int_equal(short_way.n_packet[HF_PROTOCOL_MSG], 1);
            assert_int_equal(short_way.n_message, 1);
            m.is_buffered = true;
            assert_int_equal(run(*state, &m, &t).cycles, (h + 1 + 7) + (h + 1 + 3));
            hf_program_free(&t);
        }
    }
}

static void rest(hf_program *t, void *user) {
    const hf_join *j = user;
    assert_int_equal(j->value, 5);
    hf_program_work(t, 100);
}

/** Both orders of Sync and Join give the same blocks in time; local work and waiting add up. */
static void sync_before_and_after_join(void **state) {
    uint64_t cycles[2];
    for (int before = 0; before < 2; before++) {
        hf_program t;
        hf_join j = {0};
        assert_int_equal(hf_program_init(*state, 16, &t), HF_OK);
        if (before) {
            const uint32_t block = hf_program_block_new(&t, 3);
            hf_program_work(&t, 1);
            hf_program_send(&t, 3, HF_PROGRAM_REQUEST, block);
            hf_program_sync_then(&t, &j, rest, &j);
            t.node = 3;
            t.block = block;
            child(&t, &j);
        } else {
            hf_program_fork(&t, child, 3, &j);
            assert_int_equal(hf_program_sync(&t, &j), 5);
            rest(&t, &j);
        }
        hf_program_finish(&t);
        const hf_messaging m = on(HF_NETWORK_GRID_2D, true);
        cycles[before] = run(*state, &m, &t).cycles;
        hf_program_free(&t);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(cycles[0], 1 + (3 + 1 + 7) + 9 + 1 + (3 + 1 + 7) + 100);
}

static void store_and_wait(void **state) {
    hf_program t;
    int64_t word[4] = {0};
    assert_int_equal(hf_program_init(*state, 16, &t), HF_OK);
    hf_program_store(&t, 0, &word[0], 1);
    hf_program_wait(&t); /* nothing is outstanding */
    assert_int_equal(t.n_block, 1);
    hf_program_store(&t, 1, &word[1], 2);
    hf_program_store(&t, 4, &word[2], 3);
    hf_program_wait(&t);
    hf_program_finish(&t);
    assert_int_equal(word[2], 3);
    assert_int_equal(t.n_message, 5);
    assert_int_equal(t.blocks[t.block].n_signal, 3);
    hf_program_free(&t);
}

/** A Load of a word that the thread has just stored waits for the store; one of another word does not. */
static void load_after_store(void **state) {
    uint64_t cycles[2];
    int64_t word[2] = {0};
    for (uint32_t w = 0; w < 2; w++) {
        hf_program t;
        assert_int_equal(hf_program_init(*state, 16, &t), HF_OK);
        hf_program_store(&t, 1, &word[0], 7);
        hf_program_work(&t, 9);
        hf_program_load(&t, 1, &word[w]);
        assert_int_equal(t.n_store, w);
        hf_program_finish(&t);
        const hf_messaging m = on(HF_NETWORK_GRID_2D, true);
        cycles[w] = run(*state, &m, &t).cycles;
        hf_program_free(&t);
    }
    const uint64_t trip = (1 + 1 + 7) + (1 + 1 + 3);
    assert_int_equal(cycles[0], 1 + trip + trip);
    assert_int_equal(cycles[1], 1 + 9 + trip);
}

/** The programs check their results as they are written down; then every message is acted on once, with 0% and 10% damaged. */
static void once_whatever_is_lost(void **state) {
    for (int b = HF_BENCHMARK_ADD; b <= HF_BENCHMARK_NBODY; b++) {
        hf_program t;
        assert_int_equal(
            hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = (hf_benchmark)b, .n_node = 16, .seed = 3}, &t),
            HF_OK);
        for (uint32_t k = 0; k < 3; k++) {
            hf_messaging m = on(kinds[k], true);
            const hf_messaging_result perfect = run(*state, &m, &t);
            m.is_buffered = false;
            const hf_messaging_result clean = run(*state, &m, &t), again = run(*state, &m, &t);
            m.loss = 0.1;
            m.jitter = 15;
            m.protocol.send_capacity = 2;
            m.protocol.receive_capacity = 1;
            const hf_messaging_result damaged = run(*state, &m, &t);
            assert_true(perfect.is_complete && clean.is_complete && damaged.is_complete);
            assert_true(clean.n_duplicate == 0 && damaged.n_duplicate == 0 && damaged.n_damaged > 0);
            assert_true(perfect.cycles < clean.cycles && clean.cycles < damaged.cycles);
            assert_int_equal(clean.n_message, perfect.n_message);
            assert_memory_equal(&clean, &again, sizeof clean);
            m.hold_cycles = 1 + k * 7; /* packets of a node overtake each other */
            const hf_messaging_result held = run(*state, &m, &t);
            assert_true(held.is_complete && held.n_duplicate == 0 && held.n_lost == 0 && held.n_damaged > 0);
            m.piggybacks = true;
            const hf_messaging_result carried = run(*state, &m, &t);
            assert_true(carried.is_complete && carried.n_duplicate == 0 && carried.n_lost == 0 && carried.n_damaged > 0);
            const bool has_replies = b == HF_BENCHMARK_REVERSE || b == HF_BENCHMARK_QUICKSORT;
            assert_true(has_replies ? carried.n_message < clean.n_message : carried.n_message == clean.n_message);
        }
        hf_program_free(&t);
    }
}

/* Hops between all nodes over links that have not failed, by the obvious triple loop; a node a terminal and its switch. */
static void measure_all(const hf_network *n, uint32_t *hops) {
    const hf_topology *topo = n->topo;
    const uint32_t nodes = topo->n_switch;
    for (uint32_t i = 0; i < nodes * nodes; i++) {
        hops[i] = i % (nodes + 1) == 0 ? 0 : 10000;
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->from[c] < nodes && topo->to[c] < nodes && !hf_bit_test(n->failed.channel_set, c)) {
            hops[topo->from[c] * nodes + topo->to[c]] = 1;
        }
    }
    for (uint32_t k = 0; k < nodes; k++) {
        for (uint32_t i = 0; i < nodes * nodes; i++) {
            const uint32_t over = hops[i / nodes * nodes + k] + hops[k * nodes + i % nodes];
            hops[i] = over < hops[i] ? over : hops[i];
        }
    }
}

/** So many links fail, in both directions; ways are as long as the others make them, and there always is one. */
static void distances_around_failures(void **state) {
    static const char *const others[] = {"torus:dims=4x4", "xgft:h=3,m=1x4x4,w=1x1x1,p=1x2x4", "benes:k=2,n=3"};
    static uint32_t hops[64 * 64];
    for (uint64_t seed = 1; seed <= 25; seed++) {
        const hf_network_spec spec = {.kind = seed % 2 ? HF_NETWORK_GRID_2D : HF_NETWORK_GRID_3D,
                                      .topology = seed % 5 < 2 ? others[seed % 3] : NULL,
                                      .n_failed = 1 + (uint32_t)seed % 5};
        const hf_mark mark = hf_scratch_mark(*state);
        const uint32_t n_node = spec.topology && seed % 3 == 2 ? 8 : spec.topology ? 16 : 32;
        hf_network *n;
        uint32_t distance;
        assert_int_equal(hf_network_open(*state, &spec, n_node, seed, &n), HF_OK);
        const hf_topology *topo = hf_network_topology(n);
        assert_int_equal(n->failed.n_component, spec.n_failed);
        measure_all(n, hops);
        for (uint32_t i = 0; i < n_node * n_node; i++) {
            const uint32_t from = i / n_node, to = i % n_node;
            const uint32_t in = topo->in_list[topo->in_begin[topo->n_switch + to]];
            const uint32_t want = hops[topo->terminal_switch[from] * topo->n_switch + topo->from[in]];
            assert_true(want < 10000);
            assert_int_equal(hf_network_distance(*state, n, from, to, &distance), HF_OK);
            assert_int_equal(distance, from == to ? 0 : want + 1);
        }
        hf_network_close(n);
        hf_scratch_reset(*state, mark);
    }
}

/** Delivery and a single action of every message, whatever fails for good and is damaged on top. */
static void once_whatever_has_failed(void **state) {
    for (int b = HF_BENCHMARK_ADD; b <= HF_BENCHMARK_NBODY; b++) {
        hf_program t;
        assert_int_equal(
            hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = (hf_benchmark)b, .n_node = 64, .seed = 3}, &t),
            HF_OK);
        for (uint32_t k = 0; k < 3; k++) {
            hf_messaging m = hf_messaging_default(kinds[k]);
            m.network.leaf_width = 4;
            m.jitter = 7;
            for (uint32_t percent = 0; percent <= 10; percent += 5) {
                m.loss = percent / 100.0;
                m.network.n_failed = 2 * percent;
                m.seed = percent;
                const hf_messaging_result r = run(*state, &m, &t);
                assert_true(r.is_complete && r.n_duplicate == 0);
            }
        }
        hf_program_free(&t);
    }
}

/** Too many failures, and a network that cannot go around them. */
static void too_many_failures(void **state) {
    hf_program t;
    hf_messaging_result r;
    hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
    assert_int_equal(hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 16}, &t),
                     HF_OK);
    m.network.n_failed = 9; /* 24 links, a tree of 15 is left */
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
    m.network.n_failed = 10;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(*state), "10 failed links of 24 would cut off nodes; need at most 9"));
    m.network.n_failed = 1;
    m.is_buffered = true;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_ENOTSUP);
    m = hf_messaging_default(HF_NETWORK_FAT_TREE);
    m.network.n_failed = 5; /* 4 bundles of 2 channels below the root, 16 of 1: 4 may go */
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_ERANGE);
    m.network.n_failed = 4;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
    assert_true(r.is_complete && r.n_duplicate == 0);
    hf_program_free(&t);
}

/** Flits of 40 bits: 8 become 7, 4 stay; the faster clock shortens cycles of the network, not the processors' work. */
static void wider_flits_and_faster_clock(void **state) {
    hf_program t;
    const int64_t word = 3;
    assert_int_equal(hf_program_init(*state, 64, &t), HF_OK);
    hf_program_work(&t, 100);
    assert_int_equal(hf_program_load(&t, 63, &word), 3);
    hf_program_finish(&t);
    hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
    m.flit_bits = 40;
    assert_int_equal(run(*state, &m, &t).cycles, 100 + (14 + 1 + 7) + 4 + (14 + 1 + 4));
    m.clock_percent = 160;
    assert_int_equal(run(*state, &m, &t).cycles, 100 + ((14 + 1 + 7) + 4 + (14 + 1 + 4)) * 100 / 160 + 1);
    hf_program_free(&t);
}

/** The search is its own slow twin over two programs and networks: ratios of times run one by one. */
static void backoff_against_single_runs(void **state) {
    enum { TRIES = 3 };
    hf_backoff_try tries[TRIES] = {{.backoff = HF_BACKOFF_LINEAR, .constant = 1},
                                   {.backoff = HF_BACKOFF_QUADRATIC, .constant = 3},
                                   {.backoff = HF_BACKOFF_EXPONENTIAL, .constant = 8}};
    const hf_benchmark_options options[2] = {{.benchmark = HF_BENCHMARK_ADD, .n_node = 64},
                                             {.benchmark = HF_BENCHMARK_REVERSE, .n_node = 64}};
    const hf_messaging network[2] = {hf_messaging_default(HF_NETWORK_GRID_2D), hf_messaging_default(HF_NETWORK_FAT_TREE)};
    double time[4][TRIES];
    assert_int_equal(hf_backoff_search(*state, options, 2, network, 2, tries, TRIES), HF_OK);
    for (uint32_t i = 0; i < 4 * TRIES; i++) {
        hf_program t;
        hf_messaging m = network[i / TRIES % 2];
        m.protocol.backoff = tries[i % TRIES].backoff;
        m.protocol.backoff_constant = tries[i % TRIES].constant;
        assert_int_equal(hf_benchmark_program(*state, &options[i / TRIES / 2], &t), HF_OK);
        time[i / TRIES][i % TRIES] = (double)run(*state, &m, &t).cycles;
        hf_program_free(&t);
    }
    for (uint32_t i = 0; i < TRIES; i++) {
        double worst = 0, sum = 0;
        for (uint32_t k = 0; k < 4; k++) {
            const double best = fmin(time[k][0], fmin(time[k][1], time[k][2])), ratio = time[k][i] / best;
            worst = fmax(worst, ratio);
            sum += ratio;
        }
        assert_true(fabs(tries[i].worst - worst) < 1e-12 && fabs(tries[i].mean - sum / 4) < 1e-12);
        assert_int_equal(tries[i].n_incomplete, 0);
    }
}

/** Without chance in the waits, a CONF and a MSG can meet at the same channel at every attempt, and the CONF loses each time. */
static void collisions_in_step(void **state) {
    hf_program t;
    hf_messaging m = on(HF_NETWORK_FAT_TREE, false);
    m.protocol.send_capacity = 2;
    m.protocol.receive_capacity = 1;
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_REVERSE, .n_node = 16, .seed = 3}, &t),
        HF_OK);
    assert_false(run(*state, &m, &t).is_complete);
    m.jitter = 1;
    const hf_messaging_result r = run(*state, &m, &t);
    assert_true(r.is_complete && r.n_duplicate == 0 && r.cycles < 20000);
    hf_program_free(&t);
}

/* Held packets overtake each other: without retention as long as they can slip, messages are acted on twice. */
static void held_packets_slip(void **state) {
    hf_program t;
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_REVERSE, .n_node = 256, .seed = 1}, &t),
        HF_OK);
    hf_messaging m = on(HF_NETWORK_GRID_3D, false);
    m.hold_cycles = 16;
    const hf_messaging_result safe = run(*state, &m, &t);
    assert_true(safe.is_complete && safe.n_duplicate == 0);
    m.protocol.retention = 1;
    assert_true(run(*state, &m, &t).n_duplicate > 0);
    m.network.routing = "updown-graph"; /* ways that may be longer */
    assert_true(run(*state, &m, &t).is_complete);
    m.protocol.retention = 0;
    hf_messaging_result r;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_EINVAL);
    m.network.routing = NULL;
    m.network.n_failed = 40;
    assert_true(run(*state, &m, &t).n_duplicate == 0);
    hf_program_free(&t);
}

/* ---- the critical path ---- */

enum { PATH_NODES = 64, SIDE = 8, ROUNDS = 12, APART = 200 };

static uint32_t between(uint32_t a, uint32_t b) {
    const uint32_t x = a % SIDE > b % SIDE ? a % SIDE - b % SIDE : b % SIDE - a % SIDE;
    const uint32_t y = a / SIDE > b / SIDE ? a / SIDE - b / SIDE : b / SIDE - a / SIDE;
    return x + y;
}

/* A node sends to two others, which send to the next one: it goes on when the later of the two has come. Messages never meet, so
 * when they come, and over how many hops, can be said beforehand. */
static void critical_path(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hf_random random;
        hf_program t;
        uint64_t now = 0, hops = 0, messages = 0;
        uint32_t node = 0;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        assert_int_equal(hf_program_init(*state, PATH_NODES, &t), HF_OK);
        for (uint32_t i = 0; i < ROUNDS; i++) {
            const uint32_t next = (uint32_t)hf_random_below(&random, PATH_NODES), from = t.block;
            const uint32_t meeting = hf_program_block_new(&t, next);
            uint64_t last = 0, last_hops = 0, last_messages = 0;
            for (uint32_t way = 0; way < 2; way++) {
                const uint32_t over = (uint32_t)hf_random_below(&random, PATH_NODES),
                               work = way * APART + (uint32_t)hf_random_below(&random, 2 * APART);
                const uint32_t middle = hf_program_block_new(&t, over);
                hf_program_work(&t, way * APART);
                hf_program_send(&t, over, 8, middle);
                const uint64_t sent = now + way * APART, there = sent + (over == node ? 0 : between(node, over) + 1 + 7);
                t.node = over;
                t.block = middle;
                hf_program_work(&t, work);
                hf_program_send(&t, next, 8, meeting);
                t.node = node;
                t.block = from;
                const uint64_t end = there + work + (over == next ? 0 : between(over, next) + 1 + 7);
                if (end > last) {
                    last = end;
                    last_hops = between(node, over) + between(over, next);
                    last_messages = (over != node) + (over != next);
                }
            }
            now = last;
            hops += last_hops;
            messages += last_messages;
            node = t.node = next;
            t.block = meeting;
        }
        hf_program_work(&t, 3);
        assert_int_equal(hf_program_finish(&t), HF_OK);
        const hf_messaging m = on(HF_NETWORK_GRID_2D, true);
        const hf_messaging_result r = run(*state, &m, &t);
        if (r.cycles != now + 3 || r.path_hops != hops || r.path_messages != messages) {
            fail_msg("seed %u: %u cycles over %u hops, not %u over %u", (unsigned)seed, (unsigned)r.cycles, (unsigned)r.path_hops,
                     (unsigned)now + 3, (unsigned)hops);
        }
        hf_program_free(&t);
    }
}

/** [brown2002, table 2a], add: buffered within 30%, idempotent within 35%, the grid of three dimensions faster. */
static void table_2a_add(void **state) {
    static const double published[3][2] = {{814, 1229}, {645, 986}, {634, 991}};
    hf_program t;
    double cycles[3][2];
    static const uint64_t hops[3] = {504, 180, 336};
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 4096, .seed = 1}, &t),
        HF_OK);
    for (uint32_t k = 0; k < 3; k++) {
        for (int lossy = 0; lossy < 2; lossy++) {
            const hf_messaging m = on(kinds[k], !lossy);
            const hf_messaging_result r = run(*state, &m, &t);
            cycles[k][lossy] = (double)r.cycles;
            assert_true(lossy || (r.path_hops == hops[k] && r.cycles == 462 + hops[k])); /* nobody waits for a channel */
            const double ratio = cycles[k][lossy] / published[k][lossy];
            assert_true(ratio > (lossy ? 0.65 : 0.7) && ratio < (lossy ? 1.35 : 1.3));
        }
    }
    assert_true(cycles[1][0] < cycles[0][0] && cycles[1][1] < cycles[0][1]);
    hf_program_free(&t);
}

static void bad_requests(void **state) {
    hf_program t;
    hf_messaging_result r;
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_NBODY, .n_node = 32, .seed = 1}, &t),
        HF_ERANGE);
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 24, .seed = 1}, &t),
        HF_ERANGE);
    assert_int_equal(
        hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 32, .seed = 1}, &t), HF_OK);
    hf_messaging m = on(HF_NETWORK_FAT_TREE, true);
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_ERANGE);
    m.network.kind = HF_NETWORK_GRID_3D;
    m.cycle_limit = 10;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
    assert_false(r.is_complete);
    hf_program_free(&t);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(load_without_traffic, cx),
        cmocka_unit_test_prestate(sync_before_and_after_join, cx),
        cmocka_unit_test_prestate(store_and_wait, cx),
        cmocka_unit_test_prestate(load_after_store, cx),
        cmocka_unit_test_prestate(once_whatever_is_lost, cx),
        cmocka_unit_test_prestate(distances_around_failures, cx),
        cmocka_unit_test_prestate(once_whatever_has_failed, cx),
        cmocka_unit_test_prestate(too_many_failures, cx),
        cmocka_unit_test_prestate(wider_flits_and_faster_clock, cx),
        cmocka_unit_test_prestate(backoff_against_single_runs, cx),
        cmocka_unit_test_prestate(collisions_in_step, cx),
        cmocka_unit_test_prestate(held_packets_slip, cx),
        cmocka_unit_test_prestate(critical_path, cx),
        cmocka_unit_test_prestate(table_2a_add, cx),
        cmocka_unit_test_prestate(bad_requests, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
