/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components whose loss breaks a policy of reconfiguration [chong1992, 6], by integer programming.
 *
 *  For a source s and a destination d that is not served: x says which components fail, r which routers and S which endpoints
 *  are reached from s. A healthy channel from a reached place reaches its end, s is in S, no healthy channel leads from a
 *  reached router to d. Without relays S is s alone. With relays every live endpoint that is reached is in S, so an endpoint
 *  outside that is reached must be dead: all its channels in, or all out, have failed. Under a policy that drops isolated
 *  endpoints those of S and d keep a healthy channel in and one out. */
#include <holdfast/analysis/tolerance.h>

#include <string.h>

#include <holdfast/core/combination.h>

#include "src/analysis/weakest/apart.h"
#include "src/bridge/glpk.h"
#include "src/core/clock.h"
#include "src/core/rows.h"

typedef struct problem {
    hf_context *cx;
    const hf_topology *topo;
    const hf_universe *universe;
    hf_rows takers;     /**< per channel: components that take it down */
    bool drops, relays; /**< isolated endpoints; messages by way of live endpoints */
    hf_milp *milp;
    uint32_t first_reached, first_member; /**< columns of routers, of endpoints */
} problem;

/* ---- rows ---- */

/** Terms of the components that take a channel down; column of component i is i. */
static void takers(problem *p, uint32_t channel, double value) {
    for (uint32_t i = p->takers.begin[channel]; i < p->takers.begin[channel + 1]; i++) {
        hf_milp_term(p->milp, value, p->takers.item[i]);
    }
}

static bool is_end(const problem *p, uint32_t node) { return hf_topology_is_terminal(p->topo, node); }
static uint32_t member(const problem *p, uint32_t node) { return p->first_member + node - p->topo->n_switch; }
static uint32_t reached(const problem *p, uint32_t node) { return is_end(p, node) ? member(p, node) : p->first_reached + node; }

/** Some channel of the list is healthy: h at most 1 - x for each component, their sum at least 1, or at least a column. */
static hf_status keep_one(problem *p, const uint32_t *list, uint32_t n, uint32_t wanted) {
    uint32_t first = 0, h;
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(hf_milp_add_real(p->milp, 0, 0, 1, &h));
        first = i == 0 ? h : first;
        for (uint32_t k = p->takers.begin[list[i]]; k < p->takers.begin[list[i] + 1]; k++) {
            hf_milp_term(p->milp, -1, p->takers.item[k]);
            hf_milp_term(p->milp, -1, h);
            HF_TRY(hf_milp_at_least(p->milp, -1));
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        hf_milp_term(p->milp, 1, first + i);
    }
    if (wanted != HF_NONE) {
        hf_milp_term(p->milp, -1, wanted);
    }
    return hf_milp_at_least(p->milp, wanted == HF_NONE ? 1 : 0);
}

static hf_status keep_live(problem *p, uint32_t node, uint32_t wanted) {
    const hf_topology *topo = p->topo;
    HF_TRY(keep_one(p, topo->out_list + topo->out_begin[node], topo->out_begin[node + 1] - topo->out_begin[node], wanted));
    return keep_one(p, topo->in_list + topo->in_begin[node], topo->in_begin[node + 1] - topo->in_begin[node], wanted);
}

/** A column that can be 1 only if all channels of the list have failed. */
static hf_status all_failed(problem *p, const uint32_t *list, uint32_t n, uint32_t *column) {
    HF_TRY(hf_milp_add_binary(p->milp, 0, column));
    for (uint32_t i = 0; i < n; i++) {
        takers(p, list[i], 1);
        hf_milp_term(p->milp, -1, *column);
        HF_TRY(hf_milp_at_least(p->milp, 0));
    }
    return HF_OK;
}

