/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates of `holdfast weakest`: that the set is lost, by the relation or by a search of the network, and that no smaller
 *  one is. Which pairs have to be connected, and whether more faults never mend, is read off the descriptors of rule and
 *  criterion. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/build.h>
#include <holdfast/core/combination.h>

#include "src/analysis/parting/parting.h"
#include "src/check/check.h"
#include "src/core/rows.h"

/* Sets that are looked at again, and steps of a search for a hitting set: beyond them it is left open. */
enum { SETS_MOST = 100000, STEPS_MOST = 10000000 };

typedef struct weakest {
    check *c;
    hf_topology *topo;
    hf_rule rule;
    hf_universe *universe;
    hf_criterion criterion;
    const hf_json *spec, *witness_names, *proof, *classes, *paths, *supports;
    bool is_possible; /* there is a witness */
    uint32_t *witness, n;
    hf_rows takers; /* components that take each channel down */
    /* what has to be hit: sets of components */
    hf_weakest_lists set;
    bool *is_chosen;
    uint32_t *stamp, turn, steps;
} weakest;

/* ---- reading ---- */

static hf_status refuse(const weakest *w, const char *field, const char *need) {
    HF_FAIL(w->c->cx, HF_EINVAL, "%s, %s is not right; need %s", w->c->file, field, need);
}

static hf_status read_certificate(weakest *w, const hf_json *root) {
    const hf_json *schema, *command, *program, *certificate, *name, *version;
    const hf_json_field of_root[] = {{"schema", HF_JSON_WHOLE, &schema},
                                     {"command", HF_JSON_TEXT, &command},
                                     {"program", HF_JSON_OBJECT, &program},
                                     {"spec", HF_JSON_OBJECT, &w->spec},
                                     {"certificate", HF_JSON_OBJECT, &certificate}};
    const hf_json_field of_program[] = {{"name", HF_JSON_TEXT, &name}, {"version", HF_JSON_TEXT, &version}};
    const hf_json_field of_certificate[] = {{"witness", HF_JSON_ARRAY | HF_JSON_NULL, &w->witness_names},
                                            {"proof", HF_JSON_TEXT, &w->proof},
                                            {"classes", HF_JSON_ARRAY | HF_JSON_NULL, &w->classes},
                                            {"paths", HF_JSON_ARRAY | HF_JSON_NULL, &w->paths},
                                            {"supports", HF_JSON_ARRAY | HF_JSON_NULL, &w->supports}};
    int64_t number;
    HF_TRY(hf_json_read(w->c->cx, w->c->file, root, of_root, 5));
    HF_TRY(hf_json_read(w->c->cx, w->c->file, program, of_program, 2));
    HF_TRY(hf_json_read(w->c->cx, w->c->file, certificate, of_certificate, 5));
    if (!hf_json_whole(schema, &number) || number != 1 || strcmp(hf_json_string(name), "holdfast") != 0) {
        return refuse(w, "schema or program.name", "1 and holdfast");
    }
    w->c->is.version = hf_json_string(version);
    w->is_possible = !hf_json_is_null(w->witness_names);
    return HF_OK;
}

static hf_status open_scene(weakest *w) {
    hf_context *cx = w->c->cx;
    const hf_json *topology, *routing, *universe, *criterion;
    const hf_json_field fields[] = {{"topology", HF_JSON_TEXT, &topology},
                                    {"routing", HF_JSON_TEXT, &routing},
                                    {"universe", HF_JSON_TEXT, &universe},
                                    {"criterion", HF_JSON_TEXT, &criterion}};
    uint32_t least;
    HF_TRY(hf_json_read(cx, w->c->file, w->spec, fields, 4));
    HF_TRY(hf_topology_new(cx, hf_json_string(topology), &w->topo));
    HF_TRY(hf_rule_init(cx, hf_json_string(routing), w->topo, &w->rule));
    HF_TRY(hf_universe_new(cx, w->topo, hf_json_string(universe), NULL, &w->universe));
    HF_TRY(hf_criterion_init(cx, hf_json_string(criterion), &w->criterion));
    HF_TRY(hf_criterion_least(cx, &w->criterion, w->topo, &least));
    if (strcmp(hf_json_string(topology), w->topo->spec) != 0 || strcmp(hf_json_string(routing), w->rule.spec) != 0 ||
        strcmp(hf_json_string(universe), w->universe->spec) != 0 || strcmp(hf_json_string(criterion), w->criterion.spec) != 0) {
        return refuse(w, "spec", "canonical specs");
    }
    const hf_rows channels = {.n = w->universe->n_component, .begin = w->universe->channel_begin, .item = w->universe->channel};
    return hf_rows_turn(cx, &channels, w->topo->n_channel, &w->takers);
}

