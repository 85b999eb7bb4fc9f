/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of each orbit of the symmetries, grown a component at a time. A set of k - 1 that stands for its orbit is extended by
 * one component for each orbit of the components under its stabiliser. A set T can be had so from each of its components, up to
 * symmetry; it is kept where the new one is its canonical component (canonical augmentation, mckay1998iso), so no set has to be
 * remembered. What it stands for follows by counting pairs (set, component of it) twice. Sets of the largest size need not be
 * kept, and so not be told apart: each is met once for each of its components. */
#include "src/campaign/orbits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/campaign/size.h"
#include "src/campaign/work.h"
#include "src/core/clock.h"

enum { COMPONENTS_MOST = 4096, ESTIMATED = 20000 /* verdicts */ };
static const double tell_every_s = 0.1;

typedef struct walk {
    hf_context *cx;
    hf_judge *judge;             /* NULL: verdicts are counted and not asked for */
    const hf_campaign *campaign; /* NULL, or: of each orbit of the sizes asked for one set is measured */
    hf_tally **tally;            /* f_most + 1, with a campaign: NULL where a size is not asked for */
    hf_progress progress;
    double told_s, progress_from_s;
    bool fixes_terminals;
    hf_orbits_graph net;
    uint32_t m, f_most;
    uint32_t *pair;   /* m x m: a number of the orbit of each ordered pair of components */
    uint32_t *root;   /* f_most + 1 times m: of the set of each size, the lowest component of each orbit of its stabiliser */
    uint32_t *size;   /* likewise: components of the orbit with that lowest one, outside the set */
    uint32_t *set;    /* f_most + 1 */
    uint32_t *colour; /* of net, with the set marked */
    uint32_t *label;
    uint64_t *value;        /* 2 (f_most + 1) */
    hf_u128 *stood_for;     /* by size: of the sets that were kept */
    hf_u128 *not_tolerated; /* by size, each set as many times as it has components */
    uint64_t kept, verdicts;
} walk;

/* ---- orbits ---- */

static uint32_t root_of(uint32_t *root, uint32_t i) {
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

static void unite(uint32_t *root, uint32_t i, uint32_t j) {
    const uint32_t x = root_of(root, i), y = root_of(root, j);
    root[x < y ? y : x] = x < y ? x : y;
}

static void flatten(uint32_t *root, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        root[i] = root_of(root, i);
    }
}

/* A generator takes the pairs of `i` to others. */
static void unite_pairs(walk *w, const uint32_t *to, uint32_t i) {
    const uint32_t m = w->m;
    for (uint32_t j = 0; j < m; j++) {
        unite(w->pair, i * m + j, to[i] * m + to[j]);
        unite(w->pair, j * m + i, to[j] * m + to[i]);
    }
}

/* The orbits of ordered pairs, from generators of the group; these move few components each. */
static void find_pairs(walk *w, const uint32_t *generator, size_t n) {
    const uint32_t m = w->m;
    for (uint32_t i = 0; i < m * m; i++) {
        w->pair[i] = i;
    }
    for (size_t g = 0; g < n; g++) {
        const uint32_t *to = generator + g * w->net.n_node;
        for (uint32_t i = 0; i < m; i++) {
            if (to[i] != i) {
                unite_pairs(w, to, i);
            }
        }
    }
    flatten(w->pair, m * m);
}

/* The orbits of components under the stabiliser of the first k of the set. */
static hf_status find_orbits(walk *w, uint32_t k, char **order) {
    const hf_mark mark = hf_scratch_mark(w->cx);
    uint32_t *generator, *root = w->root + (size_t)k * w->m;
    size_t n;
    memcpy(w->colour, w->net.colour, w->net.n_node * sizeof *w->colour);
    for (uint32_t i = 0; i < k; i++) {
        w->colour[w->set[i]] += w->net.n_colour;
    }
    HF_TRY(hf_igraph_automorphisms(w->cx, w->net.graph, w->colour, &generator, &n, order));
    for (uint32_t i = 0; i < w->m; i++) {
        root[i] = i;
    }
    for (size_t g = 0; g < n; g++) {
        for (uint32_t i = 0; i < w->m; i++) {
            unite(root, i, generator[g * w->net.n_node + i]);
        }
    }
    flatten(root, w->m);
    if (k == 0) {
        find_pairs(w, generator, n);
    }
    hf_scratch_reset(w->cx, mark);
    return HF_OK;
}

