/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The multi-hop protocol: live terminals pass on what a plan does not let in directly. Source: [chong1992, 6]. Which pairs are
 *  let in is asked once, n_terminal^2 questions, when the first message is refused. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/kernel/kernel.h"

static hf_status is_let_in(const hf_kernel *k, uint32_t s, uint32_t d, bool *out) {
    const hf_plan *plan = k->plan;
    size_t n = 0;
    HF_TRY(s == d ? HF_OK : hf_plan_read(k->cx, plan, plan->topo->n_switch + s, HF_HOP_INJECTION, d, k->route_hops, &n));
    *out = n > 0;
    return HF_OK;
}

static hf_status ask_all(hf_kernel *k) {
    const hf_plan *plan = k->plan;
    const uint32_t n = plan->topo->n_terminal;
    const size_t words = hf_words(n);
    HF_TRY(hf_scratch(k->cx, n * words, sizeof *k->direct, (void **)&k->direct));
    for (uint32_t s = 0; s < n; s++) {
        for (uint32_t d = 0; d < n && hf_plan_is_live(plan, s); d++) {
            bool is_direct = false;
            HF_TRY(hf_plan_is_live(plan, d) ? is_let_in(k, s, d, &is_direct) : HF_OK);
            if (is_direct) {
                hf_bit_set(k->direct + s * words, d);
            }
        }
    }
    return HF_OK;
}

/* The first terminal from `at` on that stands in both sets, round; so those that pass on take turns. HF_NONE: none. */
static uint32_t common(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t at) {
    const size_t words = hf_words(n), first = at >> 6;
    for (size_t i = 0; i <= words; i++) { /* the first word twice: from `at` on, and before it */
        const size_t w = (first + i) % words;
        const uint64_t from = UINT64_MAX << (at & 63);
        const uint64_t both = a[w] & b[w] & (i == 0 ? from : i == words ? ~from : UINT64_MAX);
        if (both) {
            return (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(both);
        }
    }
    return HF_NONE;
}

/* Those that reach a terminal of `near` directly. \return whether there are more than were in `far` */
static bool widen(const hf_kernel *k, const uint64_t *near, uint64_t *far) {
    const uint32_t n = k->topo->n_terminal;
    const size_t words = hf_words(n);
    bool is_more = false;
    for (uint32_t s = 0; s < n; s++) {
        for (size_t w = 0; w < words && !hf_bit_test(far, s); w++) {
            if (k->direct[s * words + w] & near[w]) {
                hf_bit_set(far, s);
                is_more = true;
            }
        }
    }
    return is_more;
}

static hf_status search(hf_kernel *k, uint32_t at, uint32_t destination, uint32_t *out) {
    const uint32_t n = k->topo->n_terminal;
    const size_t words = hf_words(n);
    uint64_t *near, *far;
    HF_TRY(hf_scratch(k->cx, words, sizeof *near, (void **)&near));
    HF_TRY(hf_scratch(k->cx, words, sizeof *far, (void **)&far));
    hf_bit_set(near, destination);
    do {
        const uint32_t t = common(k->direct + at * words, near, n, (at + destination) % n);
        if (t != HF_NONE) {
            *out = t;
            return HF_OK;
        }
        memcpy(far, near, words * sizeof *near);
        const bool is_more = widen(k, near, far);
        memcpy(near, far, words * sizeof *near);
        if (!is_more) {
            return HF_OK;
        }
    } while (true);
}

hf_status hf_kernel_leg(hf_kernel *k, uint32_t at, uint32_t destination, uint32_t *out) {
    const hf_plan *plan = k->plan;
    *out = destination;
    if (!hf_plan_is_live(plan, at) || !hf_plan_is_live(plan, destination)) {
        return HF_OK;
    }
    bool is_direct;
    HF_TRY(is_let_in(k, at, destination, &is_direct));
    if (is_direct) {
        return HF_OK;
    }
    if (!k->direct) {
        HF_TRY(ask_all(k));
    }
    const hf_mark after = hf_scratch_mark(k->cx);
    const hf_status status = search(k, at, destination, out);
    hf_scratch_reset(k->cx, after);
    return status;
}
