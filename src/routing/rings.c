/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rings that a user declares. A packet on a ring goes on along it or leaves it, and its numbers say which is which: so what
 * bears a number has to be one cycle, with one way on from each node. */
#include "src/routing/rings.h"

#include <inttypes.h>
#include <string.h>

#include "src/core/source.h"
#include "src/routing/table/stops.h"

enum { FILE_LIMIT = 1 << 30 };

/* ---- one cycle ---- */

/* Of the ring of resource r, what leaves the node that r comes to; HF_NONE: nothing, or more than one. */
static uint32_t next_of(const hf_topology *topo, uint32_t n_vc, const uint32_t *ring, uint32_t r) {
    const uint32_t node = topo->to[r / n_vc];
    uint32_t found = HF_NONE;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        for (uint32_t vc = 0; vc < n_vc; vc++) {
            const uint32_t q = topo->out_list[i] * n_vc + vc;
            if (ring[q] == ring[r]) {
                if (found != HF_NONE) {
                    return HF_NONE;
                }
                found = q;
            }
        }
    }
    return found;
}

static hf_status refuse(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, const uint32_t *ring,
                        uint32_t r) {
    char name[HF_NAME_SIZE];
    hf_topology_channel_name(topo, r / n_vc, name, sizeof name);
    HF_FAIL(cx, HF_EINVAL,
            "%s: ring %" PRIu32 " is not one cycle at %s, virtual channel %" PRIu32
            "; need one way on from each node, and back to the first",
            file, ring[r], name, r % n_vc);
}

/* \param[in] size by ring: how many resources it has */
static hf_status go_round(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, const uint32_t *ring,
                          const uint32_t *size, uint32_t first) {
    uint32_t r = first;
    for (uint32_t n = 0; n < size[ring[first]]; n++) {
        const uint32_t next = next_of(topo, n_vc, ring, r);
        if (next == HF_NONE || (next == first && n + 1 < size[ring[first]])) {
            return refuse(cx, file, topo, n_vc, ring, r);
        }
        r = next;
    }
    return r == first ? HF_OK : refuse(cx, file, topo, n_vc, ring, r);
}

hf_status hf_rings_check(hf_context *cx, const char *file, const hf_topology *topo, uint32_t n_vc, const uint32_t *ring) {
    const uint32_t n = topo->n_channel * n_vc;
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *size;
    HF_TRY(hf_scratch(cx, n, sizeof *size, (void **)&size));
    for (uint32_t r = 0; r < n; r++) {
        if (ring[r] != HF_NONE) {
            size[ring[r]]++;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        if (ring[r] != HF_NONE && size[ring[r]] > 0) {
            HF_TRY(go_round(cx, file, topo, n_vc, ring, size, r));
            size[ring[r]] = 0;
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* ---- a file of them ---- */

typedef struct task {
    const hf_topology *topo;
    uint32_t n_vc, n;
    uint32_t *ring;
} task;

static hf_status add_channel(hf_lines *r, task *t, const hf_stop *from, const hf_stop *to) {
    uint32_t channel;
    if (to->vc >= t->n_vc) {
        HF_LINE_FAIL(r, HF_EINVAL, "virtual channel %" PRIu32 " is out of range; the routing has %" PRIu32, to->vc, t->n_vc);
    }
    HF_TRY(hf_stop_channel(r, t->topo, from, to, &channel));
    if (t->topo->link[channel] >= t->topo->n_switch_link) {
        HF_LINE_FAIL(r, HF_EINVAL, "terminal t%" PRIu32 " is on no ring; need switches alone",
                     (from->node < t->topo->n_switch ? to->node : from->node) - t->topo->n_switch);
    }
    uint32_t *ring = &t->ring[channel * t->n_vc + to->vc];
    if (*ring != HF_NONE) {
        char name[HF_NAME_SIZE];
        hf_topology_channel_name(t->topo, channel, name, sizeof name);
        HF_LINE_FAIL(r, HF_EINVAL, "virtual channel %" PRIu32 " of %s is on a ring already", to->vc, name);
    }
    *ring = t->n;
    return HF_OK;
}

static hf_status read_ring(hf_lines *r, task *t) {
    hf_stop first = {0}, before = {0}, now;
    hf_slice word;
    uint32_t n = 0;
    for (; hf_lines_item(r, ',', &word); n++, before = now) {
        HF_TRY(hf_stop_read(r, t->topo, word, &now));
        HF_TRY(n > 0 ? add_channel(r, t, &before, &now) : HF_OK);
        first = n == 0 ? now : first;
    }
    if (n < 2) {
        HF_LINE_FAIL(r, HF_EINVAL, "a ring of %" PRIu32 " node; need its switches in order, as s0 s1 s2", n);
    }
    HF_TRY(add_channel(r, t, &before, &first));
    t->n++;
    return HF_OK;
}

hf_status hf_rings_read(hf_lines *r, const hf_topology *topo, uint32_t n_vc, uint32_t *ring) {
    task t = {topo, n_vc, 0, ring};
    memset(ring, 0xff, (size_t)topo->n_channel * n_vc * sizeof *ring);
    while (hf_lines_next_text(r)) {
        HF_TRY(read_ring(r, &t));
    }
    if (t.n == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: no ring in it; write lines of switches, as s0 s1 s2", r->file);
    }
    return hf_rings_check(r->cx, r->file, topo, n_vc, ring);
}

static hf_status read_lines(hf_lines *r, void *user) {
    const task *t = user;
    return hf_rings_read(r, t->topo, t->n_vc, t->ring);
}

hf_status hf_rings_take(hf_context *cx, const hf_topology *topo, uint32_t n_vc, hf_value *argument, char **named,
                        uint32_t **ring) {
    const size_t n = (size_t)topo->n_channel * n_vc;
    *named = NULL;
    *ring = NULL;
    if (strcmp(argument->text, "none") == 0) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, n, sizeof **ring, (void **)ring));
    task t = {topo, n_vc, 0, *ring};
    HF_TRY(hf_source_read(cx, argument->text, FILE_LIMIT, read_lines, &t, named));
    argument->text = *named;
    return HF_OK;
}
