/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parts of cross sections, by joining the ends of good links; a type of planes at a time. */
#include "src/routing/solid/sections.h"

#include <string.h>

#include "src/core/joined.h"

typedef struct sections {
    const hf_solid *s;
    uint32_t n_node, n_dim, plane, size; /* a type of planes; the size of its first dimension */
    uint32_t *part;                      /* of a node: the lowest of its part */
    uint8_t *meets;                      /* by part and digit of that dimension: is a node of the part there? */
    uint8_t *asked;                      /* by digits up to that dimension: is a node of the mesh there? */
} sections;

/* ---- parts ---- */

static void note_node(const sections *x, uint32_t node) {
    const uint32_t below = x->s->grid.stride[x->plane] * x->size;
    x->part[node] = hf_joined_find(x->part, node);
    if (!x->s->bad[node]) {
        x->meets[(size_t)x->part[node] * x->size + hf_solid_digit(x->s, node, x->s->u[x->plane])] = 1;
        x->asked[node % below] = 1;
    }
}

static void find_parts(sections *x, uint32_t plane) {
    const hf_solid *s = x->s;
    const uint32_t dims[2] = {s->u[plane], s->v[plane]};
    x->plane = plane;
    x->size = s->grid.size[dims[0]];
    hf_joined_start(x->part, x->n_node);
    for (uint32_t i = 0; i < 2 * x->n_node; i++) {
        if (hf_solid_is_good(s, i / 2, dims[i % 2], true)) {
            hf_joined_join(x->part, i / 2, hf_solid_next(s, i / 2, dims[i % 2], true));
        }
    }
    memset(x->meets, 0, (size_t)x->n_node * x->size);
    memset(x->asked, 0, x->n_node);
    for (uint32_t node = 0; node < x->n_node; node++) {
        note_node(x, node);
    }
}

/* Does a message at the node get as far as `digit` in its cross section? */
static bool gets_to(const sections *x, uint32_t node, uint32_t digit) {
    return x->meets[(size_t)x->part[node] * x->size + digit];
}

/* ---- ways out ---- */

/* Straight in one direction, over nodes from which it does not get to `digit`, to one from which it does. */
static bool leads_out(const sections *x, uint32_t node, uint32_t d, bool is_plus, uint32_t digit) {
    while (!gets_to(x, node, digit) && hf_solid_is_good(x->s, node, d, is_plus)) {
        node = hf_solid_next(x->s, node, d, is_plus);
    }
    return gets_to(x, node, digit);
}

static hf_solid_exit find_exit(const sections *x, uint32_t node, uint32_t digit) {
    hf_solid_exit out = {0};
    for (uint32_t d = 2; d < x->n_dim && out.ways == 0; d++) {
        out.dim = (uint8_t)d;
        out.ways = (uint8_t)(leads_out(x, node, d, true, digit) | leads_out(x, node, d, false, digit) << 1);
    }
    return out;
}

static hf_status find_exits(hf_context *cx, const sections *x, hf_solid_exit **exits) {
    HF_TRY(hf_scratch(cx, (size_t)x->n_node * x->size, sizeof **exits, (void **)exits));
    for (uint32_t i = 0; i < x->n_node * x->size; i++) {
        if (!x->s->bad[i / x->size] && !gets_to(x, i / x->size, i % x->size)) {
            (*exits)[i] = find_exit(x, i / x->size, i % x->size);
        }
    }
    return HF_OK;
}

/* ---- whether some message cannot be routed ---- */

static bool is_row_parted(const sections *x, const hf_solid_exit *exits) {
    const uint32_t stride = x->s->grid.stride[x->plane];
    for (uint32_t i = 0; i < x->n_node * x->size; i++) {
        const uint32_t node = i / x->size, digit = i % x->size;
        if (!x->s->bad[node] && x->asked[node % stride + digit * stride] && !gets_to(x, node, digit) &&
            !(exits && exits[i].ways)) {
            return true;
        }
    }
    return false;
}

static bool is_column_parted(const sections *x) {
    const uint32_t stride = x->s->grid.stride[x->n_dim - 1]; /* of the last dimension, so lines are stride apart */
    for (uint32_t line = 0; line < stride; line++) {
        uint32_t before = HF_NONE;
        for (uint32_t node = line; node < x->n_node; node += stride) {
            if (x->s->bad[node]) {
                continue;
            }
            if (before != HF_NONE && x->part[before] != x->part[node]) {
                return true;
            }
            before = node;
        }
    }
    return false;
}

hf_status hf_solid_part(hf_context *cx, const hf_solid *s, bool sidesteps, hf_solid_exit **exits, bool *is_parted) {
    sections x = {.s = s, .n_node = s->topo->n_switch, .n_dim = s->grid.n};
    uint32_t size_max = 0;
    for (uint32_t d = 0; d < x.n_dim; d++) {
        size_max = s->grid.size[d] > size_max ? s->grid.size[d] : size_max;
    }
    *exits = NULL;
    *is_parted = false;
    HF_TRY(hf_scratch(cx, x.n_node, sizeof *x.part, (void **)&x.part));
    HF_TRY(hf_scratch(cx, (size_t)x.n_node * size_max, sizeof *x.meets, (void **)&x.meets));
    HF_TRY(hf_scratch(cx, x.n_node, sizeof *x.asked, (void **)&x.asked));
    for (uint32_t plane = 0; plane < s->n_plane && !*is_parted; plane++) {
        find_parts(&x, plane);
        *is_parted = plane + 1 < x.n_dim ? is_row_parted(&x, NULL) : is_column_parted(&x);
        if (*is_parted && plane == 0 && sidesteps) {
            HF_TRY(find_exits(cx, &x, exits));
            *is_parted = is_row_parted(&x, *exits);
        }
    }
    return HF_OK;
}
