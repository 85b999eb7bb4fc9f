/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A packet that may choose is offered the direct way and one over every place; what is chosen stands in its header. Which it is,
 *  queues decide; the relation leaves it open. */
#include "src/routing/any/misroute.h"

static const char *const vias[] = {"groups", "switches", NULL};
static const char *const orders[] = {"classes", "hops", NULL};

const hf_param hf_misroute_params[] = {
    {.name = "via",
     .type = HF_PARAM_WORD,
     .fallback = "groups",
     .words = vias,
     .help = "packets are sent over another group, so not inside of one; or over any switch, which HyperX always does"},
    {.name = "order",
     .type = HF_PARAM_WORD,
     .fallback = "hops",
     .words = orders,
     .help = "a VC counts the hops so far; or classes: global channels so far, on HyperX whether the switch between is passed"},
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel: 0, as many as there can be hops or classes; fewer, the last for all further; "
             "more, lanes"},
    {0},
};

hf_status hf_misroute_accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    hf_dragonfly shape;
    hf_grid grid;
    if (!hf_dragonfly_of(topo, &shape) && !(hf_grid_of(topo, &grid) && grid.is_complete)) {
        HF_FAIL(cx, HF_EINVAL, "ways over other groups or switches are for dragonflies and HyperX, not for \"%s\"", topo->spec);
    }
    return HF_OK;
}

/* Channels between switches of the longest way, or classes. */
static uint32_t most_vcs(const hf_misroute *m) {
    if (m->is_dragonfly) {
        const uint32_t more = m->via == HF_VIA_SWITCHES;
        return m->order == HF_ORDER_HOPS ? 5 + more + m->is_progressive : 3;
    }
    uint32_t dimensions = 0;
    for (uint32_t d = 0; d < m->grid.n; d++) {
        dimensions += m->grid.size[d] > 1;
    }
    const uint32_t before = m->is_progressive && dimensions ? dimensions - 1 : 0;
    return m->order == HF_ORDER_CLASSES ? 2 : dimensions ? 2 * dimensions + before : 1;
}

hf_status hf_misroute_plan(hf_context *cx, hf_plan *plan, bool is_progressive) {
    const hf_topology *topo = plan->topo;
    hf_misroute *m;
    HF_TRY(hf_scratch(cx, 1, sizeof *m, (void **)&m));
    m->topo = topo;
    m->is_dragonfly = hf_dragonfly_of(topo, &m->shape);
    m->is_progressive = is_progressive;
    m->via = (hf_misroute_via)hf_args_get(plan->args, "via")->number;
    m->order = (hf_misroute_order)hf_args_get(plan->args, "order")->number;
    if (!m->is_dragonfly) {
        (void)hf_grid_of(topo, &m->grid);
        m->via = HF_VIA_SWITCHES;
    }
    m->n_via = m->via == HF_VIA_GROUPS ? m->shape.groups : topo->n_switch;
    const uint32_t vcs = (uint32_t)hf_args_get(plan->args, "vcs")->number, ways = m->is_dragonfly ? m->shape.rounds + 1 : 1;
    plan->n_vc = m->n_vc = vcs && vcs < most_vcs(m) ? vcs : most_vcs(m);
    plan->max_hops = (m->n_via + 1) * ways;
    plan->state = m;
    return HF_OK;
}

/* ---- hops ---- */

static uint32_t group_of(const hf_misroute *m, uint32_t sw) { return sw / m->shape.a; }

/* Has a packet come over a channel between switches? */
static bool has_passed(const hf_misroute *m, hf_hop in) { return m->topo->from[in.channel] < m->topo->n_switch; }

/* The virtual channel of the next hop. \param[in] is_second phase of a way over a switch, on HyperX */
static uint32_t next_vc(const hf_misroute *m, hf_hop in, bool is_second) {
    uint32_t vc = has_passed(m, in) ? in.vc : 0;
    if (m->order == HF_ORDER_HOPS) {
        vc += has_passed(m, in);
    } else if (!m->is_dragonfly) {
        vc = is_second;
    } else {
        vc += has_passed(m, in) && group_of(m, m->topo->from[in.channel]) != group_of(m, m->topo->to[in.channel]);
    }
    return vc < m->n_vc ? vc : m->n_vc - 1;
}

/* Directly on from one switch to another. \return hops written */
static size_t towards(const hf_misroute *m, uint32_t at, uint32_t goal, hf_hop like, hf_hop *hops) {
    if (!m->is_dragonfly) {
        const uint32_t d = hf_grid_first_open(&m->grid, at, goal);
        const uint32_t port = hf_grid_line_port(&m->grid, at, d, hf_grid_digit(&m->grid, goal, d));
        hops[0] = (hf_hop){hf_topology_channel_at(m->topo, at, port), like.vc, like.tag};
        return 1;
    }
    if (group_of(m, at) != group_of(m, goal)) {
        return hf_dragonfly_to_group(m->topo, &m->shape, at, group_of(m, goal), like, hops);
    }
    hops[0] = hf_dragonfly_local(m->topo, &m->shape, at, goal, like);
    return 1;
}

static bool is_at_via(const hf_misroute *m, uint32_t at, uint32_t via) {
    return m->via == HF_VIA_GROUPS ? group_of(m, at) == via : at == via;
}

