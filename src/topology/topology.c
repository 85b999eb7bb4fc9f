/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The helpers with which a family builds a topology: room for the arrays, links one by one,
 *  then channel numbers and the adjacency by port. */
#include "src/topology/topology.h"

#include <string.h>

#include "src/core/machine.h"
#include "src/core/rows.h"

/** All arrays of one topology together; more is refused. */
static const double memory_limit = 4294967296.0;

/** A topology while it is built. `topo` comes first: the two have one address. */
typedef struct building {
    hf_topology topo;
    uint32_t n_added; /**< links so far */
} building;

void hf_topology_free(hf_topology *topo) {
    if (!topo) {
        return;
    }
    const hf_allocator allocator = topo->allocator;
    uint32_t *const arrays[] = {topo->from,     topo->to,      topo->from_port, topo->to_port,         topo->link,
                                topo->reverse,  topo->forward, topo->backward,  topo->out_begin,       topo->out_list,
                                topo->in_begin, topo->in_list, topo->coord,     topo->terminal_switch, topo->lid_base};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        hf_release(&allocator, arrays[i]);
    }
    for (size_t i = 0; i < topo->n_attribute; i++) {
        hf_release(&allocator, (void *)topo->attribute[i].of_switch);
        hf_release(&allocator, (void *)topo->attribute[i].of_link);
    }
    hf_release(&allocator, topo->attribute);
    hf_release(&allocator, topo->naming);
    hf_release(&allocator, topo->by_label);
    for (uint32_t v = 0; topo->label && v < topo->n_node; v++) {
        hf_release(&allocator, topo->label[v]);
    }
    hf_release(&allocator, topo->label);
    hf_release(&allocator, topo->lmc);
    hf_release(&allocator, topo->node_guid);
    hf_release(&allocator, topo->port_guid);
    hf_release(&allocator, topo->header);
    hf_release(&allocator, topo->spec);
    hf_args_free(&topo->args);
    hf_release(&allocator, topo);
}

/* ---- building ---- */

static hf_status fits(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, const uint64_t *n, uint32_t n_coord) {
    const double n_switch = (double)n[0], n_node = n_switch + (double)n[1], n_link = (double)n[2] + (double)n[3];
    const double words_per_link = 2 * 8 /* per channel */ + 2 + 1 /* an attribute */;
    const double bytes = 4 * (n_link * words_per_link + n_node * 3 + n_switch * (1.0 + n_coord));
    char *spec;
    HF_TRY(hf_args_canonical(cx, kind->name, args, &spec));
    const bool is_cut = n[0] == UINT64_MAX || n[1] == UINT64_MAX || n[2] == UINT64_MAX || n[3] == UINT64_MAX;
    const hf_status status =
        hf_machine_fits(cx, bytes, memory_limit, "topology \"%s\"%s", spec, is_cut ? ", with 2^64 nodes or links at least," : "");
    hf_release(hf_context_allocator(cx), spec);
    return status;
}

static hf_status allocate_arrays(hf_context *cx, hf_topology *topo) {
    const size_t n_channel = 2 * (size_t)topo->n_link;
    struct {
        uint32_t **array;
        size_t count;
    } const want[] = {
        {&topo->from, n_channel},
        {&topo->to, n_channel},
        {&topo->from_port, n_channel},
        {&topo->to_port, n_channel},
        {&topo->link, n_channel},
        {&topo->reverse, n_channel},
        {&topo->out_list, n_channel},
        {&topo->in_list, n_channel},
        {&topo->forward, topo->n_link},
        {&topo->backward, topo->n_link},
        {&topo->out_begin, (size_t)topo->n_node + 2},
        {&topo->in_begin, (size_t)topo->n_node + 2},
        {&topo->terminal_switch, topo->n_terminal},
        {&topo->coord, (size_t)topo->n_switch * topo->n_coord},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        HF_TRY(hf_allocate(cx, want[i].count, sizeof(uint32_t), (void **)want[i].array));
    }
    return HF_OK;
}

