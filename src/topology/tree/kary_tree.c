/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The k-ary n-tree of [gomez2010, 2.1.3]: n stages of k^(n-1) switches, k^n terminals below stage 0.
 *
 *  Switch <s, o>, o = o_{n-2} ... o_0 in base k, has the number s k^(n-1) + o. <s, o> and <s+1, o'> are joined if o and o'
 *  agree in all digits but digit s. Down ports are 0..k-1, up ports k..2k-1; up port k+j leads to the switch whose digit s is
 *  j and arrives there at the down port with the number of the lower switch's digit s. Terminal p_{n-1} ... p_0 hangs on switch
 *  <0, p_{n-1} ... p_1> at down port p_0. The switches of the top stage have no up links. */
#include "src/topology/multistage/stages.h"
#include "src/topology/tree/tree.h"
#include "src/topology/uniform.h"

enum { ARITY_MAX = 64, DIGITS_MAX = 31 };

static const char *const digit_name[DIGITS_MAX] = {
    "o30", "o29", "o28", "o27", "o26", "o25", "o24", "o23", "o22", "o21", "o20", "o19", "o18", "o17", "o16", "o15",
    "o14", "o13", "o12", "o11", "o10", "o9",  "o8",  "o7",  "o6",  "o5",  "o4",  "o3",  "o2",  "o1",  "o0",
};

static hf_kary_tree shape_of(const hf_args *args) {
    const uint32_t k = (uint32_t)hf_args_get(args, "k")->number, n = (uint32_t)hf_args_get(args, "n")->number;
    const uint32_t width = hf_power(k, n - 1);
    return (hf_kary_tree){.k = k, .n = n, .width = width, .n_unit = width};
}

static void shape_as_tree(const hf_args *args, hf_xgft *out) {
    const hf_kary_tree tree = shape_of(args);
    *out = (hf_xgft){.h = tree.n};
    for (uint32_t l = 1; l <= tree.n; l++) {
        out->m[l] = tree.k;
        out->w[l] = l > 1 ? tree.k : 1;
        out->p[l] = 1;
    }
}

/* Any tree that has the same switches, links and ports number by number. */
static bool is_kary(const hf_xgft *t) {
    bool is_same = t->m[1] >= 2 && t->m[1] <= ARITY_MAX;
    for (uint32_t l = 1; l <= t->h; l++) {
        is_same &= t->m[l] == t->m[1] && t->w[l] == (l > 1 ? t->m[1] : 1) && t->p[l] == 1;
    }
    return is_same;
}

bool hf_kary_tree_shape(const hf_topology *topo, hf_kary_tree *shape) {
    hf_xgft t;
    if (!hf_xgft_shape(topo, &t) || !is_kary(&t)) {
        return false;
    }
    const uint32_t k = (uint32_t)t.m[1], width = hf_power(k, t.h - 1);
    *shape = (hf_kary_tree){.k = k, .n = t.h, .width = width, .n_unit = width};
    return true;
}

static void add_stage(hf_topology *topo, const hf_kary_tree *tree, uint32_t s) {
    const uint32_t weight = hf_power(tree->k, s);
    for (uint32_t o = 0; o < tree->width; o++) {
        const uint32_t digit = o / weight % tree->k;
        for (uint32_t j = 0; j < tree->k; j++) {
            const uint32_t above = o - digit * weight + j * weight;
            hf_topology_add_link(topo, s * tree->width + o, tree->k + j, (s + 1) * tree->width + above, digit, true);
        }
    }
}

static void add_links(hf_topology *topo, const hf_kary_tree *tree) {
    for (uint32_t s = 0; s + 1 < tree->n; s++) {
        add_stage(topo, tree, s);
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_topology_add_link(topo, topo->n_switch + t, 0, t / tree->k, t % tree->k, true);
    }
}

static void set_coordinates(hf_topology *topo, const hf_kary_tree *tree) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t rest = v % tree->width;
        for (uint32_t i = tree->n - 1; i-- > 0; rest /= tree->k) {
            topo->coord[v * (tree->n - 1) + i] = rest % tree->k;
        }
    }
}

static hf_status fill(hf_context *cx, hf_topology *topo) {
    const hf_kary_tree tree = shape_of(&topo->args);
    add_links(topo, &tree);
    set_coordinates(topo, &tree);
    HF_TRY(hf_stages_mark(cx, topo, tree.width, "stage of a switch, 0 at the terminals; of a link: of its lower switch"));
    return hf_topology_finish(cx, topo);
}

/* A tree of one stage has no up ports. */
static void counts(const hf_args *args, hf_topology_counts *out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number;
    const uint64_t width = hf_power64(k, n - 1), n_end = hf_times(k, width);
    *out = (hf_topology_counts){.n_switch = hf_times(n, width),
                                .n_terminal = n_end,
                                .n_switch_link = hf_times(n - 1, n_end),
                                .n_terminal_link = n_end,
                                .n_channel = hf_times(2, hf_times(n, n_end)),
                                .ends_most = n > 1 ? 4 * k : 2 * k};
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t n = hf_args_get(args, "n")->number, n_digit = n - 1 < DIGITS_MAX ? n - 1 : DIGITS_MAX;
    hf_topology_counts c;
    hf_topology *topo;
    counts(args, &c);
    HF_TRY(hf_topology_start(cx, &hf_topology_kary_tree, args, c.n_switch, c.n_terminal, c.n_switch_link, c.n_terminal_link,
                             (uint32_t)n_digit, digit_name + DIGITS_MAX - n_digit, &topo));
    return hf_topology_give(fill(cx, topo), topo, out);
}

/** Every switch above the k terminals whose numbers begin with its digits. */
static hf_position place(const hf_topology *topo, uint32_t node) { return hf_stages_place(topo, shape_of(&topo->args).k, node); }

/** All the way up and down again. */
static uint32_t diameter(const hf_topology *topo) { return 2 * shape_of(&topo->args).n; }

static double mean_distance(const hf_topology *topo) {
    const hf_kary_tree tree = shape_of(&topo->args);
    return hf_stages_mean_turning(tree.k, tree.n);
}

static const hf_param params[] = {
    {.name = "k",
     .type = HF_PARAM_UINT,
     .low = 2,
     .high = ARITY_MAX,
     .flags = HF_PARAM_SHOWN,
     .help = "arity: up ports, and down ports, of a switch"},
    {.name = "n", .type = HF_PARAM_UINT, .low = 1, .high = UINT64_MAX, .flags = HF_PARAM_SHOWN, .help = "number of stages"},
    {0},
};

const hf_topology_kind hf_topology_kary_tree = {
    .name = "kary-tree",
    .summary = "k-ary n-tree: a fat-tree of n stages of switches with k up and k down ports",
    .source = "gomez2010, 2.1.3",
    .claims = "k^n terminals; n k^(n-1) switches; (n-1) k^n links between switches and k^n terminal links; diameter 2n channels",
    .params = params,
    .tree = shape_as_tree,
    .build = build,
    .counts = counts,
    .place = place,
    .diameter = diameter,
    .mean_distance = mean_distance,
};
