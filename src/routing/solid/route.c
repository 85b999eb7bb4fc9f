/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The relation round solid faults: figures 2, 5 and 6 with tables 1 to 3 of [chalasani1996]. What the paper leaves open is taken
 *  as admissible: both orientations where the table says "either", any virtual channel off the rings. */
#include "src/routing/solid/route.h"

#include <assert.h>

#include "src/routing/grid/route.h"
#include "src/routing/solid/sacrifice.h"
#include <holdfast/core/bitset.h>

/* Are there c4..c7, too? */
static bool has_two_classes(const hf_solid_plan *p) {
    return p->solid.grid.has_ring || (p->solid.takes_chains && !p->options.shares_turned);
}

/* May messages leave a cross section? They have a virtual channel of their own, the last. */
static bool has_sidesteps(const hf_solid_plan *p) { return p->options.sidesteps && p->solid.takes_chains && p->solid.grid.n > 2; }
static uint32_t vc_of_sidesteps(const hf_solid_plan *p) { return has_two_classes(p) ? 2 * HF_SOLID_VCS : HF_SOLID_VCS; }

/* ---- the plan ---- */

static hf_solid_hop *hop_at(const hf_solid_plan *p, uint32_t plane, uint32_t node, unsigned compass) {
    return &p->hop[((size_t)plane * p->solid.topo->n_switch + node) * HF_COMPASS + compass];
}

static uint32_t port_of(const hf_solid *s, uint32_t plane, unsigned compass) {
    return 2 * hf_solid_dim(s, plane, compass) + !hf_solid_is_plus(compass);
}

static void fill_hop(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass, hf_solid_hop *hop) {
    const uint32_t channel = hf_topology_channel_at(s->topo, node, port_of(s, plane, compass));
    *hop = (hf_solid_hop){HF_NONE, HF_NONE, channel, false, false};
    if (channel != HF_NONE && s->topo->to[channel] < s->topo->n_switch) {
        hop->left = hf_solid_beside(s, plane, node, compass, false);
        hop->right = hf_solid_beside(s, plane, node, compass, true);
        hop->is_good = hf_solid_is_good(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass));
    }
}

static bool is_ring_hop(const hf_solid_hop *hop) { return hop->is_good && (hop->left != HF_NONE || hop->right != HF_NONE); }

/* A link of three or more dimensions lies in several planes; it is on a ring if it is on one of any of them. */
static hf_status mark_rings(hf_context *cx, hf_solid_plan *p) {
    const size_t n = (size_t)p->solid.n_plane * p->solid.topo->n_switch * HF_COMPASS;
    uint64_t *on_ring;
    HF_TRY(hf_scratch(cx, hf_words(p->solid.topo->n_channel), sizeof *on_ring, (void **)&on_ring));
    for (size_t i = 0; i < n; i++) {
        if (is_ring_hop(&p->hop[i])) {
            hf_bit_set(on_ring, p->hop[i].channel);
        }
    }
    for (size_t i = 0; i < n; i++) {
        p->hop[i].is_on_ring = p->hop[i].channel != HF_NONE && hf_bit_test(on_ring, p->hop[i].channel);
    }
    return HF_OK;
}

static hf_status fill_hops(hf_context *cx, hf_solid_plan *p) {
    const hf_solid *s = &p->solid;
    HF_TRY(hf_scratch(cx, (size_t)s->n_plane * s->topo->n_switch * HF_COMPASS, sizeof *p->hop, (void **)&p->hop));
    for (uint32_t plane = 0; plane < s->n_plane; plane++) {
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
                fill_hop(s, plane, node, compass, hop_at(p, plane, node, compass));
            }
        }
    }
    return mark_rings(cx, p);
}

