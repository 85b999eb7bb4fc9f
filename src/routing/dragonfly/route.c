/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The direct ways between two groups of a dragonfly. */
#include "src/routing/dragonfly/route.h"

static uint32_t own_vcs(const hf_args *args, uint32_t most) {
    const uint32_t vcs = (uint32_t)hf_args_get(args, "vcs")->number;
    return vcs < most ? vcs : most;
}

hf_status hf_dragonfly_accepts(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args, uint32_t most) {
    hf_dragonfly shape;
    if (!hf_dragonfly_of(topo, &shape)) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" is for dragonflies, not for \"%s\"", rule, topo->spec);
    }
    return hf_lanes_check(cx, rule, 0, (uint32_t)hf_args_get(args, "vcs")->number, own_vcs(args, most));
}

hf_status hf_dragonfly_plan(hf_context *cx, hf_plan *plan, uint32_t most, uint32_t max_hops) {
    void *state;
    HF_TRY(hf_scratch(cx, 1, sizeof(hf_dragonfly), &state));
    const hf_dragonfly *shape = state;
    (void)hf_dragonfly_of(plan->topo, state);
    plan->n_vc = own_vcs(plan->args, most);
    plan->max_hops = max_hops > shape->rounds ? max_hops : shape->rounds + 1;
    plan->state = state;
    return HF_OK;
}

hf_hop hf_dragonfly_local(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t to, hf_hop like) {
    const uint32_t port = hf_dragonfly_local_port(at % shape->a, to % shape->a);
    return (hf_hop){hf_topology_channel_at(topo, at, port), like.vc, like.tag};
}

/** Is a switch among those of the hops so far? Several global links of one switch are one local hop. */
static bool is_there(const hf_topology *topo, const hf_hop *hops, size_t count, uint32_t to) {
    for (size_t i = 0; i < count; i++) {
        if (topo->to[hops[i].channel] == to) {
            return true;
        }
    }
    return false;
}

size_t hf_dragonfly_to_group(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t group, hf_hop like,
                             hf_hop *hops) {
    const uint32_t here = at / shape->a;
    size_t count = 0;
    for (uint32_t round = 0; round < shape->rounds; round++) {
        const uint32_t q = hf_dragonfly_port_to(shape, here, group, round);
        if (q / shape->h == at % shape->a) {
            const uint32_t port = hf_dragonfly_global_port(shape, q);
            hops[count++] = (hf_hop){hf_topology_channel_at(topo, at, port), like.vc, like.tag};
        }
    }
    for (uint32_t round = 0, n_own = (uint32_t)count; round < shape->rounds && n_own == 0; round++) {
        const uint32_t gate = here * shape->a + hf_dragonfly_port_to(shape, here, group, round) / shape->h;
        if (!is_there(topo, hops, count, gate)) {
            hops[count++] = hf_dragonfly_local(topo, shape, at, gate, like);
        }
    }
    return count;
}

static uint32_t passed(const hf_topology *topo, const hf_dragonfly *shape, hf_hop in) {
    const uint32_t from = topo->from[in.channel], to = topo->to[in.channel];
    const bool is_global = !hf_topology_is_terminal(topo, from) && from / shape->a != to / shape->a;
    return in.vc + is_global;
}

hf_hop hf_dragonfly_like(const hf_plan *plan, hf_hop in, uint32_t tag) {
    const uint32_t global = passed(plan->topo, plan->state, in);
    return (hf_hop){HF_NONE, global < plan->n_vc ? global : plan->n_vc - 1, tag};
}

uint32_t hf_dragonfly_run(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t destination) {
    if (hf_topology_is_terminal(topo, at)) {
        return HF_NONE;
    }
    const uint32_t goal = destination / shape->p, group = goal / shape->a;
    return goal == at ? destination + 1 : group == at / shape->a ? (goal + 1) * shape->p : (group + 1) * shape->a * shape->p;
}

size_t hf_dragonfly_direct(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_dragonfly *shape = plan->state;
    if (hf_topology_is_terminal(topo, at)) {
        return hf_route_ends(topo, at, destination, hops);
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    const hf_hop like = hf_dragonfly_like(plan, in, 0);
    if (hf_route_ends(topo, at, destination, hops)) {
        hops[0].vc = like.vc;
        return 1;
    }
    if (at / shape->a != goal / shape->a) {
        return hf_dragonfly_to_group(topo, shape, at, goal / shape->a, like, hops);
    }
    hops[0] = hf_dragonfly_local(topo, shape, at, goal, like);
    return 1;
}
