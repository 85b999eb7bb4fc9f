/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Permutations of the terminals by rule. A terminal that is sent to itself sends nothing. */
#include <string.h>

#include "src/analysis/traffic/traffic.h"
#include "src/topology/grid/grid.h"

enum { DIGITS_MAX = 32 };

hf_status hf_traffic_map(hf_context *cx, hf_traffic *t) {
    HF_TRY(hf_allocate(cx, t->n_terminal, sizeof *t->to, (void **)&t->to));
    memset(t->to, 0xff, t->n_terminal * sizeof *t->to); /* HF_NONE */
    t->to_weight = 1;
    return HF_OK;
}

static hf_status refuse(hf_context *cx, const hf_traffic *t, const char *need) {
    HF_FAIL(cx, HF_EINVAL, "traffic \"%s\": the topology has %u terminals; need %s", t->kind->name, t->n_terminal, need);
}

/* The number of digits of base `radix` in which the terminals are numbered, 0 if there is none. */
static uint32_t digits_of(uint32_t n_terminal, uint64_t radix) {
    uint64_t power = 1;
    uint32_t n = 0;
    while (radix >= 2 && power < n_terminal) {
        power *= radix;
        n++;
    }
    return power == n_terminal ? n : 0;
}

static uint32_t reverse(uint32_t value, uint32_t radix, uint32_t n) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < n; i++) {
        out = out * radix + value % radix;
        value /= radix;
    }
    return out;
}

/* ---- complement, reversals ---- */

static hf_status fill_complement(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    HF_TRY(hf_traffic_map(cx, t));
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        t->to[s] = t->n_terminal - 1 - s;
    }
    return HF_OK;
}

const hf_traffic_kind hf_traffic_complement = {
    .name = "complement",
    .summary = "Terminal s sends to N - 1 - s: all digits are complemented",
    .source = "gomez2010, 4.3.2",
    .params = hf_no_params,
    .fill = fill_complement,
};

static const hf_param radix_params[] = {{.name = "radix",
                                         .type = HF_PARAM_UINT,
                                         .fallback = "0",
                                         .high = 65536,
                                         .help = "base of the digits of a terminal; 0: as the topology numbers them"},
                                        {0}};

/* k of a family that has k^n terminals, else 0. */
static uint64_t own_radix(const hf_topology *topo) {
    for (size_t i = 0; i < topo->args.count; i++) {
        const hf_param *p = &topo->args.params[i];
        if (p->name[0] == 'k' && !p->name[1] && digits_of(topo->n_terminal, topo->args.value[i].number)) {
            return topo->args.value[i].number;
        }
    }
    return 0;
}

static hf_status fill_reversed(hf_context *cx, hf_traffic *t, uint64_t radix, const char *need) {
    const uint32_t n = digits_of(t->n_terminal, radix);
    if (n == 0) {
        return refuse(cx, t, need);
    }
    HF_TRY(hf_traffic_map(cx, t));
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        t->to[s] = reverse(s, (uint32_t)radix, n);
    }
    return HF_OK;
}

static hf_status fill_digit_reversal(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    const uint64_t radix = hf_args_get(&t->args, "radix")->number;
    return fill_reversed(cx, t, radix ? radix : own_radix(topo), "a power of the radix; say which, as in digit-reversal:radix=4");
}

const hf_traffic_kind hf_traffic_digit_reversal = {
    .name = "digit-reversal",
    .summary = "The digits of the source in reverse order; the text of the source means this one",
    .source = "gomez2010, 4.3.2",
    .params = radix_params,
    .fill = fill_digit_reversal,
};

static hf_status fill_bit_reversal(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    return fill_reversed(cx, t, 2, "a power of two");
}

const hf_traffic_kind hf_traffic_bit_reversal = {
    .name = "bit-reversal",
    .summary = "The bits of the source in reverse order",
    .source = "gomez2010, 4.3.2, example",
    .params = hf_no_params,
    .fill = fill_bit_reversal,
};

/* ---- transpose, shuffle ---- */

