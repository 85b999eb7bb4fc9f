/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Names of switches, terminals, links and channels: written, and read back. */
#include <holdfast/topology.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"

/* ---- writing ---- */

/** Is a label a name without quotes? Bytes of UTF-8 are letters. */
static bool is_plain(const char *label) {
    for (const char *at = label; *at; at++) {
        const bool is_letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at < 0;
        if (!is_letter && !strchr("_./+-()", *at)) {
            return false;
        }
    }
    return true;
}

void hf_topology_node_name(const hf_topology *topo, uint32_t node, char *text, size_t size) {
    if (topo->naming && topo->naming[node] == HF_NAMED_BY_LABEL && !is_plain(topo->label[node])) {
        (void)snprintf(text, size, "\"%s\"", topo->label[node]);
        return;
    }
    hf_topology_node_text(topo, node, text, size);
}

static void write_ends(const hf_topology *topo, uint32_t channel, char joint, char *text, size_t size) {
    char from[HF_LABEL_MAX + 3], to[HF_LABEL_MAX + 3];
    hf_topology_node_name(topo, topo->from[channel], from, sizeof from);
    hf_topology_node_name(topo, topo->to[channel], to, sizeof to);
    (void)snprintf(text, size, "%s:%" PRIu32 "%c%s:%" PRIu32, from, topo->from_port[channel], joint, to, topo->to_port[channel]);
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
    bool has_colons; /**< may a label without quotes hold ':'? */
    uint32_t n_end;  /**< nodes read so far: two in a full name */
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

static hf_status refuse_several(const reader *r, const char *label, size_t size, uint32_t node, uint32_t count) {
    char first[HF_NAME_SIZE];
    hf_topology_node_name(r->topo, node, first, sizeof first);
    HF_FAIL(r->cx, HF_EINVAL, "\"%.*s\": %" PRIu32 " nodes are called \"%.*s\" in the file; write %s or another of them", r->size,
            r->text, count, (int)size, label, first);
}

/** A label of `size` bytes at `label`. \param[out] node HF_NONE if no node has it  \return HF_EINVAL if several have */
static hf_status look_up(const reader *r, const char *label, size_t size, uint32_t *node) {
    uint32_t first;
    const uint32_t count = hf_topology_find_label(r->topo, label, size, &first);
    *node = count ? r->topo->by_label[first] : HF_NONE;
    return count > 1 ? refuse_several(r, label, size, *node, count) : HF_OK;
}

/** A label in quotes. \param[out] node HF_NONE if there are none */
static hf_status read_quoted(reader *r, uint32_t *node) {
    const char *label = r->at + 1, *end = r->at < r->end && *r->at == '"' ? memchr(label, '"', (size_t)(r->end - label)) : NULL;
    *node = HF_NONE;
    if (!end) {
        return HF_OK;
    }
    HF_TRY(look_up(r, label, (size_t)(end - label), node));
    r->at = end + 1;
    if (*node == HF_NONE) {
        HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; no node of the file is called \"%.*s\"", r->size, r->text,
                r->topo->spec, (int)(end - label), label);
    }
    return HF_OK;
}

/** The longest label that the text begins with and that a port or nothing follows. \param[out] node HF_NONE if there is none */
static hf_status read_label(reader *r, uint32_t *node) {
    const char *colon = r->has_colons ? NULL : memchr(r->at, ':', (size_t)(r->end - r->at));
    *node = HF_NONE;
    for (const char *end = colon ? colon : r->end; r->topo->n_label && end > r->at; end--) {
        if (!is_node_end(r, end)) {
            continue;
        }
        HF_TRY(look_up(r, r->at, (size_t)(end - r->at), node));
        if (*node != HF_NONE) {
            r->at = end;
            return HF_OK;
        }
    }
    return HF_OK;
}