/** With relays: a live endpoint that is reached is a member. */
static hf_status add_relay(problem *p, uint32_t node) {
    const hf_topology *topo = p->topo;
    uint32_t no_out, no_in;
    HF_TRY(all_failed(p, topo->out_list + topo->out_begin[node], topo->out_begin[node + 1] - topo->out_begin[node], &no_out));
    HF_TRY(all_failed(p, topo->in_list + topo->in_begin[node], topo->in_begin[node + 1] - topo->in_begin[node], &no_in));
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        hf_milp_term(p->milp, 1, member(p, node));
        hf_milp_term(p->milp, -1, reached(p, topo->from[topo->in_list[i]]));
        takers(p, topo->in_list[i], 1);
        hf_milp_term(p->milp, 1, no_out);
        hf_milp_term(p->milp, 1, no_in);
        HF_TRY(hf_milp_at_least(p->milp, 0));
    }
    return keep_live(p, node, member(p, node));
}

/* ---- the program of a pair ---- */

static hf_status add_columns(problem *p) {
    for (uint32_t i = 0; i < p->universe->n_component; i++) {
        HF_TRY(hf_milp_add_binary(p->milp, 1, NULL));
    }
    p->first_reached = p->universe->n_component;
    for (uint32_t v = 0; v < p->topo->n_switch; v++) {
        HF_TRY(hf_milp_add_real(p->milp, 0, 0, 1, NULL));
    }
    p->first_member = p->first_reached + p->topo->n_switch;
    for (uint32_t t = 0; t < p->topo->n_terminal; t++) {
        HF_TRY(hf_milp_add_binary(p->milp, 0, NULL));
    }
    return HF_OK;
}

/** Who is a member: s, not d; without relays nobody else. */
static hf_status fix_members(problem *p, uint32_t s, uint32_t d) {
    for (uint32_t t = 0; t < p->topo->n_terminal; t++) {
        if (t == s) {
            hf_milp_term(p->milp, 1, p->first_member + t);
            HF_TRY(hf_milp_at_least(p->milp, 1));
        } else if (t == d || !p->relays) {
            hf_milp_term(p->milp, -1, p->first_member + t);
            HF_TRY(hf_milp_at_least(p->milp, 0));
        }
    }
    return HF_OK;
}

static hf_status add_rows(problem *p, uint32_t s, uint32_t d, uint32_t below) {
    const hf_topology *topo = p->topo;
    HF_TRY(fix_members(p, s, d));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t to = topo->to[c];
        if (!is_end(p, to)) { /* reached, or the start is not, or the channel has failed */
            hf_milp_term(p->milp, 1, reached(p, to));
        } else if (to != topo->n_switch + d) {
            continue;
        }
        hf_milp_term(p->milp, -1, reached(p, topo->from[c]));
        takers(p, c, 1);
        HF_TRY(hf_milp_at_least(p->milp, 0));
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const bool is_one = v == topo->n_switch + s || v == topo->n_switch + d;
        if (is_one && p->drops) {
            HF_TRY(keep_live(p, v, HF_NONE));
        } else if (!is_one && p->relays) {
            HF_TRY(add_relay(p, v));
        }
    }
    for (uint32_t i = 0; i < p->universe->n_component; i++) {
        hf_milp_term(p->milp, -1, i);
    }
    return hf_milp_at_least(p->milp, 1 - (double)below);
}

static void take(const problem *p, uint32_t s, uint32_t d, hf_fewest *out) {
    out->n = 0;
    for (uint32_t i = 0; i < p->universe->n_component; i++) {
        if (hf_milp_value(p->milp, i)) {
            out->component[out->n++] = i;
        }
    }
    out->is_possible = true;
    out->source = s;
    out->destination = d;
}

/** Find a set of fewer than `below` components that parts the pair. */
static hf_status try_pair(problem *p, uint32_t s, uint32_t d, double limit_s, hf_fewest *out) {
    hf_milp_answer answer;
    bool has_solution = false;
    hf_status status;
    HF_TRY(hf_milp_new(p->cx, &p->milp));
    HF_TRY_DONE(add_columns(p));
    HF_TRY_DONE(add_rows(p, s, d, out->is_possible ? out->n : p->universe->n_component + 1));
    HF_TRY_DONE(hf_milp_solve(p->milp, limit_s, &answer, &has_solution));
    if (answer == HF_MILP_OPTIMAL || (answer == HF_MILP_UNDECIDED && has_solution)) {
        take(p, s, d, out);
    }
    out->is_exact = out->is_exact && answer != HF_MILP_UNDECIDED;
done:
    hf_milp_free(p->milp);
    return status;
}

