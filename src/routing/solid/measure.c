/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What routing round solid faults costs: pairs delivered, lengths of admissible ways between the switches, virtual channels in
 *  use. For every destination the states (switch, port of arrival, tag) are searched depth first; a state arrives if every way on
 *  from it does, so a cycle that a message may enter, or a switch that it is stuck at, spoils all that leads there. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/routing/solid/route.h"

static const char *const outcomes[] = {"covered", "not_solid", "boundary", "overlap", "disconnected", "parted", NULL};
static const char *const convex_outcomes[] = {"covered", "not_convex", "boundary", "overlap", "disconnected", "parted", NULL};

const char hf_solid_claim[] = "lemma 1 of chalasani1996, no deadlock, no livelock, every message delivered";

enum { SACRIFICED, ROUNDS, MESSAGES, PAIRS, MINIMAL, SHORTEST, LONGEST, LONGEST_PATH, STRETCH, CHANNELS, MEAN_STRETCH };
static const char *const extras[] = {"sacrificed_nodes",
                                     "rounds",
                                     "messages",
                                     "delivered_pairs",
                                     "minimal_hops",
                                     "shortest_hops",
                                     "longest_hops",
                                     "longest_path_hops",
                                     "stretch_permille",
                                     "virtual_channels",
                                     "mean_stretch_permille",
                                     NULL};

/* A way without faults is a shortest one. */
static double most_minimal(const hf_topology *topo) { return hf_most_terminal_pairs(topo) * hf_most_hops(topo); }
static double most_channels(const hf_topology *topo) { return (double)topo->n_channel * HF_SOLID_VCS_MAX; }

/* Every round takes a node out of service. No bound is known of the length of detours and the number of messages. */
static const hf_extra_note notes[] = {
    {"healthy nodes that are taken out of service", NULL, 0, hf_most_switches},
    {"rounds of messages between neighbours until nothing changes", NULL, 0, hf_most_switches},
    {"messages of these rounds", NULL, 0, NULL},
    {"ordered pairs of nodes in service with a way that arrives", NULL, 0, hf_most_terminal_pairs},
    {"hops without faults, sum over these pairs", "minimal_hops_a_pair", PAIRS, most_minimal},
    {"hops of the shortest admissible way, sum over these pairs", "mean_stretch", MINIMAL, NULL},
    {"hops of the longest admissible way, sum over these pairs", "mean_longest_stretch", MINIMAL, NULL},
    {"hops of the longest admissible way of all", NULL, 0, NULL},
    {"longest admissible way over the way without faults, of the worst pair, in 1/1000; 0 where no pair is served", NULL, 0,
     NULL},
    {"virtual channels that some way uses", NULL, 0, most_channels},
    {"shortest admissible ways over the ways without faults, in 1/1000; 0 where no pair is served", NULL, 0, NULL}};

enum { NEW, OPEN, DONE };
typedef struct state {
    uint32_t epoch;             /* of the goal that it was found for */
    uint32_t shortest, longest; /* hops to the goal */
    uint8_t progress;
    bool arrives;           /* every way on does */
    bool can, can_be_stuck; /* some way on arrives; some way on ends elsewhere */
    bool is_removed;        /* some way on ends where the message is removed */
} state;

typedef struct survey {
    const hf_plan *plan;
    const hf_solid_plan *p;
    uint32_t n_port, n_tag;
    uint32_t goal, epoch; /* switch, and the number of it */
    state *state;         /* n_switch x (n_port + 1) x n_tag */
    uint64_t *used;       /* n_channel x n_vc bits */
    uint64_t *blocked;    /* NULL, or where only the verdict is asked for: switches with a fault on some plain way to the goal */
    uint64_t *source;     /* those of them where messages to the goal begin */
    bool removes;         /* messages that are astray are removed, which is where they arrive */
    bool has_cycle;       /* towards this goal a message may go round */
    bool serves;          /* some way of every pair arrives, and none ends elsewhere */
} survey;

static state *state_at(const survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    const size_t p = port == HF_NONE ? v->n_port : port;
    state *s = &v->state[((size_t)at * (v->n_port + 1) + p) * v->n_tag + tag];
    if (s->epoch != v->epoch) {
        *s = (state){.epoch = v->epoch};
    }
    return s;
}

