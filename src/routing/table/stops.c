/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Nodes of a line, and the channels between them. */
#include "src/routing/table/stops.h"

#include "src/core/number.h"

static hf_status read_part(hf_lines *r, hf_slice word, const char *mark, const char *what, uint32_t high, uint32_t *out) {
    hf_slice rest = {mark + 1, (size_t)(word.text + word.size - mark) - 1};
    uint64_t value;
    const char *end = memchr(rest.text, '@', rest.size);
    rest.size = end ? (size_t)(end - rest.text) : rest.size;
    if (!hf_slice_number(rest, 10, &value) || value > high) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\": need a %s from 0 to %" PRIu32 " behind \"%c\"", HF_SLICE(word), what, high, *mark);
    }
    *out = (uint32_t)value;
    return HF_OK;
}

hf_status hf_stop_read(hf_lines *r, const hf_topology *topo, hf_slice word, hf_stop *out) {
    const char *at = memchr(word.text, '@', word.size);
    const size_t head = at ? (size_t)(at - word.text) : word.size;
    const char *colon = memchr(word.text, ':', head);
    char type;
    *out = (hf_stop){.port = HF_NONE};
    HF_TRY(at ? read_part(r, word, at, "virtual channel", HF_STOP_VC_MAX, &out->vc) : HF_OK);
    HF_TRY(colon ? read_part(r, word, colon, "port", HF_NONE - 1, &out->port) : HF_OK);
    const size_t size = colon ? (size_t)(colon - word.text) : head;
    const hf_status status = hf_topology_parse_name(r->cx, topo, word.text, size, &type, &out->node);
    if (status != HF_OK) {
        return hf_lines_prefix(r, status);
    }
    if (type != 's' && type != 't') {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is no node; write a switch as s8, a terminal as t5", HF_SLICE(word));
    }
    out->node += type == 't' ? topo->n_switch : 0;
    return HF_OK;
}

hf_status hf_stop_channel(hf_lines *r, const hf_topology *topo, const hf_stop *from, const hf_stop *to, uint32_t *out) {
    char a[64], b[64];
    uint32_t n = 0;
    hf_topology_node_name(topo, from->node, a, sizeof a);
    hf_topology_node_name(topo, to->node, b, sizeof b);
    for (uint32_t i = topo->out_begin[from->node]; i < topo->out_begin[from->node + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (topo->to[c] == to->node && (from->port == HF_NONE || topo->from_port[c] == from->port)) {
            *out = c;
            n++;
        }
    }
    if (n == 0 && from->port != HF_NONE) {
        HF_LINE_FAIL(r, HF_ENOENT, "port %" PRIu32 " of %s does not lead to %s", from->port, a, b);
    }
    if (n != 1) {
        HF_LINE_FAIL(r, HF_EINVAL, "%" PRIu32 " channels lead from %s to %s; need one%s", n, a, b,
                     n ? ", named by its port as in s3:2" : "");
    }
    return HF_OK;
}
