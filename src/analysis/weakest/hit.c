/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components whose loss is not tolerated, where more faults never mend, by hitting sets that are made on the way
 *  [chandrasekaran2011].
 *
 *  A support is a set of components such that the loss of all others together is tolerated. Where more faults never mend, every
 *  set that is not tolerated has a component of every support. A program asks for the smallest set that has one of each support
 *  found so far; if its loss is not tolerated it is smallest of all. If it is, it is grown until nothing can be added, and what
 *  is left is a new support. Supports without a common component are looked for first: their number is a bound by itself. */
#include <holdfast/analysis/weakest.h>

#include <string.h>

#include "src/bridge/glpk.h"
#include "src/core/clock.h"

typedef struct search {
    hf_context *cx;
    const hf_universe *universe;
    hf_judge *judge;
    uint32_t m;
    bool *is_lost; /**< m: is the component in the set that the judge holds? */
    uint32_t n_lost;
    uint32_t *set, n;         /**< the smallest that hits all supports */
    uint32_t *lost, *support; /**< m each: scratch */
    hf_milp *milp;
    double end_s;
    hf_weakest *out;
} search;

static hf_status read(search *s, bool *is_tolerated) {
    const hf_judge_ops *ops = s->judge->ops;
    hf_measure measure = {0};
    HF_TRY((ops->verdict ? ops->verdict : ops->read)(s->cx, s->judge, &measure));
    *is_tolerated = measure.tolerated;
    hf_big_add_u128(s->out->looked, 1);
    return HF_OK;
}

static hf_status lose(search *s, uint32_t component) {
    HF_TRY(s->judge->ops->push(s->cx, s->judge, component));
    s->is_lost[component] = true;
    s->n_lost++;
    return HF_OK;
}

static void take_back(search *s, uint32_t component) {
    s->judge->ops->pop(s->judge);
    s->is_lost[component] = false;
    s->n_lost--;
}

/** Lose these and no others. */
static hf_status lose_all(search *s, const uint32_t *component, uint32_t n, bool *is_tolerated) {
    for (; s->n_lost > 0; s->n_lost--) {
        s->judge->ops->pop(s->judge);
    }
    memset(s->is_lost, 0, s->m * sizeof *s->is_lost);
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(lose(s, component[i]));
    }
    return read(s, is_tolerated);
}

/** Grow the tolerated set that is lost; what cannot be lost with it is a support, and a row of the program.
 *  \param[out] n its components; 0: everything can be lost */
static hf_status add_support(search *s, uint32_t start, uint32_t *n) {
    *n = 0;
    for (uint32_t i = 0; i < s->m; i++) {
        const uint32_t c = (start + i) % s->m;
        bool is_tolerated;
        if (s->is_lost[c]) {
            continue;
        }
        HF_TRY(hf_context_go_on(s->cx, "looking for the fewest components"));
        HF_TRY(lose(s, c));
        HF_TRY(read(s, &is_tolerated));
        if (!is_tolerated) {
            take_back(s, c);
            s->support[(*n)++] = c;
        }
    }
    if (*n == 0) {
        return HF_OK;
    }
    for (uint32_t i = 0; i < *n; i++) {
        hf_milp_term(s->milp, 1, s->support[i]);
        HF_TRY(hf_weakest_list_item(s->cx, &s->out->support, s->support[i]));
    }
    HF_TRY(hf_weakest_list_end(s->cx, &s->out->support));
    return hf_milp_at_least(s->milp, 1);
}

/** Supports that have nothing in common with the set, nor with each other, as long as there are some. */
static hf_status add_supports(search *s, uint32_t start) {
    uint32_t n_lost = s->n, n = 1;
    bool is_tolerated = true;
    memcpy(s->lost, s->set, s->n * sizeof *s->lost);
    while (is_tolerated && hf_clock_s() < s->end_s) {
        HF_TRY(add_support(s, start, &n));
        if (n == 0) {
            return HF_OK;
        }
        memcpy(s->lost + n_lost, s->support, n * sizeof *s->lost);
        n_lost += n;
        HF_TRY(lose_all(s, s->lost, n_lost, &is_tolerated));
    }
    return HF_OK;
}

/** The smallest set with a component of each support. \param[out] is_solved false: time was over */
static hf_status solve(search *s, bool *is_solved) {
    hf_milp_answer answer = HF_MILP_UNDECIDED;
    bool has_solution = false;
    const double left = s->end_s - hf_clock_s();
    HF_TRY(left > 0 ? hf_milp_solve(s->milp, left, &answer, &has_solution) : HF_OK);
    *is_solved = answer == HF_MILP_OPTIMAL;
    s->n = 0;
    for (uint32_t c = 0; *is_solved && c < s->m; c++) {
        if (hf_milp_value(s->milp, c)) {
            s->set[s->n++] = c;
        }
    }
    return HF_OK;
}

static hf_status run(search *s) {
    hf_weakest *out = s->out;
    bool is_tolerated, is_solved = true;
    for (uint32_t turn = 0; is_solved; turn++) {
        HF_TRY(lose_all(s, s->set, s->n, &is_tolerated));
        if (!is_tolerated) {
            memcpy(out->component, s->set, s->n * sizeof *s->set);
            out->n = s->n;
            out->is_possible = out->is_exact = true;
            out->proof = HF_WEAKEST_SUPPORTS;
            return HF_OK;
        }
        const uint32_t before = out->support.n;
        HF_TRY(add_supports(s, turn));
        if (out->support.n == before && hf_clock_s() < s->end_s) { /* all components together are tolerated */
            out->is_exact = true;
            out->is_possible = false;
            out->least = s->m + 1;
            out->proof = HF_WEAKEST_SUPPORTS;
            return HF_OK;
        }
        HF_TRY(solve(s, &is_solved));
        out->least = is_solved && s->n > out->least ? s->n : out->least;
    }
    return HF_OK;
}

static hf_status open_search(search *s, const hf_rule *rule, const hf_criterion *criterion) {
    HF_TRY(hf_scratch(s->cx, s->m, sizeof *s->is_lost, (void **)&s->is_lost));
    HF_TRY(hf_scratch(s->cx, s->m, sizeof *s->set, (void **)&s->set));
    HF_TRY(hf_scratch(s->cx, s->m, sizeof *s->lost, (void **)&s->lost));
    HF_TRY(hf_scratch(s->cx, s->m, sizeof *s->support, (void **)&s->support));
    HF_TRY(hf_milp_new(s->cx, &s->milp));
    for (uint32_t i = 0; i < s->m; i++) {
        HF_TRY(hf_milp_add_binary(s->milp, 1, NULL));
    }
    return hf_judge_new(s->cx, s->universe, rule, criterion, &s->judge);
}

hf_status hf_weakest_hit(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                         double limit_s, hf_weakest *out) {
    search s = {.cx = cx, .universe = universe, .m = universe->n_component, .end_s = hf_clock_s() + limit_s, .out = out};
    if (!hf_weakest_is_monotone(universe, rule, criterion)) {
        HF_FAIL(cx, HF_ENOTSUP, "more faults may mend what \"%s\" breaks by \"%s\" among %s", rule->spec, criterion->spec,
                universe->spec);
    }
    hf_status status = open_search(&s, rule, criterion);
    status = status == HF_OK ? run(&s) : status;
    hf_judge_free(s.judge);
    hf_milp_free(s.milp);
    return status;
}