static void note_use(survey *v, const hf_solid_choice *choice) {
    for (uint32_t vc = 0; vc < v->plan->n_vc; vc++) {
        if (choice->vcs >> vc & 1) {
            hf_bit_set(v->used, (size_t)choice->hop->channel * v->plan->n_vc + vc);
        }
    }
}

/* Does it arrive as without faults, whichever way it takes? Lengths are not asked for then. */
static bool is_plain(const survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    return v->blocked && !hf_bit_test(v->blocked, at) && hf_solid_goes_on(v->p, at, port, tag, v->goal);
}

/* The length of ways is bounded by the number of states, and so is the depth. */
static const state *visit(survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    const hf_topology *topo = v->plan->topo;
    state *s = state_at(v, at, port, tag);
    hf_solid_choice choice[HF_SOLID_CHOICES];
    if (s->progress != NEW) {
        return s;
    }
    if (is_plain(v, at, port, tag)) {
        *s = (state){.epoch = v->epoch, .progress = DONE, .arrives = true, .can = true};
        return s;
    }
    *s = (state){.epoch = v->epoch, .progress = OPEN, .arrives = true, .shortest = UINT32_MAX};
    const bool ends = at == v->goal || (v->removes && hf_solid_is_astray(v->p, at, port, tag, v->goal));
    const size_t n = ends ? 0 : hf_solid_choose(v->p, at, port, tag, v->goal, choice);
    for (size_t i = 0; i < n; i++) {
        const uint32_t channel = choice[i].hop->channel;
        const state *next = visit(v, topo->to[channel], topo->from_port[channel], choice[i].tag);
        note_use(v, &choice[i]);
        v->has_cycle |= next->progress == OPEN;
        s->arrives &= next->progress == DONE && next->arrives;
        s->can |= next->can;
        s->can_be_stuck |= next->can_be_stuck;
        s->is_removed |= next->is_removed;
        s->shortest = next->shortest + 1 < s->shortest ? next->shortest + 1 : s->shortest;
        s->longest = next->longest + 1 > s->longest ? next->longest + 1 : s->longest;
    }
    if (n == 0) {
        s->arrives = s->can = ends;
        s->can_be_stuck = !ends;
        s->is_removed = ends && at != v->goal;
        s->shortest = 0;
    }
    s->progress = DONE;
    return s;
}

static uint32_t distance(const hf_solid *s, uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (uint32_t d = 0; d < s->grid.n; d++) {
        const uint32_t x = hf_solid_digit(s, a, d), y = hf_solid_digit(s, b, d), along = x > y ? x - y : y - x;
        sum += s->grid.wraps[d] && s->grid.size[d] - along < along ? s->grid.size[d] - along : along;
    }
    return sum;
}

/* What some way leads to, from a state. \return whether it was not known yet */
static bool spread(survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    const hf_topology *topo = v->plan->topo;
    hf_solid_choice choice[HF_SOLID_CHOICES];
    state *s = state_at(v, at, port, tag);
    const state before = *s;
    const size_t n = at == v->goal || s->progress == NEW ? 0 : hf_solid_choose(v->p, at, port, tag, v->goal, choice);
    for (size_t i = 0; i < n; i++) {
        const uint32_t channel = choice[i].hop->channel;
        const state *next = state_at(v, topo->to[channel], topo->from_port[channel], choice[i].tag);
        s->can |= next->can;
        s->can_be_stuck |= next->can_be_stuck;
    }
    return s->can != before.can || s->can_be_stuck != before.can_be_stuck;
}

/* With a cycle depth first does not tell what it leads to: until nothing changes. */
static void settle_cycles(survey *v) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = 0; at < v->plan->topo->n_switch; at++) {
            for (uint32_t port = 0; port <= v->n_port; port++) {
                for (uint32_t tag = 0; tag < v->n_tag; tag++) {
                    changed |= spread(v, at, port == v->n_port ? HF_NONE : port, tag);
                }
            }
        }
    }
}

