/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Wirings of multipath networks: refused with the file, or a network that holds together and whose text reads back the same. */
#include "tests/fuzz/draft.h"

#include "src/topology/multistage/multipath_wiring.h"

static const char lines[] = "multipath-wiring multibutterfly radix $n dilation $n stages $n\n"
                            "s$n: s$n:$n s$n:$n\n"
                            "t$n: s$n:$n s$n:$n\n"
                            "s$n: t$n:$n t$n:$n\n";
static const char words[] = "multipath-wiring multibutterfly maximal-fanout random radix dilation stages s0 t0 out";
const fuzz_grammar fuzz_format = {lines, words, ":", NULL};

static hf_topology *read_wiring(hf_context *cx, const hf_args *args, const char *data, size_t size) {
    hf_wiring_file wiring;
    hf_topology *topo = NULL;
    hf_status status = hf_read_multipath_wiring(cx, "input", data, size, &wiring);
    if (status == HF_OK) {
        status = hf_build_multipath_wiring(cx, "input", &wiring, args, &topo);
        expect(status == HF_OK, "what was read is built");
    } else {
        expect_refusal(cx);
    }
    return topo;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_args args;
    if (!cx || hf_args_parse(cx, "topology", "multipath-wiring", hf_topology_multipath_wiring.params, "input", &args) != HF_OK) {
        abort();
    }
    hf_topology *topo = read_wiring(cx, &args, (const char *)data, size);
    if (topo) {
        hf_text text;
        hf_text_init(cx, &text);
        check_topology(cx, topo);
        expect(hf_format_wiring(cx, topo, &text) == HF_OK, "it is written");
        hf_topology *back = read_wiring(cx, &args, text.data, text.size);
        expect(back && back->n_channel == topo->n_channel, "the text is read");
        expect(memcmp(back->to, topo->to, topo->n_channel * sizeof *topo->to) == 0 &&
                   memcmp(back->to_port, topo->to_port, topo->n_channel * sizeof *topo->to_port) == 0,
               "as the same wiring");
        hf_topology_free(back);
        hf_text_free(&text);
    }
    hf_topology_free(topo);
    hf_args_free(&args);
    hf_context_free(cx);
    return 0;
}