/* ---- the canonical component ---- */

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A value of each of the k components that symmetries keep: from its pairs with the others, and from their values. */
static const uint64_t *find_values(walk *w, uint32_t k) {
    uint64_t *first = w->value, *second = w->value + w->f_most + 1;
    for (uint32_t i = 0; i < k; i++) {
        first[i] = 0;
        for (uint32_t j = 0; j < k; j++) {
            first[i] += mix(w->pair[(size_t)w->set[i] * w->m + w->set[j]] + UINT64_C(0x9e3779b97f4a7c15));
        }
    }
    for (uint32_t i = 0; i < k; i++) {
        second[i] = mix(first[i]);
        for (uint32_t j = 0; j < k; j++) {
            second[i] += mix(first[j] ^ mix(w->pair[(size_t)w->set[i] * w->m + w->set[j]] + 1));
        }
    }
    return second;
}

/* Of those with the largest value the one with the lowest canonical label. All of them are in the orbit of the last, or not.
 * \param[out] is_canonical is the last of the k components in the orbit of the canonical one? */
static hf_status settle_tie(walk *w, uint32_t k, const uint64_t *value, bool *is_canonical) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    const uint32_t last = w->set[k - 1];
    uint32_t best = last;
    bool is_one_orbit = true;
    for (uint32_t i = 0; i < k; i++) {
        is_one_orbit = is_one_orbit && (value[i] != value[k - 1] || root[w->set[i]] == root[last]);
    }
    *is_canonical = true;
    if (is_one_orbit) {
        return HF_OK;
    }
    HF_TRY(hf_igraph_canonical(w->cx, w->net.graph, w->colour, w->label));
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t c = w->set[i];
        best = value[i] == value[k - 1] && w->label[c] < w->label[best] ? c : best;
    }
    *is_canonical = root[best] == root[last];
    return HF_OK;
}

/* Is the last of the k components the canonical one? If so, the orbits under the stabiliser of the set are found, too. */
static hf_status is_kept(walk *w, uint32_t k, bool *out) {
    const uint64_t *value = find_values(w, k);
    for (uint32_t i = 0; i < k; i++) {
        if (value[i] > value[k - 1]) {
            *out = false;
            return HF_OK;
        }
    }
    HF_TRY(find_orbits(w, k, NULL));
    return settle_tie(w, k, value, out);
}

/* ---- the walk ---- */

static hf_status decide(walk *w, uint32_t k, hf_u128 pairs) {
    hf_measure measure = {.tolerated = true};
    w->verdicts++;
    if (w->judge) {
        const hf_judge_ops *ops = w->judge->ops;
        HF_TRY((ops->verdict ? ops->verdict : ops->read)(w->cx, w->judge, &measure));
    }
    w->not_tolerated[k] += measure.tolerated ? 0 : pairs;
    return HF_OK;
}

static void tell(walk *w, uint32_t k, uint64_t sets) {
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
static hf_status measure_for(walk *w, uint32_t k, uint64_t sets) {
    hf_tally *tally = w->tally[k];
    hf_measure measure;
    if (!tally) {
        return HF_OK;
    }
    HF_TRY(w->judge->ops->read(w->cx, w->judge, &measure));
    w->verdicts++;
    tally->sets += sets;
    tally->not_tolerated += measure.tolerated ? 0 : sets;
    tally->outcome[measure.outcome % HF_OUTCOMES] += sets;
    tell(w, k, sets);
    return HF_OK;
}

/* How many of the k components are in the orbit of the last one. */
static uint32_t orbit_in_set(const walk *w, uint32_t k) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    uint32_t n = 0;
    for (uint32_t i = 0; i < k; i++) {
        n += root[w->set[i]] == root[w->set[k - 1]];
    }
    return n;
}

static hf_status extend(walk *w, uint32_t k, hf_u128 sets);

/* One more component has failed, the last of now k. \param[in] pairs such sets with such a component in them */
static hf_status grow(walk *w, uint32_t k, hf_u128 pairs) {
    bool is_one = false;
    if (!w->campaign) {
        HF_TRY(decide(w, k, pairs));
    }
    if (k < w->f_most || w->campaign) {
        HF_TRY(is_kept(w, k, &is_one));
    }
    return is_one ? extend(w, k, pairs / orbit_in_set(w, k)) : HF_OK;
}