/* Terminals of nodes in service whose own link is healthy. */
static void mark_live(const hf_plan *plan, const hf_solid_plan *p, uint64_t *live) {
    const hf_topology *topo = plan->topo;
    for (uint32_t t = 0; t < topo->n_terminal && p->class == HF_SOLID_COVERED; t++) {
        const uint32_t out = topo->out_list[topo->out_begin[topo->n_switch + t]];
        const uint32_t in = topo->in_list[topo->in_begin[topo->n_switch + t]];
        if (!p->solid.bad[topo->terminal_switch[t]] && !hf_bit_test(plan->faults->channel_set, out) &&
            !hf_bit_test(plan->faults->channel_set, in)) {
            hf_bit_set(live, t);
        }
    }
}

static hf_status classify(hf_context *cx, hf_solid_plan *p) {
    bool is_parted = false;
    HF_TRY(hf_solid_classify(cx, &p->solid, &p->class));
    if (p->class == HF_SOLID_COVERED && p->solid.takes_chains && p->solid.grid.n > 2) {
        HF_TRY(hf_solid_part(cx, &p->solid, has_sidesteps(p), &p->exits, &is_parted));
    }
    p->class = is_parted ? HF_SOLID_PARTED : p->class;
    return HF_OK;
}

hf_status hf_solid_plan_make(hf_context *cx, hf_plan *plan, const hf_solid_options *options) {
    hf_solid_plan *p;
    uint64_t *live;
    HF_TRY(hf_scratch(cx, 1, sizeof *p, (void **)&p));
    HF_TRY(hf_scratch(cx, hf_words(plan->topo->n_terminal), sizeof *live, (void **)&live));
    p->options = *options;
    HF_TRY(hf_solid_init(cx, plan->faults, &p->solid));
    p->solid.is_convex_only = options->is_convex_only;
    p->solid.takes_chains = options->rings == HF_RINGS_CHAINS || options->rings == HF_RINGS_ANY;
    p->solid.takes_overlaps = options->rings == HF_RINGS_OVERLAPPING || options->rings == HF_RINGS_ANY;
    if (options->sacrifice == HF_SACRIFICE_NONE) {
        hf_solid_close_pendants(&p->solid);
    } else {
        HF_TRY(hf_solid_sacrifice_all(cx, &p->solid, options->sacrifice == HF_SACRIFICE_COMPLETED, &p->rounds, &p->messages));
    }
    hf_solid_find_regions(&p->solid);
    HF_TRY(classify(cx, p));
    if (p->class == HF_SOLID_COVERED) {
        HF_TRY(fill_hops(cx, p));
    }
    mark_live(plan, p, live);
    plan->live = live;
    plan->n_vc = vc_of_sidesteps(p) + has_sidesteps(p);
    plan->max_hops = plan->n_vc * (p->solid.grid.n + 1);
    plan->state = p;
    return HF_OK;
}

/* ---- types and tags ---- */

/* A message while its next hop is looked for. Types: 2 i + (1 for the - direction) for DIM_i. */
typedef struct message {
    const hf_solid_plan *p;
    uint32_t at, goal;
    uint64_t sides; /* as in the plan */
    uint32_t type, dim, plane;
    bool is_column;           /* of the last dimension: it has to come back to its column */
    bool is_past;             /* on a ring of the torus, past its goal: it has to go back */
    bool has_turned;          /* at the end of an f-chain, as a message of this type */
    unsigned last;            /* compass of its last hop in its plane, HF_COMPASS: none, or it does not count */
    const hf_solid_hop *came; /* that hop */
    unsigned kept;            /* orientation that it keeps: 0 none, 1 clockwise, 2 counter-clockwise */
} message;

/* What a tag tells beside the type: the orientation that is kept, and a bit: whether the goal has been passed, in tori, or
 * whether the message has turned at the end of an f-chain, in meshes. */
static bool keeps_orientation(const hf_solid_plan *p) { return p->options.rule4 == HF_RULE4_STICKY || p->solid.takes_overlaps; }
static uint32_t kept_tags(const hf_solid_plan *p) { return keeps_orientation(p) ? 3 : 1; }

/* Behind these tags is one for each port that a message may sidestep by. */
static uint32_t first_aside(const hf_solid_plan *p) {
    return 1 + 2 * p->solid.grid.n * kept_tags(p) * (p->solid.grid.has_ring || p->solid.takes_chains ? 2 : 1);
}

