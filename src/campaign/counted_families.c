/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Leaf by leaf: a further set joins a family if it meets all its members; then only the minimal ones are kept. */
#include "src/campaign/counted_families.h"

#include <string.h>

#include "src/core/grow.h"

bool hf_counted_meets_all(uint32_t member, uint32_t set) {
    for (; member; member &= member - 1) {
        if (!((uint32_t)__builtin_ctz(member) & set)) {
            return false;
        }
    }
    return true;
}

static uint32_t with_set(uint32_t member, uint32_t set) {
    uint32_t out = member | UINT32_C(1) << set;
    for (uint32_t rest = member; rest; rest &= rest - 1) {
        const uint32_t r = (uint32_t)__builtin_ctz(rest);
        if (r != set && (r & set) == r) {
            out &= ~(UINT32_C(1) << set);
        }
        if (r != set && (r & set) == set) {
            out &= ~(UINT32_C(1) << r);
        }
    }
    return out;
}

hf_status hf_counted_find_family(hf_context *cx, hf_counted_families *f, uint32_t member, uint32_t *out) {
    for (*out = 0; *out < f->n && f->member[*out] != member; (*out)++) {
    }
    if (*out < f->n) {
        return HF_OK;
    }
    HF_GROW(cx, f->member, f->n, f->room);
    if (f->count_room < f->room * f->terms) {
        HF_TRY(hf_resize(cx, f->room * f->terms, sizeof *f->count, (void **)&f->count));
        f->count_room = f->room * f->terms;
    }
    memset(f->count + (size_t)f->n * f->terms, 0, f->terms * sizeof *f->count);
    f->member[f->n++] = member;
    return HF_OK;
}

void hf_counted_free_families(hf_context *cx, hf_counted_families *f) {
    hf_release(hf_context_allocator(cx), f->member);
    hf_release(hf_context_allocator(cx), f->count);
    *f = (hf_counted_families){.terms = f->terms};
}

static hf_status add_leaf(hf_context *cx, uint32_t k, const hf_counted_families *from, hf_counted_families *to) {
    for (uint32_t i = 0; i < from->n; i++) {
        for (uint32_t set = 0; set < UINT32_C(1) << k; set++) {
            const uint32_t failed = k - (uint32_t)__builtin_popcount(set);
            uint32_t at;
            if (!hf_counted_meets_all(from->member[i], set)) {
                continue;
            }
            HF_TRY(hf_counted_find_family(cx, to, with_set(from->member[i], set), &at));
            for (uint32_t t = 0; t + failed < to->terms; t++) {
                to->count[(size_t)at * to->terms + t + failed] += from->count[(size_t)i * from->terms + t];
            }
        }
    }
    return HF_OK;
}

hf_status hf_counted_make_families(hf_context *cx, uint32_t k, hf_counted_families *f) {
    uint32_t at;
    f->terms = k * k + 1;
    HF_TRY(hf_counted_find_family(cx, f, 0, &at));
    f->count[0] = 1;
    for (uint32_t leaf = 0; leaf < k; leaf++) {
        hf_counted_families next = {.terms = f->terms};
        const hf_status status = add_leaf(cx, k, f, &next);
        hf_counted_free_families(cx, f);
        *f = next;
        HF_TRY(status);
        HF_TRY(hf_context_go_on(cx, "counting"));
    }
    return HF_OK;
}
