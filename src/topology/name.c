/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Names of switches, terminals, links and channels: written, and read back. */
#include <holdfast/topology.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"

/* ---- writing ---- */

void hf_topology_node_name(const hf_topology *topo, uint32_t node, char *text, size_t size) {
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    snprintf(text, size, "%c%" PRIu32, is_terminal ? 't' : 's', is_terminal ? node - topo->n_switch : node);
}

static void write_ends(const hf_topology *topo, uint32_t channel, char joint, char *text, size_t size) {
    char from[16], to[16];
    hf_topology_node_name(topo, topo->from[channel], from, sizeof from);
    hf_topology_node_name(topo, topo->to[channel], to, sizeof to);
    snprintf(text, size, "%s:%" PRIu32 "%c%s:%" PRIu32, from, topo->from_port[channel], joint, to, topo->to_port[channel]);
}

void hf_topology_link_name(const hf_topology *topo, uint32_t link, char *text, size_t size) {
    write_ends(topo, topo->forward[link], '-', text, size);
}

void hf_topology_channel_name(const hf_topology *topo, uint32_t channel, char *text, size_t size) {
    write_ends(topo, channel, '>', text, size);
}

/* ---- reading ---- */

/** A name while it is read; `text` and `size` are all of it, for messages. */
typedef struct reader {
    hf_context *cx;
    const hf_topology *topo;
    const char *text;
    int size;
    const char *at, *end;
} reader;

static hf_status refuse_form(const reader *r) {
    HF_FAIL(r->cx, HF_EINVAL,
            "\"%.*s\" is not a name; write a switch as s8, a terminal as t5, a link as s8:3 or s8:3-s18:0, a channel as s8:3> or "
            "s8:3>s18:0",
            r->size, r->text);
}

static bool skip(reader *r, char c) {
    const bool is_there = r->at < r->end && *r->at == c;
    r->at += is_there;
    return is_there;
}

/** Decimal digits; what does not fit becomes HF_NONE, which is no id. */
static bool read_number(reader *r, uint32_t *out) {
    hf_slice rest = {r->at, (size_t)(r->end - r->at)};
    uint64_t value;
    bool fits;
    const bool is_there = hf_take_digits(&rest, 10, &value, &fits);
    *out = value < HF_NONE ? (uint32_t)value : HF_NONE;
    r->at = rest.text;
    return is_there;
}

/** Does a node end here, or begin its port? */
static bool is_node_end(const reader *r, const char *at) { return at == r->end || *at == ':'; }

/** The node with the longest label that the text begins with. \param[out] size of the label, 0 if none fits; \param[out] count
 * nodes with that label */
static uint32_t find_label(const reader *r, size_t *size, uint32_t *count) {
    uint32_t node = HF_NONE;
    const size_t room = (size_t)(r->end - r->at);
    *size = *count = 0;
    for (uint32_t v = 0; r->topo->label && v < r->topo->n_node; v++) {
        const char *label = r->topo->label[v];
        const size_t n = label ? strlen(label) : 0;
        if (n == 0 || n < *size || n > room || memcmp(label, r->at, n) != 0 || !is_node_end(r, r->at + n)) {
            continue;
        }
        *count = n > *size ? 1 : *count + 1;
        node = n > *size ? v : node;
        *size = n;
    }
    return node;
}

/** A label in the place of s8 or t5. \return HF_EINVAL if it is none, or that of several nodes */
static hf_status read_label(reader *r, char *type, uint32_t *node) {
    size_t size;
    uint32_t count;
    *node = find_label(r, &size, &count);
    if (count == 0) {
        return refuse_form(r);
    }
    if (count > 1) {
        char first[16];
        hf_topology_node_name(r->topo, *node, first, sizeof first);
        HF_FAIL(r->cx, HF_EINVAL, "\"%.*s\": %" PRIu32 " nodes are called \"%.*s\" in the file; write %s or another of them",
                r->size, r->text, count, (int)size, r->at, first);
    }
    r->at += size;
    *type = hf_topology_is_terminal(r->topo, *node) ? 't' : 's';
    return HF_OK;
}