uint32_t hf_solid_tags(const hf_solid_plan *plan) {
    return first_aside(plan) + (has_sidesteps(plan) ? 2 * plan->solid.grid.n : 0);
}

static uint32_t tag_of(const message *m, unsigned kept, bool bit) {
    return 1 + m->type + 2 * m->p->solid.grid.n * (kept + kept_tags(m->p) * bit);
}

static int difference(const message *m, uint32_t d) {
    const hf_solid *s = &m->p->solid;
    return (int)hf_solid_digit(s, m->goal, d) - (int)hf_solid_digit(s, m->at, d);
}

/* The shorter way to the goal: positive is +, 0 is done. */
static int way(const message *m, uint32_t d) {
    const hf_grid *grid = &m->p->solid.grid;
    return grid->wraps[d] ? hf_grid_way_round(grid, HF_GRID_TIES_BALANCED, m->at, m->goal, d) : difference(m, d);
}

/* 2 bits a dimension: 1 the goal is on the + side by the shorter way, 2 on the - side, 0 done. */
uint64_t hf_solid_sides_of(const hf_solid_plan *p, uint32_t at, uint32_t goal) {
    const message m = {.p = p, .at = at, .goal = goal};
    uint64_t sides = 0;
    for (uint32_t d = 0; d < p->solid.grid.n; d++) {
        const int ahead = way(&m, d);
        sides |= (uint64_t)(ahead > 0 ? 1 : ahead < 0 ? 2 : 0) << 2 * d;
    }
    return sides;
}

static message message_at(const hf_solid_plan *p, uint32_t at, uint32_t goal) {
    const uint64_t sides = p->sides ? p->sides[(size_t)goal * p->solid.topo->n_switch + at] : hf_solid_sides_of(p, at, goal);
    return (message){.p = p, .at = at, .goal = goal, .sides = sides};
}

static bool is_done(const message *m, uint32_t d) { return (m->sides >> 2 * d & 3) == 0; }
/* Positive is +, 0 is done. */
static int side(const message *m, uint32_t d) { return (int)(m->sides >> 2 * d & 1) - (int)(m->sides >> (2 * d + 1) & 1); }

/* Procedure Set-Message-Type: from its dimension on, the first one in which it is not done. The last dimension stays, and in it
 * alone a message of a torus gets past its goal. */
static void set_type(message *m, uint32_t tag) {
    const uint32_t n = m->p->solid.grid.n, old = tag ? (tag - 1) % (2 * n) : HF_NONE;
    uint32_t d = tag ? old / 2 : 0;
    assert(d < n && n <= HF_GRID_DIMS_MAX);
    while (d + 1 < n && is_done(m, d)) {
        d++;
    }
    const bool keeps = tag && old / 2 == d;
    m->dim = d;
    m->type = keeps ? old : 2 * d + (side(m, d) < 0);
    m->plane = n == 2 ? 0 : d;
    m->is_column = d + 1 == n;
    const bool bit = keeps && (tag - 1) / (2 * n) >= kept_tags(m->p);
    m->is_past = bit && m->is_column && m->p->solid.grid.has_ring;
    m->has_turned = bit && m->p->solid.takes_chains;
}

/* Is it in - direction that the message has to go in its dimension? */
static bool is_minus(const message *m) {
    return m->p->solid.grid.wraps[m->dim] ? (m->type % 2 != 0) != m->is_past : side(m, m->dim) < 0;
}

/* Will it be past its goal behind a hop? On a ring the place alone does not tell. */
static bool is_past_behind(const message *m, unsigned compass) {
    const hf_solid *s = &m->p->solid;
    if (!m->is_column || !s->grid.wraps[m->dim]) {
        return false;
    }
    if (hf_solid_dim(s, m->plane, compass) != m->dim) {
        return m->is_past;
    }
    const bool goes_on = hf_solid_is_plus(compass) == (m->type % 2 == 0);
    const uint32_t next = hf_solid_step(s, m->plane, m->at, compass);
    return goes_on ? m->is_past || is_done(m, m->dim)
                   : m->is_past && hf_solid_digit(s, next, m->dim) != hf_solid_digit(s, m->goal, m->dim);
}