/* ---- all pairs ---- */

/** The components that take each channel down. */
static hf_status list_takers(problem *p) {
    const hf_universe *u = p->universe;
    const hf_rows channels = {.n = u->n_component, .begin = u->channel_begin, .item = u->channel};
    return hf_rows_turn(p->cx, &channels, p->topo->n_channel, &p->takers);
}

/** Is some channel of the list healthy under these components? */
static bool has_one(const problem *p, const uint32_t *list, uint32_t n, const uint32_t *component, uint32_t n_component) {
    bool is_healthy = false;
    for (uint32_t i = 0; i < n && !is_healthy; i++) {
        is_healthy = true;
        for (uint32_t k = p->takers.begin[list[i]]; k < p->takers.begin[list[i] + 1]; k++) {
            for (uint32_t x = 0; x < n_component; x++) {
                is_healthy &= component[x] != p->takers.item[k];
            }
        }
    }
    return is_healthy;
}

static bool is_live(const problem *p, uint32_t node, const uint32_t *component, uint32_t n) {
    const hf_topology *topo = p->topo;
    const uint32_t out = topo->out_begin[node], in = topo->in_begin[node];
    return has_one(p, topo->out_list + out, topo->out_begin[node + 1] - out, component, n) &&
           has_one(p, topo->in_list + in, topo->in_begin[node + 1] - in, component, n);
}

/** A pair that its bound does not rule out: by the cut of the flow, where it leaves both ends in service, else by a program. */
static hf_status try_bounded(problem *p, hf_apart *apart, uint32_t s, uint32_t d, double limit_s, hf_fewest *out) {
    uint32_t *set, n;
    const uint32_t first = p->topo->n_switch;
    const hf_mark mark = hf_scratch_mark(p->cx);
    HF_TRY(hf_scratch(p->cx, p->universe->n_component, sizeof *set, (void **)&set));
    const bool is_cut =
        hf_apart_cut(apart, s, d, set, &n) && (!p->drops || (is_live(p, first + s, set, n) && is_live(p, first + d, set, n)));
    if (is_cut) {
        memcpy(out->component, set, n * sizeof *set);
        out->n = n;
        out->is_possible = true;
        out->source = s;
        out->destination = d;
    }
    hf_scratch_reset(p->cx, mark);
    return is_cut ? HF_OK : try_pair(p, s, d, limit_s, out);
}

/** \param[in] apart NULL: no bounds are known; else the pairs of that bound, until something as low is found */
static hf_status try_level(problem *p, hf_apart *apart, uint32_t level, double end, hf_fewest *out) {
    const uint32_t n = p->topo->n_terminal;
    for (uint64_t i = 0; i < (uint64_t)n * n && !(apart && out->is_possible && out->n <= level); i++) {
        const uint32_t s = (uint32_t)(i / n), d = (uint32_t)(i % n);
        if (s == d || (apart && apart->bound[i] != level)) {
            continue;
        }
        const double left = end - hf_clock_s();
        if (hf_context_stopped(p->cx)) {
            HF_FAIL(p->cx, HF_ESTOP, "stopped while looking for the fewest components, at t%u to t%u", s, d);
        }
        if (left <= 0) {
            out->is_exact = false;
            return HF_OK;
        }
        HF_TRY(apart ? try_bounded(p, apart, s, d, left, out) : try_pair(p, s, d, left, out));
    }
    return HF_OK;
}

static hf_status try_all(problem *p, double limit_s, hf_fewest *out) {
    const double end = hf_clock_s() + limit_s;
    hf_apart apart;
    const hf_status status = hf_apart_find(p->cx, p->universe, p->relays, &apart);
    if (status == HF_ENOTSUP && p->topo->n_terminal <= HF_FEWEST_TERMINALS) {
        hf_context_clear(p->cx);
        return try_level(p, NULL, 0, end, out);
    }
    if (status == HF_ENOTSUP) {
        HF_FAIL(p->cx, HF_ENOTSUP,
                "\"%s\" has %u terminals; the fewest components are looked for with up to %d, or up to %d where each is one "
                "channel, link or switch; walk the sets of size 1, 2, ... with `holdfast tolerance`",
                p->topo->spec, p->topo->n_terminal, HF_FEWEST_TERMINALS, HF_APART_TERMINALS);
    }
    HF_TRY(status);
    for (uint32_t level = apart.least; level <= apart.most && out->is_exact; level++) {
        HF_TRY(try_level(p, &apart, level, end, out));
    }
    return HF_OK;
}

