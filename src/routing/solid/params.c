/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/routing/solid/params.h"

const char *const hf_solid_sacrifices[] = {"none", "appendix-a", "completed", NULL};
const char *const hf_solid_rules4[] = {"last-hop", "no-u-turn", "sticky", NULL};
const char *const hf_solid_ring_words[] = {"apart", "chains", "overlapping", "any", NULL};

hf_status hf_solid_accepts_rings(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args) {
    HF_TRY(hf_solid_accepts(cx, topo, rule));
    const uint64_t rings = hf_args_get(args, "rings")->number;
    hf_grid grid;
    const bool has_boundary = hf_grid_of(topo, &grid) && !grid.has_ring;
    if ((rings == HF_RINGS_CHAINS || rings == HF_RINGS_ANY) && !has_boundary) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\": rings=%s is for meshes, not for \"%s\": f-chains are at the boundary of a mesh",
                rule, hf_solid_ring_words[rings], topo->spec);
    }
    return HF_OK;
}

hf_status hf_solid_accepts_args(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args) {
    HF_TRY(hf_solid_accepts_rings(cx, topo, rule, args));
    const uint64_t sacrifice = hf_args_get(args, "repair")->number;
    if (sacrifice != HF_SACRIFICE_NONE && topo->kind != &hf_topology_mesh) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\": repair=%s is for meshes, as appendix A is, not for \"%s\"", rule,
                hf_solid_sacrifices[sacrifice], topo->spec);
    }
    return HF_OK;
}

hf_solid_options hf_solid_options_of(const hf_args *args) {
    return (hf_solid_options){.sacrifice = (hf_solid_sacrifice)hf_args_get(args, "repair")->number,
                              .rule4 = (hf_solid_rule4)hf_args_get(args, "rule4")->number,
                              .rings = (hf_solid_rings)hf_args_get(args, "rings")->number,
                              .shares_turned = !hf_args_get(args, "turned-vcs")->number,
                              .sidesteps = hf_args_get(args, "sidesteps")->number,
                              .resets = hf_args_get(args, "reset")->number};
}
