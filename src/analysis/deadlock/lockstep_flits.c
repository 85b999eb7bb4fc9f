/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The flits of a relation with one way for each pair.
 *
 *  Two things keep them few. A packet's destination stays open as long as the ways of several destinations are one. And channels
 *  that only one source uses, before its packets part or meet others, are left out: a packet that waits there could as well have
 *  been sent later, so that its header comes to the end of them when it is let in. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/lockstep.h"

enum { DESTINATIONS_MAX = 64, SOURCES_MAX = 1024 };

typedef struct way {
    uint32_t n;
    hf_hop *hop; /* from the source's first */
} way;

typedef struct maker {
    hf_context *cx;
    const hf_plan *plan;
    const hf_blocked *only;
    uint32_t n_only;
    uint32_t n_source, *source, n_destination, *destination; /* terminals */
    way *way;                                                /* source x destination; n 0: no packet is sent */
    uint32_t *user; /* by channel of the topology: the only terminal that sends over it; SHARED: several */
    uint32_t *vc;   /* by channel of the topology */
    uint32_t *from; /* by channel of the topology: the only one that packets come from; SHARED: several */
    uint32_t *index;
    hf_hop *hops;
    hf_flits *out;
} maker;

#define SHARED (UINT32_MAX - 1)

/* ---- ways ---- */

static hf_status refuse(const maker *m, uint32_t source, uint32_t destination, uint32_t at, const char *what) {
    char node[HF_NAME_SIZE];
    hf_topology_node_name(m->plan->topo, at, node, sizeof node);
    HF_FAIL(m->cx, HF_ENOTSUP,
            "routing \"%s\": %s (t%u to t%u, at %s); lockstep needs one way for each pair on one virtual channel",
            m->plan->routing->name, what, source, destination, node);
}

static hf_status use(maker *m, uint32_t source, uint32_t destination, hf_hop hop) {
    const uint32_t c = hop.channel;
    if (m->vc[c] != HF_NONE && m->vc[c] != hop.vc) {
        return refuse(m, source, destination, m->plan->topo->from[c], "a channel has several virtual channels in use");
    }
    m->vc[c] = hop.vc;
    m->user[c] = m->user[c] == HF_NONE || m->user[c] == source ? source : SHARED;
    return HF_OK;
}

/* Is a packet in a channel as good as delivered, its next one being the last one, which it need not share? */
static bool is_through(const maker *m, hf_hop next) {
    const hf_topology *topo = m->plan->topo;
    return hf_topology_is_terminal(topo, topo->to[next.channel]) && m->from[next.channel] != SHARED;
}

static bool comes_back(const hf_hop *path, uint32_t n) {
    for (uint32_t i = 0; i + 1 < n; i++) {
        if (path[i].channel == path[n - 1].channel) {
            return true;
        }
    }
    return false;
}

static hf_status follow(maker *m, uint32_t source, uint32_t destination, hf_hop *path, way *w) {
    const hf_topology *topo = m->plan->topo;
    const uint32_t most = 2 * topo->n_channel;
    hf_hop in = HF_HOP_INJECTION;
    uint32_t at = topo->n_switch + source;
    for (; at != topo->n_switch + destination && !m->out->reason; at = topo->to[in.channel]) {
        size_t count;
        HF_TRY(hf_plan_read(m->cx, m->plan, at, in, destination, m->hops, &count));
        if (count > 1) {
            return refuse(m, source, destination, at, "a packet may take several hops");
        }
        if (count == 0 || hf_bit_test(m->plan->faults->channel_set, m->hops[0].channel) || w->n == most) {
            m->out->reason = w->n == 0 && count == 0 ? NULL : "the routing loses packets";
            return HF_OK;
        }
        uint32_t *from = &m->from[m->hops[0].channel];
        *from = *from == HF_NONE || *from == in.channel ? in.channel : SHARED;
        in = path[w->n++] = m->hops[0];
        HF_TRY(use(m, source, destination, in));
        m->user[in.channel] = comes_back(path, w->n) ? SHARED : m->user[in.channel];
    }
    HF_TRY(hf_scratch(m->cx, w->n, sizeof *w->hop, (void **)&w->hop));
    memcpy(w->hop, path, w->n * sizeof *path);
    return HF_OK;
}

static bool is_sent(const maker *m, uint32_t source, uint32_t destination) {
    for (uint32_t i = 0; i < m->n_only; i++) {
        if (m->only[i].source == source && m->only[i].destination == destination) {
            return true;
        }
    }
    return !m->only && hf_plan_sends(m->plan, source, destination);
}