static unsigned compass_of(const hf_solid *s, uint32_t plane, uint32_t port) {
    const bool is_back = port % 2;
    return port / 2 == s->u[plane]   ? (is_back ? HF_WEST : HF_EAST)
           : port / 2 == s->v[plane] ? (is_back ? HF_NORTH : HF_SOUTH)
                                     : HF_COMPASS;
}

static void set_past(message *m, uint32_t port, uint32_t tag) {
    const hf_solid *s = &m->p->solid;
    const bool is_new_type = tag == 0 || (tag - 1) % (2 * s->grid.n) != m->type;
    m->last = HF_COMPASS;
    if (port == HF_NONE || tag == 0 || (is_new_type && m->p->options.resets)) {
        return;
    }
    m->last = compass_of(s, m->plane, port);
    if (m->last != HF_COMPASS) {
        m->came = hop_at(m->p, m->plane, hf_solid_step(s, m->plane, m->at, (m->last + 2) % HF_COMPASS), m->last);
        m->kept = (tag - 1) / (2 * s->grid.n) % kept_tags(m->p);
    }
}

/* ---- orientations ---- */

/* Orientation of a hop on the ring of region r: 1 clockwise, 2 counter-clockwise, 0 not on it. */
static unsigned orientation_of(const hf_solid_hop *hop, uint32_t r) {
    return !hop || !hop->is_good || r == HF_NONE ? 0 : hop->right == r ? 1 : hop->left == r ? 2 : 0;
}

static uint32_t ring_of(const hf_solid_hop *hop) { return hop->right != HF_NONE ? hop->right : hop->left; }

/* The ring that the message has come along; of two that share its last hop that which it went round. */
static uint32_t ring_behind(const message *m) {
    return m->kept == 2 && m->came->left != HF_NONE ? m->came->left : ring_of(m->came);
}

/* Rules 1 to 3 of Table 2, as bits: 1 clockwise, 2 counter-clockwise. */
static unsigned fresh_orientations(const message *m) {
    const int below = m->is_column ? 0 : side(m, m->p->solid.v[m->plane]);
    const bool is_west = m->type % 2; /* EW */
    return below == 0 ? 3 : (below < 0) != is_west ? 1 : 2;
}

/* Table 2 for a message blocked by region r. */
static unsigned orientations(const message *m, uint32_t r) {
    const unsigned traversed = m->last == HF_COMPASS ? 0 : orientation_of(m->came, r);
    if (traversed == 0) {
        return fresh_orientations(m);
    }
    return m->p->options.rule4 == HF_RULE4_STICKY && m->kept ? m->kept : traversed;
}

/* The orientation that the message keeps behind a hop on the ring of region r, HF_NONE: a normal one. As rule 4 is sticky, that
 * of the ring that it is on, as first chosen; where rings overlap, that in which it goes round r. */
static unsigned kept_behind(const message *m, const hf_solid_hop *hop, uint32_t r) {
    if (m->p->options.rule4 != HF_RULE4_STICKY) {
        return keeps_orientation(m->p) ? orientation_of(hop, r) : 0;
    }
    if (!is_ring_hop(hop)) {
        return 0;
    }
    const bool stays = m->last != HF_COMPASS && m->kept && orientation_of(m->came, ring_of(hop)) != 0;
    return stays ? m->kept : orientation_of(hop, ring_of(hop));
}

/* ---- virtual channels ---- */

/* The first virtual channel of the message's class: in a torus that of those that have the dateline of their dimension still
 * before them, or behind them; where there are f-chains that of those that have not turned at the end of one, or have. */
static unsigned first_vc(const message *m) {
    const int ahead = difference(m, m->dim);
    const bool is_behind = m->p->solid.grid.has_ring && (is_minus(m) ? ahead <= 0 : ahead >= 0);
    return is_behind || (m->has_turned && has_two_classes(m->p)) ? HF_SOLID_VCS : 0;
}

