/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One set of each orbit of the symmetries, grown a component at a time. A set of k - 1 that stands for its orbit is extended by
 *  one component for each orbit of the components under its stabiliser. A set T can be had so from each of its components, up to
 *  symmetry; it is kept where the new one is its canonical component (canonical augmentation, mckay1998iso), so no set has to be
 *  remembered. What it stands for follows by counting pairs (set, component of it) twice. Sets of the largest size need not be
 *  kept, and so not be told apart: each is met once for each of its components. */
#include "src/campaign/orbits_walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/campaign/size.h"
#include "src/campaign/work.h"
#include "src/core/clock.h"

enum { PROBED = 24 /* sets of a size */ };
static const double tell_every_s = 0.1;

/* ---- the walk ---- */

/* Where it goes by the order of failing, the judge has no component between two questions, and all in ascending order for one. */
static bool keeps_set(const hf_orbits_walk *w) { return w->judge && !w->claim.by_links; }

static hf_status push(hf_orbits_walk *w, uint32_t component) {
    return keeps_set(w) ? w->judge->ops->push(w->cx, w->judge, component) : HF_OK;
}

static void pop(hf_orbits_walk *w) {
    if (keeps_set(w)) {
        w->judge->ops->pop(w->judge);
    }
}

/* \param[out] n components that were pushed and are to be popped */
static hf_status push_all(hf_orbits_walk *w, uint32_t k, uint32_t *n) {
    *n = 0;
    if (keeps_set(w)) {
        return HF_OK;
    }
    for (uint32_t i = 0; i < k; i++) {
        uint32_t at = i;
        for (; at > 0 && w->sorted[at - 1] > w->set[i]; at--) {
            w->sorted[at] = w->sorted[at - 1];
        }
        w->sorted[at] = w->set[i];
    }
    for (; *n < k; ++*n) {
        HF_TRY(w->judge->ops->push(w->cx, w->judge, w->sorted[*n]));
    }
    return HF_OK;
}

static void pop_all(hf_orbits_walk *w, uint32_t n) {
    for (; n > 0; n--) {
        w->judge->ops->pop(w->judge);
    }
}

typedef hf_status question(hf_context *cx, hf_judge *judge, hf_measure *out);

/* What the judge says of the present set of k. */
static hf_status ask(hf_orbits_walk *w, uint32_t k, question *what, hf_measure *out) {
    uint32_t n;
    hf_status status = push_all(w, k, &n);
    status = status == HF_OK ? what(w->cx, w->judge, out) : status;
    pop_all(w, n);
    return status;
}

static hf_status decide(hf_orbits_walk *w, uint32_t k, hf_u128 pairs) {
    hf_measure measure = {.tolerated = true};
    w->verdicts++;
    w->estimated += w->weight;
    if (w->judge) {
        const hf_judge_ops *ops = w->judge->ops;
        HF_TRY(ask(w, k, ops->verdict ? ops->verdict : ops->read, &measure));
    }
    w->not_tolerated[k] += measure.tolerated ? 0 : pairs;
    return HF_OK;
}

static void tell(hf_orbits_walk *w, uint32_t k, uint64_t sets) {
    const hf_campaign *c = w->campaign;
    const double now = hf_clock_s();
    w->progress.f = k;
    w->progress.all_done += sets;
    w->progress.done = w->progress.all_done;
    w->progress.elapsed_s = now - w->progress_from_s;
    w->progress.sets_per_s = w->progress.elapsed_s > 0 ? (double)w->progress.all_done / w->progress.elapsed_s : 0;
    if (c->progress && now - w->told_s > tell_every_s) {
        w->told_s = now;
        c->progress(c->progress_user, &w->progress);
    }
}