static hf_status follow_all(maker *m) {
    hf_hop *path;
    HF_TRY(hf_scratch(m->cx, 2 * (size_t)m->plan->topo->n_channel, sizeof *path, (void **)&path));
    for (uint32_t a = 0; a < m->n_source; a++) {
        for (uint32_t b = 0; b < m->n_destination && !m->out->reason; b++) {
            if (is_sent(m, m->source[a], m->destination[b])) {
                HF_TRY(follow(m, m->source[a], m->destination[b], path, &m->way[a * m->n_destination + b]));
            }
        }
    }
    return HF_OK;
}

static void add_once(uint32_t *list, uint32_t *n, uint32_t terminal) {
    uint32_t i = 0;
    for (; i < *n && list[i] != terminal; i++) {
    }
    list[i] = terminal;
    *n += i == *n;
}

static hf_status list_terminals(maker *m) {
    const uint32_t most = m->only ? m->n_only : m->plan->topo->n_terminal;
    HF_TRY(hf_scratch(m->cx, most, sizeof *m->source, (void **)&m->source));
    HF_TRY(hf_scratch(m->cx, most, sizeof *m->destination, (void **)&m->destination));
    for (uint32_t i = 0; i < most; i++) {
        add_once(m->source, &m->n_source, m->only ? m->only[i].source : i);
        add_once(m->destination, &m->n_destination, m->only ? m->only[i].destination : i);
    }
    m->out->destination = m->destination;
    return HF_OK;
}

static bool is_same(hf_hop a, hf_hop b) { return a.channel == b.channel && a.tag == b.tag; }

/* Do all packets of a source take the same hop after `k` others, and is it not the last one? */
static bool is_common(const maker *m, uint32_t source, uint32_t k) {
    const way *first = NULL;
    for (uint32_t d = 0; d < m->n_destination; d++) {
        const way *w = &m->way[source * m->n_destination + d];
        if (w->n == 0) {
            continue;
        }
        first = first ? first : w;
        if (k + 1 >= w->n || !is_same(w->hop[k], first->hop[k])) {
            return false;
        }
    }
    return first != NULL;
}

/* Hops at the start of a source's ways that need not be looked at. */
static uint32_t hops_to_skip(const maker *m, uint32_t source) {
    uint32_t k = 0;
    for (; is_common(m, source, k) && is_common(m, source, k + 1); k++) {
        const way *w = m->way + (size_t)source * m->n_destination;
        for (; w->n == 0; w++) {
        }
        if (m->user[w->hop[k].channel] != m->source[source]) {
            break;
        }
    }
    return k;
}

/* ---- flits ---- */

static uint32_t index_of(maker *m, hf_hop hop) {
    hf_flits *out = m->out;
    uint32_t *known = &m->index[hop.channel];
    if (*known == HF_NONE) {
        *known = out->n_channel;
        out->channel[out->n_channel] = hop.channel;
        out->vc[out->n_channel++] = hop.vc;
    }
    return *known;
}

/* The flit that is like `want`, made if there is none yet. */
static uint32_t intern(maker *m, hf_flit want) {
    hf_flits *out = m->out;
    for (uint32_t i = 0; i < out->n_flit; i++) {
        const hf_flit *f = &out->flit[i];
        if (f->channel == want.channel && f->next == want.next && f->tag == want.tag && f->is_head == want.is_head &&
            f->is_open == want.is_open && f->is_new == want.is_new && f->destinations == want.destinations) {
            return i;
        }
    }
    if (out->n_flit == HF_FLITS_MAX) {
        out->reason = "the relation is too large";
        return 0;
    }
    out->flit[out->n_flit] = want;
    return out->n_flit++;
}

