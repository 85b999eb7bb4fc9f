/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing by explicit paths, as a source writes them into its packets: a line of nodes a path. The tag of a hop is its place
 *  among the hops of all paths, so the way on is the place behind it. Pairs without a path send nothing. Source: none; the
 *  user's file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/rows.h"
#include "src/core/source.h"
#include "src/routing/flows.h"
#include "src/routing/lanes.h"
#include "src/routing/rings.h"
#include "src/routing/table/stops.h"

enum { FILE_LIMIT = 1 << 30 };

static const hf_param params[] = {HF_SOURCE_PARAM, HF_RINGS_PARAM, HF_PARAM_LANES, {0}};

/* A hop of a path; the last of a path goes to its destination. */
typedef struct step {
    uint32_t channel, destination;
    uint8_t vc, is_last;
} step;

typedef struct paths {
    hf_allocator allocator;
    const hf_topology *topo; /* borrowed */
    char *named, *rings_named;
    uint32_t *ring; /* as hf_rings_take() */
    step *step;
    uint32_t n_step, n_vc, max_hops;
    size_t step_room;
    /* by path */
    uint32_t *first, *source, *destination, n_path; /* its first step, its ends */
    size_t first_room, source_room, destination_room;
    uint32_t *begin, *list; /* source -> its paths, by destination */
} paths;

/* ---- a line ---- */

static hf_status add_step(hf_context *cx, paths *p, const step *s) {
    HF_GROW(cx, p->step, p->n_step, p->step_room);
    p->step[p->n_step++] = *s;
    p->n_vc = s->vc >= p->n_vc ? s->vc + 1u : p->n_vc;
    if (p->n_step >= HF_TAG_END) {
        HF_FAIL(cx, HF_ERANGE, "%" PRIu32 " hops of paths are too many", p->n_step);
    }
    return HF_OK;
}

static hf_status add_path(hf_context *cx, paths *p, uint32_t first, uint32_t source, uint32_t destination) {
    HF_GROW(cx, p->first, p->n_path, p->first_room);
    HF_GROW(cx, p->source, p->n_path, p->source_room);
    HF_GROW(cx, p->destination, p->n_path, p->destination_room);
    p->first[p->n_path] = first;
    p->source[p->n_path] = source;
    p->destination[p->n_path++] = destination;
    return HF_OK;
}

static hf_status check_ends(hf_lines *r, const hf_topology *topo, uint32_t source, uint32_t last, uint32_t n) {
    if (n < 2 || source < topo->n_switch || last < topo->n_switch || source == last) {
        HF_LINE_FAIL(r, HF_EINVAL, "a path of %" PRIu32 " nodes; need one from a terminal to another, as t0 s0 s3 t5", n);
    }
    return HF_OK;
}

/* The steps of a path know where it ends only at its end. */
static hf_status end_path(hf_lines *r, paths *p, uint32_t first, uint32_t source, uint32_t last, uint32_t n) {
    HF_TRY(check_ends(r, p->topo, source, last, n));
    for (uint32_t i = first; i < p->n_step; i++) {
        p->step[i].destination = last - p->topo->n_switch;
        p->step[i].is_last = i + 1 == p->n_step;
        if (hf_topology_is_terminal(p->topo, p->topo->to[p->step[i].channel]) && !p->step[i].is_last) {
            HF_LINE_FAIL(r, HF_EINVAL, "the path passes terminal t%" PRIu32 ", which does not forward",
                         p->topo->to[p->step[i].channel] - p->topo->n_switch);
        }
    }
    return add_path(r->cx, p, first, source - p->topo->n_switch, last - p->topo->n_switch);
}

static hf_status read_path(hf_lines *r, paths *p) {
    const uint32_t first = p->n_step;
    hf_slice word;
    hf_stop before = {0}, now;
    uint32_t n = 0, source = 0;
    for (; hf_lines_item(r, ',', &word); n++, before = now) {
        HF_TRY(hf_stop_read(r, p->topo, word, &now));
        source = n == 0 ? now.node : source;
        if (n > 0) {
            step s = {.vc = (uint8_t)now.vc};
            HF_TRY(hf_stop_channel(r, p->topo, &before, &now, &s.channel));
            HF_TRY(add_step(r->cx, p, &s));
        }
    }
    return end_path(r, p, first, source, before.node, n);
}

/* ---- all paths ---- */

/* Paths by source; those of a source stand by destination, in the order of the file. */
static hf_status sort_paths(hf_context *cx, paths *p) {
    hf_rows by_destination, by_source;
    HF_TRY(hf_rows_of(cx, p->topo->n_terminal, NULL, p->n_path, p->destination, &by_destination));
    HF_TRY(hf_rows_of(cx, p->topo->n_terminal, by_destination.item, p->n_path, p->source, &by_source));
    HF_TRY(hf_allocate(cx, (size_t)p->topo->n_terminal + 1, sizeof *p->begin, (void **)&p->begin));
    HF_TRY(hf_allocate(cx, p->n_path, sizeof *p->list, (void **)&p->list));
    memcpy(p->begin, by_source.begin, ((size_t)p->topo->n_terminal + 1) * sizeof *p->begin);
    memcpy(p->list, by_source.item, p->n_path * sizeof *p->list);
    return HF_OK;
}

