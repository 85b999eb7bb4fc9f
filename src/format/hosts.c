/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Readers make several terminals of a host with several links, as no packet crosses it; here they are put together again. */
#include "src/format/hosts.h"

#include <string.h>

#include "src/core/number.h"

enum { RATE_MBPS = 100000, DELAY_NS = 1000 };

/* NAME of NAME/P2. \param[out] port 0: the name has none */
static hf_slice split_name(const hf_topology *topo, uint32_t terminal, char *text, uint32_t *port) {
    hf_topology_node_text(topo, topo->n_switch + terminal, text, HF_NAME_SIZE);
    const char *slash = strrchr(text, '/');
    uint64_t number;
    *port = 0;
    if (!slash || slash[1] != 'P' || !hf_slice_number(hf_slice_of(slash + 2), 10, &number) || number >= HF_NONE) {
        return hf_slice_of(text);
    }
    *port = (uint32_t)number;
    return (hf_slice){text, (size_t)(slash - text)};
}

uint32_t hf_hosts_port(const hf_topology *topo, uint32_t terminal) {
    char text[HF_NAME_SIZE];
    uint32_t port;
    (void)split_name(topo, terminal, text, &port);
    return port;
}

static bool has_one_link(const hf_topology *topo, uint32_t t) {
    const uint32_t v = topo->n_switch + t;
    return topo->out_begin[v + 1] - topo->out_begin[v] == 1;
}

/* Is terminal t the next port of the host of the one before? */
static bool goes_on(const hf_topology *topo, uint32_t t) {
    char text[2][HF_NAME_SIZE];
    uint32_t port[2];
    const hf_slice before = split_name(topo, t - 1, text[0], &port[0]), name = split_name(topo, t, text[1], &port[1]);
    return port[0] && port[0] < port[1] && before.size == name.size && memcmp(before.text, name.text, name.size) == 0 &&
           has_one_link(topo, t - 1) && has_one_link(topo, t);
}

hf_status hf_hosts_make(hf_context *cx, const hf_topology *topo, hf_hosts *out) {
    *out = (hf_hosts){0};
    HF_TRY(hf_scratch(cx, (size_t)topo->n_terminal + 1, sizeof *out->first, (void **)&out->first));
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *out->of, (void **)&out->of));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (t == 0 || !topo->naming || !goes_on(topo, t)) {
            out->first[out->n++] = t;
        }
        out->of[t] = out->n - 1;
    }
    out->first[out->n] = topo->n_terminal;
    return HF_OK;
}

void hf_hosts_name(const hf_topology *topo, const hf_hosts *hosts, uint32_t host, char *text) {
    uint32_t port;
    const uint32_t first = hosts->first[host];
    const hf_slice name = split_name(topo, first, text, &port);
    if (hosts->first[host + 1] > first + 1) {
        text[name.size] = '\0';
    }
}

hf_status hf_hosts_both_ways(hf_context *cx, const hf_topology *topo, const char *files) {
    for (uint32_t l = 0; l < topo->n_link; l++) {
        if (topo->backward[l] == HF_NONE) {
            char name[HF_NAME_SIZE];
            hf_topology_link_name(topo, l, name, sizeof name);
            HF_FAIL(cx, HF_EINVAL, "%s of \"%s\" has one direction; %s have links of both ways", name, topo->spec, files);
        }
    }
    return HF_OK;
}

static uint32_t value_of(const hf_topology *topo, const char *name, uint32_t link) {
    const hf_attribute *a = hf_topology_attribute(topo, name);
    return a ? a->of_link[link] : HF_NONE;
}

uint32_t hf_hosts_rate_mbps(const hf_topology *topo, uint32_t link) {
    const uint32_t rate = value_of(topo, "rate", link);
    return rate == 0 || rate == HF_NONE ? RATE_MBPS : rate;
}

uint32_t hf_hosts_delay_ns(const hf_topology *topo, uint32_t link) {
    const uint32_t delay = value_of(topo, "delay", link);
    return delay == HF_NONE ? DELAY_NS : delay;
}