/* Headers in the channel of `hop` for `destinations`, one for each channel that some of them go on to. Into child[]. */
static void add_headers(maker *m, hf_hop hop, uint64_t destinations, bool is_open) {
    const hf_topology *topo = m->plan->topo;
    hf_flits *out = m->out;
    const uint32_t node = topo->to[hop.channel];
    hf_flit f = {.channel = index_of(m, hop), .next = HF_NONE, .tag = hop.tag};
    if (hf_topology_is_terminal(topo, node)) {
        f.tag = 0;
        out->child[out->n_child++] = intern(m, f);
        return;
    }
    hf_hop next[DESTINATIONS_MAX];
    for (uint64_t left = destinations; left; left &= left - 1) {
        const uint32_t d = (uint32_t)__builtin_ctzll(left);
        (void)hf_plan_route(m->plan, node, hop, m->destination[d], m->hops);
        next[d] = m->hops[0];
    }
    for (uint64_t left = destinations; left && !out->reason;) {
        const hf_hop to = next[__builtin_ctzll(left)];
        f.destinations = 0;
        for (uint64_t rest = left; rest; rest &= rest - 1) {
            const uint32_t d = (uint32_t)__builtin_ctzll(rest);
            f.destinations |= (uint64_t)is_same(next[d], to) << d;
        }
        left &= ~f.destinations;
        f.is_head = is_open || !is_through(m, to);
        f.is_open = is_open;
        f.destinations = f.is_head ? f.destinations : 0;
        f.next = f.is_head ? index_of(m, to) : HF_NONE;
        f.tag = f.is_head ? hop.tag : 0;
        out->child[out->n_child++] = intern(m, f);
        out->reason = out->n_child + DESTINATIONS_MAX > HF_FLIT_CHILDREN_MAX ? "the relation is too large" : out->reason;
    }
}

/* All that sources put into one channel. Whose packet it is does not matter once it is there. */
static hf_status add_entries(maker *m) {
    hf_flits *out = m->out;
    const size_t most = (size_t)m->n_source * m->n_destination;
    hf_hop *entry;
    uint64_t *destinations;
    uint32_t n = 0;
    HF_TRY(hf_scratch(m->cx, most, sizeof *entry, (void **)&entry));
    HF_TRY(hf_scratch(m->cx, most, sizeof *destinations, (void **)&destinations));
    for (uint32_t a = 0; a < m->n_source; a++) {
        const uint32_t skip = hops_to_skip(m, a);
        for (uint32_t d = 0; d < m->n_destination; d++) {
            const way *w = &m->way[a * m->n_destination + d];
            uint32_t i = 0;
            for (; w->n > skip && i < n && !is_same(entry[i], w->hop[skip]); i++) {
            }
            if (w->n > skip) {
                entry[i] = w->hop[skip];
                destinations[i] |= UINT64_C(1) << d;
                n = i == n ? n + 1 : n;
            }
        }
    }
    for (uint32_t i = 0; i < n && !out->reason; i++) {
        add_headers(m, entry[i], destinations[i], true);
    }
    return HF_OK;
}

static void add_followers(maker *m) {
    hf_flits *out = m->out;
    for (uint32_t i = 0; i < out->n_flit && !out->reason; i++) {
        hf_flit *f = &out->flit[i];
        if (f->is_head) {
            hf_flit body = {.channel = f->channel, .next = f->next, .tag = f->tag, .is_open = f->is_open};
            const hf_hop in = {out->channel[f->channel], out->vc[f->channel], f->tag};
            f->body = intern(m, body);
            const uint32_t destination = m->destination[__builtin_ctzll(f->destinations)];
            (void)hf_plan_route(m->plan, m->plan->topo->to[in.channel], in, destination, m->hops);
            f->first_child = out->n_child;
            add_headers(m, m->hops[0], f->destinations, false);
            f->n_child = out->n_child - f->first_child;
        }
    }
}

/* ---- tables ---- */

/* Flits list[0 .. n) by channel: of each, or that it goes on to. */
static hf_status sort(maker *m, const uint32_t *list, uint32_t n, bool by_next, hf_rows *rows) {
    const hf_flits *out = m->out;
    uint32_t *channel;
    HF_TRY(hf_scratch(m->cx, out->n_flit, sizeof *channel, (void **)&channel));
    for (uint32_t i = 0; i < n; i++) {
        channel[list[i]] = by_next ? out->flit[list[i]].next : out->flit[list[i]].channel;
    }
    return hf_rows_of(m->cx, out->n_channel, list, n, channel, rows);
}

