/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Random regular graphs, as in Jellyfish: every switch is joined to `degree` others, no two of them twice, all connected.
 *
 *  The pairing of Steger and Wormald: ends of links are paired at random, pairs that would make a loop or a second link are
 *  drawn again, and where none is left all begins anew; likewise where the graph is not connected. For fixed degrees every graph
 *  becomes equally likely as n grows. A dense graph is the complement of a sparse one. Attempt i of seed s is a stream of
 *  counter-based random numbers of its own, so a seed means one graph, on every machine.
 *  Port i of a switch leads to the i-th of its neighbours in ascending order. Links are ordered by (lower, higher switch).
 *  Source: [singla2012; steger1999]. */
#include <string.h>

#include <holdfast/core/random.h>

#include "src/core/sort.h"
#include "src/topology/search.h"
#include "src/topology/uniform.h"

enum { ATTEMPTS_MAX = 2000, DRAWS_MAX = 64 };

typedef struct pairing {
    uint32_t n, degree;   /**< of the sparse graph that is drawn */
    uint32_t *count;      /**< neighbours of each switch so far */
    uint32_t *neighbour;  /**< degree for each */
    uint32_t *begin;      /**< n + 1: where those of a switch begin */
    uint32_t *end, n_end; /**< ends that are not paired yet, by switch */
    uint32_t *queue;      /**< n, and so are: */
    uint8_t *is_reached;
    hf_random random;
} pairing;

static bool has(const pairing *p, uint32_t a, uint32_t b) {
    const uint32_t *list = p->neighbour + (size_t)a * p->degree;
    for (uint32_t i = 0; i < p->count[a]; i++) {
        if (list[i] == b) {
            return true;
        }
    }
    return false;
}

static bool suits(const pairing *p, uint32_t i, uint32_t j) { return p->end[i] != p->end[j] && !has(p, p->end[i], p->end[j]); }

static void join(pairing *p, uint32_t a, uint32_t b) {
    p->neighbour[(size_t)a * p->degree + p->count[a]++] = b;
    p->neighbour[(size_t)b * p->degree + p->count[b]++] = a;
}

/** Take two ends out of the list. */
static void take(pairing *p, uint32_t i, uint32_t j) {
    const uint32_t high = i > j ? i : j, low = i > j ? j : i;
    p->end[high] = p->end[--p->n_end];
    p->end[low] = p->end[--p->n_end];
}

/** Two ends that suit, drawn at random; where the draws keep missing, from the list of all pairs. \return false if none does. */
static bool draw(pairing *p, uint32_t *i, uint32_t *j) {
    for (uint32_t n = 0; n < DRAWS_MAX; n++) {
        *i = (uint32_t)hf_random_below(&p->random, p->n_end);
        *j = (uint32_t)hf_random_below(&p->random, p->n_end);
        if (suits(p, *i, *j)) {
            return true;
        }
    }
    uint64_t n_suiting = 0;
    for (uint32_t a = 1; a < p->n_end; a++) {
        for (uint32_t b = 0; b < a; b++) {
            if (suits(p, a, b) && hf_random_below(&p->random, ++n_suiting) == 0) {
                *i = a;
                *j = b;
            }
        }
    }
    return n_suiting > 0;
}

static bool pair_all(pairing *p) {
    memset(p->count, 0, p->n * sizeof *p->count);
    for (p->n_end = 0; p->n_end < p->n * p->degree; p->n_end++) {
        p->end[p->n_end] = p->n_end / p->degree;
    }
    while (p->n_end > 0) {
        uint32_t i, j;
        if (!draw(p, &i, &j)) {
            return false;
        }
        join(p, p->end[i], p->end[j]);
        take(p, i, j);
    }
    return true;
}

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)from;
    (void)arc;
    pairing *p = user;
    const bool is_new = !p->is_reached[to];
    p->is_reached[to] = 1;
    return is_new;
}

static bool is_connected(pairing *p) {
    memset(p->is_reached, 0, p->n);
    p->is_reached[0] = 1;
    p->queue[0] = 0;
    return hf_breadth_first((hf_arcs){.begin = p->begin, .to = p->neighbour}, p->queue, 1, enter, p) == p->n;
}

static hf_status prepare(hf_context *cx, uint32_t n, uint32_t degree, pairing *p) {
    *p = (pairing){.n = n, .degree = degree};
    const size_t n_end = (size_t)n * degree;
    HF_TRY(hf_scratch(cx, n, sizeof *p->count, (void **)&p->count));
    HF_TRY(hf_scratch(cx, n_end, sizeof *p->neighbour, (void **)&p->neighbour));
    HF_TRY(hf_scratch(cx, n_end, sizeof *p->end, (void **)&p->end));
    HF_TRY(hf_scratch(cx, n, sizeof *p->queue, (void **)&p->queue));
    HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof *p->begin, (void **)&p->begin));
    for (uint32_t v = 0; v <= n; v++) {
        p->begin[v] = v * degree;
    }
    return hf_scratch(cx, n, 1, (void **)&p->is_reached);
}