/** The policy of a rule. \param[out] is_safe it tolerates every set */
static hf_status read_policy(hf_context *cx, const hf_rule *rule, problem *p, bool *is_safe) {
    hf_isolation policy;
    if (!rule->routing->isolation) {
        HF_FAIL(cx, HF_ENOTSUP,
                "the fewest components are known for routing multipath; \"%s\" is another: `holdfast weakest` takes any",
                rule->spec);
    }
    HF_TRY(rule->routing->isolation(cx, rule, &policy));
    *is_safe = policy.is_safe;
    p->drops = policy.drops;
    p->relays = policy.relays;
    return HF_OK;
}

/* ---- too few terminals in service ---- */

static void keep_set(const uint32_t *component, uint32_t n, hf_fewest *out) {
    memcpy(out->component, component, n * sizeof *component);
    out->n = n;
    out->is_possible = true;
    out->source = out->destination = HF_NONE;
}

/** Read one set after the other of size f. \param[out] is_found one that is not tolerated, in `component` */
static hf_status search_size(hf_context *cx, hf_judge *judge, uint32_t m, uint32_t f, double end, uint32_t *component,
                             bool *is_found, bool *is_over) {
    uint32_t depth = 0, keep = 0, looks = 0;
    hf_measure measure = {.tolerated = true};
    hf_status status = HF_OK;
    hf_lex_unrank(m, f, 0, component);
    do {
        for (; depth > keep; depth--) {
            judge->ops->pop(judge);
        }
        for (; depth < f && status == HF_OK; depth += status == HF_OK) {
            status = judge->ops->push(cx, judge, component[depth]);
        }
        status = status == HF_OK ? judge->ops->read(cx, judge, &measure) : status;
        *is_found = status == HF_OK && !measure.tolerated;
        *is_over = (++looks & 255) == 0 && (hf_clock_s() > end || hf_context_stopped(cx));
    } while (status == HF_OK && !*is_found && !*is_over && hf_lex_next(m, f, component, &keep));
    for (; depth > 0; depth--) {
        judge->ops->pop(judge);
    }
    return status;
}

/** Where only its own channels take a terminal out of service: how many components at least leave fewer than two. */
static uint32_t least_to_isolate(const hf_universe *u) {
    const hf_topology *topo = u->topo;
    uint32_t most = 0;
    for (uint32_t i = 0; i < u->n_component; i++) {
        uint32_t touched = 0; /* channels of terminals: no fewer than terminals */
        for (uint32_t k = u->channel_begin[i]; k < u->channel_begin[i + 1]; k++) {
            touched += hf_topology_is_terminal(topo, topo->from[u->channel[k]]) ||
                       hf_topology_is_terminal(topo, topo->to[u->channel[k]]);
        }
        most = touched > most ? touched : most;
    }
    return most > 0 ? (topo->n_terminal - 1 + most - 1) / most : u->n_component + 1;
}

/** Sets smaller than what was found, from the smallest on, for a share of the time: every reason not to be tolerated counts, such
 *  as too few terminals in service. */
static const double search_share = 1.0 / 60;

static hf_status search_smaller(hf_context *cx, const hf_universe *universe, const hf_rule *rule, double limit_s, uint32_t start,
                                hf_fewest *out) {
    const double end = hf_clock_s() + limit_s * search_share;
    const uint32_t m = universe->n_component;
    hf_criterion criterion;
    hf_judge *judge;
    uint32_t *component;
    bool is_found = false, is_over = false;
    HF_TRY(hf_scratch(cx, m, sizeof *component, (void **)&component));
    HF_TRY(hf_criterion_init(cx, "all-pairs", &criterion));
    HF_TRY(hf_judge_new(cx, universe, rule, &criterion, &judge));
    hf_status status = HF_OK;
    if (!out->is_possible && start <= m) { /* if anything is not tolerated, it is that all have failed */
        status = search_size(cx, judge, m, m, end, component, &is_found, &is_over);
        if (is_found) {
            keep_set(component, m, out);
        }
    }
    for (uint32_t f = start; status == HF_OK && out->is_possible && f < out->n && !is_over; f++) {
        status = search_size(cx, judge, m, f, end, component, &is_found, &is_over);
        if (status == HF_OK && is_found) {
            keep_set(component, f, out);
        }
    }
    out->is_exact = out->is_exact && !is_over;
    hf_judge_free(judge);
    return status;
}

