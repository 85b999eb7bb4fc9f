/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Memory of a kernel: linear in channels, virtual channels and depth of the buffers, and it stops growing with the cycles, at
 *  whatever load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"

/* ---- an allocator that knows how much is out ---- */

enum { HEADER = 64 }; /* keeps the alignment of malloc() */

static void *resize(void *user, void *old, size_t size) {
    size_t *out = user;
    char *block = old ? (char *)old - HEADER : NULL;
    const size_t before = block ? *(size_t *)(void *)block : 0;
    block = realloc(block, size + HEADER);
    if (!block) {
        return NULL;
    }
    *(size_t *)(void *)block = size;
    *out += size - before;
    return block + HEADER;
}

static void release(void *user, void *old) {
    size_t *out = user;
    char *block = old ? (char *)old - HEADER : NULL;
    *out -= block ? *(size_t *)(void *)block : 0;
    free(block);
}

/* Bytes of a kernel on a torus after so many cycles. */
static size_t bytes_of(const char *topo, uint32_t vcs, uint32_t buffer, double load, uint64_t cycles) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    hf_kernel *k;
    size_t bytes = 0;
    char rule[64];
    snprintf(rule, sizeof rule, "dor:vcs=%u,dateline=yes", vcs);
    hf_kernel_options o = hf_kernel_usual();
    o.buffer = buffer;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    const hf_allocator allocator = {resize, release, &bytes};
    hf_context *cx = hf_context_new(&allocator);
    assert_non_null(cx);
    assert_int_equal(hf_kernel_new(cx, &plan, &o, &k), HF_OK);
    assert_int_equal(hf_kernel_offer(k, traffic, load, 1), HF_OK);
    assert_int_equal(hf_kernel_run(k, cycles), HF_OK);
    const size_t taken = bytes;
    hf_context_free(cx);
    assert_int_equal(bytes, 0);
    hf_traffic_free(traffic);
    fixture_close(&fx);
    return taken;
}

typedef struct size {
    const char *topo;
    uint32_t terminals, channels; /* those of terminals too */
} size;

static const size sizes[] = {
    {"torus:dims=16x16", 256, 6 * 256}, {"torus:dims=32x32", 1024, 6 * 1024}, {"torus:dims=64x64", 4096, 6 * 4096}};

/* Not more than so many bytes for a place of a buffer, a virtual channel, a channel and a terminal; and a block of the arena for
 * each of a few pieces. Places are the flits themselves. */
static void linear(void **state) {
    (void)state;
    enum { PLACE = 4, VC = 122, CHANNEL = 216, TERMINAL = 262, REST = 1 << 18 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t vcs = 2; vcs <= 8; vcs *= 2) {
            for (uint32_t buffer = 8; buffer <= 128; buffer *= 4) {
                const size_t taken = bytes_of(sizes[i].topo, vcs, buffer, 1e-9, 1), n_vc = (size_t)sizes[i].channels * vcs;
                const size_t most = n_vc * (PLACE * (size_t)buffer + VC) + (size_t)sizes[i].channels * CHANNEL +
                                    (size_t)sizes[i].terminals * TERMINAL + REST;
                if (taken > most || taken < n_vc * PLACE * buffer) {
                    fail_msg("%s, %u virtual channels of %u flits: %zu bytes, at most %zu", sizes[i].topo, vcs, buffer, taken,
                             most);
                }
            }
        }
    }
}

/* Far beyond saturation, where queues at the sources grow without end. */
static void no_growth(void **state) {
    (void)state;
    const size_t early = bytes_of("torus:dims=8x8", 4, 8, 3, 20000), late = bytes_of("torus:dims=8x8", 4, 8, 3, 100000);
    assert_true(late == early);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear), cmocka_unit_test(no_growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