/* Virtual channel of the message's type on a link of dimension d: c0 EW, c1 WE, c2 NS, c3 SN in a plane; table 3. */
static uint16_t own_vc(const message *m, uint32_t d) {
    const uint32_t n = m->p->solid.grid.n, is_back = m->type % 2;
    if (m->dim == 0) {
        return (uint16_t)(1u << (first_vc(m) + !is_back));
    }
    const bool is_low = m->is_column ? n % 2 && d == n - 1 : m->dim % 2 == 0;
    return (uint16_t)(1u << (first_vc(m) + (is_low ? 0 : 2) + is_back));
}

static uint16_t base_vcs(const message *m, const hf_solid_hop *hop, uint32_t d) {
    return (uint16_t)(hop->is_on_ring || !m->p->options.is_any_vc ? own_vc(m, d) : 0xfu << first_vc(m));
}

/* \param[in] r region whose ring it goes round, HF_NONE: the hop is a normal one */
static hf_solid_choice choose_hop(const message *m, unsigned compass, uint32_t r) {
    const hf_solid_hop *hop = hop_at(m->p, m->plane, m->at, compass);
    const uint16_t vcs = base_vcs(m, hop, hf_solid_dim(&m->p->solid, m->plane, compass));
    return (hf_solid_choice){hop, tag_of(m, kept_behind(m, hop, r), m->has_turned || is_past_behind(m, compass)), vcs, vcs};
}

/* ---- the relation ---- */

/* The hop by which it may go round the ring of region r. Where an f-chain ends on the side that it may take, that on the other
 * side: it has turned then, if it has come along the chain. */
static unsigned ring_hop(message *m, uint32_t r, unsigned orientation, unsigned which) {
    const hf_solid *s = &m->p->solid;
    const unsigned hop = hf_solid_turn(s, m->plane, m->at, r, orientation == 1);
    if (which & orientation || hop == HF_COMPASS || !s->takes_chains) {
        return which & orientation ? hop : HF_COMPASS;
    }
    if (hf_solid_turn(s, m->plane, m->at, r, orientation != 1) != HF_COMPASS) {
        return HF_COMPASS;
    }
    m->has_turned |= m->last != HF_COMPASS && orientation_of(m->came, r) != 0;
    return hop;
}

/* Round the ring of region r in the orientations `which`. */
static size_t misroute(message *m, uint32_t r, unsigned which, hf_solid_choice *out) {
    size_t count = 0;
    for (unsigned orientation = 1; orientation <= 2 && r != HF_NONE; orientation++) {
        const unsigned hop = ring_hop(m, r, orientation, which);
        if (hop != HF_COMPASS) {
            out[count++] = choose_hop(m, hop, r);
        }
    }
    return count;
}

/* Virtual channels that every hop nearer may take: all but c0, and c4 in tori. */
static uint16_t adaptive_vcs(const hf_solid_plan *p) { return has_two_classes(p) ? 0xee : 0xe; }

/* Does a hop of dimension d lead a message of DIM_0 into a cross section in which it does not get on? */
static bool leads_astray(const message *m, uint32_t d, const hf_solid_hop *hop) {
    const hf_solid *s = &m->p->solid;
    return m->p->exits && m->dim == 0 && d > 1 &&
           m->p->exits[s->topo->to[hop->channel] * s->grid.size[0] + hf_solid_digit(s, m->goal, 0)].ways != 0;
}