/* The set of k stands for so many; numbers of sets were checked to fit. */
static hf_status measure_for(hf_orbits_walk *w, uint32_t k, uint64_t sets) {
    hf_tally *tally = w->tally[k];
    hf_measure measure;
    if (!tally) {
        return HF_OK;
    }
    w->verdicts++;
    w->estimated += w->weight;
    if (!w->judge) {
        return HF_OK;
    }
    HF_TRY(ask(w, k, w->judge->ops->read, &measure));
    tally->sets += sets;
    tally->not_tolerated += measure.tolerated ? 0 : sets;
    tally->outcome[measure.outcome % HF_OUTCOMES] += sets;
    hf_tally_add_quantities(tally, &measure, sets);
    tell(w, k, sets);
    return w->kinds ? hf_orbits_remember(w, k, &measure) : HF_OK;
}

/* How many of the k components are in the orbit of the last one. */
static uint32_t orbit_in_set(const hf_orbits_walk *w, uint32_t k) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    uint32_t n = 1; /* the last itself */
    for (uint32_t i = 0; i + 1 < k; i++) {
        n += root[w->set[i]] == root[w->set[k - 1]];
    }
    return n;
}

static hf_status extend(hf_orbits_walk *w, uint32_t k, hf_u128 sets);

/* The component has failed, the last of now k. */
static hf_status look_at(hf_orbits_walk *w, uint32_t k, hf_u128 pairs, bool *is_one) {
    *is_one = false;
    HF_TRY(push(w, w->set[k - 1]));
    hf_status status = w->campaign ? HF_OK : decide(w, k, pairs);
    if (status == HF_OK && (k < w->f_most || w->campaign)) {
        status = hf_orbits_is_kept(w, k, is_one);
    }
    if (status == HF_OK && w->campaign && *is_one) {
        status = measure_for(w, k, (uint64_t)(pairs / orbit_in_set(w, k)));
    }
    if (status != HF_OK) {
        pop(w);
    }
    return status;
}

/* One more component fails, the last of then k. \param[in] pairs such sets with such a component in them */
static hf_status grow(hf_orbits_walk *w, uint32_t k, hf_u128 pairs) {
    const double from_s = w->share ? hf_clock_cpu_s() : 0;
    bool is_one;
    HF_TRY(look_at(w, k, pairs, &is_one));
    w->core_s += w->share ? w->weight * (hf_clock_cpu_s() - from_s) : 0;
    const hf_status status = is_one ? extend(w, k, pairs / orbit_in_set(w, k)) : HF_OK;
    pop(w);
    return status;
}

/* Is the present set of k with any one component more tolerated? */
static hf_status find_safe(hf_orbits_walk *w, uint32_t k, bool *out) {
    uint32_t n;
    *out = false;
    if (!w->judge || !w->judge->ops->safe) {
        return HF_OK;
    }
    const hf_status status = push_all(w, k, &n);
    *out = status == HF_OK && w->judge->ops->safe(w->judge, 1);
    pop_all(w, n);
    return status;
}

/* How many components each orbit has outside the set. */
static void find_sizes(hf_orbits_walk *w, uint32_t k) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    uint32_t *size = w->size + (size_t)k * w->m;
    memset(size, 0, w->m * sizeof *size);
    for (uint32_t i = 0; i < w->m; i++) {
        size[root[i]]++;
    }
    for (uint32_t i = 0; i < k; i++) {
        size[w->set[i]] = 0;
        size[root[w->set[i]]] = 0;
    }
}

static bool is_over(const hf_orbits_walk *w) { return w->until_s > 0 && hf_clock_s() > w->until_s; }

static hf_status extend_by_all(hf_orbits_walk *w, uint32_t k, hf_u128 sets) {
    const uint32_t *size = w->size + (size_t)k * w->m;
    bool is_safe = false;
    find_sizes(w, k);
    HF_TRY(!w->campaign && k + 1 == w->f_most ? find_safe(w, k, &is_safe) : HF_OK);
    if (is_safe) {
        for (uint32_t i = 0; i < w->m && w->share; i++) {
            w->skipped += size[i] > 0 ? w->weight : 0;
        }
        return HF_OK;
    }
    for (uint32_t i = 0; i < w->m && !is_over(w); i++) {
        if (size[i] > 0) {
            w->set[k] = i;
            HF_TRY(grow(w, k + 1, sets * size[i]));
        }
        HF_TRY(hf_context_go_on(w->cx, "fault sets are decided"));
    }
    return HF_OK;
}

