/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traffic patterns by name, and what is asked of any. */
#include "src/analysis/traffic/traffic.h"

#include <holdfast/core/bitset.h>

#include "src/core/hash.h"
#include "src/core/registry.h"
#include "src/core/source.h"

static const void *const entries[] = {
#define X(name) &hf_traffic_##name,
#include "src/analysis/traffic/traffic.def"
#undef X
};
static const hf_registry registry = HF_REGISTRY("traffic pattern", entries);

size_t hf_traffic_count(void) { return registry.n; }
const hf_traffic_kind *hf_traffic_at(size_t i) { return hf_registry_at(&registry, i); }

uint64_t hf_traffic_row(const hf_traffic *t, uint32_t s, const uint64_t *live) {
    const uint32_t n = t->n_terminal;
    const uint64_t others = (live ? hf_bits_count(live, hf_words(n)) - hf_bit_test(live, s) : n - 1);
    uint64_t sum = (t->base + (s == t->hot ? t->hot_own : 0)) * others;
    if (t->to && t->to[s] != HF_NONE && t->to[s] != s && (!live || hf_bit_test(live, t->to[s]))) {
        sum += t->to_weight;
    }
    if (t->hot != HF_NONE && t->hot != s && (!live || hf_bit_test(live, t->hot))) {
        sum += t->hot_weight;
    }
    for (uint32_t d = 0; t->matrix && d < n; d++) {
        sum += d != s && (!live || hf_bit_test(live, d)) ? t->matrix[(size_t)s * n + d] : 0;
    }
    return sum;
}

double hf_traffic_total(const hf_traffic *t) {
    double sum = 0;
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        sum += (double)hf_traffic_row(t, s, NULL);
    }
    return sum;
}

uint64_t hf_traffic_hash(const hf_traffic *t) {
    const uint64_t n = t->n_terminal;
    const uint64_t to = t->to ? hf_hash_bytes(t->to, n * sizeof *t->to) : 0;
    const uint64_t matrix = t->matrix ? hf_hash_bytes(t->matrix, n * n * sizeof *t->matrix) : 0;
    return to ^ (matrix * 3);
}

static hf_status fill(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    if (topo->n_terminal < 2) {
        HF_FAIL(cx, HF_EINVAL, "traffic \"%s\": need at least two terminals, %s has %u", t->kind->name, topo->spec,
                topo->n_terminal);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = t->kind->fill(cx, topo, t);
    hf_scratch_reset(cx, mark);
    return status == HF_OK ? hf_args_canonical(cx, t->kind->name, &t->args, &t->spec) : status;
}

hf_status hf_traffic_new(hf_context *cx, const hf_topology *topo, const char *spec, hf_traffic **out) {
    const char *text;
    const hf_traffic_kind *kind = hf_registry_of_spec(cx, &registry, spec, &text);
    hf_traffic *t;
    if (!kind) {
        return HF_ENOENT;
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *t, (void **)&t));
    *t = (hf_traffic){
        .kind = kind, .allocator = *hf_context_allocator(cx), .n_terminal = topo->n_terminal, .denominator = 1, .hot = HF_NONE};
    hf_status status = hf_args_parse(cx, "traffic", kind->name, kind->params, text, &t->args);
    if (status != HF_OK) {
        hf_release(&t->allocator, t);
        return status;
    }
    status = fill(cx, topo, t);
    if (status != HF_OK) {
        hf_traffic_free(t);
        return status;
    }
    *out = t;
    return HF_OK;
}

void hf_traffic_free(hf_traffic *t) {
    if (t) {
        const hf_allocator allocator = t->allocator;
        hf_args_free(&t->args);
        hf_release(&allocator, t->spec);
        hf_release(&allocator, t->to);
        hf_release(&allocator, t->matrix);
        hf_release(&allocator, t);
    }
}
