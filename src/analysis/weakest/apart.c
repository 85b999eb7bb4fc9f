/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bounds of pairs by flows, none looked at further than just above the lowest so far: only low ones are of use. */
#include "src/analysis/weakest/apart.h"

enum { ABOVE = 2 };

hf_status hf_apart_find(hf_context *cx, const hf_universe *universe, bool relays, hf_apart *out) {
    const uint32_t n = universe->topo->n_terminal;
    *out = (hf_apart){.universe = universe, .n = n, .least = UINT8_MAX - ABOVE};
    if (n > HF_APART_TERMINALS) {
        HF_FAIL(cx, HF_ENOTSUP, "pairs of more than %d terminals are too many", HF_APART_TERMINALS);
    }
    HF_TRY(hf_menger_init(cx, universe, &out->flow));
    HF_TRY(hf_scratch(cx, (size_t)n * n, sizeof *out->bound, (void **)&out->bound));
    out->flow.relays = relays;
    for (uint32_t s = 0; s < n; s++) {
        HF_TRY(hf_context_go_on(cx, "looking for what parts pairs of terminals"));
        for (uint32_t d = 0; d < n; d++) {
            const uint32_t from = universe->topo->n_switch + s, to = universe->topo->n_switch + d;
            const uint32_t bound = s == d ? UINT8_MAX : hf_menger_find(&out->flow, from, to, out->least + ABOVE);
            out->bound[(size_t)s * n + d] = (uint8_t)bound;
            out->least = bound < out->least ? bound : out->least;
            out->most = s != d && bound > out->most ? bound : out->most;
        }
    }
    return HF_OK;
}

bool hf_apart_cut(hf_apart *apart, uint32_t source, uint32_t destination, uint32_t *component, uint32_t *n) {
    const uint32_t first = apart->universe->topo->n_switch, bound = apart->bound[(size_t)source * apart->n + destination];
    *n = hf_menger_find(&apart->flow, first + source, first + destination, bound + 1);
    if (*n != bound) {
        return false;
    }
    hf_menger_cut(&apart->flow, apart->universe, component, n);
    return true;
}