/* Is the present set with any one component more tolerated? */
static bool is_safe(const walk *w) { return w->judge && w->judge->ops->safe && w->judge->ops->safe(w->judge, 1); }

/* \param[in] sets in the orbit of the set of k, which the judge holds */
static hf_status extend(walk *w, uint32_t k, hf_u128 sets) {
    const uint32_t *root = w->root + (size_t)k * w->m;
    uint32_t *size = w->size + (size_t)k * w->m;
    memset(size, 0, w->m * sizeof *size);
    w->stood_for[k] += sets;
    w->kept++;
    if (w->campaign) {
        HF_TRY(measure_for(w, k, (uint64_t)sets));
    }
    if (k == w->f_most) {
        return HF_OK;
    }
    for (uint32_t i = 0; i < w->m; i++) {
        size[root[i]]++;
    }
    for (uint32_t i = 0; i < k; i++) {
        size[w->set[i]] = 0;
        size[root[w->set[i]]] = 0;
    }
    hf_status status = HF_OK;
    if (!w->campaign && k + 1 == w->f_most && is_safe(w)) {
        return HF_OK;
    }
    for (uint32_t i = 0; i < w->m && status == HF_OK; i++) {
        if (size[i] > 0) {
            w->set[k] = i;
            status = w->judge ? w->judge->ops->push(w->cx, w->judge, i) : HF_OK;
            if (status == HF_OK) {
                status = grow(w, k + 1, sets * size[i]);
                if (w->judge) {
                    w->judge->ops->pop(w->judge);
                }
            }
        }
        status = status == HF_OK ? hf_context_go_on(w->cx, "fault sets are decided") : status;
    }
    return status;
}

/* ---- before and after ---- */

static hf_status refuse_flows(hf_context *cx, const hf_rule *rule) {
    HF_FAIL(cx, HF_ENOTSUP, "method orbits takes all terminals for senders and receivers; \"%s\" has flows; use exhaustive",
            rule->spec);
}

static hf_status refuse_rule(const walk *w, const hf_rule *rule) {
    HF_FAIL(w->cx, HF_ENOTSUP,
            "method orbits needs a rule that goes by the network alone in what is asked; \"%s\" goes by numbers, ports, names or "
            "time "
            "as well; use exhaustive%s",
            rule->spec, w->campaign ? "" : ", or criterion connected or switches-connected");
}

static bool has_single_links(const hf_universe *u) {
    bool holds = true;
    for (uint32_t i = 0; i < u->n_component && holds; i++) {
        const uint32_t first = u->channel_begin[i], n = u->channel_begin[i + 1] - first;
        holds =
            u->switch_begin[i] == u->switch_begin[i + 1] && n > 0 && u->topo->link[u->channel[first]] < u->topo->n_switch_link;
        for (uint32_t j = 1; j < n && holds; j++) {
            holds = u->topo->link[u->channel[first + j]] == u->topo->link[u->channel[first]];
        }
    }
    return holds;
}

/* Is what is asked the same for sets that symmetries take to one another? \param[in] needs HF_SYMMETRIC_*, any of them does */
static hf_status check_claim(walk *w, const hf_universe *universe, const hf_rule *rule, unsigned needs) {
    const hf_routing *routing = rule->routing;
    HF_TRY(rule->flows ? refuse_flows(w->cx, rule) : HF_OK);
    const hf_symmetric claim = routing->symmetric ? routing->symmetric(universe->topo, &rule->args) : (hf_symmetric){0};
    if (!(claim.of & needs)) {
        return refuse_rule(w, rule);
    }
    if (w->f_most > claim.f_most) {
        HF_FAIL(w->cx, HF_ENOTSUP,
                "method orbits takes \"%s\" on \"%s\" up to f=%" PRIu32
                ", as its registers merge by the order of faults beyond; use "
                "exhaustive or sampled",
                rule->spec, universe->topo->spec, claim.f_most);
    }
    if (claim.fixes_terminals && !has_single_links(universe)) {
        HF_FAIL(
            w->cx, HF_ENOTSUP,
            "method orbits takes \"%s\" only where every component is a link or a channel between switches, not universe \"%s\"",
            rule->spec, universe->spec);
    }
    w->fixes_terminals = claim.fixes_terminals;
    return HF_OK;
}

