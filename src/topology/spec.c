/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topologies by name: the registry, and networks from specs. */
#include "src/core/registry.h"
#include "src/topology/topology.h"

static const void *const entries[] = {
#define X(name) &hf_topology_##name,
#include "src/topology/list.def"
#undef X
};
static const hf_registry registry = HF_REGISTRY("topology", entries);

/* ---- registry ---- */

size_t hf_topology_count(void) { return registry.n; }
const hf_topology_kind *hf_topology_kind_at(size_t i) { return hf_registry_at(&registry, i); }

const hf_topology_kind *hf_topology_kind_find(const char *name, size_t size) {
    return hf_registry_find(&registry, (hf_slice){name, size});
}

/* ---- from specs ---- */

static hf_status build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_topology **out) {
    return kind->build(cx, args, out);
}

static hf_status outline(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_topology **out) {
    hf_topology_counts c;
    if (kind->counts) {
        kind->counts(args, &c);
    }
    if (!kind->counts || c.n_channel >= HF_NONE || c.n_switch >= HF_NONE - c.n_terminal) {
        return build(cx, kind, args, out); /* which refuses what is too large */
    }
    const uint64_t n[4] = {c.n_switch, c.n_terminal, c.n_switch_link, c.n_terminal_link};
    hf_topology *topo;
    HF_TRY(hf_topology_begin(cx, kind, args, n, &topo));
    topo->n_channel = (uint32_t)c.n_channel;
    return hf_topology_give(hf_args_canonical(cx, kind->name, args, &topo->spec), topo, out);
}

typedef hf_status make(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_topology **out);

static hf_status make_of_spec(hf_context *cx, const char *spec, make *made_by, hf_topology **out) {
    const char *text;
    const hf_topology_kind *kind = hf_registry_of_spec(cx, &registry, spec, &text);
    if (!kind) {
        return HF_ENOENT;
    }
    hf_args args;
    HF_TRY(hf_args_parse(cx, "topology", kind->name, kind->params, text, &args));
    hf_topology *topo = NULL;
    const hf_status status = made_by(cx, kind, &args, &topo);
    if (status != HF_OK) {
        hf_args_free(&args);
        return status;
    }
    for (size_t i = 0; i < args.count; i++) { /* a file may have settled what was left open */
        args.value[i].number = topo->args.value[i].number;
    }
    topo->args = args; /* from now on the topology owns their texts */
    *out = topo;
    return HF_OK;
}

hf_status hf_topology_new(hf_context *cx, const char *spec, hf_topology **out) { return make_of_spec(cx, spec, build, out); }

hf_status hf_topology_outline(hf_context *cx, const char *spec, hf_topology **out) {
    return make_of_spec(cx, spec, outline, out);
}
