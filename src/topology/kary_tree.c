/* SPDX-License-Identifier: GPL-3.0-or-later */
/* k-ary n-trees: n stages of k^(n-1) switches with k down and k up ports [gomez2010, 2.1.3]. Switch <s, o_(n-2)..o_0> has the id
 * s k^(n-1) + o; its up port k+j leads to the switch of stage s+1 whose digit s is j, where it arrives at the down port of the
 * lower switch's digit s. Terminal p_(n-1)..p_0 hangs on down port p_0 of leaf switch p_(n-1)..p_1. */
#include <string.h>

#include "src/topology/topology.h"

enum { K_MAX = 64, N_MAX = 32 };

/* "o31" .. "o0", most significant first; the last n - 1 belong to n stages. */
static const char *const coordinate[N_MAX] = {"o31", "o30", "o29", "o28", "o27", "o26", "o25", "o24", "o23", "o22", "o21",
                                              "o20", "o19", "o18", "o17", "o16", "o15", "o14", "o13", "o12", "o11", "o10",
                                              "o9",  "o8",  "o7",  "o6",  "o5",  "o4",  "o3",  "o2",  "o1",  "o0"};

/* base^exponent, saturated at 2^62. */
static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t value = 1;
    for (uint64_t i = 0; i < exponent; i++) {
        value = value > (UINT64_C(1) << 62) / base ? UINT64_C(1) << 62 : value * base;
    }
    return value;
}

extern const hf_topology_kind hf_topology_kary_tree;

bool hf_kary_tree_shape(const hf_topology *topo, hf_kary_tree *shape) {
    if (topo->kind != &hf_topology_kary_tree) {
        return false;
    }
    shape->k = (uint32_t)hf_args_get(&topo->args, "k")->number;
    shape->n = (uint32_t)hf_args_get(&topo->args, "n")->number;
    shape->width = shape->n_unit = (uint32_t)power(shape->k, shape->n - 1);
    return true;
}

static void add_links(hf_topology *topo, const hf_kary_tree *shape) {
    const uint32_t k = shape->k, width = shape->width;
    for (uint32_t s = 0, unit = 1; s + 1 < shape->n; s++, unit *= k) {
        for (uint32_t o = 0; o < width; o++) {
            const uint32_t digit = o / unit % k;
            for (uint32_t j = 0; j < k; j++) {
                hf_topology_add_link(topo, s * width + o, k + j, (s + 1) * width + o - digit * unit + j * unit, digit, true);
            }
        }
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_topology_add_link(topo, topo->n_switch + t, 0, t / k, t % k, true);
    }
}

static void add_coordinates(hf_topology *topo, const hf_kary_tree *shape) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        for (uint32_t i = 0, o = v % shape->width; i + 1 < shape->n; i++, o /= shape->k) {
            topo->coord[(size_t)v * topo->n_coord + topo->n_coord - 1 - i] = o % shape->k;
        }
    }
}

static hf_status add_stage(hf_context *cx, hf_topology *topo, const hf_kary_tree *shape) {
    uint32_t *of_switch = NULL, *of_link = NULL;
    hf_status status;
    HF_TRY_DONE(hf_allocate(cx, topo->n_switch, sizeof *of_switch, (void **)&of_switch));
    HF_TRY_DONE(hf_allocate(cx, topo->n_link, sizeof *of_link, (void **)&of_link));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        of_switch[v] = v / shape->width;
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        of_link[l] = l < topo->n_switch_link ? l / shape->k / shape->width : HF_NONE;
    }
    status = hf_topology_add_attribute(cx, topo, "stage", "stage of a switch; of a link, the stage of its lower switch",
                                       &of_switch, &of_link);
done:
    hf_release(hf_context_allocator(cx), of_switch);
    hf_release(hf_context_allocator(cx), of_link);
    return status;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number, width = power(k, n - 1);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_kary_tree, args, n * width, width * k, (n - 1) * width * k, width * k,
                             (uint32_t)n - 1, coordinate + N_MAX - (n - 1), &topo));
    const hf_kary_tree shape = {(uint32_t)k, (uint32_t)n, (uint32_t)width, (uint32_t)width};
    add_links(topo, &shape);
    add_coordinates(topo, &shape);
    hf_status status = add_stage(cx, topo, &shape);
    if (status == HF_OK) {
        status = hf_topology_finish(cx, topo);
    }
    if (status != HF_OK) {
        hf_topology_free(topo);
        return status;
    }
    *out = topo;
    return HF_OK;
}

/* Stages in rows, terminals in the lowest; a switch stands over the middle of its share of the terminals. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    hf_kary_tree shape;
    (void)hf_kary_tree_shape(topo, &shape);
    if (hf_topology_is_terminal(topo, node)) {
        return (hf_position){node - topo->n_switch, 0};
    }
    const uint32_t o = node % shape.width;
    return (hf_position){(double)o * shape.k + (shape.k - 1) / 2.0, 1 + (double)(node / shape.width)};
}

static uint32_t diameter(const hf_topology *topo) {
    hf_kary_tree shape;
    (void)hf_kary_tree_shape(topo, &shape);
    return 2 * shape.n;
}

static const hf_param params[] = {
    {"k", HF_PARAM_UINT, NULL, 2, K_MAX, NULL, 0, "arity: down ports (and up ports) of a switch"},
    {"n", HF_PARAM_UINT, NULL, 1, N_MAX, NULL, 0, "stages"},
    {0},
};

const hf_topology_kind hf_topology_kary_tree = {
    .name = "kary-tree",
    .summary = "k-ary n-tree: fat-tree of n stages of k^(n-1) switches with 2k ports",
    .source = "gomez2010, 2.1.3",
    .claims = "k^n terminals, n k^(n-1) switches, (n-1) k^n links between switches, diameter 2n channels",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