hf_status hf_fewest_break(hf_context *cx, const hf_universe *universe, const hf_rule *rule, double limit_s, hf_fewest *out) {
    problem p = {.cx = cx, .topo = universe->topo, .universe = universe};
    bool is_safe;
    *out = (hf_fewest){.is_exact = true, .source = HF_NONE, .destination = HF_NONE};
    HF_TRY(read_policy(cx, rule, &p, &is_safe));
    HF_TRY(hf_scratch(cx, universe->n_component, sizeof *out->component, (void **)&out->component));
    if (is_safe) { /* a router that is not blocked leads to every live endpoint of its class: only too few of them break it */
        return search_smaller(cx, universe, rule, limit_s, 0, out);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(list_takers(&p));
    hf_status status = try_all(&p, limit_s, out);
    status = status == HF_OK ? search_smaller(cx, universe, rule, limit_s, least_to_isolate(universe), out) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

/* ---- isolation ---- */

typedef struct cover {
    const problem *p;
    const uint32_t *list; /**< channels to be hit */
    uint32_t n;
    uint32_t chosen[HF_FEWEST_TERMINALS], n_chosen;
    hf_fewest *best;
    uint32_t terminal;
} cover;

static bool is_hit(const cover *s, uint32_t channel) {
    for (uint32_t i = s->p->takers.begin[channel]; i < s->p->takers.begin[channel + 1]; i++) {
        for (uint32_t k = 0; k < s->n_chosen; k++) {
            if (s->chosen[k] == s->p->takers.item[i]) {
                return true;
            }
        }
    }
    return false;
}

static void keep(const cover *s) {
    hf_fewest *best = s->best;
    best->n = 0;
    for (uint32_t k = 0; k < s->n_chosen; k++) { /* insertion, ascending */
        uint32_t at = best->n++;
        for (; at > 0 && best->component[at - 1] > s->chosen[k]; at--) {
            best->component[at] = best->component[at - 1];
        }
        best->component[at] = s->chosen[k];
    }
    best->is_possible = true;
    best->source = best->destination = s->terminal;
}

/** Hit the channels from `at` on with fewer components than the best set has. */
static void hit(cover *s, uint32_t at) {
    while (at < s->n && is_hit(s, s->list[at])) {
        at++;
    }
    if (s->best->is_possible && s->n_chosen >= s->best->n) {
        return;
    }
    if (at == s->n) {
        keep(s);
        return;
    }
    for (uint32_t i = s->p->takers.begin[s->list[at]];
         i < s->p->takers.begin[s->list[at] + 1] && s->n_chosen < HF_FEWEST_TERMINALS; i++) {
        s->chosen[s->n_chosen++] = s->p->takers.item[i];
        hit(s, at + 1);
        s->n_chosen--;
    }
}

hf_status hf_fewest_isolate(hf_context *cx, const hf_universe *universe, hf_fewest *out) {
    const hf_topology *topo = universe->topo;
    problem p = {.cx = cx, .topo = topo, .universe = universe};
    *out = (hf_fewest){.is_exact = true, .source = HF_NONE, .destination = HF_NONE};
    HF_TRY(hf_scratch(cx, universe->n_component, sizeof *out->component, (void **)&out->component));
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(list_takers(&p));
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        cover out_of = {&p,
                        topo->out_list + topo->out_begin[v],
                        topo->out_begin[v + 1] - topo->out_begin[v],
                        {0},
                        0,
                        out,
                        v - topo->n_switch};
        cover into = {
            &p, topo->in_list + topo->in_begin[v], topo->in_begin[v + 1] - topo->in_begin[v], {0}, 0, out, v - topo->n_switch};
        hit(&out_of, 0);
        hit(&into, 0);
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}