/** A graph more than half full is connected whatever it is. */
static hf_status find(hf_context *cx, const hf_args *args, bool is_complement, pairing *p) {
    const uint64_t seed = hf_args_get(args, "seed")->number;
    for (uint32_t i = 0; i < ATTEMPTS_MAX; i++) {
        hf_random_init(&p->random, seed, HF_PURPOSE_TOPOLOGY, i);
        if (pair_all(p) && (is_complement || is_connected(p))) {
            return HF_OK;
        }
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "topology \"random-regular\": the search was stopped");
        }
    }
    HF_FAIL(cx, HF_ERANGE, "topology \"random-regular\": none of %d graphs of %u switches and degree %u was connected",
            (int)ATTEMPTS_MAX, p->n, (unsigned)hf_args_get(args, "degree")->number);
}

/* ---- from the graph to the topology ---- */

/** Add the links from `a` to higher switches: to its neighbours, or to all others. next[v] is the next free port of v. */
static void add_links_of(hf_topology *topo, const pairing *p, bool is_complement, uint32_t a, uint32_t *next) {
    uint32_t *list = p->neighbour + (size_t)a * p->degree, i = 0;
    hf_sort_numbers(list, p->degree);
    for (uint32_t b = a + 1; is_complement && b < p->n; b++) {
        while (i < p->degree && list[i] < b) {
            i++;
        }
        if (i == p->degree || list[i] != b) {
            hf_topology_add_link(topo, a, next[a]++, b, next[b]++, true);
        }
    }
    for (i = 0; !is_complement && i < p->degree; i++) {
        if (list[i] > a) {
            hf_topology_add_link(topo, a, next[a]++, list[i], next[list[i]]++, true);
        }
    }
}

static hf_status fill(hf_context *cx, hf_topology *topo) {
    const uint32_t n = topo->n_switch, degree = (uint32_t)hf_args_get(&topo->args, "degree")->number;
    const bool is_complement = degree > (n - 1) / 2 && degree > 2;
    pairing p;
    HF_TRY(prepare(cx, n, is_complement ? n - 1 - degree : degree, &p));
    HF_TRY(find(cx, &topo->args, is_complement, &p));
    memset(p.queue, 0, n * sizeof *p.queue);
    for (uint32_t a = 0; a < n; a++) {
        add_links_of(topo, &p, is_complement, a, p.queue);
    }
    hf_uniform_add_terminals(topo, degree);
    return hf_topology_finish(cx, topo);
}

static hf_status check(hf_context *cx, uint64_t n, uint64_t degree) {
    if (degree >= n || n * degree % 2 != 0) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"random-regular\": no graph has n=%u switches of degree=%u; need degree < n and n * degree even",
                (unsigned)n, (unsigned)degree);
    }
    if (degree == 1 && n > 2) {
        HF_FAIL(cx, HF_EINVAL, "topology \"random-regular\": n=%u switches of degree=1 are never connected; need degree >= 2",
                (unsigned)n);
    }
    return HF_OK;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t n = hf_args_get(args, "n")->number, degree = hf_args_get(args, "degree")->number;
    const uint64_t n_terminal = n * hf_args_get(args, "terminals")->number;
    hf_topology *topo;
    HF_TRY(check(cx, n, degree));
    HF_TRY(hf_topology_start(cx, &hf_topology_random_regular, args, n, n_terminal, n * degree / 2, n_terminal, 0, NULL, &topo));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, topo);
    hf_scratch_reset(cx, mark);
    return hf_topology_give(status, topo, out);
}

static const hf_param params[] = {
    {.name = "n", .type = HF_PARAM_UINT, .low = 2, .high = 1 << 20, .help = "switches"},
    {.name = "degree", .type = HF_PARAM_UINT, .low = 1, .high = 4096, .help = "links of each switch to others"},
    {.name = "seed",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = UINT64_MAX - 1,
     .flags = HF_PARAM_SHOWN,
     .help = "seed of the random numbers; a seed means one graph"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_random_regular = {
    .name = "random-regular",
    .summary = "random regular graph, connected, one for each seed",
    .source = "singla2012; steger1999",
    .claims = "n switches; n degree / 2 links; degree + terminals ports",
    .params = params,
    .build = build,
    .place = hf_uniform_on_circle,
};