static void add_pair(survey *v, uint32_t from, hf_measure *out) {
    const state *s = state_at(v, from, HF_NONE, 0);
    v->serves &= s->can && !s->can_be_stuck;
    if (!s->arrives) {
        return;
    }
    const uint32_t minimal = distance(&v->p->solid, from, v->goal);
    out->extra[PAIRS]++;
    out->extra[MINIMAL] += minimal;
    out->extra[SHORTEST] += s->shortest;
    out->extra[LONGEST] += s->longest;
    if (s->longest > out->extra[LONGEST_PATH]) {
        out->extra[LONGEST_PATH] = s->longest;
    }
    if (minimal && 1000 * (uint64_t)s->longest / minimal > out->extra[STRETCH]) {
        out->extra[STRETCH] = 1000 * (uint64_t)s->longest / minimal;
    }
}

static bool is_source(const survey *v, uint32_t t, uint32_t destination) {
    return t != destination && hf_plan_is_live(v->plan, t);
}

static void begin_goal(survey *v, uint32_t goal) {
    v->goal = goal;
    v->epoch++;
    v->has_cycle = false;
}

static void survey_goal(survey *v, uint32_t destination, hf_measure *out) {
    const hf_topology *topo = v->plan->topo;
    if (topo->terminal_switch[destination] != v->goal) { /* terminals of a switch follow one another */
        begin_goal(v, topo->terminal_switch[destination]);
    }
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (is_source(v, source, destination)) {
            (void)visit(v, topo->terminal_switch[source], HF_NONE, 0);
        }
    }
    if (v->has_cycle) {
        settle_cycles(v);
    }
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (is_source(v, source, destination)) {
            add_pair(v, topo->terminal_switch[source], out);
        }
    }
}

static survey survey_of(const hf_plan *plan) {
    const hf_solid_plan *p = plan->state;
    return (survey){.plan = plan,
                    .p = p,
                    .n_port = 2 * p->solid.grid.n,
                    .n_tag = hf_solid_tags(p),
                    .goal = HF_NONE,
                    .serves = p->class == HF_SOLID_COVERED};
}

static hf_status make_states(hf_context *cx, survey *v) {
    const hf_topology *topo = v->plan->topo;
    const size_t used_words = hf_words((size_t)topo->n_channel * v->plan->n_vc);
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * (v->n_port + 1) * v->n_tag, sizeof *v->state, (void **)&v->state));
    return hf_scratch(cx, used_words, sizeof *v->used, (void **)&v->used);
}

static hf_status survey_all(hf_context *cx, survey *v, hf_measure *out) {
    const hf_topology *topo = v->plan->topo;
    HF_TRY(make_states(cx, v));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (hf_plan_is_live(v->plan, t)) {
            survey_goal(v, t, out);
        }
    }
    out->extra[CHANNELS] = hf_bits_count(v->used, hf_words((size_t)topo->n_channel * v->plan->n_vc));
    out->extra[MEAN_STRETCH] =
        out->extra[MINIMAL] ? (1000 * out->extra[SHORTEST] + out->extra[MINIMAL] / 2) / out->extra[MINIMAL] : 0;
    return HF_OK;
}

/* ---- removal ---- */

static void count_removals(survey *v, hf_solid_removals *out) {
    for (uint32_t from = 0; from < v->plan->topo->n_switch; from++) {
        if (!v->p->solid.bad[from]) {
            const state *s = visit(v, from, HF_NONE, 0);
            out->pairs++;
            out->removed += s->arrives;
            out->longest = s->arrives && s->longest > out->longest ? s->longest : out->longest;
        }
    }
}

/* Of how many pairs in service is some message removed, too? */
static void count_wrong(survey *v, hf_solid_removals *out) {
    for (uint32_t from = 0; from < v->plan->topo->n_switch; from++) {
        if (!v->p->solid.bad[from]) {
            out->wrong += visit(v, from, HF_NONE, 0)->is_removed;
        }
    }
}