/* Is the set one of those that are extended? */
static bool is_due(hf_orbits_walk *w, uint32_t k, double share) {
    if (!w->share) {
        return true;
    }
    w->due[k] += share;
    const bool is = w->due[k] >= 1;
    w->due[k] -= is;
    return is;
}

/* \param[in] sets in the orbit of the set of k, which the judge holds */
static hf_status extend(hf_orbits_walk *w, uint32_t k, hf_u128 sets) {
    const double weight = w->weight, share = w->share ? w->share[k] : 1;
    w->stood_for[k] += sets;
    w->kept++;
    if (k == w->f_most || !is_due(w, k, share)) {
        return HF_OK;
    }
    w->weight = weight / share;
    const hf_status status = extend_by_all(w, k, sets);
    w->weight = weight;
    return status;
}

/* ---- before and after ---- */

static hf_status make_room(hf_orbits_walk *w) {
    const size_t n = (size_t)w->f_most + 1;
    HF_TRY(hf_scratch(w->cx, (size_t)w->m * w->m, sizeof *w->pair, (void **)&w->pair));
    HF_TRY(hf_scratch(w->cx, n * w->m, sizeof *w->root, (void **)&w->root));
    HF_TRY(hf_scratch(w->cx, n * w->m, sizeof *w->size, (void **)&w->size));
    HF_TRY(hf_scratch(w->cx, n, sizeof *w->set, (void **)&w->set));
    HF_TRY(hf_scratch(w->cx, n, sizeof *w->sorted, (void **)&w->sorted));
    HF_TRY(hf_scratch(w->cx, w->net.n_node, sizeof *w->colour, (void **)&w->colour));
    HF_TRY(hf_scratch(w->cx, w->net.n_node, sizeof *w->label, (void **)&w->label));
    HF_TRY(hf_scratch(w->cx, 2 * n, sizeof *w->value, (void **)&w->value));
    HF_TRY(hf_scratch(w->cx, n, sizeof *w->stood_for, (void **)&w->stood_for));
    return hf_scratch(w->cx, n, sizeof *w->not_tolerated, (void **)&w->not_tolerated);
}

/* \return HF_ENOTSUP where no component can take the place of another */
static hf_status start(hf_orbits_walk *w, const hf_universe *universe, char **order) {
    bool is_trivial = true;
    HF_TRY(hf_orbits_graph_make(w->cx, universe, &w->claim, &w->net));
    HF_TRY(make_room(w));
    HF_TRY(hf_orbits_find(w, 0, order));
    for (uint32_t i = 0; i < w->m; i++) {
        is_trivial = is_trivial && w->root[i] == i;
    }
    if (is_trivial) {
        HF_FAIL(w->cx, HF_ENOTSUP,
                "method orbits finds no symmetry that moves a component of universe \"%s\" on \"%s\"; use exhaustive",
                universe->spec, universe->topo->spec);
    }
    return HF_OK;
}

/* Every set of each size up to `f_most` - 1 was stood for. */
static hf_status check_sums(hf_orbits_walk *w) {
    hf_big *all, *sum;
    bool is_right = true;
    HF_TRY(hf_big_new(w->cx, &all));
    const hf_status status = hf_big_new(w->cx, &sum);
    for (uint32_t k = 0; k < w->f_most + (w->campaign ? 1 : 0) && status == HF_OK; k++) {
        hf_big_binomial(all, w->m, k);
        hf_big_set(sum, w->stood_for[k]);
        is_right = is_right && hf_big_compare(all, sum) == 0;
    }
    hf_big_free(all);
    hf_big_free(status == HF_OK ? sum : NULL);
    HF_TRY(status);
    if (!is_right) {
        HF_FAIL(w->cx, HF_EINVAL,
                "method orbits lost or doubled sets: the sizes of its orbits do not add up; please report this");
    }
    return HF_OK;
}

