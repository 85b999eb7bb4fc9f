/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What routing round solid faults costs: pairs delivered, lengths of admissible ways between the switches, virtual channels in
 * use. For every destination the states (switch, port of arrival, tag) are searched depth first; a state arrives if every way on
 * from it does, so a cycle that a message may enter, or a switch that it is stuck at, spoils all that leads there. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/routing/solid_route.h"

const char *const hf_solid_outcomes[] = {"covered", "not_solid", "boundary", "overlap", "disconnected", NULL};
const char *const hf_convex_outcomes[] = {"covered", "not_convex", "boundary", "overlap", "disconnected", NULL};

const char hf_solid_claim[] = "lemma 1 of chalasani1996, no deadlock, no livelock, every message delivered";

enum { SACRIFICED, ROUNDS, MESSAGES, PAIRS, MINIMAL, SHORTEST, LONGEST, LONGEST_PATH, STRETCH, CHANNELS, MEAN_STRETCH };
const char *const hf_solid_extras[] = {"sacrificed_nodes",
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

const hf_extra_note hf_solid_extra_notes[] = {
    {"healthy nodes that are taken out of service", NULL, 0},
    {"rounds of messages between neighbours until nothing changes", NULL, 0},
    {"messages of these rounds", NULL, 0},
    {"ordered pairs of nodes in service with a way that arrives", NULL, 0},
    {"hops without faults, sum over these pairs", "minimal_hops_a_pair", PAIRS},
    {"hops of the shortest admissible way, sum over these pairs", "mean_stretch", MINIMAL},
    {"hops of the longest admissible way, sum over these pairs", "mean_longest_stretch", MINIMAL},
    {"hops of the longest admissible way of all", NULL, 0},
    {"longest admissible way over the way without faults, of the worst pair, in 1/1000; 0 where no pair is served", NULL, 0},
    {"virtual channels that some way uses", NULL, 0},
    {"shortest admissible ways over the ways without faults, in 1/1000; 0 where no pair is served", NULL, 0}};

enum { NEW, OPEN, DONE };
typedef struct state {
    uint32_t shortest, longest; /* hops to the goal */
    uint8_t progress;
    bool arrives;
} state;

typedef struct survey {
    const hf_plan *plan;
    const hf_solid_plan *p;
    uint32_t n_port, n_tag;
    uint32_t goal;  /* switch */
    state *state;   /* n_switch x (n_port + 1) x n_tag */
    uint64_t *used; /* n_channel x HF_SOLID_VCS bits */
} survey;

static state *state_at(const survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    const size_t p = port == HF_NONE ? v->n_port : port;
    return &v->state[((size_t)at * (v->n_port + 1) + p) * v->n_tag + tag];
}

static void note_use(survey *v, const hf_solid_choice *choice) {
    for (uint32_t vc = 0; vc < HF_SOLID_VCS; vc++) {
        if (choice->vcs >> vc & 1) {
            hf_bit_set(v->used, (size_t)choice->hop->channel * HF_SOLID_VCS + vc);
        }
    }
}

/* The length of ways is bounded by the number of states, and so is the depth. */
static const state *visit(survey *v, uint32_t at, uint32_t port, uint32_t tag) {
    const hf_topology *topo = v->plan->topo;
    state *s = state_at(v, at, port, tag);
    hf_solid_choice choice[HF_SOLID_CHOICES];
    if (s->progress != NEW) {
        return s;
    }
    *s = (state){.progress = OPEN, .arrives = true, .shortest = UINT32_MAX};
    const size_t n = at == v->goal ? 0 : hf_solid_choose(v->p, at, port, tag, v->goal, choice);
    for (size_t i = 0; i < n; i++) {
        const uint32_t channel = choice[i].hop->channel;
        const state *next = visit(v, topo->to[channel], topo->from_port[channel], choice[i].tag);
        note_use(v, &choice[i]);
        s->arrives &= next->progress == DONE && next->arrives;
        s->shortest = next->shortest + 1 < s->shortest ? next->shortest + 1 : s->shortest;
        s->longest = next->longest + 1 > s->longest ? next->longest + 1 : s->longest;
    }
    if (n == 0) {
        s->arrives = at == v->goal;
        s->shortest = 0;
    }
    s->progress = DONE;
    return s;
}

static uint32_t distance(const hf_solid *s, uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (uint32_t d = 0; d < s->grid.n; d++) {
        const uint32_t x = hf_solid_digit(s, a, d), y = hf_solid_digit(s, b, d);
        sum += x > y ? x - y : y - x;
    }
    return sum;
}

static void add_pair(survey *v, uint32_t from, hf_measure *out) {
    const state *s = visit(v, from, HF_NONE, 0);
    const uint32_t minimal = distance(&v->p->solid, from, v->goal);
    if (!s->arrives) {
        out->tolerated = false;
        return;
    }
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

static void survey_goal(survey *v, uint32_t destination, hf_measure *out) {
    const hf_topology *topo = v->plan->topo;
    const uint32_t goal = topo->terminal_switch[destination];
    if (goal != v->goal) { /* terminals of a switch follow one another */
        v->goal = goal;
        memset(v->state, 0, (size_t)topo->n_switch * (v->n_port + 1) * v->n_tag * sizeof *v->state);
    }
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (source != destination && hf_plan_is_live(v->plan, source)) {
            add_pair(v, topo->terminal_switch[source], out);
        }
    }
}

hf_status hf_solid_measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    const hf_topology *topo = plan->topo;
    const hf_solid_plan *p = plan->state;
    survey v = {.plan = plan, .p = p, .n_port = 2 * p->solid.grid.n, .n_tag = hf_solid_tags(p), .goal = HF_NONE};
    *out = (hf_measure){.tolerated = p->class == HF_SOLID_COVERED, .outcome = (uint8_t)p->class};
    out->extra[SACRIFICED] = p->solid.n_sacrificed;
    out->extra[ROUNDS] = p->rounds;
    out->extra[MESSAGES] = p->messages;
    if (p->class != HF_SOLID_COVERED) {
        return HF_OK;
    }
    const size_t used_words = hf_words((size_t)topo->n_channel * HF_SOLID_VCS);
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * (v.n_port + 1) * v.n_tag, sizeof *v.state, (void **)&v.state));
    HF_TRY(hf_scratch(cx, used_words, sizeof *v.used, (void **)&v.used));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (hf_plan_is_live(plan, t)) {
            survey_goal(&v, t, out);
        }
    }
    out->extra[CHANNELS] = hf_bits_count(v.used, used_words);
    out->extra[MEAN_STRETCH] =
        out->extra[MINIMAL] ? (1000 * out->extra[SHORTEST] + out->extra[MINIMAL] / 2) / out->extra[MINIMAL] : 0;
    return HF_OK;
}
