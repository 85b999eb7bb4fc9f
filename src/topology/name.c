/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of switches, terminals, links and channels, written and read. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/topology.h>

void hf_topology_node_name(const hf_topology *topo, uint32_t node, char *text, size_t size) {
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    snprintf(text, size, "%c%" PRIu32, is_terminal ? 't' : 's', is_terminal ? node - topo->n_switch : node);
}

static void ends_name(const hf_topology *topo, uint32_t channel, char between, char *text, size_t size) {
    char a[16], b[16];
    hf_topology_node_name(topo, topo->from[channel], a, sizeof a);
    hf_topology_node_name(topo, topo->to[channel], b, sizeof b);
    snprintf(text, size, "%s:%" PRIu32 "%c%s:%" PRIu32, a, topo->from_port[channel], between, b, topo->to_port[channel]);
}

void hf_topology_link_name(const hf_topology *topo, uint32_t link, char *text, size_t size) {
    ends_name(topo, topo->forward[link], '-', text, size);
}

void hf_topology_channel_name(const hf_topology *topo, uint32_t channel, char *text, size_t size) {
    ends_name(topo, channel, '>', text, size);
}

/* A reading position in a name. */
typedef struct cursor {
    const char *at, *end;
} cursor;

static bool read_number(cursor *c, uint32_t *out) {
    uint64_t value = 0;
    const char *start = c->at;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && value <= UINT32_MAX) {
        value = value * 10 + (uint64_t)(*c->at++ - '0');
    }
    *out = (uint32_t)value;
    return c->at > start && value < HF_NONE;
}

/* s8 or t5, as a node id. */
static bool read_node(const hf_topology *topo, cursor *c, char *kind, uint32_t *node) {
    if (c->at == c->end || (*c->at != 's' && *c->at != 't')) {
        return false;
    }
    *kind = *c->at++;
    if (!read_number(c, node) || *node >= (*kind == 's' ? topo->n_switch : topo->n_terminal)) {
        return false;
    }
    *node += *kind == 't' ? topo->n_switch : 0;
    return true;
}

static hf_status refuse(hf_context *cx, const hf_topology *topo, const char *text, size_t size) {
    char example[64] = "s0:0-t0:0";
    if (topo->n_link) {
        hf_topology_link_name(topo, 0, example, sizeof example);
    }
    HF_FAIL(cx, HF_ENOENT,
            "\"%.*s\" names nothing in \"%s\"; need a switch s0..s%" PRIu32 ", a terminal t0..t%" PRIu32
            ", a link such as %s, or a channel with > for -",
            (int)(size < 80 ? size : 80), text, topo->spec, topo->n_switch - 1, topo->n_terminal ? topo->n_terminal - 1 : 0,
            example);
}

/* The part from the first port on: ":3", ":3>", ":3-s18:0" or ":3>s18:0". */
static bool read_ends(const hf_topology *topo, cursor *c, uint32_t node, char *type, uint32_t *id) {
    uint32_t port, other, other_port;
    c->at++;
    if (!read_number(c, &port)) {
        return false;
    }
    const uint32_t channel = hf_topology_channel_at(topo, node, port);
    if (channel == HF_NONE) {
        return false;
    }
    const char joint = c->at < c->end ? *c->at++ : '-';
    *type = joint == '>' ? 'c' : 'l';
    *id = joint == '>' ? channel : topo->link[channel];
    if (c->at == c->end) {
        return joint == '>' || c->at[-1] != '-';
    }
    char kind;
    return (joint == '>' || joint == '-') && read_node(topo, c, &kind, &other) && c->at < c->end && *c->at++ == ':' &&
           read_number(c, &other_port) && c->at == c->end && topo->to[channel] == other && topo->to_port[channel] == other_port;
}

hf_status hf_topology_parse_name(hf_context *cx, const hf_topology *topo, const char *text, size_t size, char *type,
                                 uint32_t *id) {
    cursor c = {text, text + size};
    char kind;
    uint32_t node;
    if (!read_node(topo, &c, &kind, &node)) {
        return refuse(cx, topo, text, size);
    }
    if (c.at == c.end) {
        *type = kind;
        *id = kind == 't' ? node - topo->n_switch : node;
        return HF_OK;
    }
    return *c.at == ':' && read_ends(topo, &c, node, type, id) ? HF_OK : refuse(cx, topo, text, size);
}