static void say_how(const hf_orbits_walk *w, const char *order, char *how, size_t size) {
    const uint32_t most = w->campaign || w->f_most == 0 ? w->f_most : w->f_most - 1;
    char which[64] = "";
    if (w->claim.keeps) {
        (void)snprintf(which, sizeof which, " that keep the %s of every link", w->claim.keeps);
    }
    (void)snprintf(how, size,
                   "Orbits, not all sets: %s symmetries%s%s; %" PRIu64 " set%s stood for all of up to %" PRIu32 ", %" PRIu64
                   " verdict%s.",
                   order, w->claim.fixes_terminals ? " that fix every terminal" : "", which, w->kept, w->kept == 1 ? "" : "s",
                   most, w->verdicts, w->verdicts == 1 ? "" : "s");
}

static hf_status finish(const hf_orbits_walk *w, const char *order, hf_counted *out) {
    HF_TRY(hf_allocate(w->cx, (size_t)w->f_most + 1, sizeof *out->not_tolerated, (void **)&out->not_tolerated));
    for (uint32_t k = 0; k <= w->f_most; k++) {
        HF_TRY(hf_big_new(w->cx, &out->not_tolerated[k]));
        hf_big_set(out->not_tolerated[k], w->not_tolerated[k] / (k > 0 ? k : 1));
    }
    say_how(w, order, out->how, sizeof out->how);
    out->kept = w->kept;
    return HF_OK;
}

/* All orbits, from the empty set. */
static hf_status walk_all(hf_orbits_walk *w) {
    HF_TRY(w->campaign ? measure_for(w, 0, 1) : decide(w, 0, 1));
    if (w->f_most > 0 || w->campaign) {
        HF_TRY(extend(w, 0, 1));
    }
    return w->share ? HF_OK : check_sums(w);
}

static void end(hf_orbits_walk *w, char *order) {
    hf_judge_free(w->judge);
    hf_igraph_free(w->net.graph);
    hf_release(hf_context_allocator(w->cx), w->form);
    hf_release(hf_context_allocator(w->cx), order);
}

static hf_orbits_walk begin(hf_context *cx, const hf_universe *universe, uint32_t f_most) {
    const uint32_t m = universe->n_component;
    return (hf_orbits_walk){.cx = cx, .m = m, .f_most = f_most < m ? f_most : m, .weight = 1};
}

/* Is what is asked the same for sets that are alike? */
static hf_status claim(hf_orbits_walk *w, const hf_campaign *c) {
    const hf_inquiry *inquiry = c->inquiry;
    return hf_orbits_claim(w->cx, c->universe, c->rule, inquiry ? NULL : c->criterion,
                           inquiry ? inquiry->symmetric : HF_SYMMETRIC_TOLERANCE, w->f_most, &w->claim);
}

static hf_status new_judge(hf_orbits_walk *w, const hf_campaign *c) {
    return c->inquiry ? c->inquiry->judge(w->cx, c->inquiry->user, c->universe, c->rule, &w->judge)
                      : hf_judge_new(w->cx, c->universe, c->rule, c->criterion, &w->judge);
}

static hf_status run(hf_orbits_walk *w, const hf_campaign *c, char **order, hf_counted *out) {
    HF_TRY(claim(w, c));
    HF_TRY(start(w, c->universe, order));
    HF_TRY(new_judge(w, c));
    HF_TRY(walk_all(w));
    return finish(w, *order, out);
}

