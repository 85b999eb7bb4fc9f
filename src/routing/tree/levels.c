/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The shapes of xgft, clos and bmin as levels. */
#include "src/routing/tree/levels.h"

#include "src/topology/multistage/fly.h"
#include "src/topology/tree/tree.h"

static uint32_t part(hf_level_part p, uint64_t n) { return (uint32_t)(n / p.by % p.of); }

static bool of_xgft(const hf_xgft *x, hf_levels *out) {
    uint64_t below = 1, above = 1; /* terminals below a switch of the level; parents of the levels below, multiplied */
    out->n = x->h;
    for (uint32_t l = 1; l <= x->h; l++) {
        uint64_t width = 1; /* switches of the level */
        for (uint32_t i = 1; i <= x->h; i++) {
            width *= i > l ? x->m[i] : x->w[i];
        }
        hf_level *y = &out->level[l - 1];
        y->down = (hf_level_part){below, x->m[l]};
        y->below = (uint32_t)x->p[l];
        below *= x->m[l];
        above *= x->w[l];
        y->own = (hf_level_part){above, UINT64_MAX};
        y->below_of = (hf_level_part){below, UINT64_MAX};
        y->parents = l < x->h ? (uint32_t)x->w[l + 1] : 1;
        y->links = l < x->h ? (uint32_t)x->p[l + 1] : 1;
        y->up = (hf_level_part){above, (uint64_t)y->parents * y->links};
        y->n_down = (uint32_t)(x->m[l] * x->p[l]);
        out->level[l].first = y->first + (uint32_t)width;
    }
    return true;
}

/* Switch o of stage s is above the leaf switches that agree with it in the digits below n-1-s; a way up from stage s sets digit
 * n-2-s. What a destination has at n-1-s tells those apart that share all switches of the stages below. */
static bool of_bmin(const hf_topology *topo, hf_levels *out) {
    const uint32_t k = (uint32_t)hf_args_get(&topo->args, "k")->number, n = (uint32_t)hf_args_get(&topo->args, "n")->number;
    if (n > HF_LEVELS_MAX) {
        return false;
    }
    out->n = n;
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t agree = hf_power(k, n - 1 - s);
        const hf_level_part digit = {s ? hf_power(k, n - s) : 1, k};
        out->level[s] = (hf_level){.first = s * (topo->n_switch / n),
                                   .own = {1, agree},
                                   .below_of = {k, agree},
                                   .down = digit,
                                   .up = digit,
                                   .parents = k,
                                   .links = 1,
                                   .below = 1,
                                   .n_down = k};
    }
    out->level[n].first = topo->n_switch;
    return true;
}

bool hf_levels_of(const hf_topology *topo, hf_levels *out) {
    hf_xgft shape;
    *out = (hf_levels){0};
    if (topo->kind == &hf_topology_bmin) {
        return of_bmin(topo, out);
    }
    return hf_xgft_shape(topo, &shape) && shape.w[1] * shape.p[1] == 1 && of_xgft(&shape, out);
}

uint32_t hf_levels_at(const hf_levels *t, uint32_t sw) {
    uint32_t l = 0;
    while (sw >= t->level[l + 1].first) {
        l++;
    }
    return l;
}

bool hf_levels_is_below(const hf_levels *t, uint32_t l, uint32_t sw, uint32_t destination) {
    const hf_level *y = &t->level[l];
    return part(y->own, sw - y->first) == part(y->below_of, destination);
}

uint32_t hf_levels_down_port(const hf_levels *t, uint32_t l, uint32_t destination) {
    const hf_level *y = &t->level[l];
    const uint32_t beside = l ? part(y[-1].up, destination) / y[-1].parents : 0; /* the link that a way up would take */
    return part(y->down, destination) * y->below + beside;
}

uint32_t hf_levels_up_port(const hf_levels *t, uint32_t l, uint32_t destination) {
    const hf_level *y = &t->level[l];
    const uint32_t way = part(y->up, destination);
    return y->n_down + way % y->parents * y->links + way / y->parents;
}
