/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Specs, names and lists of faults. What is accepted prints as a canonical text that is accepted and prints the same. */
#include <holdfast/holdfast.h>

#include "src/protocol/messaged.h"
#include "tests/fuzz/fuzz.h"

static const char lines[] = "$w:$w=$n\n"
                            "$w:$w=$n,$w=$w\n"
                            "$w:dims=$nx$n\n"
                            "$w+$w\n"
                            "$n..$n,$n\n"
                            "$n%..$n%/$n%\n"
                            "s$n:$n-s$n:$n,s$n:$n>\n"
                            "links:stage=$n\n"
                            "$w:k=$n,n=$n\n";
static const char words[] = "kary-tree torus mesh ring hypercube xgft dragonfly slimfly k n dims vcs dateline yes no intervals "
                            "ft2ei updown links channels switches terminal-links stage multibutterfly radix dilation stages seed "
                            "unlimited add nodes send receive loss inner dor root order";
const fuzz_grammar fuzz_format = {lines, words, ":=,+./-%>x", NULL};

/* A failure has a code of its own and a message. */
static void expect_told(hf_context *cx, hf_status status) {
    if (status != HF_OK) {
        expect_sentence(cx);
    }
    hf_context_clear(cx);
}

static void try_args(hf_context *cx, const char *name, const hf_param *params, const char *text) {
    hf_args args;
    char *once = NULL, *twice = NULL;
    const hf_status status = hf_args_parse(cx, "topology", name, params, text, &args);
    expect_told(cx, status);
    if (status != HF_OK) {
        return;
    }
    expect(hf_args_canonical(cx, name, &args, &once) == HF_OK, "a canonical text");
    hf_args_free(&args);
    size_t size;
    const char *rest = hf_spec_split(once, &size);
    expect(hf_args_parse(cx, "topology", name, params, rest, &args) == HF_OK, "the canonical text is accepted");
    expect(hf_args_canonical(cx, name, &args, &twice) == HF_OK && strcmp(once, twice) == 0,
           "canonical once is canonical for good");
    hf_args_free(&args);
    hf_release(hf_context_allocator(cx), once);
    hf_release(hf_context_allocator(cx), twice);
}

/* What is accepted can be run: tables of at least a line, a probability. */
static void try_program(hf_context *cx, const char *text) {
    hf_messaged m = {0};
    const hf_status status = hf_group_read(cx, &hf_messaged_group, text, &m);
    expect_told(cx, status);
    if (status == HF_OK) {
        expect(m.program.work_factor > 0, "a program");
        expect(m.messaging.protocol.send_capacity > 0 && m.messaging.protocol.receive_capacity > 0, "tables");
        expect(m.messaging.loss >= 0 && m.messaging.loss < 1 && m.messaging.clock_percent > 0 && m.messaging.flit_bits > 0,
               "a network");
    }
}

static void try_universe(hf_context *cx, const hf_topology *topo, const char *text) {
    if (strstr(text, "groups")) {
        return; /* would open files */
    }
    hf_universe *universe = NULL;
    const hf_status status = hf_universe_new(cx, topo, text, NULL, &universe);
    expect_told(cx, status);
    if (status == HF_OK) {
        hf_universe *again = NULL;
        expect(hf_universe_new(cx, topo, universe->spec, NULL, &again) == HF_OK, "a canonical universe is accepted");
        expect(strcmp(universe->spec, again->spec) == 0 && universe->n_component == again->n_component, "and is the same");
        hf_universe_free(again);
        hf_universe_free(universe);
    }
}

static void try_names(hf_context *cx, const hf_topology *topo, const char *text) {
    char type, name[HF_NAME_SIZE];
    uint32_t id;
    const hf_status status = hf_topology_parse_name(cx, topo, text, strlen(text), &type, &id);
    expect_told(cx, status);
    if (status == HF_OK && type == 'c') {
        uint32_t back;
        hf_topology_channel_name(topo, id, name, sizeof name);
        expect(hf_topology_parse_name(cx, topo, name, strlen(name), &type, &back) == HF_OK && back == id, "a name names itself");
    }
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set set;
    expect_told(cx, hf_fault_set_parse(cx, topo, NULL, text, &set));
    hf_scratch_reset(cx, mark);
}

static void try_faults(hf_context *cx, const char *text) {
    uint32_t *f = NULL;
    size_t n = 0;
    const hf_status status = hf_campaign_parse_faults(cx, text, &f, &n);
    expect_told(cx, status);
    for (size_t i = 1; status == HF_OK && i < n; i++) {
        expect(f[i - 1] < f[i], "ascending");
    }
    hf_release(hf_context_allocator(cx), f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    char *text = malloc(size + 1);
    if (!cx || !text) {
        abort();
    }
    memcpy(text, data, size);
    text[size] = 0;
    hf_topology *topo = NULL;
    expect(hf_topology_new(cx, "kary-tree:k=2,n=2", &topo) == HF_OK, "a small tree");
    size_t name_size;
    const char *rest = hf_spec_split(text, &name_size);
    for (size_t i = 0; i < hf_topology_count(); i++) {
        try_args(cx, hf_topology_kind_at(i)->name, hf_topology_kind_at(i)->params, rest);
    }
    for (size_t i = 0; i < hf_routing_count(); i++) {
        try_args(cx, hf_routing_at(i)->name, hf_routing_at(i)->params, rest);
    }
    try_program(cx, text);
    try_universe(cx, topo, text);
    try_names(cx, topo, text);
    try_faults(cx, text);
    hf_topology_free(topo);
    hf_context_free(cx);
    free(text);
    return 0;
}
