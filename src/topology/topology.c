/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry of topologies and what their families share: building, names. */
#include <holdfast/topology.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/topology/topology.h"

enum { MEMORY_LIMIT_MIB = 4096 };

static const hf_topology_kind *const kinds[] = {
#define X(name) &hf_topology_##name,
#include "src/topology/list.def"
#undef X
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

size_t hf_topology_count(void) { return N_KIND; }
const hf_topology_kind *hf_topology_kind_at(size_t i) { return i < N_KIND ? kinds[i] : NULL; }

const hf_topology_kind *hf_topology_kind_find(const char *name, size_t size) {
    for (size_t i = 0; i < N_KIND; i++) {
        if (strlen(kinds[i]->name) == size && memcmp(kinds[i]->name, name, size) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

hf_status hf_topology_new(hf_context *cx, const char *spec, hf_topology **out) {
    size_t size;
    const char *rest = hf_spec_split(spec, &size);
    const hf_topology_kind *kind = hf_topology_kind_find(spec, size);
    if (!kind) {
        const char *names[N_KIND + 1] = {NULL};
        for (size_t i = 0; i < N_KIND; i++) {
            names[i] = kinds[i]->name;
        }
        return hf_spec_unknown(cx, "topology", spec, size, names);
    }
    hf_args args;
    HF_TRY(hf_args_parse(cx, "topology", kind->name, kind->params, rest, &args));
    const hf_status status = kind->build(cx, &args, out);
    hf_args_free(&args);
    return status;
}

void hf_topology_free(hf_topology *topo) {
    if (!topo) {
        return;
    }
    const hf_allocator allocator = topo->allocator;
    for (size_t i = 0; i < topo->n_attribute; i++) {
        hf_release(&allocator, (void *)(uintptr_t)topo->attribute[i].of_switch);
        hf_release(&allocator, (void *)(uintptr_t)topo->attribute[i].of_link);
    }
    hf_args_free(&topo->args);
    void *const block[] = {topo->spec,
                           topo->from,
                           topo->to,
                           topo->from_port,
                           topo->to_port,
                           topo->link,
                           topo->reverse,
                           topo->forward,
                           topo->backward,
                           topo->out_begin,
                           topo->out_list,
                           topo->in_begin,
                           topo->in_list,
                           topo->coord,
                           topo->attribute,
                           topo->terminal_switch,
                           topo};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}

/* ---- building ---- */

static hf_status check_size(hf_context *cx, const hf_topology_kind *kind, uint64_t n_switch, uint64_t n_terminal, uint64_t n_link,
                            uint32_t n_coord) {
    const uint64_t limit = UINT32_MAX / 4;
    const double bytes = 4.0 * (9.0 * 2 * (double)n_link + 3 * (double)(n_switch + n_terminal) + (double)n_switch * n_coord);
    if (n_switch > limit || n_terminal > limit || n_link > limit || bytes > (double)MEMORY_LIMIT_MIB * (1 << 20)) {
        HF_FAIL(cx, HF_ERANGE,
                "topology \"%s\": %.6g switches, %.6g terminals and %.6g links would need about %.1f GiB; the limit is %d GiB",
                kind->name, (double)n_switch, (double)n_terminal, (double)n_link, bytes / (1 << 30), MEMORY_LIMIT_MIB / 1024);
    }
    return HF_OK;
}

static hf_status allocate_arrays(hf_context *cx, hf_topology *topo, uint64_t n_link) {
    const size_t n_channel = 2 * (size_t)n_link, word = sizeof(uint32_t);
    uint32_t **const per_channel[] = {&topo->from, &topo->to,      &topo->from_port, &topo->to_port,
                                      &topo->link, &topo->reverse, &topo->out_list,  &topo->in_list};
    for (size_t i = 0; i < sizeof per_channel / sizeof *per_channel; i++) {
        HF_TRY(hf_allocate(cx, n_channel, word, (void **)per_channel[i]));
    }
    HF_TRY(hf_allocate(cx, n_link, word, (void **)&topo->forward));
    HF_TRY(hf_allocate(cx, n_link, word, (void **)&topo->backward));
    HF_TRY(hf_allocate(cx, (size_t)topo->n_node + 1, word, (void **)&topo->out_begin));
    HF_TRY(hf_allocate(cx, (size_t)topo->n_node + 1, word, (void **)&topo->in_begin));
    HF_TRY(hf_allocate(cx, topo->n_terminal, word, (void **)&topo->terminal_switch));
    return hf_allocate(cx, (size_t)topo->n_switch * topo->n_coord, word, (void **)&topo->coord);
}

static hf_status own_args(hf_context *cx, hf_topology *topo, const hf_args *args) {
    /* Parsing the canonical form again gives the topology texts of its own. */
    HF_TRY(hf_args_canonical(cx, topo->kind->name, args, &topo->spec));
    size_t size;
    const char *rest = hf_spec_split(topo->spec, &size);
    return hf_args_parse(cx, "topology", topo->kind->name, topo->kind->params, rest, &topo->args);
}

hf_status hf_topology_start(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, uint64_t n_switch,
                            uint64_t n_terminal, uint64_t n_switch_link, uint64_t n_terminal_link, uint32_t n_coord,
                            const char *const *coord_name, hf_topology **out) {
    HF_TRY(check_size(cx, kind, n_switch, n_terminal, n_switch_link + n_terminal_link, n_coord));
    hf_topology *topo;
    HF_TRY(hf_allocate(cx, 1, sizeof *topo, (void **)&topo));
    topo->kind = kind;
    topo->allocator = *hf_context_allocator(cx);
    topo->args.allocator = topo->allocator;
    topo->n_switch = (uint32_t)n_switch;
    topo->n_terminal = (uint32_t)n_terminal;
    topo->n_node = (uint32_t)(n_switch + n_terminal);
    topo->n_coord = n_coord;
    topo->coord_name = coord_name;
    hf_status status = allocate_arrays(cx, topo, n_switch_link + n_terminal_link);
    if (status == HF_OK) {
        status = own_args(cx, topo, args);
    }
    if (status != HF_OK) {
        hf_topology_free(topo);
        return status;
    }
    *out = topo;
    return HF_OK;
}

/* Until finish numbers the channels, slot 2l is the forward and 2l+1 the backward channel of link l. */
void hf_topology_add_link(hf_topology *topo, uint32_t a, uint32_t a_port, uint32_t b, uint32_t b_port, bool both_ways) {
    const uint32_t l = topo->n_link++, f = 2 * l, g = 2 * l + 1;
    topo->forward[l] = f;
    topo->backward[l] = both_ways ? g : HF_NONE;
    topo->from[f] = topo->to[g] = a;
    topo->to[f] = topo->from[g] = b;
    topo->from_port[f] = topo->to_port[g] = a_port;
    topo->to_port[f] = topo->from_port[g] = b_port;
    if (a < topo->n_switch && b < topo->n_switch) {
        assert(topo->n_switch_link == l);
        topo->n_switch_link++;
    }
}

hf_status hf_topology_add_attribute(hf_context *cx, hf_topology *topo, const char *name, const char *help, uint32_t **of_switch,
                                    uint32_t **of_link) {
    HF_TRY(hf_resize(cx, topo->n_attribute + 1, sizeof *topo->attribute, (void **)&topo->attribute));
    topo->attribute[topo->n_attribute++] = (hf_attribute){name, help, *of_switch, *of_link};
    *of_switch = *of_link = NULL;
    return HF_OK;
}

/* Renumber the channels: all forward by link, then all backward. */
static hf_status number_channels(hf_context *cx, hf_topology *topo) {
    const hf_mark mark = hf_scratch_mark(cx);
    const size_t slots = 2 * (size_t)topo->n_link;
    uint32_t *old;
    HF_TRY(hf_scratch(cx, slots, sizeof *old, (void **)&old));
    uint32_t n = 0;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        old[n++] = 2 * l;
        topo->forward[l] = l;
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        if (topo->backward[l] != HF_NONE) {
            old[n] = 2 * l + 1;
            topo->backward[l] = n++;
        }
    }
    topo->n_channel = n;
    uint32_t *const column[] = {topo->from, topo->to, topo->from_port, topo->to_port};
    uint32_t *copy;
    hf_status status = hf_scratch(cx, slots, sizeof *copy, (void **)&copy);
    for (size_t i = 0; status == HF_OK && i < sizeof column / sizeof *column; i++) {
        memcpy(copy, column[i], slots * sizeof *copy);
        for (uint32_t c = 0; c < n; c++) {
            column[i][c] = copy[old[c]];
        }
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t f = topo->forward[l], g = topo->backward[l];
        topo->link[f] = l;
        topo->reverse[f] = g;
        if (g != HF_NONE) {
            topo->link[g] = l;
            topo->reverse[g] = f;
        }
    }
    hf_scratch_reset(cx, mark);
    return status;
}

/* Lists by node, sorted by port: count, then place in order of (port, id) by a counting pass per port value. */
static void fill_lists(const hf_topology *topo, const uint32_t *node, const uint32_t *port, uint32_t *begin, uint32_t *list) {
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        begin[node[c] + 1]++;
    }
    for (uint32_t v = 0; v < topo->n_node; v++) {
        begin[v + 1] += begin[v];
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        list[begin[node[c]]++] = c;
    }
    for (uint32_t v = topo->n_node; v > 0; v--) {
        begin[v] = begin[v - 1];
    }
    begin[0] = 0;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        for (uint32_t i = begin[v] + 1; i < begin[v + 1]; i++) {
            const uint32_t c = list[i];
            uint32_t j = i;
            for (; j > begin[v] && port[list[j - 1]] > port[c]; j--) {
                list[j] = list[j - 1];
            }
            list[j] = c;
        }
    }
}

hf_status hf_topology_finish(hf_context *cx, hf_topology *topo) {
    HF_TRY(number_channels(cx, topo));
    fill_lists(topo, topo->from, topo->from_port, topo->out_begin, topo->out_list);
    fill_lists(topo, topo->to, topo->to_port, topo->in_begin, topo->in_list);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_switch = !hf_topology_is_terminal(topo, topo->from[c]);
        if (is_switch && topo->from_port[c] >= topo->n_port_max) {
            topo->n_port_max = topo->from_port[c] + 1;
        }
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->n_switch + t, begin = topo->out_begin[v];
        topo->terminal_switch[t] = begin < topo->out_begin[v + 1] ? topo->to[topo->out_list[begin]] : HF_NONE;
    }
    return HF_OK;
}

uint32_t hf_topology_channel_at(const hf_topology *topo, uint32_t node, uint32_t port) {
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        if (topo->from_port[topo->out_list[i]] == port) {
            return topo->out_list[i];
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