/* Figure 6 with its amendments: a normal hop that is on no ring, and beside it every hop nearer that is on none. */
static size_t adapt(const message *m, unsigned compass, hf_solid_choice *out) {
    const hf_solid *s = &m->p->solid;
    const uint16_t escape = (uint16_t)(1u << first_vc(m)), vcs = adaptive_vcs(m->p);
    size_t count = 0;
    out[count++] = (hf_solid_choice){hop_at(m->p, m->plane, m->at, compass),
                                     tag_of(m, 0, m->has_turned || is_past_behind(m, compass)), (uint16_t)(vcs | escape), escape};
    for (uint32_t d = 0; d < s->grid.n; d++) {
        const int nearer = side(m, d);
        const uint32_t plane = s->grid.n == 2 ? 0 : d;
        const unsigned there = nearer ? compass_of(s, plane, 2 * d + (nearer < 0)) : HF_COMPASS;
        if (nearer == 0 || d == hf_solid_dim(s, m->plane, compass)) {
            continue;
        }
        const hf_solid_hop *hop = hop_at(m->p, plane, m->at, there);
        if (hop->is_good && !hop->is_on_ring && !leads_astray(m, d, hop)) {
            out[count++] = (hf_solid_choice){hop, tag_of(m, 0, m->has_turned || m->is_past), vcs, 0};
        }
    }
    return count;
}

/* Compass of the e-cube hop; HF_COMPASS for a column message that is out of its column. */
static unsigned ecube(const message *m) {
    const hf_solid *s = &m->p->solid;
    if (m->is_column && !is_done(m, s->u[m->plane])) {
        return HF_COMPASS;
    }
    return compass_of(s, m->plane, 2 * m->dim + is_minus(m));
}

/* Does an e-cube hop count as blocked since it reverses the last one? After the end of an f-chain it would lead back into a
 * pocket that has no way out there. */
static bool is_turn_back(const message *m, unsigned hop) {
    return (m->p->options.rule4 == HF_RULE4_NO_U_TURN || m->has_turned) && m->last == (hop + 2) % HF_COMPASS;
}

/* ---- out of a cross section ---- */

/* The ways by which a message leaves its cross section, or goes on leaving it: as in hf_solid_exit. One that has left is like one
 * that begins. */
static hf_solid_exit leaving(const hf_solid_plan *p, uint32_t at, uint32_t *port, uint32_t *tag, uint32_t goal) {
    const hf_grid *grid = &p->solid.grid;
    const uint32_t aside = first_aside(p);
    if (!p->exits || (*tag != 0 && *tag < aside)) {
        return (hf_solid_exit){0};
    }
    const hf_solid_exit out = p->exits[at * grid->size[0] + hf_solid_digit(&p->solid, goal, 0)];
    if (*tag == 0 || out.ways == 0) {
        *port = HF_NONE;
        *tag = 0;
        return out;
    }
    return (hf_solid_exit){(uint8_t)((*tag - aside) / 2), (uint8_t)(1u << (*tag - aside) % 2)};
}

static size_t leave(const hf_solid_plan *p, uint32_t at, hf_solid_exit by, hf_solid_choice *out) {
    size_t count = 0;
    for (uint32_t is_minus = 0; is_minus < 2; is_minus++) {
        const uint32_t port = 2u * by.dim + is_minus;
        const uint16_t vc = (uint16_t)(1u << vc_of_sidesteps(p));
        if (by.ways >> is_minus & 1) {
            out[count++] =
                (hf_solid_choice){hop_at(p, by.dim, at, compass_of(&p->solid, by.dim, port)), first_aside(p) + port, vc, vc};
        }
    }
    return count;
}

/* ---- what a message does ---- */

size_t hf_solid_choose(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal, hf_solid_choice *out) {
    const hf_solid_exit by = leaving(plan, at, &port, &tag, goal);
    if (by.ways != 0) {
        return leave(plan, at, by, out);
    }
    message m = message_at(plan, at, goal);
    set_type(&m, tag);
    set_past(&m, port, tag);
    const unsigned hop = ecube(&m);
    if (hop == HF_COMPASS || is_turn_back(&m, hop)) {
        const uint32_t r = m.last == HF_COMPASS ? HF_NONE : ring_behind(&m);
        return misroute(&m, r, orientations(&m, r), out);
    }
    const hf_solid_hop *next = hop_at(plan, m.plane, at, hop);
    if (!next->is_good) {
        return misroute(&m, ring_of(next), orientations(&m, ring_of(next)), out);
    }
    if (plan->options.is_adaptive && !next->is_on_ring) {
        return adapt(&m, hop, out);
    }
    out[0] = choose_hop(&m, hop, HF_NONE);
    return 1;
}