hf_status hf_topology_begin(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, const uint64_t *n,
                            hf_topology **out) {
    building *b;
    HF_TRY(hf_allocate(cx, 1, sizeof *b, (void **)&b));
    hf_topology *topo = *out = &b->topo;
    topo->kind = kind;
    topo->args = *args;
    topo->args.storage = NULL; /* still the caller's */
    topo->allocator = *hf_context_allocator(cx);
    topo->n_switch = (uint32_t)n[0];
    topo->n_terminal = (uint32_t)n[1];
    topo->n_node = (uint32_t)(n[0] + n[1]);
    topo->n_switch_link = (uint32_t)n[2];
    topo->n_link = (uint32_t)(n[2] + n[3]);
    return HF_OK;
}

hf_status hf_topology_start(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, uint64_t n_switch,
                            uint64_t n_terminal, uint64_t n_switch_link, uint64_t n_terminal_link, uint32_t n_coord,
                            const char *const *coord_name, hf_topology **out) {
    const uint64_t n[4] = {n_switch, n_terminal, n_switch_link, n_terminal_link};
    hf_topology *topo;
    HF_TRY(fits(cx, kind, args, n, n_coord)); /* hence all ids are far below HF_NONE */
    HF_TRY(hf_topology_begin(cx, kind, args, n, &topo));
    topo->n_coord = n_coord;
    topo->coord_name = coord_name;
    return hf_topology_give(allocate_arrays(cx, topo), topo, out);
}

/* The forward channel of link l has number l from the start; `backward` says 0 or HF_NONE until the channels are numbered. */
void hf_topology_add_link(hf_topology *topo, uint32_t a, uint32_t a_port, uint32_t b, uint32_t b_port, bool both_ways) {
    const uint32_t l = ((building *)topo)->n_added++;
    topo->from[l] = a;
    topo->from_port[l] = a_port;
    topo->to[l] = b;
    topo->to_port[l] = b_port;
    topo->backward[l] = both_ways ? 0 : HF_NONE;
}

hf_status hf_topology_add_attribute(hf_context *cx, hf_topology *topo, const char *name, const char *help, uint32_t **of_switch,
                                    uint32_t **of_link) {
    HF_TRY(hf_resize(cx, topo->n_attribute + 1, sizeof *topo->attribute, (void **)&topo->attribute));
    uint32_t *s = NULL, *l = NULL;
    HF_TRY(hf_allocate(cx, topo->n_switch, sizeof *s, (void **)&s));
    const hf_status status = hf_allocate(cx, topo->n_link, sizeof *l, (void **)&l);
    if (status != HF_OK) {
        hf_release(&topo->allocator, s);
        return status;
    }
    memset(s, 0xff, topo->n_switch * sizeof *s); /* HF_NONE */
    memset(l, 0xff, topo->n_link * sizeof *l);
    topo->attribute[topo->n_attribute++] = (hf_attribute){name, help, s, l};
    *of_switch = s;
    *of_link = l;
    return HF_OK;
}

hf_status hf_topology_add_rates(hf_context *cx, hf_topology *topo, uint32_t **of_link) {
    uint32_t *of_switch;
    return hf_topology_add_attribute(cx, topo, "rate", "data rate of a link, Mbit/s", &of_switch, of_link);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

hf_tempo hf_topology_tempo(const hf_topology *topo) {
    const hf_attribute *rate = hf_topology_attribute(topo, "rate");
    const uint64_t most = UINT64_C(1) << 32, rounded = UINT64_C(1) << 20;
    hf_tempo tempo = {.common = 1, .unit = 1};
    bool differ = false;
    for (uint32_t l = 0; rate && l < topo->n_link; l++) {
        const uint32_t r = rate->of_link[l];
        if (r == 0 || r == HF_NONE) {
            continue;
        }
        differ |= tempo.fastest && r != tempo.fastest;
        tempo.fastest = r > tempo.fastest ? r : tempo.fastest;
        tempo.common = tempo.common ? tempo.common / common_divisor(tempo.common, r) * r : 0;
        tempo.common = tempo.common < most ? tempo.common : 0;
    }
    if (differ) {
        tempo.rate = rate->of_link;
        tempo.link = topo->link;
        tempo.unit = tempo.common ? tempo.common / tempo.fastest : rounded;
    }
    return tempo;
}

static void number_channels(hf_topology *topo) {
    uint32_t c = topo->n_link;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        topo->forward[l] = topo->link[l] = l;
        topo->reverse[l] = HF_NONE;
        if (topo->backward[l] == HF_NONE) {
            continue;
        }
        topo->backward[l] = topo->reverse[l] = c;
        topo->reverse[c] = topo->link[c] = l;
        topo->from[c] = topo->to[l];
        topo->from_port[c] = topo->to_port[l];
        topo->to[c] = topo->from[l];
        topo->to_port[c] = topo->from_port[l];
        c++;
    }
    topo->n_channel = c;
}

