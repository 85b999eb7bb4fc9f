/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The kernel against its slow twin: random routers with buffers under relations of all kinds, those that deadlock among them.
 *  What has been counted is the same after every cycle. A failure prints the seed of its router. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"
#include "tests/oracle/router.h"
#include "tests/oracle/slow_kernel.h"

enum { ROUTERS = 400, CYCLES = 250 };

static const struct {
    const char *topo, *rule;
    bool has_rings;
} networks[] = {
    {"mesh:dims=3x3", "dor", false},
    {"mesh:dims=2x3", "dor:vcs=3", false},
    {"mesh:dims=3x3", "west-first", false},
    {"mesh:dims=3x2", "minimal:vcs=2", false},
    {"torus:dims=3x3", "duato", false},
    {"torus:dims=4x3", "dor", true},
    {"torus:dims=3x3", "adaptive-bubble", true},
    {"torus:dims=3x2", "valiant", false},
    {"ring:n=4", "minimal", false},
    {"hypercube:n=3", "minimal", false},
    {"kary-tree:k=2,n=3", "updown", false},
    {"kary-tree:k=3,n=2", "destro", false},
    {"kary-tree:k=2,n=2", "updown:vcs=3", false},
    {"kary-tree:k=2,n=3", "det-lin:vcs=2", false},
    {"dragonfly:p=2,a=2,h=1", "dragonfly-min", false},
    {"hyperx:dims=2x3,terminals=2", "minimal", false},
    {"multibutterfly:radix=2,dilation=2,stages=3", "multipath", false},
    {"ruft:k=2,n=3", "ruft", false},
    {"clos:tiers=2,radix=6,pods=2,rates=50x100", "minimal:vcs=2", false},
    {"clos:tiers=2,radix=7,rates=100x40", "minimal", false},
    {"chiplets:chiplets=2x1,dims=2x2,below=1x1,rates=25x50x20", "minimal:vcs=2", false},
};

static hf_kernel_options draw(hf_random *r, bool has_rings) {
    hf_kernel_options o;
    do {
        o = oracle_router_draw(r, has_rings, false);
    } while (o.contention != HF_CONTENTION_WAIT);
    o.one_routing_unit = false;
    return o;
}

static void differ(uint64_t seed, const fixture *fx, const hf_kernel_counts *fast, const hf_kernel_counts *slow) {
    const struct {
        const char *name;
        uint64_t fast, slow;
    } counts[] = {{"flit hops", fast->flit_hops, slow->flit_hops},
                  {"packets injected", fast->injected, slow->injected},
                  {"packets delivered", fast->delivered, slow->delivered},
                  {"flits delivered", fast->delivered_flits, slow->delivered_flits},
                  {"packets out of order", fast->reordered, slow->reordered},
                  {"sum of latencies", fast->latency_sum, slow->latency_sum},
                  {"sum of network latencies", fast->network_latency_sum, slow->network_latency_sum}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].fast != counts[i].slow) {
            fail_msg("router %u, %s, %s, after cycle %u: %s %u, the twin %u", (unsigned)seed, fx->topo->spec, fx->rule.spec,
                     (unsigned)fast->cycle, counts[i].name, (unsigned)counts[i].fast, (unsigned)counts[i].slow);
        }
    }
    fail_msg("router %u, %s, %s, after cycle %u: other counts", (unsigned)seed, fx->topo->spec, fx->rule.spec,
             (unsigned)fast->cycle);
}

/* \return flits that have moved */
static uint64_t compare(uint64_t seed) {
    hf_random random;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    hf_messages messages;
    hf_kernel *fast;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 2);
    const uint32_t row = oracle_between(&random, 0, sizeof networks / sizeof *networks - 1);
    const hf_kernel_options o = draw(&random, networks[row].has_rings);
    const double load = oracle_between(&random, 1, 10) / 10.0;
    fixture_open(&fx, networks[row].topo, NULL, networks[row].rule);
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    const hf_generation g = {
        .plan = &plan, .traffic = traffic, .load = load, .packet_length = o.packet_length, .seed = seed, .cycles = CYCLES};
    fixture_ok(&fx, hf_messages_generate(fx.cx, &g, &messages));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &fast));
    fixture_ok(&fx, hf_kernel_offer(fast, traffic, load, seed));
    slow_kernel *slow = slow_kernel_new(&plan, &o, &messages, seed);
    hf_kernel_counts a, b = {0};
    for (uint32_t i = 0; i < CYCLES; i++) {
        fixture_ok(&fx, hf_kernel_run(fast, 1));
        slow_kernel_step(slow);
        a = *hf_kernel_read(fast);
        b = slow_kernel_read(slow);
        a.generated = 0; /* the twin does not count them */
        if (fx.topo->n_link - fx.topo->n_switch_link > fx.topo->n_terminal) {
            a.reordered = b.reordered = 0; /* of two that come over two links in one cycle, either may be taken first */
        }
        if (memcmp(&a, &b, sizeof a) != 0) {
            differ(seed, &fx, &a, &b);
        }
    }
    slow_kernel_free(slow);
    hf_messages_free(&messages);
    hf_traffic_free(traffic);
    fixture_close(&fx);
    return b.flit_hops;
}

static void every_cycle(void **state) {
    (void)state;
    const char *text = getenv("HOLDFAST_ROUTERS");
    const uint64_t n = text ? strtoull(text, NULL, 10) : ROUTERS;
    uint64_t hops = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        hops += compare(seed);
    }
    assert_true(hops > 1000 * n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