/* Sources put headers into a channel, or new ones where nothing else comes into it. */
static hf_status list_entries(maker *m, uint32_t n_entry) {
    hf_flits *out = m->out;
    uint32_t *entry, *start, n = 0, n_start = 0;
    uint64_t *is_shared, *has_new;
    HF_TRY(hf_scratch(m->cx, n_entry, sizeof *entry, (void **)&entry));
    HF_TRY(hf_scratch(m->cx, n_entry, sizeof *start, (void **)&start));
    HF_TRY(hf_scratch(m->cx, hf_words(out->n_channel), sizeof *is_shared, (void **)&is_shared));
    HF_TRY(hf_scratch(m->cx, hf_words(out->n_channel), sizeof *has_new, (void **)&has_new));
    for (uint32_t i = 0; i < out->n_flit; i++) {
        if (!out->flit[i].is_open) {
            hf_bit_set(is_shared, out->flit[i].channel);
        }
    }
    for (uint32_t i = 0; i < n_entry && !out->reason; i++) {
        const uint32_t c = out->flit[out->child[i]].channel;
        if (hf_bit_test(is_shared, c)) {
            entry[n++] = out->child[i];
            continue;
        }
        start[n_start++] = out->child[i];
        if (!hf_bit_test(has_new, c)) {
            hf_bit_set(has_new, c);
            entry[n++] = intern(m, (hf_flit){.channel = c, .next = HF_NONE, .is_new = true});
        }
    }
    HF_TRY(sort(m, entry, n, false, &out->entry));
    return sort(m, start, n_start, true, &out->start);
}

/* Only flits that states can hold get a code: not the headers into which new ones turn. */
static hf_status number(maker *m) {
    hf_flits *out = m->out;
    uint64_t *has_new;
    HF_TRY(hf_scratch(m->cx, hf_words(out->n_channel), sizeof *has_new, (void **)&has_new));
    for (uint32_t c = 0; c < out->n_channel; c++) {
        const uint32_t first = out->entry.begin[c];
        if (first < out->entry.begin[c + 1] && out->flit[out->entry.item[first]].is_new) {
            hf_bit_set(has_new, c);
        }
    }
    for (uint32_t i = 0; i < out->n_flit; i++) {
        hf_flit *f = &out->flit[i];
        if (!f->is_head || !hf_bit_test(has_new, f->channel)) {
            f->code = ++out->n_code[f->channel];
        }
    }
    HF_TRY(hf_scratch(m->cx, out->n_channel + 1, sizeof *out->code_base, (void **)&out->code_base));
    HF_TRY(hf_scratch(m->cx, out->n_flit + out->n_channel, sizeof *out->flit_of, (void **)&out->flit_of));
    for (uint32_t c = 0, at = 0; c < out->n_channel; c++) {
        out->code_base[c] = at;
        at += out->n_code[c] + 1;
    }
    for (uint32_t i = 0; i < out->n_flit; i++) {
        out->flit_of[out->code_base[out->flit[i].channel] + out->flit[i].code] = i;
    }
    return HF_OK;
}

static hf_status open_maker(maker *m) {
    const uint32_t n_channel = m->plan->topo->n_channel;
    hf_flits *out = m->out;
    HF_TRY(hf_scratch(m->cx, (size_t)m->n_source * m->n_destination, sizeof *m->way, (void **)&m->way));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *m->user, (void **)&m->user));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *m->vc, (void **)&m->vc));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *m->from, (void **)&m->from));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *m->index, (void **)&m->index));
    HF_TRY(hf_scratch(m->cx, hf_plan_room(m->plan), sizeof *m->hops, (void **)&m->hops));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *out->channel, (void **)&out->channel));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *out->vc, (void **)&out->vc));
    HF_TRY(hf_scratch(m->cx, n_channel, sizeof *out->n_code, (void **)&out->n_code));
    HF_TRY(hf_scratch(m->cx, HF_FLITS_MAX, sizeof *out->flit, (void **)&out->flit));
    HF_TRY(hf_scratch(m->cx, HF_FLIT_CHILDREN_MAX, sizeof *out->child, (void **)&out->child));
    memset(m->user, 0xff, n_channel * sizeof *m->user);
    memset(m->from, 0xff, n_channel * sizeof *m->from);
    memset(m->vc, 0xff, n_channel * sizeof *m->vc);
    memset(m->index, 0xff, n_channel * sizeof *m->index);
    return HF_OK;
}

hf_status hf_flits_make(hf_context *cx, const hf_plan *plan, const hf_blocked *only, uint32_t n_only, hf_flits *out) {
    maker m = {.cx = cx, .plan = plan, .only = only, .n_only = only ? n_only : 0, .out = out};
    *out = (hf_flits){0};
    HF_TRY(list_terminals(&m));
    if (m.n_destination > DESTINATIONS_MAX || m.n_source > SOURCES_MAX) {
        out->reason = "the network is too large";
        return HF_OK;
    }
    HF_TRY(open_maker(&m));
    HF_TRY(follow_all(&m));
    if (out->reason) {
        return HF_OK;
    }
    HF_TRY(add_entries(&m));
    const uint32_t n_entry = out->n_child;
    add_followers(&m);
    HF_TRY(list_entries(&m, n_entry));
    return out->reason ? HF_OK : number(&m);
}