/** 0x and the GUID of a port, or of a node. \param[out] node HF_NONE if it is none, or that of several */
static void read_guid(reader *r, uint32_t *node) {
    uint64_t guid;
    bool fits;
    *node = HF_NONE;
    if (!r->topo->port_guid || r->end - r->at < 3 || r->at[0] != '0' || r->at[1] != 'x') {
        return;
    }
    hf_slice rest = {r->at + 2, (size_t)(r->end - r->at) - 2};
    if (!hf_take_digits(&rest, 16, &guid, &fits) || !fits || guid == 0 || !is_node_end(r, rest.text)) {
        return;
    }
    const uint64_t *const of[] = {r->topo->port_guid, r->topo->node_guid};
    for (size_t i = 0, count = 0; i < 2 && count == 0; i++) {
        for (uint32_t v = 0; v < r->topo->n_node; v++) {
            count += of[i][v] == guid;
            *node = of[i][v] == guid ? v : *node;
        }
        *node = count == 1 ? *node : HF_NONE;
    }
    r->at = *node == HF_NONE ? r->at : rest.text;
}

/** s8, t5, with "=" before it or not. \param[out] node HF_NONE if it is none */
static hf_status read_number_of_node(reader *r, uint32_t *node) {
    const char *start = r->at;
    uint32_t i;
    (void)skip(r, '=');
    const char type = r->at < r->end ? *r->at : 0;
    *node = HF_NONE;
    if ((!skip(r, 's') && !skip(r, 't')) || !read_number(r, &i) || (r->topo->label && !is_node_end(r, r->at))) {
        r->at = start;
        return HF_OK;
    }
    const uint32_t count = type == 's' ? r->topo->n_switch : r->topo->n_terminal;
    if (i >= count) {
        HF_FAIL(r->cx, HF_ENOENT, "\"%.*s\" is not in \"%s\"; its %s are %c0..%c%" PRIu32, r->size, r->text, r->topo->spec,
                type == 's' ? "switches" : "terminals", type, type, count - 1);
    }
    *node = type == 's' ? i : r->topo->n_switch + i;
    return HF_OK;
}

/** A label, s8 or t5, or a GUID. \param[out] node node id */
static hf_status read_node(reader *r, char *type, uint32_t *node) {
    HF_TRY(read_quoted(r, node));
    if (*node == HF_NONE) {
        HF_TRY(read_label(r, node));
    }
    if (*node == HF_NONE) {
        HF_TRY(read_number_of_node(r, node));
    }
    if (*node == HF_NONE) {
        read_guid(r, node);
    }
    r->n_end++;
    *type = *node != HF_NONE && hf_topology_is_terminal(r->topo, *node) ? 't' : 's';
    return *node == HF_NONE ? refuse_form(r) : HF_OK;
}

static hf_status refuse_port(const reader *r, uint32_t node) {
    char name[HF_NAME_SIZE];
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
    char type, right[HF_NAME_SIZE];
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

/** Is it a link or channel with both ends as write_ends() writes them? It means this, whatever labels hold ':' and the rest. */
static bool read_as_written(reader r, char *type, uint32_t *id) {
    char node_type;
    uint32_t node;
    const bool is_one = read_node(&r, &node_type, &node) == HF_OK && r.at < r.end &&
                        read_channel_or_link(&r, node, type, id) == HF_OK && r.n_end == 2;
    hf_context_clear(r.cx);
    return is_one;
}

hf_status hf_topology_parse_name(hf_context *cx, const hf_topology *topo, const char *text, size_t size, char *type,
                                 uint32_t *id) {
    reader r = {cx, topo, text, (int)(size < 80 ? size : 80), text, text + size, false, 0};
    char node_type;
    uint32_t node;
    if (topo->n_label && read_as_written(r, type, id)) {
        return HF_OK;
    }
    r.has_colons = true;
    HF_TRY(read_node(&r, &node_type, &node));
    if (r.at < r.end) {
        return read_channel_or_link(&r, node, type, id);
    }
    *type = node_type;
    *id = node_type == 't' ? node - topo->n_switch : node;
    return HF_OK;
}
