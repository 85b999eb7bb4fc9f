/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Multipath networks of dilated routers. */
#include "src/topology/multistage/multipath.h"

#include <assert.h>

#include "src/topology/multistage/fly.h"
#include "src/topology/uniform.h"

static const char *const coord_name[] = {"class", "member"};

const char *const hf_multipath_inputs[] = {"clustered", "random", NULL};
enum { INPUTS_CLUSTERED };

static uint32_t argument(const hf_args *args, const char *name) { return (uint32_t)hf_args_get(args, name)->number; }

static hf_multipath shape_of(const hf_args *args) {
    hf_multipath net = {
        .radix = argument(args, "radix"), .dilation = argument(args, "dilation"), .n_stage = argument(args, "stages")};
    net.width = hf_power(net.radix, net.n_stage - 1);
    net.n_switch = net.width * (net.n_stage - 1 + net.dilation);
    return net;
}

bool hf_multipath_of(const hf_topology *topo, hf_multipath *net) {
    if (topo->kind->place != hf_multipath_place) {
        return false;
    }
    *net = shape_of(&topo->args);
    return true;
}

uint32_t hf_multipath_stage(const hf_multipath *net, uint32_t sw) {
    return sw / net->width < net->n_stage ? sw / net->width : net->n_stage - 1;
}
uint32_t hf_multipath_dilation(const hf_multipath *net, uint32_t stage) { return stage + 1 < net->n_stage ? net->dilation : 1; }
uint32_t hf_multipath_n_input(const hf_multipath *net, uint32_t stage) { return net->radix * hf_multipath_dilation(net, stage); }
uint32_t hf_multipath_class_size(const hf_multipath *net, uint32_t stage) {
    return stage + 1 < net->n_stage ? hf_power(net->radix, net->n_stage - 1 - stage) : net->dilation;
}

/* ---- random bundles ---- */

/** How many of the other outputs of the router lead where output `at` leads. */
static uint32_t clashes(const hf_multipath *net, const hf_multipath_bundle *b, uint32_t at) {
    const uint32_t first = at / net->dilation * net->dilation;
    uint32_t n = 0;
    for (uint32_t i = first; i < first + net->dilation; i++) {
        n += i != at && b->line[i] / b->inputs == b->line[at] / b->inputs;
    }
    return n;
}

static void exchange(hf_multipath_bundle *b, uint32_t i, uint32_t j) {
    const uint32_t line = b->line[i];
    b->line[i] = b->line[j];
    b->line[j] = line;
}

/** Exchange output `at` with others, drawn at random, until one lessens the clashes. There always is one. */
static void mend(const hf_multipath *net, hf_random *random, hf_multipath_bundle *b, uint32_t at) {
    const uint32_t n = b->routers * net->dilation;
    while (clashes(net, b, at) > 0) {
        const uint32_t other = (uint32_t)hf_random_below(random, n);
        if (other / net->dilation == at / net->dilation) {
            continue;
        }
        const uint32_t before = clashes(net, b, at) + clashes(net, b, other);
        exchange(b, at, other);
        if (clashes(net, b, at) + clashes(net, b, other) >= before) {
            exchange(b, at, other);
        }
    }
}

void hf_multipath_shuffle(const hf_multipath *net, hf_random *random, hf_multipath_bundle *b) {
    const uint32_t n = b->routers * net->dilation;
    for (uint32_t i = 0; i < n; i++) {
        b->line[i] = i;
    }
    hf_random_shuffle(random, b->line, n);
    for (uint32_t i = 0; i < n; i++) {
        mend(net, random, b, i);
    }
}

/* ---- building ---- */

