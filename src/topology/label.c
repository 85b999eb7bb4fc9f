/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What nodes are called: their numbers, or the labels that a file gives them; these are found by binary search, and which of
 * them are names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/print.h"
#include "src/topology/topology.h"

void hf_topology_node_text(const hf_topology *topo, uint32_t node, char *text, size_t size) {
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    const unsigned naming = topo->naming ? topo->naming[node] : HF_NAMED_BY_NUMBER;
    if (naming == HF_NAMED_BY_LABEL) {
        (void)snprintf(text, size, "%s", topo->label[node]);
        return;
    }
    (void)snprintf(text, size, "%s%c%" PRIu32, naming == HF_NAMED_BY_MARK ? "=" : "", is_terminal ? 't' : 's',
                   is_terminal ? node - topo->n_switch : node);
}

/* A label with its node. */
typedef struct labelled {
    const char *label;
    uint32_t node;
} labelled;

static int compare(const void *x, const void *y) {
    const labelled *a = x, *b = y;
    const int order = strcmp(a->label, b->label);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static bool is_name(const char *label) {
    size_t n = 0;
    for (const char *at = label; *at; at += n) {
        n = hf_utf8_length(at);
        if (n == 0 || (unsigned char)*at < 0x20 || *at == 0x7f || *at == '"' || *at == '\\') {
            return false;
        }
    }
    return strlen(label) <= HF_LABEL_MAX;
}

static uint32_t list_labels(const hf_topology *topo, labelled *list) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        if (topo->label[v] && topo->label[v][0]) {
            list[n++] = (labelled){topo->label[v], v};
        }
    }
    qsort(list, n, sizeof *list, compare);
    return n;
}

/* Labels that one node has. */
static void name_by_label(hf_topology *topo, const labelled *list) {
    for (uint32_t i = 0; i < topo->n_label; i++) {
        const bool is_twice = (i > 0 && strcmp(list[i - 1].label, list[i].label) == 0) ||
                              (i + 1 < topo->n_label && strcmp(list[i + 1].label, list[i].label) == 0);
        topo->naming[list[i].node] = !is_twice && is_name(list[i].label) ? HF_NAMED_BY_LABEL : HF_NAMED_BY_NUMBER;
    }
}

/* A number that another node is called by is marked. */
static void mark_numbers(hf_topology *topo) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        char text[HF_NAME_SIZE];
        uint32_t first;
        hf_topology_node_text(topo, v, text, sizeof text);
        if (topo->naming[v] == HF_NAMED_BY_NUMBER && hf_topology_find_label(topo, text, strlen(text), &first) > 0) {
            topo->naming[v] = HF_NAMED_BY_MARK;
        }
    }
}

hf_status hf_topology_index_labels(hf_context *cx, hf_topology *topo) {
    const hf_mark mark = hf_scratch_mark(cx);
    labelled *list;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *list, (void **)&list));
    HF_TRY(hf_allocate(cx, topo->n_node, sizeof *topo->naming, (void **)&topo->naming));
    HF_TRY(hf_allocate(cx, topo->n_node, sizeof *topo->by_label, (void **)&topo->by_label));
    topo->n_label = list_labels(topo, list);
    for (uint32_t i = 0; i < topo->n_label; i++) {
        topo->by_label[i] = list[i].node;
    }
    name_by_label(topo, list);
    mark_numbers(topo);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* As strcmp(), with the bytes at `text`. */
static int compare_label(const char *label, const char *text, size_t size) {
    const size_t n = strlen(label);
    const int order = memcmp(label, text, n < size ? n : size);
    return order ? order : (n > size) - (n < size);
}

uint32_t hf_topology_find_label(const hf_topology *topo, const char *text, size_t size, uint32_t *first) {
    uint32_t low = 0, high = topo->n_label, count = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_label(topo->label[topo->by_label[middle]], text, size) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *first = low;
    while (low + count < topo->n_label && compare_label(topo->label[topo->by_label[low + count]], text, size) == 0) {
        count++;
    }
    return count;
}