hf_status hf_orbits_run(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                        uint32_t f_most, hf_counted **out) {
    const hf_campaign c = {.universe = universe, .rule = rule, .criterion = criterion};
    hf_counted *counted;
    char *order = NULL;
    hf_orbits_walk w = begin(cx, universe, f_most);
    HF_TRY(hf_allocate(cx, 1, sizeof *counted, (void **)&counted));
    *counted = (hf_counted){.m = w.m, .reach = w.f_most, .allocator = *hf_context_allocator(cx)};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run(&w, &c, &order, counted);
    end(&w, order);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_counted_free(counted);
        return status;
    }
    *out = counted;
    return HF_OK;
}

/* ---- how many verdicts ---- */

static uint32_t most_of(const hf_campaign *c) {
    uint32_t most = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        most = c->f[i] > most ? c->f[i] : most;
    }
    return most;
}

/* What is asked for; of an inquiry the sizes are told apart. Nothing is kept of them. */
static hf_status ask_rows(hf_orbits_walk *w, const hf_campaign *c, const double *share, hf_tally *none) {
    HF_TRY(hf_scratch(w->cx, (size_t)w->f_most + 1, sizeof *w->due, (void **)&w->due));
    HF_TRY(hf_scratch(w->cx, (size_t)w->f_most + 1, sizeof *w->tally, (void **)&w->tally));
    for (uint32_t k = 0; k <= w->f_most; k++) {
        w->due[k] = share[k] < 1 ? 0.5 : 0;
    }
    for (size_t i = 0; i < c->n_f; i++) {
        if (c->f[i] <= w->f_most) {
            w->tally[c->f[i]] = none;
        }
    }
    w->share = share;
    w->campaign = c->inquiry ? c : NULL;
    return HF_OK;
}

/* Up to f below some sets of each size. \param[in] seconds 0: without verdicts, or with verdicts for so long */
static hf_status probe(hf_context *cx, const hf_campaign *c, uint32_t f, const double *share, double seconds,
                       hf_orbits_walk *out) {
    char *order = NULL;
    hf_tally none = {0};
    hf_orbits_walk w = begin(cx, c->universe, f);
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = claim(&w, c);
    status = status == HF_OK ? ask_rows(&w, c, share, &none) : status;
    status = status == HF_OK ? start(&w, c->universe, &order) : status;
    status = status == HF_OK && seconds > 0 ? new_judge(&w, c) : status;
    w.until_s = seconds > 0 ? hf_clock_s() + seconds : 0;
    status = status == HF_OK ? walk_all(&w) : status;
    end(&w, order);
    hf_scratch_reset(cx, mark);
    *out = w;
    return status;
}

/* Size by size: all sets while they are few, then some of each size, until there are more verdicts than that. \param[out] share
 * f_most + 1 */
static hf_status probe_sizes(hf_context *cx, const hf_campaign *c, uint32_t f_most, double verdicts_most, double *share,
                             hf_orbits_walk *out) {
    for (uint32_t f = 0; f <= f_most; f++) {
        share[f] = 1;
    }
    *out = (hf_orbits_walk){.estimated = 1, .verdicts = 1};
    for (uint32_t f = 1; f <= f_most && out->estimated <= verdicts_most; f++) {
        const uint64_t before = out->verdicts;
        HF_TRY(probe(cx, c, f, share, 0, out));
        /* Each of them is met some f times. */
        const double kept = (double)(out->verdicts > before ? out->verdicts - before : 1) / f;
        share[f] = kept > PROBED ? PROBED / kept : 1;
    }
    return HF_OK;
}

hf_status hf_orbits_estimate(hf_context *cx, const hf_campaign *c, double verdicts_most, double *verdicts) {
    const uint32_t most = most_of(c);
    double *share;
    hf_orbits_walk w;
    HF_TRY(hf_scratch(cx, (size_t)most + 1, sizeof *share, (void **)&share));
    HF_TRY(probe_sizes(cx, c, most, verdicts_most, share, &w));
    *verdicts = w.estimated;
    return HF_OK;
}