/** Lines of one class: for each direction in turn, then the links in the order of routers and ports. */
static void add_class(hf_topology *topo, const hf_multipath *net, hf_multipath_wire *wire, hf_random *random, uint32_t stage,
                      uint32_t class, uint32_t *line) {
    const uint32_t size = hf_multipath_class_size(net, stage), next = hf_multipath_class_size(net, stage + 1),
                   inputs = hf_multipath_n_input(net, stage + 1);
    const uint32_t first = stage * net->width + class * size, to = (stage + 1) * net->width + class * net->radix * next;
    for (uint32_t j = 0; j < net->radix; j++) {
        hf_multipath_bundle b = {stage, size, next, inputs, line + (size_t)j * size * net->dilation};
        wire(net, &topo->args, random, &b);
    }
    for (uint32_t u = 0; u < size; u++) {
        for (uint32_t port = 0; port < net->radix * net->dilation; port++) {
            const uint32_t j = port / net->dilation, x = port % net->dilation;
            const uint32_t y = line[((size_t)j * size + u) * net->dilation + x];
            hf_topology_add_link(topo, first + u, hf_multipath_n_input(net, stage) + port, to + j * next + y / inputs, y % inputs,
                                 false);
        }
    }
}

/** The x-th outputs of all endpoints to part x of stage 0, at random, so that ways that part there can stay apart. */
static void shuffle_apart(const hf_multipath *net, hf_random *random, hf_multipath_bundle *b) {
    const uint32_t n = b->routers;
    uint32_t *column = b->line + (size_t)n * net->dilation; /* room behind the lines */
    for (uint32_t x = 0; x < net->dilation; x++) {
        for (uint32_t t = 0; t < n; t++) {
            column[t] = x * n + t;
        }
        hf_random_shuffle(random, column, n);
        for (uint32_t t = 0; t < n; t++) {
            b->line[t * net->dilation + x] = column[t];
        }
    }
}

/** The endpoints' outputs: to inputs of stage 0. The outputs of one lead to different routers. */
static void add_injections(hf_topology *topo, const hf_multipath *net, bool are_apart, hf_random *random, uint32_t *line) {
    const uint32_t inputs = hf_multipath_n_input(net, 0), dilation = net->dilation, n = topo->n_terminal * dilation;
    hf_multipath_bundle b = {0, topo->n_terminal, net->width, inputs, line};
    assert(inputs > 0 && dilation > 0);
    if (hf_args_get(&topo->args, "inputs")->number != INPUTS_CLUSTERED) {
        if (are_apart) {
            shuffle_apart(net, random, &b);
        } else {
            hf_multipath_shuffle(net, random, &b);
        }
    } else {
        for (uint32_t i = 0; i < n; i++) { /* the x-th outputs of all endpoints, side by side */
            line[i] = i % dilation * topo->n_terminal + i / dilation;
        }
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        for (uint32_t x = 0; x < dilation; x++) {
            const uint32_t y = line[t * dilation + x];
            hf_topology_add_link(topo, topo->n_switch + t, x, y / inputs, y % inputs, false);
        }
    }
}

static void add_ejections(hf_topology *topo, const hf_multipath *net) {
    const uint32_t first = (net->n_stage - 1) * net->width;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        for (uint32_t x = 0; x < net->dilation; x++) {
            const uint32_t sw = first + t / net->radix * net->dilation + x;
            hf_topology_add_link(topo, sw, net->radix + t % net->radix, topo->n_switch + t, net->dilation + x, false);
        }
    }
}

typedef struct wiring {
    hf_multipath_wire *wire;
    bool are_apart; /**< the outputs of an endpoint, where they are at random */
} wiring;

/** All links but those of the last stage, by the rule of the family. */
static hf_status wire_all(hf_context *cx, hf_topology *topo, const hf_multipath *net, const void *how) {
    const wiring *rule = how;
    hf_random random;
    uint32_t *line;
    HF_TRY(hf_scratch(cx, (size_t)topo->n_terminal * (net->dilation + 1), sizeof *line, (void **)&line));
    hf_random_init(&random, hf_args_get(&topo->args, "seed")->number, HF_PURPOSE_TOPOLOGY, 0);
    for (uint32_t stage = 0; stage + 1 < net->n_stage; stage++) {
        for (uint32_t class = 0; class * hf_multipath_class_size(net, stage) < net->width; class ++) {
            add_class(topo, net, rule->wire, &random, stage, class, line);
        }
    }
    add_injections(topo, net, rule->are_apart, &random, line);
    return HF_OK;
}