hf_status hf_solid_find_removals(hf_context *cx, const hf_plan *plan, hf_solid_removals *out) {
    survey v = survey_of(plan);
    *out = (hf_solid_removals){0};
    if (v.p->class != HF_SOLID_COVERED) {
        return HF_OK;
    }
    HF_TRY(make_states(cx, &v));
    v.removes = true;
    for (uint32_t goal = 0; goal < plan->topo->n_switch; goal++) {
        begin_goal(&v, goal);
        if (v.p->solid.bad[goal]) {
            count_removals(&v, out);
        } else {
            count_wrong(&v, out);
        }
    }
    return HF_OK;
}

/* ---- the verdict alone ---- */

/* Where there is a message to the goal, and a fault on some plain way of it. */
static void find_blocked(survey *v, const hf_solid_blocks *blocks, const uint64_t *senders) {
    const hf_solid *s = &v->p->solid;
    const size_t n = s->topo->n_switch, words = blocks->words;
    memset(v->blocked, 0, words * sizeof *v->blocked);
    for (uint32_t i = 0; i < s->n_cut; i++) {
        const uint64_t *row = blocks->row + ((s->cut_dim[i] * n + s->cut_node[i]) * n + v->goal) * words;
        for (size_t w = 0; w < words; w++) {
            v->blocked[w] |= row[w];
        }
    }
    for (size_t w = 0; w < words; w++) {
        v->source[w] = v->blocked[w] & senders[w];
    }
}

static void serve_goal(survey *v, uint32_t goal, const hf_solid_blocks *blocks, const uint64_t *senders) {
    const size_t n = v->plan->topo->n_switch;
    begin_goal(v, goal);
    find_blocked(v, blocks, senders);
    for (size_t at = hf_bits_next(v->source, n, 0); at < n; at = hf_bits_next(v->source, n, at + 1)) {
        (void)visit(v, (uint32_t)at, HF_NONE, 0);
    }
    if (v->has_cycle) {
        settle_cycles(v);
    }
    for (size_t at = hf_bits_next(v->source, n, 0); at < n; at = hf_bits_next(v->source, n, at + 1)) {
        const state *s = state_at(v, (uint32_t)at, HF_NONE, 0);
        v->serves &= s->can && !s->can_be_stuck;
    }
}

static hf_status serve_all(hf_context *cx, survey *v, const hf_solid_blocks *blocks) {
    const hf_topology *topo = v->plan->topo;
    uint64_t *senders;
    HF_TRY(make_states(cx, v));
    HF_TRY(hf_scratch(cx, blocks->words, sizeof *v->blocked, (void **)&v->blocked));
    HF_TRY(hf_scratch(cx, blocks->words, sizeof *v->source, (void **)&v->source));
    HF_TRY(hf_scratch(cx, blocks->words, sizeof *senders, (void **)&senders));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (hf_plan_is_live(v->plan, t)) {
            hf_bit_set(senders, topo->terminal_switch[t]);
        }
    }
    for (size_t goal = hf_bits_next(senders, topo->n_switch, 0); goal < topo->n_switch && v->serves;
         goal = hf_bits_next(senders, topo->n_switch, goal + 1)) {
        serve_goal(v, (uint32_t)goal, blocks, senders);
    }
    return HF_OK;
}

hf_status hf_solid_serves(hf_context *cx, const hf_plan *plan, const hf_solid_blocks *blocks, bool *serves) {
    survey v = survey_of(plan);
    HF_TRY(v.serves ? serve_all(cx, &v, blocks) : HF_OK);
    *serves = v.serves;
    return HF_OK;
}

/* ---- all measures ---- */

hf_status hf_solid_survey(hf_context *cx, const hf_plan *plan, hf_measure *out, bool *serves) {
    const hf_solid_plan *p = plan->state;
    survey v = survey_of(plan);
    out->outcome = (uint8_t)p->class;
    out->extra[SACRIFICED] = p->solid.n_sacrificed;
    out->extra[ROUNDS] = p->rounds;
    out->extra[MESSAGES] = p->messages;
    const hf_status status = p->class == HF_SOLID_COVERED ? survey_all(cx, &v, out) : HF_OK;
    *serves = v.serves;
    return status;
}

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    bool serves;
    return hf_solid_survey(cx, plan, out, &serves);
}

const hf_routing_measures hf_solid_measures = {outcomes, extras, notes, measure, NULL},
                          hf_convex_measures = {convex_outcomes, extras, notes, measure, NULL};