/** s8, t5 or a label. \param[out] node node id */
static hf_status read_node(reader *r, char *type, uint32_t *node) {
    uint32_t i;
    const char *start = r->at;
    *type = r->at < r->end ? *r->at : 0;
    if ((!skip(r, 's') && !skip(r, 't')) || !read_number(r, &i) || (r->topo->label && !is_node_end(r, r->at))) {
        r->at = start;
        return read_label(r, type, node);
    }
    const uint32_t count = *type == 's' ? r->topo->n_switch : r->topo->n_terminal;
    if (i >= count) {
        HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; its %s are %c0..%c%" PRIu32, r->size, r->text, r->topo->spec,
                *type == 's' ? "switches" : "terminals", *type, *type, count - 1);
    }
    *node = *type == 's' ? i : r->topo->n_switch + i;
    return HF_OK;
}

static hf_status refuse_port(const reader *r, uint32_t node) {
    char name[16];
    hf_topology_node_name(r->topo, node, name, sizeof name);
    const uint32_t begin = r->topo->out_begin[node], end = r->topo->out_begin[node + 1];
    if (begin == end) {
        HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; %s has no outgoing channels", r->size, r->text, r->topo->spec,
                name);
    }
    HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; the ports of %s are %" PRIu32 "..%" PRIu32, r->size, r->text,
            r->topo->spec, name, r->topo->from_port[r->topo->out_list[begin]], r->topo->from_port[r->topo->out_list[end - 1]]);
}

/** ":3" behind a node. \param[out] channel the one that leaves there */
static hf_status read_port(reader *r, uint32_t node, uint32_t *channel) {
    uint32_t port;
    if (!skip(r, ':') || !read_number(r, &port)) {
        return refuse_form(r);
    }
    *channel = hf_topology_channel_at(r->topo, node, port);
    return *channel == HF_NONE ? refuse_port(r, node) : HF_OK;
}

/** The other end of a full name, "s18:0", must be where the channel leads. */
static hf_status read_far_end(reader *r, uint32_t channel, char joint) {
    char type, right[64];
    uint32_t node, port;
    HF_TRY(read_node(r, &type, &node));
    if (!skip(r, ':') || !read_number(r, &port) || r->at < r->end) {
        return refuse_form(r);
    }
    if (r->topo->to[channel] == node && r->topo->to_port[channel] == port) {
        return HF_OK;
    }
    write_ends(r->topo, channel, joint, right, sizeof right);
    HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; did you mean \"%s\"?", r->size, r->text, r->topo->spec, right);
}

static hf_status read_channel_or_link(reader *r, uint32_t node, char *type, uint32_t *id) {
    uint32_t channel;
    HF_TRY(read_port(r, node, &channel));
    const char joint = r->at < r->end ? *r->at : 0;
    if (joint == 0) {
        *type = 'l';
        *id = r->topo->link[channel];
        return HF_OK;
    }
    if (joint != '-' && joint != '>') {
        return refuse_form(r);
    }
    r->at++;
    if (joint == '-' || r->at < r->end) {
        HF_TRY(read_far_end(r, channel, joint));
    }
    *type = joint == '-' ? 'l' : 'c';
    *id = joint == '-' ? r->topo->link[channel] : channel;
    return HF_OK;
}

hf_status hf_topology_parse_name(hf_context *cx, const hf_topology *topo, const char *text, size_t size, char *type,
                                 uint32_t *id) {
    reader r = {cx, topo, text, (int)(size < 80 ? size : 80), text, text + size};
    char node_type;
    uint32_t node;
    HF_TRY(read_node(&r, &node_type, &node));
    if (r.at < r.end) {
        return read_channel_or_link(&r, node, type, id);
    }
    *type = node_type;
    *id = node_type == 't' ? node - topo->n_switch : node;
    return HF_OK;
}
