/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Maximal-fanout networks of [chong1992, 2]: the paths of a pair use as many routers of a stage as can be.
 *
 *  Each class is parted into dilation^i fanout classes as long as they hold whole routers; output x of a router in fanout class
 *  f leads into fanout class f dilation + x of the next class, hence paths that part do not meet; output x of an endpoint leads
 *  to part x of stage 0, and these parts stay apart too. `deterministic` takes the members in order, which gives the butterfly
 *  of radix radix x dilation; `random` joins them at random. Behind the last stage of fanout the outputs of a router lead to
 *  different routers, in order or at random. */
#include "src/topology/multistage/fly.h"
#include "src/topology/multistage/multipath.h"

enum { DETERMINISTIC };

/** Members of a fanout class of the next stage, 0 where they no longer hold whole routers. */
static uint32_t next_members(const hf_multipath *net, const hf_multipath_bundle *b) {
    const uint32_t parts = hf_power(net->dilation, b->stage + 1);
    return b->stage + 2 < net->n_stage && b->to % parts == 0 ? b->to / parts : 0;
}

/** Mix the lines that copy x of `n` routers from `first` on has. */
static void mix(const hf_multipath *net, hf_random *random, hf_multipath_bundle *b, uint32_t first, uint32_t x, uint32_t n) {
    for (uint32_t m = 0; m + 1 < n; m++) {
        const uint32_t other = m + (uint32_t)hf_random_below(random, n - m);
        uint32_t *here = &b->line[(first + m) * net->dilation + x], *there = &b->line[(first + other) * net->dilation + x];
        const uint32_t line = *here;
        *here = *there;
        *there = line;
    }
}

/** Lines of fanout classes (all of the class is one, if members is 0), in the order of routers. */
static void set_lines_in_order(const hf_multipath *net, hf_multipath_bundle *b, uint32_t members) {
    const uint32_t parts = members ? hf_power(net->dilation, b->stage) : 1;
    for (uint32_t f = 0; f < parts; f++) {
        for (uint32_t x = 0; x < net->dilation; x++) {
            const uint32_t n = b->routers / parts;
            for (uint32_t m = 0; m < n; m++) {
                b->line[(f * n + m) * net->dilation + x] = (f * net->dilation + x) * n + m;
            }
        }
    }
}

/** In how many parts routers are mixed, each by itself. The ways of an endpoint start in all dilation parts of stage 0, so each
 *  fanout class is parted in as many again, as long as these fill whole routers of the next stage. */
static uint32_t mixed_parts(const hf_multipath *net, const hf_multipath_bundle *b) {
    const uint32_t parts = hf_power(net->dilation, b->stage + 1);
    return b->to % (parts * net->dilation) == 0 ? parts : parts / net->dilation;
}

static void wire(const hf_multipath *net, const hf_args *args, hf_random *random, hf_multipath_bundle *b) {
    const bool is_random = hf_args_get(args, "wiring")->number != DETERMINISTIC;
    const uint32_t members = next_members(net, b);
    if (is_random && members == 0) {
        hf_multipath_shuffle(net, random, b);
        return;
    }
    set_lines_in_order(net, b, members);
    const uint32_t parts = mixed_parts(net, b);
    for (uint32_t f = 0; is_random && f < parts; f++) {
        for (uint32_t x = 0; x < net->dilation; x++) {
            mix(net, random, b, f * (b->routers / parts), x, b->routers / parts);
        }
    }
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_multipath_build(cx, &hf_topology_maximal_fanout, args, wire, true, out);
}

static const char *const wirings[] = {"deterministic", "random", NULL};

static const hf_param params[] = {
    HF_MULTIPATH_SHAPE,
    {.name = "wiring",
     .type = HF_PARAM_WORD,
     .fallback = "deterministic",
     .words = wirings,
     .flags = HF_PARAM_SHOWN,
     .help = "deterministic (a regular butterfly) or random between the fanout classes"},
    HF_MULTIPATH_SEED,
    HF_MULTIPATH_INPUTS("clustered"),
    {0},
};

const hf_topology_kind hf_topology_maximal_fanout = {
    .name = "maximal-fanout",
    .summary = "multipath network of dilated routers in which the paths of a pair part as far as can be",
    .source = "chong1992, 2",
    .params = params,
    .build = build,
    HF_MULTIPATH_FIGURES,
};