/** Of the last stage: copy x of `dilation` classes after each other are on one chip. */
static uint32_t chip_of(const hf_multipath *net, uint32_t sw) {
    const uint32_t first = (net->n_stage - 1) * net->width;
    if (sw < first) {
        return sw;
    }
    const uint32_t class = (sw - first) / net->dilation, copy = (sw - first) % net->dilation;
    return first + class / net->dilation * net->dilation + copy;
}

static hf_status set_attributes(hf_context *cx, hf_topology *topo, const hf_multipath *net) {
    assert(net->width > 0 && net->dilation > 0);
    uint32_t *stage, *of_link, *chip, *unused;
    HF_TRY(hf_topology_add_attribute(cx, topo, "stage", "stage of a router, 0 takes from the endpoints; of a link: of its start",
                                     &stage, &of_link));
    HF_TRY(hf_topology_add_attribute(cx, topo, "chip", "chip that the router is on, several in the last stage", &chip, &unused));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t *coord = topo->coord + 2 * (size_t)v;
        stage[v] = hf_multipath_stage(net, v);
        coord[0] = (v - stage[v] * net->width) / hf_multipath_class_size(net, stage[v]);
        coord[1] = (v - stage[v] * net->width) % hf_multipath_class_size(net, stage[v]);
        chip[v] = chip_of(net, v);
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = stage[topo->from[l]];
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_multipath *net, hf_multipath_links *links, const void *how) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = links(cx, topo, net, how);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    add_ejections(topo, net);
    HF_TRY(set_attributes(cx, topo, net));
    return hf_topology_finish(cx, topo);
}

static hf_status check(hf_context *cx, const hf_topology_kind *kind, uint64_t radix, uint64_t dilation) {
    if (dilation > radix || radix % dilation != 0) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"%s\": dilation=%u does not divide radix=%u; need a divisor, so that classes end evenly", kind->name,
                (unsigned)dilation, (unsigned)radix);
    }
    return HF_OK;
}

hf_status hf_multipath_build_links(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_multipath_links *links,
                                   const void *how, hf_topology **out) {
    const uint64_t radix = hf_args_get(args, "radix")->number, dilation = hf_args_get(args, "dilation")->number;
    const uint64_t n_stage = hf_args_get(args, "stages")->number;
    const uint64_t width = hf_power64(radix, n_stage - 1), n_end = hf_power64(radix, n_stage);
    HF_TRY(check(cx, kind, radix, dilation));
    const uint64_t per_stage = hf_times(n_end, dilation);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, kind, args, hf_times(width, n_stage - 1 + dilation), n_end, hf_times(n_stage - 1, per_stage),
                             hf_times(2, per_stage), 2, coord_name, &topo));
    const hf_multipath net = shape_of(args);
    return hf_topology_give(fill(cx, topo, &net, links, how), topo, out);
}

hf_status hf_multipath_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_multipath_wire *wire,
                             bool are_apart, hf_topology **out) {
    return hf_multipath_build_links(cx, kind, args, wire_all, &(wiring){wire, are_apart}, out);
}

/* ---- places and figures ---- */

/** Endpoints side by side in the bottom row, the stages above them over the same width. */
hf_position hf_multipath_place(const hf_topology *topo, uint32_t node) {
    const hf_multipath net = shape_of(&topo->args);
    if (hf_topology_is_terminal(topo, node)) {
        return (hf_position){.x = node - topo->n_switch, .y = 0};
    }
    const uint32_t stage = hf_multipath_stage(&net, node);
    const double n = stage + 1 < net.n_stage ? net.width : (double)net.width * net.dilation;
    return (hf_position){.x = (node - stage * net.width + 0.5) * topo->n_terminal / n - 0.5, .y = 1.0 + stage};
}

/** Every way crosses all stages. */
uint32_t hf_multipath_diameter(const hf_topology *topo) { return shape_of(&topo->args).n_stage + 1; }
double hf_multipath_mean_distance(const hf_topology *topo) { return hf_multipath_diameter(topo); }
