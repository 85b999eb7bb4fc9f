/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What becomes of plans, as tables: a row of figures for each number of faults, and what is known of one plan beside it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/verify.h"
#include "src/report/tree.h"

const hf_column hf_verify_columns[] = {
    {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
    {"verdict", "verdict", "deadlock-free|deadlock|unknown", HF_COLUMN_WORD, 6, 0},
    {"method", "method", NULL, HF_COLUMN_WORD, 6, 0},
    {"escape", "escape", NULL, HF_COLUMN_WORD, 6, 0},
    {"connected", "connected", NULL, HF_COLUMN_FLAG, 6, 0},
    {"not_connected", "not connected", NULL, HF_COLUMN_WORD, 6, 0},
    {"serves", "serves", "some|nobody", HF_COLUMN_WORD, 6, HF_COLUMN_ASKED},
    {"virtual_channels", "virtual channels", NULL, HF_COLUMN_COUNT, 6, 0},
    {"used", "in use", NULL, HF_COLUMN_COUNT, 6, 0},
    {"dependencies", "dependencies", NULL, HF_COLUMN_COUNT, 6, 0},
    {"sets", "sets", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"deadlock_free", "deadlock-free", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"deadlock", "deadlock", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"disconnected", "disconnected", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"lost", "lost", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"unknown", "unknown", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"not_covered", "not covered", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"time_limit", "time limit", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"serve_nobody", "serve nobody", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
    {"exact", "exact", NULL, HF_COLUMN_FLAG, 6, 0},
    {"figures", "figures", NULL, HF_COLUMN_WORD, 6, 0},
    {"witness", "lowest set with a deadlock", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    {"lowest_disconnected", "lowest disconnected set", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    {"lowest_lost", "lowest set with loss", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    {"lowest_not_covered", "lowest set not covered", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    {"lowest_serve_nobody", "lowest set that serves nobody", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
    {"smallest", "smallest", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON},
    {"cycle", "cycle", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {"blocked", "blocked", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {"lockstep", "lockstep", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {"repair", "repair", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {"layers", "layers", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {0}};

/* ---- a row ---- */

static const char *verdict_of(const verify_row *row) {
    hf_deadlock_answer answer = row->deadlock ? row->deadlock->answer : HF_DEADLOCK_FREE;
    if (row->campaign) {
        const uint64_t *sets = row->campaign->tally.outcome;
        answer = sets[HF_OUTCOME_DEADLOCK]                                    ? HF_DEADLOCK_FOUND
                 : sets[HF_OUTCOME_UNKNOWN] + sets[HF_OUTCOME_TIME_LIMIT] > 0 ? HF_DEADLOCK_UNKNOWN
                                                                              : HF_DEADLOCK_FREE;
    }
    return hf_deadlock_answer_name(answer);
}

uint64_t hf_verify_counts(const verify_row *row, uint64_t *sets) {
    memset(sets, 0, HF_OUTCOME_COUNT * sizeof *sets);
    if (row->campaign) {
        memcpy(sets, row->campaign->tally.outcome, HF_OUTCOME_COUNT * sizeof *sets);
        return row->campaign->tally.sets;
    }
    sets[hf_plan_is_empty(row->plan) ? HF_OUTCOME_NOT_COVERED : hf_deadlock_outcome(row->deadlock)] = 1;
    return 1;
}

static hf_status put_escape(const verify *v, const hf_deadlock *d) {
    char *text = NULL;
    if (d && d->escape.is_declared) {
        HF_TRY(hf_scratch_print(v->cx, &text, "declared by the routing"));
    } else if (d && d->method == HF_METHOD_ESCAPE) {
        HF_TRY(hf_scratch_print(v->cx, &text, "virtual channels"));
        for (uint32_t vc = 0; vc < 64; vc++) {
            if (d->escape.vcs >> vc & 1) {
                HF_TRY(hf_scratch_print(v->cx, &text, "%s %" PRIu32, text, vc));
            }
        }
    }
    hf_report_cell(v->answer, hf_cell_word(text));
    return HF_OK;
}

/* A pair that cannot send, or for whom packets get stuck on their way; and whom one plan serves. */
static hf_status put_connected(const verify *v, const verify_row *row) {
    const hf_deadlock *d = row->campaign ? NULL : row->deadlock;
    uint64_t sets[HF_OUTCOME_COUNT];
    hf_verify_counts(row, sets);
    const bool is_connected = d ? d->is_connected : sets[HF_OUTCOME_DISCONNECTED] + sets[HF_OUTCOME_LOST] == 0;
    char *text = NULL, from[HF_NAME_SIZE], to[HF_NAME_SIZE];
    if (d && !is_connected) {
        hf_topology_terminal_name(v->scene->topo, d->lost_destination, to, sizeof to);
    }
    if (d && !is_connected && d->lost_source != HF_NONE) {
        hf_topology_terminal_name(v->scene->topo, d->lost_source, from, sizeof from);
        HF_TRY(hf_scratch_print(v->cx, &text, "%s cannot send to %s", from, to));
    } else if (d && !is_connected) {
        HF_TRY(hf_scratch_print(v->cx, &text, "packets for %s can get where they cannot go on from", to));
    }
    hf_report_cell(v->answer, hf_cell_flag(is_connected));
    hf_report_cell(v->answer, hf_cell_word(text));
    hf_report_cell(v->answer, hf_cell_word(d ? hf_serves_name(d->serves) : NULL));
    return HF_OK;
}

static void put_size(const verify *v, const hf_deadlock *d) {
    hf_report_cell(v->answer, d ? hf_cell_count(d->n_resource) : hf_cell_none());
    hf_report_cell(v->answer, d ? hf_cell_count(d->n_used) : hf_cell_none());
    hf_report_cell(v->answer, d ? hf_cell_count(d->n_dependency) : hf_cell_none());
}

static bool is_part(const verify *v) { return !v->is_single && v->run.campaign.n_part > 1; }

/* The columns of the classes are in the order of HF_OUTCOME_FREE and so on. */
static hf_status put_counts(const verify *v, const verify_row *row) {
    uint64_t sets[HF_OUTCOME_COUNT];
    char *word = NULL;
    if (is_part(v)) {
        HF_TRY(hf_asked_campaign_word(v->cx, &v->run.campaign, row->campaign, &word));
    }
    hf_report_cell(v->answer, hf_cell_count(hf_verify_counts(row, sets)));
    for (size_t i = 0; i < HF_OUTCOME_COUNT; i++) {
        hf_report_cell(v->answer, hf_cell_count(sets[i]));
    }
    hf_report_cell(v->answer, hf_cell_flag(!row->campaign || row->campaign->is_exact));
    hf_report_cell(v->answer, hf_cell_word(word));
    return HF_OK;
}

bool hf_verify_names(uint32_t outcome) { return outcome == HF_OUTCOME_DEADLOCK || hf_deadlock_note(outcome) != HF_NONE; }

hf_status hf_verify_set(const verify *v, const verify_row *row, uint32_t outcome, const char *between, char **names) {
    const hf_tally *t = row->campaign ? &row->campaign->tally : NULL;
    const uint32_t note = hf_deadlock_note(outcome);
    *names = NULL;
    if (!t || !(note == HF_NONE ? t->has_witness : t->has_noted >> note & 1)) {
        return HF_OK;
    }
    const uint32_t *set = note == HF_NONE ? t->witness : t->noted + (size_t)note * row->f;
    return hf_asked_campaign_names(v->cx, v->scene->universe, set, row->f, between, names);
}

static hf_status put_sets(const verify *v, const verify_row *row) {
    for (uint32_t outcome = 0; outcome < HF_OUTCOME_COUNT; outcome++) {
        char *names;
        if (hf_verify_names(outcome)) {
            HF_TRY(hf_verify_set(v, row, outcome, " ", &names));
            hf_report_cell(v->answer, hf_cell_word(names));
        }
    }
    return HF_OK;
}

/* ---- its structured values ---- */

/* The channels that are held, in the order of waiting. */
static hf_json *tree_of_cycle(const verify *v, const hf_deadlock *d) {
    hf_json *list = d && d->n_blocked ? hf_json_array() : hf_json_null();
    for (uint32_t i = 0; d && i < d->n_blocked; i++) {
        for (uint32_t k = 0; k < d->blocked[i].n_hold; k++) {
            hf_json_push(list, hf_resource_json(v->scene->topo, d->n_vc, d->blocked[i].hold[k]));
        }
    }
    return list;
}

/* Two searches: a channel is taken a step after it is left, or in the step in which it is. */
static hf_json *tree_of_lockstep(const verify_row *row) {
    static const char *const key[] = {"next_step", "same_step"};
    const hf_lockstep *l = row->deadlock && row->deadlock->lockstep ? row->deadlock->lockstep : row->lockstep;
    hf_json *o = l ? hf_json_object() : hf_json_null();
    for (int i = 0; l && i < 2; i++) {
        hf_json *one = hf_json_object();
        hf_json_set(one, "verdict", hf_json_text(hf_deadlock_answer_name(l[i].answer)));
        hf_json_set(one, "states", hf_json_integer((int64_t)l[i].n_state));
        hf_json_set(o, key[i], one);
    }
    return o;
}

static hf_json *tree_of_withheld(const verify *v, uint32_t n_vc, const hf_repair *r) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < r->n_withheld; i++) {
        const hf_withheld *w = &r->withheld[i];
        hf_json *o = hf_json_object();
        hf_json_set(o, "from", w->from == HF_NONE ? hf_json_null() : hf_resource_json(v->scene->topo, n_vc, w->from));
        hf_json_set(o, "to", hf_resource_json(v->scene->topo, n_vc, w->to));
        hf_json_set(o, "destination", hf_terminal_json(v->scene->topo, w->destination));
        hf_json_push(list, o);
    }
    return list;
}

static hf_json *tree_of_proposal(const verify *v, uint32_t n_vc, const hf_repair *r) {
    hf_json *o = hf_json_object(), *list = hf_json_array();
    hf_json_set(o, "kind", hf_json_text(r->by_turns ? "turns" : "dependencies"));
    hf_json_set(o, "found", hf_json_boolean(r->is_found));
    hf_json_set(o, "fewest", hf_json_boolean(r->is_fewest));
    hf_json_set(o, "impossible", hf_json_boolean(r->is_impossible));
    hf_json_set(o, "lower_bound", hf_json_integer(r->lower_bound));
    for (uint32_t i = 0; i < r->n_forbidden; i++) {
        hf_json *pair = hf_json_object();
        hf_json_set(pair, "from", hf_resource_json(v->scene->topo, n_vc, r->from[i]));
        hf_json_set(pair, "to", hf_resource_json(v->scene->topo, n_vc, r->to[i]));
        hf_json_push(list, pair);
    }
    hf_json_set(o, "forbidden", list);
    hf_json_set(o, "withheld", tree_of_withheld(v, n_vc, r));
    return o;
}

static hf_json *tree_of_repair(const verify *v, const verify_row *row) {
    const hf_repair *r = row->deadlock ? row->repair : NULL;
    if (!r) {
        return hf_json_null();
    }
    hf_json *o = tree_of_proposal(v, row->deadlock->n_vc, r);
    hf_json_set(o, "look_ahead", r->ahead ? tree_of_proposal(v, row->deadlock->n_vc, r->ahead) : hf_json_null());
    return o;
}

static hf_json *tree_of_layers(const hf_layers *l) {
    if (!l) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    hf_json_set(o, "paths", hf_json_integer((int64_t)l->n_path));
    hf_json_set(o, "lower", hf_json_integer(l->lower));
    hf_json_set(o, "upper", l->upper == HF_NONE ? hf_json_null() : hf_json_integer(l->upper));
    return o;
}

static void put_trees(const verify *v, const verify_row *row) {
    const hf_deadlock *d = row->deadlock;
    hf_report_cell(v->answer, d && d->n_blocked ? hf_cell_flag(d->is_smallest) : hf_cell_none());
    hf_report_tree(v->answer, tree_of_cycle(v, d));
    hf_report_tree(v->answer, d ? hf_blocked_json(v->scene->topo, d->n_vc, v->scene->rule.classes, d->blocked, d->n_blocked)
                                : hf_json_array());
    hf_report_tree(v->answer, tree_of_lockstep(row));
    hf_report_tree(v->answer, tree_of_repair(v, row));
    hf_report_tree(v->answer, tree_of_layers(row->layers));
}

static hf_status put_row(const verify *v, const verify_row *row) {
    const hf_deadlock *d = row->deadlock, *of_one = row->campaign ? NULL : d;
    hf_report_cell(v->answer, hf_cell_count(row->f));
    hf_report_cell(v->answer, hf_cell_word(verdict_of(row)));
    hf_report_cell(v->answer, hf_cell_word(d ? hf_deadlock_method_name(d->method) : "all fault sets"));
    HF_TRY(put_escape(v, of_one));
    HF_TRY(put_connected(v, row));
    put_size(v, of_one);
    HF_TRY(put_counts(v, row));
    HF_TRY(put_sets(v, row));
    put_trees(v, row);
    return HF_OK;
}

/* ---- which columns say something, and what stands below them ---- */

static uint64_t sets_of_class(const verify *v, size_t class) {
    uint64_t sets[HF_OUTCOME_COUNT], n = 0;
    for (size_t i = 0; i < v->n_row; i++) {
        hf_verify_counts(&v->row[i], sets);
        n += sets[class];
    }
    return n;
}

static uint64_t sets_covered(const verify *v) {
    uint64_t sets[HF_OUTCOME_COUNT], n = 0;
    for (size_t i = 0; i < v->n_row; i++) {
        n += hf_verify_counts(&v->row[i], sets);
        n -= sets[HF_OUTCOME_NOT_COVERED];
    }
    return n;
}

static bool is_uncovered(const verify *v) { return v->is_single && sets_of_class(v, HF_OUTCOME_NOT_COVERED) > 0; }

static void hide(const verify *v, const char *const *key) {
    for (; *key; key++) {
        hf_report_hide(v->answer, *key);
    }
}

/* A plan has its verdict, fault sets their counts. */
static void hide_columns(const verify *v) {
    static const char *const of_plan[] = {"verdict", "method", "escape", "connected", "not_connected", NULL},
                             *const of_size[] = {"virtual_channels", "used", "dependencies", NULL},
                             *const of_sets[] = {"f",          "sets", "deadlock_free", "deadlock", "disconnected", "unknown",
                                                 "time_limit", "lost", "serve_nobody",  "exact",    "figures",      NULL},
                             *const of_limit[] = {"time_limit", NULL}, *const of_loss[] = {"lost", NULL},
                             *const of_idle[] = {"serve_nobody", "lowest_serve_nobody", NULL},
                             *const of_claim[] = {"not_covered", "lowest_not_covered", NULL};
    const bool may_refuse = sets_of_class(v, HF_OUTCOME_NOT_COVERED) > 0 || (!v->is_single && v->scene->rule.routing->claim);
    hide(v, v->is_single ? of_sets : of_plan);
    if (is_uncovered(v)) {
        hide(v, of_plan);
        hide(v, of_size);
    }
    if (!may_refuse) {
        hide(v, of_claim);
    }
    if (sets_of_class(v, HF_OUTCOME_TIME_LIMIT) == 0) {
        hide(v, of_limit);
    }
    if (sets_of_class(v, HF_OUTCOME_LOST) == 0) {
        hide(v, of_loss);
    }
    if (sets_of_class(v, HF_OUTCOME_IDLE) == 0) {
        hide(v, of_idle);
    }
}

/* What the source of the rule claims, over the covered sets of all rows in which there are packets. */
static hf_status note_claim(const verify *v, char **note) {
    const char *claim = v->scene->rule.routing->claim;
    const uint64_t idle = sets_of_class(v, HF_OUTCOME_IDLE), n = sets_covered(v) - idle;
    const char *which = idle ? "covered sets in which packets are sent" : "covered sets";
    bool is_exact = true;
    if (!claim || v->is_single || (idle > 0 && n == 0)) {
        return HF_OK;
    }
    for (size_t i = 0; i < v->n_row; i++) {
        is_exact &= v->row[i].campaign->is_exact;
    }
    const uint64_t good = sets_of_class(v, HF_OUTCOME_FREE),
                   unknown = sets_of_class(v, HF_OUTCOME_UNKNOWN) + sets_of_class(v, HF_OUTCOME_TIME_LIMIT);
    if (good + unknown < n) {
        return hf_asked_note(v->cx, note, "%s: refuted by %" PRIu64 " of the %" PRIu64 " %s", claim, n - good - unknown, n,
                             which);
    }
    if (unknown) {
        return hf_asked_note(v->cx, note, "%s: not decided for %" PRIu64 " of the %" PRIu64 " %s", claim, unknown, n, which);
    }
    return hf_asked_note(v->cx, note, "%s: %s for all %" PRIu64 " %s", claim,
                         !is_exact    ? "holds in the sample,"
                         : is_part(v) ? "proved in this part,"
                                      : "proved",
                         n, which);
}

/* When a channel can be taken again, by same_step. */
static const char *const hand_over[] = {"a step after it is left", "in the step in which it is left"};

/* The quick look says something only where packets do not get into the deadlock. */
static hf_status note_lockstep(const verify *v, char **note) {
    static const char text[] = "remark: packets in lockstep do not get into a deadlock";
    const hf_lockstep *l = v->row->lockstep;
    const bool free[] = {l && l[0].answer == HF_DEADLOCK_FREE, l && l[1].answer == HF_DEADLOCK_FREE};
    if (free[0] && free[1]) {
        return hf_asked_note(v->cx, note, "%s; see --timing lockstep", text);
    }
    return free[0] || free[1]
               ? hf_asked_note(v->cx, note, "%s where a channel is taken %s; see --timing lockstep", text, hand_over[free[1]])
               : HF_OK;
}

/* What a rule with rings wants, where it is not free of deadlock without. */
static hf_status note_rings(const verify *v, char **note) {
    for (size_t i = 0; i < v->n_row && v->options.timing == HF_TIMING_ANY; i++) {
        const hf_deadlock *d = v->row[i].deadlock;
        if (d && d->answer != HF_DEADLOCK_FREE) {
            const char *remark = hf_rings_remark(v->row[i].plan, v->options.bubble);
            return remark ? hf_asked_note(v->cx, note, "remark: %s %s", v->row[i].plan->routing->name, remark) : HF_OK;
        }
    }
    return HF_OK;
}

/* Whom one plan serves, where that is nobody. */
static hf_status note_nobody(const verify *v, char **note) {
    if (is_uncovered(v)) {
        const char *why = v->row->plan->refusal;
        return hf_asked_note(v->cx, note, "not covered: %s",
                             why ? why : "the routing keeps no terminal in service under these faults");
    }
    return v->row->deadlock->serves || v->row->deadlock->is_connected
               ? HF_OK
               : hf_asked_note(v->cx, note, "Nobody is served: no packet arrives.");
}

/* Of one plan or of several: those under which there is no packet at all. */
static hf_status note_idle(const verify *v, char **note) {
    static const char why[] = "no terminal in service sends to another one";
    const uint64_t idle = sets_of_class(v, HF_OUTCOME_IDLE), covered = sets_covered(v);
    if (idle == 0) {
        return HF_OK;
    }
    return idle == covered ? hf_asked_note(v->cx, note, "Nobody is served: %s.", why)
                           : hf_asked_note(v->cx, note, "Nobody is served in %" PRIu64 " of the %" PRIu64 " covered sets: %s.",
                                           idle, covered, why);
}

static hf_status add_verdicts(const verify *v) {
    char *note = NULL;
    hide_columns(v);
    for (size_t i = 0; i < v->n_row; i++) {
        HF_TRY(put_row(v, &v->row[i]));
    }
    HF_TRY(v->is_single ? note_nobody(v, &note) : HF_OK);
    HF_TRY(note_idle(v, &note));
    HF_TRY(note_claim(v, &note));
    if (is_part(v)) {
        HF_TRY(hf_asked_note(v->cx, &note, "The status answers for part %" PRIu32 " of %" PRIu32 " alone.", v->run.campaign.part,
                             v->run.campaign.n_part));
    }
    HF_TRY(v->is_single ? note_lockstep(v, &note) : HF_OK);
    HF_TRY(note_rings(v, &note));
    HF_TRY(v->how && *v->how ? hf_asked_note(v->cx, &note, "%s", v->how) : HF_OK);
    hf_report_note(v->answer, note);
    return HF_OK;
}

/* ---- further tables ---- */

static void add_lockstep(const verify *v, const hf_lockstep *l) {
    static const hf_column columns[] = {{"taken", "in lockstep, a channel is taken", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"verdict", "verdict", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"states", "states", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"reason", "reason", NULL, HF_COLUMN_WORD, 6, 0}};
    HF_BEGIN(v->answer, "lockstep", columns);
    hf_report_flatten(v->answer);
    for (int i = 0; i < 2; i++) {
        hf_report_cell(v->answer, hf_cell_word(hand_over[i]));
        hf_report_cell(v->answer, hf_cell_word(hf_deadlock_answer_name(l[i].answer)));
        hf_report_cell(v->answer, hf_cell_count(l[i].n_state));
        hf_report_cell(v->answer, hf_cell_word(l[i].reason));
    }
}

static hf_status add_conditions(const verify *v) {
    static const hf_column columns[] = {{"number", "no.", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"condition", "condition", NULL, HF_COLUMN_WORD, 6, 0}};
    hf_condition condition[HF_CONDITIONS];
    HF_TRY(hf_deadlock_conditions(v->cx, v->row->plan, v->row->deadlock->ring_of, condition));
    HF_BEGIN(v->answer, "conditions", columns);
    for (size_t i = 0; i < HF_CONDITIONS; i++) {
        hf_report_cell(v->answer, hf_cell_count(i + 1));
        hf_report_cell(v->answer, hf_cell_word(condition[i].text));
    }
    return HF_OK;
}

static const char *const packets_that[] = {"as they are", "look ahead"};

static void put_proposal(const verify *v, const hf_repair *r, const char *packets) {
    hf_report_cell(v->answer, hf_cell_word(packets));
    hf_report_cell(v->answer, hf_cell_word(r->by_turns ? "turns" : "dependencies"));
    hf_report_cell(v->answer, hf_cell_word(r->is_impossible ? "impossible"
                                           : !r->is_found   ? "none found in time"
                                           : r->is_fewest   ? "the fewest that do"
                                                            : "they do"));
    hf_report_cell(v->answer, r->is_found ? hf_cell_count(r->n_forbidden) : hf_cell_none());
    hf_report_cell(v->answer, r->is_impossible ? hf_cell_none() : hf_cell_count(r->lower_bound));
    hf_report_cell(v->answer, r->is_found ? hf_cell_count(r->n_withheld) : hf_cell_none());
}

static hf_status add_forbidden(const verify *v, const hf_repair *repair) {
    static const hf_column columns[] = {{"packets", "packets", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"from", "forbid from", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"to", "to", NULL, HF_COLUMN_WORD, 6, 0}};
    HF_BEGIN(v->answer, "forbidden", columns);
    hf_report_flatten(v->answer);
    hf_report_note(v->answer, repair->by_turns ? "All turns such as these." : NULL);
    for (const hf_repair *r = repair; r; r = r->ahead) {
        for (uint32_t i = 0; i < r->n_forbidden; i++) {
            hf_report_cell(v->answer, hf_cell_word(packets_that[r != repair]));
            HF_TRY(hf_asked_resources(v->answer, v->scene->topo, v->row->deadlock->n_vc, &r->from[i], 1));
            HF_TRY(hf_asked_resources(v->answer, v->scene->topo, v->row->deadlock->n_vc, &r->to[i], 1));
        }
    }
    return HF_OK;
}

static hf_status add_repair(const verify *v, const hf_repair *repair) {
    static const hf_column columns[] = {{"packets", "packets", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"kind", "forbid", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"result", "repair", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"forbidden", "forbidden", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"lower_bound", "at least needed", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"withheld", "hops withheld", NULL, HF_COLUMN_COUNT, 6, 0}};
    bool has_forbidden = false, is_impossible = false;
    char *note = NULL;
    HF_BEGIN(v->answer, "repair", columns);
    hf_report_flatten(v->answer);
    for (const hf_repair *r = repair; r; r = r->ahead) {
        put_proposal(v, r, packets_that[r != repair]);
        has_forbidden |= r->n_forbidden > 0;
        is_impossible |= r->is_impossible;
    }
    if (is_impossible) {
        HF_TRY(hf_asked_note(v->cx, &note,
                             "impossible: whatever is forbidden, a cycle is left, a pair is cut off or a packet gets "
                             "stuck"));
    }
    if (has_forbidden) {
        HF_TRY(hf_asked_note(v->cx, &note, "With a repair no cycle is left, no packet gets stuck, all pairs stay connected."));
    }
    if (repair->ahead && repair->ahead->is_found) {
        HF_TRY(hf_asked_note(v->cx, &note, "Hops are withheld from packets to whose destination no way is left behind them."));
    }
    hf_report_note(v->answer, note);
    return has_forbidden ? add_forbidden(v, repair) : HF_OK;
}

static void add_layers(const verify *v, const hf_layers *l) {
    static const hf_column columns[] = {{"paths", "paths to layer", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"lower", "virtual channels, at least", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"upper", "that do", NULL, HF_COLUMN_COUNT, 6, 0}};
    HF_BEGIN(v->answer, "layers", columns);
    hf_report_flatten(v->answer);
    hf_report_cell(v->answer, hf_cell_count(l->n_path));
    hf_report_cell(v->answer, hf_cell_count(l->lower));
    hf_report_cell(v->answer, l->upper == HF_NONE ? hf_cell_none() : hf_cell_count(l->upper));
    hf_report_note(v->answer, l->upper == HF_NONE ? "More than 64 with the paths taken longest first." : NULL);
}

static hf_status add_of_one(const verify *v) {
    const verify_row *row = v->row;
    if (row->deadlock->lockstep) {
        add_lockstep(v, row->deadlock->lockstep);
    }
    HF_TRY(row->deadlock->method == HF_METHOD_BUBBLE_ESCAPE ? add_conditions(v) : HF_OK);
    HF_TRY(hf_verify_packets(v));
    HF_TRY(row->repair ? add_repair(v, row->repair) : HF_OK);
    HF_TRY(row->reroute ? hf_verify_routes(v) : HF_OK);
    if (row->layers) {
        add_layers(v, row->layers);
    }
    return HF_OK;
}

hf_status hf_verify_tables(const verify *v) {
    char *title, *faults, *flow = "";
    if (v->options.bubble) {
        HF_TRY(hf_scratch_print(v->cx, &flow, ", %s%s", v->options.plain ? "flow " : "bubble flow control",
                                v->options.plain ? v->control.spec : ""));
    }
    if (v->is_single) {
        HF_TRY(hf_asked_failed(v->cx, &v->scene->failed, &faults));
    } else {
        HF_TRY(hf_scratch_print(v->cx, &faults, ", faults among %" PRIu32 " %s%s%s", v->scene->universe->n_component,
                                v->scene->universe->spec, v->args->sets.part ? ", part " : "",
                                v->args->sets.part ? v->args->sets.part : ""));
    }
    HF_TRY(hf_scratch_print(v->cx, &title, "%s, %s, %s%s%s%s", v->scene->topo->spec, v->scene->rule.spec,
                            hf_switching_name(v->options.switching), flow,
                            v->options.timing == HF_TIMING_LOCKSTEP ? ", packets in lockstep" : "", faults));
    v->answer->title = title;
    HF_TRY(add_verdicts(v));
    return v->is_single ? add_of_one(v) : hf_verify_packets(v);
}
