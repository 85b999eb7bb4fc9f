/** \file
 *  What every table that was read from bytes must hold; shared by the fuzz targets of tables. */
#ifndef HOLDFAST_TESTS_FUZZ_TABLE_H
#define HOLDFAST_TESTS_FUZZ_TABLE_H

#include "src/routing/table/table.h"
#include "tests/fuzz/draft.h"

/* Two switches a and b, joined twice; host x on a, host y with the LIDs 4 to 7 on b. */
static const char fuzz_fabric[] = "switchguid=0xa(a)\nSwitch\t4 \"S-a\"\t# \"a\" base port 0 lid 1 lmc 0\n"
                                  "[1]\t\"H-10\"[1](11) \t# \"x\" lid 3 4xSDR\n[2]\t\"S-b\"[2]\t# \"b\" lid 2 4xSDR\n"
                                  "[3]\t\"S-b\"[3]\t# \"b\" lid 2 4xSDR\n"
                                  "switchguid=0xb(b)\nSwitch\t4 \"S-b\"\t# \"b\" base port 0 lid 2 lmc 0\n"
                                  "[1]\t\"H-20\"[1](21) \t# \"y\" lid 4 4xSDR\n[2]\t\"S-a\"[2]\t# \"a\" lid 1 4xSDR\n"
                                  "[3]\t\"S-a\"[3]\t# \"a\" lid 1 4xSDR\n"
                                  "caguid=0x10\nCa\t1 \"H-10\"\t# \"x\"\n[1](11) \t\"S-a\"[1]\t# lid 3 lmc 0 \"a\" lid 1 4xSDR\n"
                                  "caguid=0x20\nCa\t1 \"H-20\"\t# \"y\"\n[1](21) \t\"S-b\"[1]\t# lid 4 lmc 2 \"b\" lid 2 4xSDR\n";

static inline hf_topology *fuzz_topology(hf_context *cx) {
    hf_draft draft;
    hf_topology *topo = NULL;
    hf_args args;
    if (hf_args_parse(cx, "topology", "file", hf_topology_file.params, "fabric", &args) != HF_OK) {
        abort();
    }
    hf_draft_init(cx, "fabric", &draft);
    if (hf_read_ibnet(cx, fuzz_fabric, sizeof fuzz_fabric - 1, &draft) != HF_OK ||
        hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo) != HF_OK) {
        abort();
    }
    hf_draft_free(&draft);
    hf_args_free(&args);
    return topo;
}

static void check_hops(const hf_forwarding *t, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const size_t n = hf_forwarding_route(t, at, in, destination, hops);
    expect(n <= t->max_hops, "there is room for the hops");
    for (size_t i = 0; i < n; i++) {
        expect(hops[i].channel < t->topo->n_channel && t->topo->from[hops[i].channel] == at, "hops leave from here");
        expect(hops[i].vc < t->n_vc, "on a VC that exists");
    }
}

/* Every state that can be told: injections, and arrivals on every channel. */
static void check_table(hf_context *cx, const hf_forwarding *t) {
    hf_hop *hops;
    const hf_topology *topo = t->topo;
    if (hf_scratch(cx, t->max_hops, sizeof *hops, (void **)&hops) != HF_OK) {
        abort();
    }
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        for (uint32_t s = 0; s < topo->n_terminal; s++) {
            if (s != d) {
                check_hops(t, topo->n_switch + s, HF_HOP_INJECTION, d, hops);
            }
        }
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            for (uint32_t vc = 0; topo->to[c] < topo->n_switch && vc < t->n_vc; vc++) {
                check_hops(t, topo->to[c], (hf_hop){c, vc, 0}, d, hops);
            }
        }
    }
}

typedef hf_status (*table_reader)(hf_lines *lines, hf_forwarding *table);

/** Read a table and, where these readers are given, the files behind it; a percent sign stands between them. */
static inline void fuzz_table(table_reader read, table_reader sl, table_reader sl2vl, const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_forwarding table;
    if (!cx) {
        abort();
    }
    hf_topology *topo = fuzz_topology(cx);
    const table_reader readers[] = {read, sl, sl2vl};
    const char *at = (const char *)data;
    size_t left = size;
    hf_status status = HF_OK;
    hf_forwarding_init(cx, topo, &table);
    for (size_t i = 0; i < 3 && status == HF_OK && readers[i] && (i == 0 || left > 0); i++) {
        const char *mark = left ? memchr(at, '%', left) : NULL; /* the files stand one behind the other */
        const size_t n = mark && sl ? (size_t)(mark - at) : left;
        hf_lines lines;
        hf_lines_start(cx, "input", at, n, &lines);
        status = readers[i](&lines, &table);
        left -= n < left ? n + 1 : n;
        at += left ? n + 1 : 0;
    }
    if (status == HF_OK) {
        hf_forwarding_finish(&table);
        check_table(cx, &table);
    } else {
        expect_refusal(cx);
    }
    hf_forwarding_release(&table);
    hf_topology_free(topo);
    hf_context_free(cx);
}

#endif