static hf_status read_component(weakest *w, const hf_json *name, uint32_t *out) {
    const char *text = hf_json_string(name);
    char canonical[80] = "";
    hf_fault_set set = {.n_component = 0};
    HF_TRY(text ? hf_fault_set_parse(w->c->cx, w->topo, w->universe, text, &set) : HF_OK);
    if (set.n_component == 1) {
        *out = set.component[0];
        hf_universe_name(w->universe, *out, canonical, sizeof canonical);
    }
    return text && strcmp(text, canonical) == 0 ? HF_OK : refuse(w, "certificate.witness", "names of components, one each");
}

static hf_status read_witness(weakest *w) {
    w->n = w->is_possible ? (uint32_t)hf_json_count(w->witness_names) : w->universe->n_component + 1;
    HF_TRY(hf_scratch(w->c->cx, w->n + 1, sizeof *w->witness, (void **)&w->witness));
    for (uint32_t i = 0; w->is_possible && i < w->n; i++) {
        HF_TRY(read_component(w, hf_json_at(w->witness_names, i), &w->witness[i]));
        if (i > 0 && w->witness[i] <= w->witness[i - 1]) {
            return refuse(w, "certificate.witness", "components in the order of the universe");
        }
    }
    return HF_OK;
}

/* Lists of numbers below `end`. */
static hf_status read_lists(weakest *w, const hf_json *json, const char *field, uint32_t end, hf_weakest_lists *out) {
    for (size_t i = 0; i < hf_json_count(json); i++) {
        const hf_json *one = hf_json_at(json, i);
        if (hf_json_type(one) != HF_JSON_ARRAY) {
            return refuse(w, field, "lists of numbers in range");
        }
        for (size_t k = 0; k < hf_json_count(one); k++) {
            int64_t x;
            if (!hf_json_whole(hf_json_at(one, k), &x) || x < 0 || x >= end) {
                return refuse(w, field, "lists of numbers in range");
            }
            HF_TRY(hf_weakest_list_item(w->c->cx, out, (uint32_t)x));
        }
        HF_TRY(hf_weakest_list_end(w->c->cx, out));
    }
    return HF_OK;
}

/* ---- verdicts ---- */