static hf_status check_criterion(walk *w, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion) {
    const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;
    HF_TRY(rule->flows ? refuse_flows(w->cx, rule) : HF_OK);
    return criterion->flags & asks_network ? HF_OK : check_claim(w, universe, rule, HF_SYMMETRIC_TOLERANCE);
}

/* The numbers that are kept reach f C(m, f). */
static hf_status check_size(hf_context *cx, uint32_t m, uint32_t f) {
    hf_big *all;
    hf_u128 number;
    if (m > COMPONENTS_MOST) {
        HF_FAIL(cx, HF_ENOTSUP, "method orbits takes at most %d components; the universe has %" PRIu32, COMPONENTS_MOST, m);
    }
    HF_TRY(hf_big_new(cx, &all));
    bool fits = true;
    for (uint32_t k = 0; k <= f && fits; k++) {
        hf_big_binomial(all, m, k);
        hf_big_mul_u64(all, k + 1);
        fits = hf_big_get_u128(all, &number);
    }
    hf_big_free(all);
    if (!fits) {
        HF_FAIL(cx, HF_ERANGE, "method orbits counts up to 2^128; C(%" PRIu32 ", %" PRIu32 ") is more", m, f);
    }
    return HF_OK;
}

static hf_status make_room(walk *w) {
    const size_t n = (size_t)w->f_most + 1;
    HF_TRY(hf_scratch(w->cx, (size_t)w->m * w->m, sizeof *w->pair, (void **)&w->pair));
    HF_TRY(hf_scratch(w->cx, n * w->m, sizeof *w->root, (void **)&w->root));
    HF_TRY(hf_scratch(w->cx, n * w->m, sizeof *w->size, (void **)&w->size));
    HF_TRY(hf_scratch(w->cx, n, sizeof *w->set, (void **)&w->set));
    HF_TRY(hf_scratch(w->cx, w->net.n_node, sizeof *w->colour, (void **)&w->colour));
    HF_TRY(hf_scratch(w->cx, w->net.n_node, sizeof *w->label, (void **)&w->label));
    HF_TRY(hf_scratch(w->cx, 2 * n, sizeof *w->value, (void **)&w->value));
    HF_TRY(hf_scratch(w->cx, n, sizeof *w->stood_for, (void **)&w->stood_for));
    return hf_scratch(w->cx, n, sizeof *w->not_tolerated, (void **)&w->not_tolerated);
}

