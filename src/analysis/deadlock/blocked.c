/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Packets of a deadlock as JSON, as verify and simulate write them. */
#include "src/analysis/deadlock/blocked.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/sort.h"

hf_json *hf_resource_json(const hf_topology *topo, uint32_t n_vc, uint32_t resource) {
    const uint32_t channel = resource / n_vc;
    char name[HF_NAME_SIZE];
    hf_json *o = hf_json_object();
    hf_topology_channel_name(topo, channel, name, sizeof name);
    hf_json_set(o, "channel", hf_json_text(name));
    hf_topology_node_name(topo, topo->from[channel], name, sizeof name);
    hf_json_set(o, "from", hf_json_text(name));
    hf_topology_node_name(topo, topo->to[channel], name, sizeof name);
    hf_json_set(o, "to", hf_json_text(name));
    hf_json_set(o, "vc", hf_json_integer(resource % n_vc));
    return o;
}

/* What a packet waits for is a set: ascending, each once. */
static hf_json *json_set(const hf_topology *topo, uint32_t n_vc, const uint32_t *resource, uint32_t count) {
    hf_json *list = hf_json_array();
    uint32_t *ascending = malloc((count + 1) * sizeof *ascending);
    for (uint32_t i = 0; ascending && i < count; i++) {
        ascending[i] = resource[i];
    }
    if (ascending) {
        hf_sort_numbers(ascending, count);
    }
    for (uint32_t i = 0; ascending && i < count; i++) {
        if (i == 0 || ascending[i] != ascending[i - 1]) {
            hf_json_push(list, hf_resource_json(topo, n_vc, ascending[i]));
        }
    }
    if (!ascending) {
        hf_json_push(list, NULL); /* out of memory */
    }
    free(ascending);
    return list;
}

static hf_json *json_resources(const hf_topology *topo, uint32_t n_vc, const uint32_t *resource, uint32_t count) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < count; i++) {
        hf_json_push(list, hf_resource_json(topo, n_vc, resource[i]));
    }
    return list;
}

hf_json *hf_terminal_json(const hf_topology *topo, uint32_t terminal) {
    char name[HF_NAME_SIZE];
    hf_topology_terminal_name(topo, terminal, name, sizeof name);
    return hf_json_text(name);
}

static hf_json *json_path(const hf_topology *topo, const hf_blocked *b) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < b->n_path; i++) {
        hf_json *o = hf_resource_json(topo, 1, b->path[i].channel);
        hf_json_set(o, "vc", hf_json_integer(b->path[i].vc));
        hf_json_set(o, "tag", hf_json_integer(b->path[i].tag));
        hf_json_push(list, o);
    }
    return list;
}

/* The answer that an arrived packet waits for. */
static hf_json *json_answer(const hf_topology *topo, const hf_classes *classes, const hf_blocked *b) {
    if (b->answer == HF_NONE) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    hf_json_set(o, "class", hf_json_text(classes->of[b->answer].name));
    hf_json_set(o, "destination", hf_terminal_json(topo, b->answer_to));
    return o;
}

hf_json *hf_blocked_json(const hf_topology *topo, uint32_t n_vc, const hf_classes *classes, const hf_blocked *blocked,
                         uint32_t count) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < count; i++) {
        const hf_blocked *b = &blocked[i];
        hf_json *o = hf_json_object();
        hf_json_set(o, "source", hf_terminal_json(topo, b->source));
        hf_json_set(o, "destination", hf_terminal_json(topo, b->destination));
        hf_json_set(o, "holds", json_resources(topo, n_vc, b->hold, b->n_hold));
        hf_json_set(o, "waits_for", json_set(topo, n_vc, b->wait, b->n_wait));
        hf_json_set(o, "path", json_path(topo, b));
        if (classes) {
            hf_json_set(o, "class", hf_json_text(classes->of[b->class].name));
            hf_json_set(o, "answer", json_answer(topo, classes, b));
        }
        hf_json_push(list, o);
    }
    return list;
}