static hf_status is_tolerated(weakest *w, const uint32_t *component, uint32_t n, bool *out) {
    const hf_mark mark = hf_scratch_mark(w->c->cx);
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    HF_TRY(hf_fault_set_make(w->c->cx, w->universe, component, n, &faults));
    HF_TRY(hf_plan_make_plain(w->c->cx, &w->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(w->c->cx, &plan, &w->criterion, false, &verdict));
    *out = verdict.tolerated;
    hf_scratch_reset(w->c->cx, mark);
    return HF_OK;
}

/* Where connectivity is asked for, a search of the network says the same, in networks of any size. */
static hf_status is_connected(weakest *w, const uint32_t *component, uint32_t n, bool *out) {
    hf_fault_set faults;
    uint32_t live, least;
    HF_TRY(hf_criterion_least(w->c->cx, &w->criterion, w->topo, &least));
    HF_TRY(hf_fault_set_make(w->c->cx, w->universe, component, n, &faults));
    return w->criterion.flags & HF_CRITERION_SWITCHES ? hf_parting_is_whole(w->c->cx, &faults, least, out, &live)
                                                      : hf_connectivity_all(w->c->cx, &faults, out);
}

static void tell_witness(weakest *w, bool tolerated) {
    if (tolerated) {
        check_refute(w->c, "the witness is tolerated");
    }
}

/* ---- hitting sets ---- */

static bool is_hit(const weakest *w, uint32_t i) {
    for (uint32_t k = w->set.begin[i]; k < w->set.begin[i + 1]; k++) {
        if (w->is_chosen[w->set.item[k]]) {
            return true;
        }
    }
    return false;
}

/* Of the sets that are not hit, some without a common component: each takes one more. \param[out] first of them, HF_NONE: none */
static uint32_t count_apart(weakest *w, uint32_t *first) {
    uint32_t apart = 0;
    *first = HF_NONE;
    w->turn++;
    for (uint32_t i = 0; i < w->set.n; i++) {
        bool is_apart = !is_hit(w, i);
        *first = is_apart && *first == HF_NONE ? i : *first;
        for (uint32_t k = w->set.begin[i]; k < w->set.begin[i + 1] && is_apart; k++) {
            is_apart = w->stamp[w->set.item[k]] != w->turn;
        }
        for (uint32_t k = w->set.begin[i]; k < w->set.begin[i + 1] && is_apart; k++) {
            w->stamp[w->set.item[k]] = w->turn;
        }
        apart += is_apart;
    }
    return apart;
}

/* Do some `left` components more hit all the sets? Every one that does has a component of the first that is not hit. */
static bool can_hit(weakest *w, uint32_t left) { /* NOLINT(misc-no-recursion): a component deeper each time */
    uint32_t first;
    const uint32_t apart = count_apart(w, &first);
    if (first == HF_NONE || ++w->steps > STEPS_MOST) {
        return true;
    }
    bool can = false;
    for (uint32_t k = w->set.begin[first]; k < w->set.begin[first + 1] && apart <= left && !can; k++) {
        w->is_chosen[w->set.item[k]] = true;
        can = can_hit(w, left - 1);
        w->is_chosen[w->set.item[k]] = false;
    }
    return can;
}

/* Are the sets hit by no fewer than the witness has? A set without a component is never hit. */
static void check_hits(weakest *w, const char *of) {
    for (uint32_t i = 0; i < w->set.n; i++) {
        if (w->set.begin[i] == w->set.begin[i + 1]) {
            return;
        }
    }
    w->steps = 0;
    if (w->n > 0 && can_hit(w, w->n - 1)) {
        if (w->steps > STEPS_MOST) {
            check_leave_open(w->c, "which components hit %s is a longer search than is made here", of);
        } else {
            check_refute(w->c, "fewer components than %" PRIu32 " hit %s", w->n, of);
        }
    }
}

static hf_status make_room(weakest *w) {
    HF_TRY(hf_scratch(w->c->cx, w->universe->n_component, sizeof *w->is_chosen, (void **)&w->is_chosen));
    return hf_scratch(w->c->cx, w->universe->n_component, sizeof *w->stamp, (void **)&w->stamp);
}

/* ---- paths ---- */

static hf_status add_takers(weakest *w, uint32_t channel) {
    for (uint32_t i = w->takers.begin[channel]; i < w->takers.begin[channel + 1]; i++) {
        HF_TRY(hf_weakest_list_item(w->c->cx, &w->set, w->takers.item[i]));
    }
    return HF_OK;
}

/* One path is a set of components. It leads from node to node, through no terminal. */
static hf_status add_path(weakest *w, const uint32_t *item, uint32_t n) {
    uint32_t at = item[0];
    for (uint32_t i = 2; i < n && !check_is_refuted(w->c); i++) {
        const bool is_channel = item[i] < w->topo->n_channel;
        if (!is_channel || w->topo->from[item[i]] != at || (i > 2 && hf_topology_is_terminal(w->topo, at))) {
            check_refute(w->c, "a path from node %" PRIu32 " to node %" PRIu32 " does not go on over channel %" PRIu32, item[0],
                         item[1], item[i]);
            return HF_OK;
        }
        HF_TRY(add_takers(w, item[i]));
        at = w->topo->to[item[i]];
    }
    if (at != item[1]) {
        check_refute(w->c, "a path from node %" PRIu32 " ends at node %" PRIu32 ", not at %" PRIu32, item[0], at, item[1]);
    }
    return hf_weakest_list_end(w->c->cx, &w->set);
}

/* The next paths of the certificate are of this pair. \param[in,out] at the first that has not been read */
static hf_status check_pair(weakest *w, const hf_weakest_lists *path, uint32_t from, uint32_t to, uint32_t *at) {
    w->set.n = w->set.n_item = 0;
    for (; *at < path->n && !check_is_refuted(w->c); ++*at) {
        const uint32_t begin = path->begin[*at], n = path->begin[*at + 1] - begin;
        if (n < 2 || path->item[begin] != from || path->item[begin + 1] != to) {
            break;
        }
        HF_TRY(add_path(w, path->item + begin, n));
    }
    if (w->set.n == 0) {
        check_refute(w->c, "no path is named from node %" PRIu32 " to node %" PRIu32, from, to);
    }
    if (!check_is_refuted(w->c)) {
        check_hits(w, "the paths of a pair");
    }
    return HF_OK;
}

static hf_status check_all_pairs(weakest *w, const hf_weakest_lists *path) {
    uint32_t first, n, at = 0;
    hf_weakest_ends(w->topo, &w->criterion, &first, &n);
    const bool is_ring = hf_weakest_is_ring(w->topo, &w->criterion);
    const uint64_t pairs = n < 2 ? 0 : is_ring ? n : (uint64_t)n * n;
    for (uint64_t i = 0; i < pairs && w->c->outcome == CHECK_CONFIRMED; i++) {
        const uint32_t a = (uint32_t)(is_ring ? i : i / n), b = (uint32_t)(is_ring ? (i + 1) % n : i % n);
        HF_TRY(a == b ? HF_OK : check_pair(w, path, first + a, first + b, &at));
    }
    if (w->c->outcome == CHECK_CONFIRMED && at < path->n) {
        check_refute(w->c, "path %" PRIu32 " is of no pair that is asked for in its place", at);
    }
    return HF_OK;
}

static hf_status check_paths(weakest *w) {
    hf_weakest_lists path = {0};
    bool tolerated = false;
    if (!hf_weakest_asks_cut(w->universe, &w->rule, &w->criterion)) {
        check_refute(w->c, "paths prove nothing here: not connectivity is asked for");
        return HF_OK;
    }
    HF_TRY(w->is_possible ? is_connected(w, w->witness, w->n, &tolerated) : HF_OK);
    tell_witness(w, tolerated);
    HF_TRY(read_lists(w, w->paths, "certificate.paths",
                      w->topo->n_channel > w->topo->n_node ? w->topo->n_channel : w->topo->n_node, &path));
    return w->n == 0 ? HF_OK : check_all_pairs(w, &path); /* of what is parted without faults there is nothing to show */
}

/* ---- supports ---- */

/* The loss of all but one of them is tolerated; of all, where there is no witness. */
static hf_status check_support(weakest *w, uint32_t i) {
    uint32_t *others, n = 0;
    bool tolerated;
    memset(w->is_chosen, 0, w->universe->n_component * sizeof *w->is_chosen);
    for (uint32_t k = i < w->set.n ? w->set.begin[i] : 0; i < w->set.n && k < w->set.begin[i + 1]; k++) {
        w->is_chosen[w->set.item[k]] = true;
    }
    HF_TRY(hf_scratch(w->c->cx, w->universe->n_component, sizeof *others, (void **)&others));
    for (uint32_t x = 0; x < w->universe->n_component; x++) {
        others[n] = x;
        n += !w->is_chosen[x];
    }
    memset(w->is_chosen, 0, w->universe->n_component * sizeof *w->is_chosen);
    HF_TRY(is_tolerated(w, others, n, &tolerated));
    if (!tolerated) {
        check_refute(w->c, "support %" PRIu32 " does not serve alone", i);
    }
    return HF_OK;
}

static hf_status check_supports(weakest *w) {
    bool tolerated = false;
    if (!hf_weakest_is_monotone(w->universe, &w->rule, &w->criterion)) {
        check_refute(w->c, "supports prove nothing here: more faults may mend");
        return HF_OK;
    }
    HF_TRY(w->is_possible ? is_tolerated(w, w->witness, w->n, &tolerated) : HF_OK);
    tell_witness(w, tolerated);
    HF_TRY(read_lists(w, w->supports, "certificate.supports", w->universe->n_component, &w->set));
    if (!w->is_possible) {
        return check_support(w, w->set.n);
    }
    for (uint32_t i = 0; i < w->set.n && !check_is_refuted(w->c); i++) {
        const hf_mark mark = hf_scratch_mark(w->c->cx);
        HF_TRY(check_support(w, i));
        hf_scratch_reset(w->c->cx, mark);
    }
    if (!check_is_refuted(w->c)) {
        check_hits(w, "the supports");
    }
    return HF_OK;
}

/* ---- classes ---- */

static hf_status read_classes(weakest *w, hf_bound *b) {
    uint32_t at = 0;
    HF_TRY(hf_scratch(w->c->cx, b->n_component, sizeof *b->class_of, (void **)&b->class_of));
    for (size_t i = 0; i + 1 < hf_json_count(w->classes); i += 2) {
        int64_t class_id, length;
        if (!hf_json_whole(hf_json_at(w->classes, i), &class_id) || !hf_json_whole(hf_json_at(w->classes, i + 1), &length) ||
            class_id < 0 || class_id >= b->n_class || length < 1 || length > (int64_t)b->n_component - at) {
            return refuse(w, "certificate.classes", "runs of a class and its length");
        }
        for (int64_t k = 0; k < length; k++) {
            b->class_of[at++] = (uint32_t)class_id;
        }
    }
    return at == b->n_component ? HF_OK : refuse(w, "certificate.classes", "runs that cover every component");
}

static hf_status check_classes(weakest *w) {
    hf_bound b = {.topology = w->topo->spec,
                  .routing = w->rule.spec,
                  .universe = w->universe->spec,
                  .n_class = w->n,
                  .n_component = w->universe->n_component,
                  .n_witness = w->n,
                  .witness = w->witness};
    bool ok = false;
    if (!w->is_possible || w->criterion.flags != 0) {
        check_refute(w->c, "classes prove a number of faults under criterion all-pairs, and nothing else");
        return HF_OK;
    }
    HF_TRY(read_classes(w, &b));
    HF_TRY(hf_bound_check(w->c->cx, w->universe, &w->rule, &b, &ok));
    if (!ok) {
        check_refute(w->c, "%s", hf_context_message(w->c->cx));
        hf_context_clear(w->c->cx);
    }
    return HF_OK;
}

/* ---- all smaller sets ---- */

static bool is_short(const weakest *w) {
    uint64_t all = 0, sets;
    for (uint32_t f = 0; f < w->n; f++) {
        if (!hf_binomial(w->universe->n_component, f, &sets) || sets > SETS_MOST || (all += sets) > SETS_MOST) {
            return false;
        }
    }
    return true;
}

static hf_status check_size(weakest *w, uint32_t f, uint32_t *component) {
    uint32_t keep;
    bool tolerated = true;
    hf_lex_unrank(w->universe->n_component, f, 0, component);
    do {
        HF_TRY(is_tolerated(w, component, f, &tolerated));
    } while (tolerated && hf_lex_next(w->universe->n_component, f, component, &keep));
    if (!tolerated) {
        check_refute(w->c, "a set of %" PRIu32 " is not tolerated either", f);
    }
    return HF_OK;
}

static hf_status check_sets(weakest *w) {
    uint32_t *component;
    bool tolerated = false;
    HF_TRY(w->is_possible ? is_tolerated(w, w->witness, w->n, &tolerated) : HF_OK);
    tell_witness(w, tolerated);
    if (!is_short(w)) {
        check_leave_open(w->c, "the smaller sets are more than the %d that are looked at again here", SETS_MOST);
    }
    HF_TRY(hf_scratch(w->c->cx, w->universe->n_component, sizeof *component, (void **)&component));
    for (uint32_t f = 0; f < w->n && w->c->outcome == CHECK_CONFIRMED; f++) {
        HF_TRY(check_size(w, f, component));
    }
    return HF_OK;
}

/* ---- the certificate ---- */

static const struct {
    hf_weakest_proof proof;
    hf_status (*check)(weakest *w);
    size_t data; /* where what it needs stands */
} proofs[] = {{HF_WEAKEST_CLASSES, check_classes, offsetof(weakest, classes)},
              {HF_WEAKEST_PATHS, check_paths, offsetof(weakest, paths)},
              {HF_WEAKEST_SUPPORTS, check_supports, offsetof(weakest, supports)},
              {HF_WEAKEST_SETS, check_sets, 0},
              {HF_WEAKEST_ORBITS, check_sets, 0},
              {HF_WEAKEST_PROGRAM, check_sets, 0}};

static hf_status check_proof(weakest *w) {
    static const size_t data[] = {offsetof(weakest, classes), offsetof(weakest, paths), offsetof(weakest, supports)};
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++) {
        if (strcmp(hf_json_string(w->proof), hf_weakest_proof_name(proofs[i].proof)) != 0) {
            continue;
        }
        for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
            const hf_json *const *at = (const hf_json *const *)(const void *)((const char *)w + data[k]);
            if (hf_json_is_null(*at) == (data[k] == proofs[i].data)) {
                return refuse(w, "certificate", "what the proof needs, and null for the rest");
            }
        }
        HF_TRY(make_room(w));
        return proofs[i].check(w);
    }
    return refuse(w, "certificate.proof", "classes, paths, supports, sets, orbits or program");
}

static hf_status check_it(weakest *w, const hf_json *root) {
    HF_TRY(read_certificate(w, root));
    if (!check_is_ours(w->c)) {
        return HF_OK;
    }
    HF_TRY(open_scene(w));
    HF_TRY(read_witness(w));
    return check_proof(w);
}

hf_status check_weakest(check *c, const hf_json *root) {
    weakest w = {.c = c};
    hf_status status = check_it(&w, root);
    if (status == HF_OK && c->outcome == CHECK_CONFIRMED) {
        status = w.is_possible ? hf_scratch_print(c->cx, &c->said, "no fewer than %" PRIu32 " components", w.n)
                               : hf_scratch_print(c->cx, &c->said, "no components");
    }
    hf_universe_free(w.universe);
    hf_rule_free(&w.rule);
    hf_topology_free(w.topo);
    return status;
}