/* \return HF_ENOTSUP where no component can take the place of another */
static hf_status start(walk *w, const hf_universe *universe, char **order) {
    bool is_trivial = true;
    HF_TRY(hf_orbits_graph_make(w->cx, universe, w->fixes_terminals, &w->net));
    HF_TRY(make_room(w));
    HF_TRY(find_orbits(w, 0, order));
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
static hf_status check_sums(walk *w) {
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

static void say_how(const walk *w, const char *order, char *how, size_t size) {
    const uint32_t most = w->campaign || w->f_most == 0 ? w->f_most : w->f_most - 1;
    (void)snprintf(how, size,
                   "Orbits, not all sets: %s symmetries%s; %" PRIu64 " set%s stood for all of up to %" PRIu32 ", %" PRIu64
                   " verdict%s.",
                   order, w->fixes_terminals ? " that fix every terminal" : "", w->kept, w->kept == 1 ? "" : "s", most,
                   w->verdicts, w->verdicts == 1 ? "" : "s");
}

static hf_status finish(const walk *w, const char *order, hf_counted *out) {
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
static hf_status walk_all(walk *w) {
    HF_TRY(w->campaign ? HF_OK : decide(w, 0, 1));
    if (w->f_most > 0 || w->campaign) {
        HF_TRY(extend(w, 0, 1));
    }
    return check_sums(w);
}

static void end(walk *w, char *order) {
    hf_judge_free(w->judge);
    hf_igraph_free(w->net.graph);
    hf_release(hf_context_allocator(w->cx), order);
}

static walk begin(hf_context *cx, const hf_universe *universe, uint32_t f_most) {
    const uint32_t m = universe->n_component;
    return (walk){.cx = cx, .m = m, .f_most = f_most < m ? f_most : m};
}

static hf_status run(walk *w, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion, char **order,
                     hf_counted *out) {
    HF_TRY(check_criterion(w, universe, rule, criterion));
    HF_TRY(check_size(w->cx, w->m, w->f_most));
    HF_TRY(start(w, universe, order));
    HF_TRY(hf_judge_new(w->cx, universe, rule, criterion, &w->judge));
    HF_TRY(walk_all(w));
    return finish(w, *order, out);
}

hf_status hf_orbits_run(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                        uint32_t f_most, hf_counted **out) {
    hf_counted *counted;
    char *order = NULL;
    walk w = begin(cx, universe, f_most);
    HF_TRY(hf_allocate(cx, 1, sizeof *counted, (void **)&counted));
    *counted = (hf_counted){.m = w.m, .reach = w.f_most, .allocator = *hf_context_allocator(cx)};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run(&w, universe, rule, criterion, &order, counted);
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

static hf_status count_verdicts(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                                uint32_t f_most, double *verdicts) {
    char *order = NULL;
    walk w = begin(cx, universe, f_most);
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = check_criterion(&w, universe, rule, criterion);
    status = status == HF_OK ? check_size(cx, w.m, w.f_most) : status;
    status = status == HF_OK ? start(&w, universe, &order) : status;
    status = status == HF_OK ? walk_all(&w) : status;
    end(&w, order);
    hf_scratch_reset(cx, mark);
    *verdicts = (double)w.verdicts;
    return status;
}

/* The growth from one size to the next falls, as sets get more of one kind. */
hf_status hf_orbits_estimate(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                             uint32_t f_most, double *verdicts) {
    double before = 1, now = 1;
    uint32_t f = 0;
    walk w = begin(cx, universe, f_most);
    HF_TRY(check_criterion(&w, universe, rule, criterion));
    while (f < w.f_most && now < ESTIMATED) {
        before = now;
        f++;
        HF_TRY(count_verdicts(cx, universe, rule, criterion, f, &now));
    }
    *verdicts = now * pow(now / before, w.f_most - f);
    return HF_OK;
}

/* ---- campaigns ---- */

static hf_status begin_row(hf_context *cx, const hf_campaign *c, uint32_t f, hf_row *row) {
    hf_row_size size;
    HF_TRY(hf_row_size_find(cx, c, f, &size));
    *row = (hf_row){.f = f, .hi = size.total, .total = size.total, .method = HF_METHOD_ORBITS, .is_whole = true};
    HF_TRY(hf_tally_init(cx, c, f, &row->tally));
    return hf_row_population(cx, c, f, &row->population);
}

static hf_status run_campaign(walk *w, hf_result *result, char **order) {
    const hf_campaign *c = w->campaign;
    const double from_s = hf_clock_s();
    w->progress_from_s = w->told_s = from_s;
    HF_TRY(check_claim(w, c->universe, c->rule, c->inquiry->symmetric));
    HF_TRY(hf_scratch(w->cx, (size_t)w->f_most + 1, sizeof *w->tally, (void **)&w->tally));
    for (size_t i = 0; i < c->n_f; i++) {
        hf_row *row = &result->row[result->n_row++];
        HF_TRY(begin_row(w->cx, c, c->f[i], row));
        w->tally[c->f[i]] = &row->tally;
        w->progress.all_total += row->total;
    }
    w->progress.total = w->progress.all_total;
    HF_TRY(check_size(w->cx, w->m, w->f_most));
    HF_TRY(start(w, c->universe, order));
    HF_TRY(c->inquiry->judge(w->cx, c->inquiry->user, c->universe, c->rule, &w->judge));
    HF_TRY(walk_all(w));
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
    uint32_t most = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        most = c->f[i] > most ? c->f[i] : most;
    }
    if (c->n_part > 1) {
        HF_FAIL(cx, HF_EINVAL, "--part goes with methods that walk over sets; --method orbits does not");
    }
    walk w = begin(cx, c->universe, most);
    w.campaign = c;
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run_campaign(&w, result, &order);
    end(&w, order);
    hf_scratch_reset(cx, mark);
    return status;
}
