/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Files of groups: refused with file and line, or a universe whose groups take down channels that exist. */
#include <holdfast/holdfast.h>

#include "tests/fuzz/fuzz.h"

static const char lines[] = "g$n: s$n t$n\n"
                            "$w: s$n:$n s$n:$n>\n"
                            "$t: s$n:$n-s$n:$n, t$n\n"
                            "board: s$n:$n>s$n:$n\n"
                            "# $t\n";
static const char words[] = "board rack s0 t0 s8 s0:0 s0:0> s0:2-s4:0";
const fuzz_grammar fuzz_format = {lines, words, ":,>-", NULL};

static void check(const hf_universe *u) {
    expect(u->n_component > 0 && u->n_component == u->n_group, "every group is a component");
    for (uint32_t i = 0; i < u->n_component; i++) {
        expect(u->channel_begin[i] < u->channel_begin[i + 1], "a group has channels");
        for (uint32_t c = u->channel_begin[i]; c < u->channel_begin[i + 1]; c++) {
            expect(u->channel[c] < u->topo->n_channel, "channels exist");
            expect(c == u->channel_begin[i] || u->channel[c - 1] < u->channel[c], "in order, none twice");
        }
        expect(u->group_name[i] && *u->group_name[i], "groups have names");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = NULL;
    hf_universe *universe = NULL;
    if (!cx || hf_topology_new(cx, "kary-tree:k=2,n=3", &topo) != HF_OK) {
        abort();
    }
    const hf_status status = hf_universe_parse_groups(cx, topo, "input", (const char *)data, size, &universe);
    if (status == HF_OK) {
        check(universe);
    } else {
        expect_refusal(cx);
    }
    hf_universe_free(universe);
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