/* Most paths of a pair. */
static uint32_t count_most(const paths *p) {
    uint32_t most = 1;
    for (uint32_t i = 1, n = 1; i < p->n_path; i++) {
        const uint32_t a = p->list[i - 1], b = p->list[i];
        n = p->source[a] == p->source[b] && p->destination[a] == p->destination[b] ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return most;
}

static hf_status read_all(hf_lines *r, paths *p) {
    while (hf_lines_next_text(r)) {
        HF_TRY(read_path(r, p));
    }
    if (p->n_path == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: no path in it; write lines of nodes, as t0 s0 s3 t5", r->file);
    }
    const hf_mark mark = hf_scratch_mark(r->cx);
    const hf_status status = sort_paths(r->cx, p);
    hf_scratch_reset(r->cx, mark);
    p->max_hops = status == HF_OK ? count_most(p) : 1;
    return status;
}

static void close(void *data) {
    paths *p = data;
    const hf_allocator allocator = p->allocator;
    void *const blocks[] = {p->named,  p->rings_named, p->ring,  p->step, p->first,
                            p->source, p->destination, p->begin, p->list, p};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        hf_release(&allocator, blocks[i]);
    }
}

hf_status hf_paths_read(hf_lines *lines, const hf_topology *topo, void **data) {
    paths *p;
    HF_TRY(hf_allocate(lines->cx, 1, sizeof *p, (void **)&p));
    p->allocator = *hf_context_allocator(lines->cx);
    p->topo = topo;
    p->n_vc = p->max_hops = 1;
    const hf_status status = read_all(lines, p);
    if (status != HF_OK) {
        close(p);
        return status;
    }
    *data = p;
    return HF_OK;
}

typedef struct task {
    const hf_topology *topo;
    void *data;
} task;

static hf_status read_lines(hf_lines *r, void *user) {
    task *t = user;
    return hf_paths_read(r, t->topo, &t->data);
}

static hf_status open(hf_context *cx, const hf_topology *topo, hf_args *args, void **data) {
    task t = {topo, NULL};
    char *named;
    hf_status status = hf_source_read(cx, args->value[0].text, FILE_LIMIT, read_lines, &t, &named);
    paths *p = t.data;
    if (status == HF_OK) {
        p->named = named;
        args->value[0].text = named;
        status = hf_rings_take(cx, topo, p->n_vc, &args->value[1], &p->rings_named, &p->ring);
    }
    if (status != HF_OK && p) {
        close(p);
    }
    *data = status == HF_OK ? p : NULL;
    return status;
}

static hf_status flows(hf_context *cx, const void *data, hf_flow_list **out) {
    const paths *p = data;
    return hf_flow_list_of(cx, p->topo->n_terminal, p->source, p->destination, p->n_path, out);
}

/* ---- the relation ---- */

static hf_status make(hf_context *cx, hf_plan *plan) {
    const paths *p = plan->data;
    if (plan->topo != p->topo) {
        HF_FAIL(cx, HF_EINVAL, "routing \"paths\" was opened for another topology than \"%s\"", plan->topo->spec);
    }
    plan->n_vc = p->n_vc;
    plan->max_hops = p->max_hops;
    plan->state = p;
    return HF_OK;
}

static hf_hop hop_of(const paths *p, uint32_t i) { return (hf_hop){p->step[i].channel, p->step[i].vc, i}; }

static size_t inject(const paths *p, uint32_t source, uint32_t destination, hf_hop *hops) {
    size_t n = 0;
    uint32_t lo = p->begin[source], hi = p->begin[source + 1];
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (p->destination[p->list[middle]] < destination) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    for (; lo < p->begin[source + 1] && p->destination[p->list[lo]] == destination; lo++) {
        hops[n++] = hop_of(p, p->first[p->list[lo]]);
    }
    return n;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const paths *p = plan->state;
    if (in.channel == HF_NONE) {
        return inject(p, at - p->topo->n_switch, destination, hops);
    }
    const bool is_known = in.tag < p->n_step && p->step[in.tag].channel == in.channel && p->step[in.tag].vc == in.vc;
    if (!is_known || p->step[in.tag].destination != destination || p->step[in.tag].is_last) {
        return 0;
    }
    hops[0] = hop_of(p, in.tag + 1);
    return 1;
}

static uint32_t ring_of(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const paths *p = plan->state;
    return p->ring ? p->ring[channel * p->n_vc + vc] : HF_NONE;
}

static bool has_rings(const hf_plan *plan) { return ((const paths *)plan->data)->ring != NULL; }

const hf_routing hf_routing_paths = {
    .name = "paths",
    .summary = "explicit paths from a file, as sources write them into packets: nodes, ports where there are several, VCs",
    .source = "the user's file",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .open = open,
    .close = close,
    .flows = flows,
    .plan = make,
    .route = route,
    .ring = ring_of,
    .has_rings = has_rings,
};