/* Verdicts make some larger sets certain, so that fewer are decided; where time was over, the rest is as what there was. */
hf_status hf_orbits_forecast(hf_context *cx, const hf_campaign *c, hf_forecast *forecast) {
    const uint32_t most = most_of(c), m = c->universe->n_component;
    double *share;
    hf_orbits_walk all, some;
    HF_TRY(hf_scratch(cx, (size_t)most + 1, sizeof *share, (void **)&share));
    HF_TRY(probe_sizes(cx, c, most, INFINITY, share, &all));
    HF_TRY(probe(cx, c, most, share, forecast->seconds, &some));
    const double met = some.estimated + some.skipped, part = met > 0 ? all.estimated / met : 0;
    return hf_forecast_add(cx, forecast,
                           (hf_forecast_row){.f = HF_NONE,
                                             .method = HF_METHOD_ORBITS,
                                             .what = "orbits",
                                             .threads = 1,
                                             .left = round(some.estimated * part),
                                             .looked = (double)some.verdicts,
                                             .core_s = some.core_s * part,
                                             .bytes = 4.0 * m * (m + 2.0 * most)});
}

/* ---- campaigns ---- */

static hf_status begin_row(hf_context *cx, const hf_campaign *c, uint32_t f, hf_row *row) {
    hf_row_size size;
    HF_TRY(hf_row_size_find(cx, c, f, &size));
    *row = (hf_row){.f = f, .hi = size.total, .total = size.total, .method = HF_METHOD_ORBITS, .is_whole = true};
    HF_TRY(hf_tally_init(cx, c, f, &row->tally));
    return hf_row_population(cx, c, f, &row->population);
}

static hf_status run_campaign(hf_orbits_walk *w, hf_result *result, char **order) {
    const hf_campaign *c = w->campaign;
    const double from_s = hf_clock_s();
    w->progress_from_s = w->told_s = from_s;
    HF_TRY(claim(w, c));
    HF_TRY(hf_scratch(w->cx, (size_t)w->f_most + 1, sizeof *w->tally, (void **)&w->tally));
    HF_TRY(hf_scratch(w->cx, (size_t)w->f_most + 1, sizeof *w->kinds, (void **)&w->kinds));
    for (size_t i = 0; i < c->n_f; i++) {
        hf_row *row = &result->row[result->n_row++];
        HF_TRY(begin_row(w->cx, c, c->f[i], row));
        w->tally[c->f[i]] = &row->tally;
        w->progress.all_total += row->total;
    }
    w->progress.total = w->progress.all_total;
    HF_TRY(start(w, c->universe, order));
    HF_TRY(new_judge(w, c));
    HF_TRY(walk_all(w));
    HF_TRY(hf_orbits_find_lowest(w));
    for (size_t i = 0; i < result->n_row; i++) {
        hf_row *row = &result->row[i];
        const double share = (double)row->tally.not_tolerated / (double)row->total;
        row->is_complete = row->is_exact = true;
        row->fraction = (hf_estimate){share, share, share, HF_INTERVAL_EXACT};
        row->wall_s = hf_clock_s() - from_s;
    }
    say_how(w, *order, result->how, sizeof result->how);
    return HF_OK;
}

hf_status hf_orbits_campaign(hf_context *cx, const hf_campaign *c, hf_result *result) {
    char *order = NULL;
    const uint32_t most = most_of(c);
    if (c->n_part > 1) {
        HF_FAIL(cx, HF_EINVAL, "--part goes with methods that walk over sets; --method orbits does not");
    }
    if (c->forecast) {
        HF_TRY(hf_orbits_forecast(cx, c, c->forecast));
        HF_FAIL(cx, HF_ESTOP, "a forecast, not the campaign");
    }
    hf_orbits_walk w = begin(cx, c->universe, most);
    w.campaign = c;
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run_campaign(&w, result, &order);
    end(&w, order);
    hf_scratch_reset(cx, mark);
    return status;
}