bool hf_solid_goes_on(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal) {
    if (leaving(plan, at, &port, &tag, goal).ways != 0) {
        return false;
    }
    message m = message_at(plan, at, goal);
    set_type(&m, tag);
    set_past(&m, port, tag);
    const unsigned hop = ecube(&m);
    const bool is_back = side(&m, m.dim) < 0;
    bool goes_on = hop != HF_COMPASS && is_minus(&m) == is_back && !is_turn_back(&m, hop);
    goes_on &= m.is_column || m.type % 2 == is_back;
    for (uint32_t d = 0; d < m.dim; d++) {
        goes_on &= is_done(&m, d);
    }
    return goes_on;
}

size_t hf_solid_plain_tags(const hf_solid_plan *plan, uint32_t at, uint32_t goal, uint32_t *tags) {
    message m = message_at(plan, at, goal);
    size_t count = 0;
    set_type(&m, 0);
    const uint32_t first = m.type - m.type % 2;
    const bool has_bit = plan->solid.takes_chains || (plan->solid.grid.has_ring && m.is_column);
    for (uint32_t i = 0; i < (has_bit ? 4 : 2); i++) {
        m.type = first + i % 2;
        tags[count] = tag_of(&m, 0, i >= 2);
        count += hf_solid_goes_on(plan, at, HF_NONE, tags[count], goal);
    }
    return count;
}

/* Has a message that has turned at one end of an f-chain come to the other? */
static bool is_at_other_end(const message *m, unsigned hop) {
    const bool is_beside = hop == HF_COMPASS || is_turn_back(m, hop);
    if (!m->has_turned || m->last == HF_COMPASS || (!is_beside && hop_at(m->p, m->plane, m->at, hop)->is_good)) {
        return false;
    }
    const uint32_t r = is_beside ? ring_behind(m) : ring_of(hop_at(m->p, m->plane, m->at, hop));
    const unsigned traversed = orientation_of(m->came, r);
    return traversed && hf_solid_turn(&m->p->solid, m->plane, m->at, r, traversed == 1) == HF_COMPASS;
}

bool hf_solid_is_astray(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal) {
    if (leaving(plan, at, &port, &tag, goal).ways != 0) {
        return false;
    }
    message m = message_at(plan, at, goal);
    set_type(&m, tag);
    set_past(&m, port, tag);
    const unsigned hop = ecube(&m);
    const hf_solid_hop *next = hop == HF_COMPASS ? NULL : hop_at(plan, m.plane, at, hop);
    const bool is_beyond = m.is_column && is_minus(&m) != (m.type % 2 != 0);
    const bool leads_out = next && ring_of(next) == HF_NONE; /* of the mesh in service */
    return (next && !next->is_good && (is_beyond || leads_out)) || is_at_other_end(&m, hop);
}

static size_t route_over(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, bool is_escape, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    size_t count = 0;
    if (!hf_plan_is_live(plan, destination) ||
        (hf_topology_is_terminal(topo, at) && !hf_plan_is_live(plan, at - topo->n_switch))) {
        return 0;
    }
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const bool is_first = in.channel == HF_NONE || hf_topology_is_terminal(topo, topo->from[in.channel]);
    const size_t n = hf_solid_choose(plan->state, at, is_first ? HF_NONE : topo->from_port[in.channel], is_first ? 0 : in.tag,
                                     hf_route_goal(topo, destination), choice);
    for (size_t i = 0; i < n; i++) {
        const unsigned vcs = is_escape ? choice[i].escape : choice[i].vcs;
        for (uint32_t vc = 0; vc < plan->n_vc; vc++) {
            if (vcs >> vc & 1) {
                hops[count++] = (hf_hop){choice[i].hop->channel, vc, choice[i].tag};
            }
        }
    }
    return count;
}

size_t hf_solid_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return route_over(plan, at, in, destination, false, hops);
}

size_t hf_solid_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return route_over(plan, at, in, destination, true, hops);
}