static hf_status fill_transpose(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    uint32_t side = 1;
    while ((uint64_t)side * side < t->n_terminal) {
        side++;
    }
    if ((uint64_t)side * side != t->n_terminal) {
        return refuse(cx, t, "a square");
    }
    HF_TRY(hf_traffic_map(cx, t));
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        t->to[s] = s % side * side + s / side;
    }
    return HF_OK;
}

const hf_traffic_kind hf_traffic_transpose = {
    .name = "transpose",
    .summary = "Terminal a m + b sends to b m + a, of N = m m terminals",
    .source = "dally2004, 3.2",
    .params = hf_no_params,
    .fill = fill_transpose,
};

static hf_status fill_shuffle(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    const uint32_t n = digits_of(t->n_terminal, 2);
    if (n == 0) {
        return refuse(cx, t, "a power of two");
    }
    HF_TRY(hf_traffic_map(cx, t));
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        t->to[s] = (s << 1 | s >> (n - 1)) & (t->n_terminal - 1);
    }
    return HF_OK;
}

const hf_traffic_kind hf_traffic_shuffle = {
    .name = "shuffle",
    .summary = "The bits of the source rotated left by one",
    .source = "dally2004, 3.2",
    .params = hf_no_params,
    .fill = fill_shuffle,
};

/* ---- tornado, neighbour: every digit of the place is moved ---- */

typedef struct places {
    uint64_t inner; /* terminals at one place */
    uint32_t n;
    uint64_t size[DIGITS_MAX]; /* of digit i, the fastest first */
} places;

static hf_status find_places(hf_context *cx, const hf_topology *topo, const hf_traffic *t, places *out) {
    hf_grid grid;
    const uint64_t asked = hf_args_get(&t->args, "radix")->number;
    *out = (places){.inner = 1};
    if (!asked && hf_grid_of(topo, &grid)) {
        out->inner = grid.terminals;
        out->n = grid.n;
        for (uint32_t i = 0; i < grid.n; i++) {
            out->size[i] = grid.size[i];
        }
        return HF_OK;
    }
    const uint64_t own = asked ? asked : own_radix(topo), radix = own ? own : t->n_terminal;
    out->n = digits_of(t->n_terminal, radix);
    for (uint32_t i = 0; i < out->n; i++) {
        out->size[i] = radix;
    }
    return out->n ? HF_OK : refuse(cx, t, "a power of the radix");
}

/* The place whose digits are those of `place`, each moved by one, or by just less than half of the way round. */
static uint64_t moved(const places *p, uint64_t place, bool by_half) {
    uint64_t out = 0, stride = 1;
    for (uint32_t i = 0; i < p->n; i++) {
        const uint64_t step = by_half ? (p->size[i] + 1) / 2 - 1 : 1;
        out += (place % p->size[i] + step) % p->size[i] * stride;
        place /= p->size[i];
        stride *= p->size[i];
    }
    return out;
}

static hf_status fill_moved(hf_context *cx, const hf_topology *topo, hf_traffic *t, bool by_half) {
    places p;
    HF_TRY(find_places(cx, topo, t, &p));
    HF_TRY(hf_traffic_map(cx, t));
    for (uint32_t s = 0; s < t->n_terminal; s++) {
        t->to[s] = (uint32_t)(moved(&p, s / p.inner, by_half) * p.inner + s % p.inner);
    }
    return HF_OK;
}

static hf_status fill_tornado(hf_context *cx, const hf_topology *topo, hf_traffic *t) { return fill_moved(cx, topo, t, true); }

const hf_traffic_kind hf_traffic_tornado = {
    .name = "tornado",
    .summary = "Every digit of size k moves by ceil(k/2) - 1, just less than half of the way round",
    .source = "dally2004, 3.2",
    .params = radix_params,
    .fill = fill_tornado,
};

static hf_status fill_neighbour(hf_context *cx, const hf_topology *topo, hf_traffic *t) { return fill_moved(cx, topo, t, false); }

const hf_traffic_kind hf_traffic_neighbour = {
    .name = "neighbour",
    .summary = "Every digit moves by one",
    .source = "dally2004, 3.2",
    .params = radix_params,
    .fill = fill_neighbour,
};