/** Channels by node, and by port inside a node: first all by port, then stably by node. */
static void build_adjacency(const hf_topology *topo, const uint32_t *node, const uint32_t *port, hf_rows *by_port,
                            uint32_t *begin, uint32_t *list) {
    hf_rows by_node = {.n = topo->n_node, .begin = begin, .item = list};
    hf_rows_fill(NULL, topo->n_channel, port, by_port);
    hf_rows_fill(by_port->item, topo->n_channel, node, &by_node);
}

static uint32_t count_ports(const hf_topology *topo, bool of_switches) {
    uint32_t n = 0;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool from_counts = !of_switches || !hf_topology_is_terminal(topo, topo->from[c]);
        const bool to_counts = !of_switches || !hf_topology_is_terminal(topo, topo->to[c]);
        n = from_counts && topo->from_port[c] >= n ? topo->from_port[c] + 1 : n;
        n = to_counts && topo->to_port[c] >= n ? topo->to_port[c] + 1 : n;
    }
    return n;
}

static hf_status find_adjacency(hf_context *cx, hf_topology *topo) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_rows by_port;
    HF_TRY(hf_rows_start(cx, count_ports(topo, false), &by_port));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *by_port.item, (void **)&by_port.item));
    build_adjacency(topo, topo->from, topo->from_port, &by_port, topo->out_begin, topo->out_list);
    build_adjacency(topo, topo->to, topo->to_port, &by_port, topo->in_begin, topo->in_list);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static void find_terminal_switches(hf_topology *topo) {
    memset(topo->terminal_switch, 0xff, topo->n_terminal * sizeof *topo->terminal_switch);
    for (uint32_t l = topo->n_link; l-- > topo->n_switch_link;) {
        if (hf_topology_is_terminal(topo, topo->from[l])) {
            topo->terminal_switch[topo->from[l] - topo->n_switch] = topo->to[l];
        }
    }
}

hf_status hf_topology_finish(hf_context *cx, hf_topology *topo) {
    number_channels(topo);
    topo->n_port_max = count_ports(topo, true);
    HF_TRY(find_adjacency(cx, topo));
    find_terminal_switches(topo);
    return hf_args_canonical(cx, topo->kind->name, &topo->args, &topo->spec);
}

/* ---- look-ups ---- */

uint32_t hf_topology_search_channel_at(const hf_topology *topo, uint32_t node, uint32_t port) {
    uint32_t lo = topo->out_begin[node], hi = topo->out_begin[node + 1];
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2, c = topo->out_list[middle];
        if (topo->from_port[c] == port) {
            return c;
        }
        if (topo->from_port[c] < port) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return HF_NONE;
}

const hf_attribute *hf_topology_attribute(const hf_topology *topo, const char *name) {
    for (size_t i = 0; i < topo->n_attribute; i++) {
        if (strcmp(topo->attribute[i].name, name) == 0) {
            return &topo->attribute[i];
        }
    }
    return NULL;
}

uint64_t hf_topology_ends_most(const hf_topology *topo) {
    hf_topology_counts counts = {.ends_most = 0};
    if (hf_topology_is_outline(topo)) {
        topo->kind->counts(&topo->args, &counts);
    }
    for (uint32_t sw = 0; !hf_topology_is_outline(topo) && sw < topo->n_switch; sw++) {
        const uint64_t ends =
            (uint64_t)(topo->out_begin[sw + 1] - topo->out_begin[sw]) + (topo->in_begin[sw + 1] - topo->in_begin[sw]);
        counts.ends_most = ends > counts.ends_most ? ends : counts.ends_most;
    }
    return counts.ends_most;
}

bool hf_topology_has_plain_terminals(const hf_topology *topo) {
    bool holds = true;
    for (uint32_t v = topo->n_switch; v < topo->n_node && holds; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        holds = topo->out_begin[v + 1] - out == 1 && topo->in_begin[v + 1] - in == 1 &&
                topo->to[topo->out_list[out]] == topo->from[topo->in_list[in]];
    }
    return holds;
}
