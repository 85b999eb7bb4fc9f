/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Links as pairs of numbers of names, sorted, and merged. */
#include "src/topology/compare.h"

#include <stdlib.h>

#include "src/core/names.h"
#include "src/topology/topology.h"

typedef struct cables {
    uint64_t *item; /* lower name << 32 | higher name */
    uint32_t n;
} cables;

static int by_names(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static bool is_named(const hf_topology *topo, uint32_t node) { return !topo->n_label || topo->label[node]; }

/* Number the nodes of a network that have a name. */
static hf_status number_nodes(hf_context *cx, const hf_topology *topo, hf_names *names, uint32_t *number) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        char text[HF_NAME_SIZE], *name;
        number[v] = HF_NONE;
        if (is_named(topo, v)) {
            hf_topology_node_name(topo, v, text, sizeof text);
            HF_TRY(hf_scratch_print(cx, &name, "%s", text));
            HF_TRY(hf_names_add(cx, names, hf_slice_of(name), &number[v]));
        }
    }
    return HF_OK;
}

static hf_status collect(hf_context *cx, const hf_topology *topo, hf_names *names, cables *out) {
    uint32_t *number;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *number, (void **)&number));
    HF_TRY(hf_scratch(cx, topo->n_link, sizeof *out->item, (void **)&out->item));
    HF_TRY(number_nodes(cx, topo, names, number));
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint64_t a = number[topo->from[l]], b = number[topo->to[l]];
        if (a != HF_NONE && b != HF_NONE) {
            out->item[out->n++] = a < b ? a << 32 | b : b << 32 | a;
        }
    }
    if (out->n) {
        qsort(out->item, out->n, sizeof *out->item, by_names);
    }
    return HF_OK;
}

/* Links of the next pair of names, which are passed over. */
static uint32_t take(cables *c, uint32_t *at, uint64_t pair) {
    const uint32_t first = *at;
    while (*at < c->n && c->item[*at] == pair) {
        ++*at;
    }
    return *at - first;
}

static hf_status merge(hf_context *cx, const hf_names *names, cables *one, cables *two, hf_link_difference **out, size_t *n) {
    HF_TRY(hf_scratch(cx, (size_t)one->n + two->n, sizeof **out, (void **)out));
    for (uint32_t i = 0, j = 0; i < one->n || j < two->n;) {
        const bool is_two = i == one->n || (j < two->n && two->item[j] < one->item[i]);
        const uint64_t pair = is_two ? two->item[j] : one->item[i];
        const uint32_t links = take(one, &i, pair), others = take(two, &j, pair);
        if (links != others) {
            (*out)[(*n)++] = (hf_link_difference){names->name[pair >> 32].text, names->name[(uint32_t)pair].text, links, others};
        }
    }
    return HF_OK;
}

static hf_status compare(hf_context *cx, const hf_topology *const *topo, hf_names *names, hf_link_difference **out, size_t *n) {
    cables side[2] = {{0}};
    for (size_t i = 0; i < 2; i++) {
        HF_TRY(collect(cx, topo[i], names, &side[i]));
    }
    return merge(cx, names, &side[0], &side[1], out, n);
}

hf_status hf_topology_compare(hf_context *cx, const hf_topology *one, const hf_topology *two, hf_link_difference **out,
                              size_t *n) {
    const hf_topology *const topo[] = {one, two};
    hf_names names;
    *n = 0;
    hf_names_init(cx, &names);
    const hf_status status = compare(cx, topo, &names, out, n);
    hf_names_free(&names);
    return status;
}