static size_t towards_via(const hf_misroute *m, uint32_t at, uint32_t via, hf_hop like, hf_hop *hops) {
    return m->via == HF_VIA_GROUPS ? hf_dragonfly_to_group(m->topo, &m->shape, at, via, like, hops)
                                   : towards(m, at, via, like, hops);
}

/* May a packet that goes directly by this hop choose again? On a dragonfly inside of the group of its source, if it leaves it; on
 * HyperX at every switch on its way. */
static bool may_choose_again(const hf_misroute *m, hf_hop hop, uint32_t goal) {
    const uint32_t from = m->topo->from[hop.channel], to = m->topo->to[hop.channel];
    const bool is_on_way = !m->is_dragonfly || (group_of(m, from) == group_of(m, to) && group_of(m, to) != group_of(m, goal));
    return m->is_progressive && is_on_way && to != goal;
}

/* Neither here nor there: another group or switch lies between. */
static bool is_between(const hf_misroute *m, uint32_t at, uint32_t via, uint32_t goal) {
    return m->via == HF_VIA_GROUPS ? group_of(m, at) != group_of(m, goal) && via != group_of(m, at) && via != group_of(m, goal)
                                   : via != at && via != goal;
}

static size_t choose(const hf_misroute *m, uint32_t at, hf_hop in, uint32_t goal, hf_hop *hops) {
    size_t n = towards(m, at, goal, (hf_hop){HF_NONE, next_vc(m, in, true), 0}, hops);
    if (!m->is_dragonfly && m->order == HF_ORDER_CLASSES && m->n_vc > 1) {
        hops[0].vc = may_choose_again(m, hops[0], goal) ? 0 : 1; /* who may still be sent elsewhere has not passed it */
    }
    for (size_t i = 0; i < n; i++) {
        hops[i].tag = may_choose_again(m, hops[i], goal) ? m->n_via + 1 : 0;
    }
    for (uint32_t via = 0; via < m->n_via; via++) {
        if (is_between(m, at, via, goal)) {
            n += towards_via(m, at, via, (hf_hop){HF_NONE, next_vc(m, in, false), 1 + via}, hops + n);
        }
    }
    return n;
}

size_t hf_misroute_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_misroute *m = plan->state;
    const uint32_t goal = hf_route_goal(topo, destination);
    if (hf_route_ends(topo, at, destination, hops)) {
        hops[0].tag = hf_topology_is_terminal(topo, at) ? m->n_via + 1 : 0;
        return 1;
    }
    if (in.tag == m->n_via + 1) {
        return choose(m, at, in, goal, hops);
    }
    if (in.tag != 0 && !is_at_via(m, at, in.tag - 1)) {
        return towards_via(m, at, in.tag - 1, (hf_hop){HF_NONE, next_vc(m, in, false), in.tag}, hops);
    }
    return towards(m, at, goal, (hf_hop){HF_NONE, next_vc(m, in, true), 0}, hops);
}

/* ---- how far it is ---- */

static uint32_t distance(const hf_misroute *m, uint32_t at, uint32_t goal) {
    uint32_t n = 0;
    if (m->is_dragonfly) { /* at most; local, global, local */
        return at == goal ? 0 : group_of(m, at) == group_of(m, goal) ? 1 : 3;
    }
    for (uint32_t d = 0; d < m->grid.n; d++) {
        n += hf_grid_digit(&m->grid, at, d) != hf_grid_digit(&m->grid, goal, d);
    }
    return n;
}

uint32_t hf_misroute_length(const hf_plan *plan, hf_hop hop, uint32_t destination) {
    const hf_misroute *m = plan->state;
    const uint32_t to = m->topo->to[hop.channel], goal = hf_route_goal(m->topo, destination);
    if (hop.tag == 0 || hop.tag > m->n_via || to >= m->topo->n_switch) {
        return to >= m->topo->n_switch ? 1 : 1 + distance(m, to, goal);
    }
    const uint32_t via = hop.tag - 1;
    return m->via == HF_VIA_GROUPS ? 1 + 2 * (group_of(m, to) != via) + 3 : 1 + distance(m, to, via) + distance(m, via, goal);
}

/* ---- what holds ---- */

unsigned hf_misroute_claims(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    const bool counts_hops = hf_args_get(args, "order")->number == HF_ORDER_HOPS;
    return counts_hops && hf_args_get(args, "vcs")->number == 0 ? HF_ROUTING_ACYCLIC : 0;
}

/* What was chosen, and the virtual channels that it can go on by. */
static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    const hf_misroute *m = plan->state;
    return (in.tag * m->n_vc + next_vc(m, in, false)) * 2 + has_passed(m, in);
}

/* On the way to what lies between, all that do not end here; who chooses, and who goes directly, from outside of a group by the
 * group. */
static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_misroute *m = plan->state;
    const hf_topology *topo = plan->topo;
    if (hf_topology_is_terminal(topo, at)) {
        return HF_NONE;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    const bool chooses = in.tag == m->n_via + 1;
    if (!m->is_dragonfly || goal == at || (chooses && m->via == HF_VIA_SWITCHES)) {
        return destination + 1;
    }
    if (!chooses && in.tag != 0 && !is_at_via(m, at, in.tag - 1)) {
        return goal < at ? at * m->shape.p : HF_NONE;
    }
    return hf_dragonfly_run(topo, &m->shape, at, destination);
}

const hf_likeness hf_misroute_likeness = {.by_switch = true, .arrival = arrival, .run = run};
