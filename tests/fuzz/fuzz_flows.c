/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flows, explicit paths and rings: each reader refuses the text with the file, or makes of it what it should hold. */
#include "src/routing/flows.h"
#include "src/routing/rings.h"
#include "tests/fuzz/table.h"

extern const hf_routing hf_routing_paths;

static const char lines[] = "source,destination,rate\n"
                            "t$n,t$n,0.$n\n"
                            "x y\n"
                            "t0 s$n:$n@$n s1@$n t1\n"
                            "t$n,s$n:2,s$n,t$n\n"
                            "t1 b:3 a@1 t0\n"
                            "s0 s1@$n s2:$n\n"
                            "s$n s$n,s$n@1\n";
static const char words[] = "t0 t1 s0 s1 a b x y source destination rate : @";
const fuzz_grammar fuzz_format = {lines, words, ",", NULL};

static void check_flows(const hf_flow_list *flows) {
    expect(flows->n > 0 && flows->begin[flows->n_terminal] == flows->n, "there are flows");
    for (uint32_t d = 0; d < flows->n_terminal; d++) {
        for (uint32_t i = flows->begin[d]; i < flows->begin[d + 1]; i++) {
            expect(flows->source[i] < flows->n_terminal && flows->source[i] != d, "from others");
            expect(i == flows->begin[d] || flows->source[i - 1] < flows->source[i], "that ascend");
            expect(hf_flow_list_find(flows, flows->source[i], d) == i, "and are found");
            expect(!flows->rate || (flows->rate[i] > 0 && flows->rate[i] <= HF_FLOW_RATE_UNIT), "with rates in range");
        }
    }
}

static void read_flows(hf_context *cx, const hf_topology *topo, const char *text, size_t size) {
    hf_flow_list *flows;
    hf_lines r;
    hf_lines_start(cx, "input", text, size, &r);
    if (hf_flow_list_read(&r, topo, &flows) != HF_OK) {
        expect_refusal(cx);
        return;
    }
    check_flows(flows);
    hf_flow_list_free(flows);
}

static void read_paths(hf_context *cx, const hf_topology *topo, const char *text, size_t size) {
    hf_flow_list *flows;
    void *data;
    hf_lines r;
    hf_lines_start(cx, "input", text, size, &r);
    if (hf_paths_read(&r, topo, &data) != HF_OK) {
        expect_refusal(cx);
        return;
    }
    expect(hf_routing_paths.flows(cx, data, &flows) == HF_OK, "paths have ends");
    check_flows(flows);
    hf_flow_list_free(flows);
    hf_routing_paths.close(data);
}

enum { VCS = 2 };

/* From what is on a ring one way leads on, and round to where it began. */
static void check_ring(const hf_topology *topo, const uint32_t *ring, uint32_t first) {
    const uint32_t n = topo->n_channel * VCS;
    uint32_t at = first, steps = 0;
    do {
        uint32_t next = n;
        for (uint32_t r = 0; r < n; r++) {
            if (ring[r] == ring[first] && topo->from[r / VCS] == topo->to[at / VCS]) {
                expect(next == n, "a ring has one way on");
                next = r;
            }
        }
        expect(next < n, "a ring goes on");
        at = next;
        steps++;
    } while (at != first && steps <= n);
    expect(at == first, "a ring is closed");
}

static void read_rings(hf_context *cx, const hf_topology *topo, const char *text, size_t size) {
    uint32_t *ring = malloc(sizeof *ring * topo->n_channel * VCS);
    hf_lines r;
    if (!ring) {
        abort();
    }
    hf_lines_start(cx, "input", text, size, &r);
    if (hf_rings_read(&r, topo, VCS, ring) != HF_OK) {
        expect_refusal(cx);
    } else {
        for (uint32_t i = 0; i < topo->n_channel * VCS; i++) {
            if (ring[i] != HF_NONE) {
                check_ring(topo, ring, i);
            }
        }
    }
    free(ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        abort();
    }
    hf_topology *topo = fuzz_topology(cx);
    read_flows(cx, topo, (const char *)data, size);
    hf_context_clear(cx);
    read_paths(cx, topo, (const char *)data, size);
    hf_context_clear(cx);
    read_rings(cx, topo, (const char *)data, size);
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
