/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation is made to fail in turn, across the library: universes from files, plans and judges of every routing, bounds,
 *  campaigns, stores, studies, drawings and tables. Each time the call says so, and nothing leaks. What is only read is made
 *  beforehand by a context of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/holdfast.h>

#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"
#include "tests/support/share.h"

enum { PATH_SIZE = 512 };

static const char *const topologies[] = {"kary-tree:k=2,n=3",     "mesh:dims=3x3", "torus:dims=3x3",
                                         "xgft:h=2,m=2x3,w=1x2",  "ring:n=5",      "complete:n=4",
                                         "dragonfly:p=1,a=2,h=1", "ruft:k=2,n=3",  "multibutterfly:radix=2,stages=3"};
enum { N_TOPOLOGY = sizeof topologies / sizeof *topologies };

/* ---- specs, universes ---- */

typedef struct file_scene {
    fixture *fx;
    char folder[PATH_SIZE / 2], path[PATH_SIZE], spec[PATH_SIZE + 64];
} file_scene;

static hf_status make_universes(hf_context *cx, void *user) {
    const file_scene *s = user;
    hf_universe *files = NULL, *terms = NULL;
    hf_fault_set set;
    uint32_t *f = NULL;
    size_t n_f;
    hf_status status;
    HF_TRY_DONE(hf_universe_new(cx, s->fx->topo, s->spec, "stage=0", &files));
    HF_TRY_DONE(hf_fault_set_parse(cx, s->fx->topo, files, "rack pair", &set));
    HF_TRY_DONE(hf_universe_new(cx, s->fx->topo, "terminal-links+channels:stage=0,stage=1+switches", NULL, &terms));
    HF_TRY_DONE(hf_campaign_parse_faults(cx, "0..40,50,60..90", &f, &n_f));
done:
    hf_release(hf_context_allocator(cx), f);
    hf_universe_free(terms);
    hf_universe_free(files);
    return status;
}

static void universes(void **state) {
    (void)state;
    static const char groups[] = "rack: s0:2 s0:3 # a comment\n\npair: s1:2> s4:0>s0:2\n";
    fixture fx;
    file_scene s = {.fx = &fx};
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    folder_open(s.folder, sizeof s.folder);
    folder_write(folder_file(s.folder, "g", s.path, sizeof s.path), groups, strlen(groups));
    snprintf(s.spec, sizeof s.spec, "groups:%s,stage=0+links:stage=0", s.path);
    failing_sweep_pieces("universes", 256, make_universes, &s);
    folder_close(s.folder);
    fixture_close(&fx);
}

/* ---- plans, judges and bounds of every routing ---- */

typedef struct rule_scene {
    fixture *fx;
    const char *rule;
    size_t judge; /* which of count_judges(), or that many: only the plan */
} rule_scene;

static void ignore_victim(void *user, uint32_t sw, uint32_t port, uint32_t destination) {
    (void)user, (void)sw, (void)port, (void)destination;
}

static hf_status use_plan(hf_context *cx, const hf_rule *rule, const hf_fault_set *set, hf_big *big) {
    hf_plan plan;
    hf_verdict verdict;
    hf_measure measure;
    HF_TRY(hf_plan_make(cx, rule, set, &plan));
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        hf_criterion criterion;
        HF_TRY(hf_criterion_init(cx, hf_criterion_at(i)->name, &criterion));
        HF_TRY(hf_tolerance_judge(cx, &plan, &criterion, true, &verdict));
        HF_TRY(hf_tolerance_measure(cx, rule, &plan, &criterion, &measure));
    }
    HF_TRY(hf_tolerance_victims(cx, rule, &plan, ignore_victim, NULL));
    return hf_paths_count(cx, &plan, big);
}

static hf_status use_judge(hf_context *cx, hf_judge *judge) {
    hf_measure measure;
    uint64_t bad, first;
    HF_TRY(judge->ops->read(cx, judge, &measure));
    HF_TRY(judge->ops->push(cx, judge, 0));
    HF_TRY(judge->ops->push(cx, judge, 2));
    HF_TRY(judge->ops->read(cx, judge, &measure));
    if (judge->ops->count) {
        HF_TRY(judge->ops->count(cx, judge, 2, 0, 3, &bad, &first));
    }
    judge->ops->pop(judge);
    HF_TRY(judge->ops->push(cx, judge, 4));
    return judge->ops->read(cx, judge, &measure);
}

/* The rule's own and that of the relation, for each criterion. */
static size_t count_judges(void) { return 2 * hf_criterion_count(); }

static hf_status make_and_use_judge(hf_context *cx, const fixture *fx, const hf_rule *rule, size_t i) {
    hf_judge *judge = NULL;
    hf_criterion criterion;
    HF_TRY(hf_criterion_init(cx, hf_criterion_at(i / 2)->name, &criterion));
    hf_status status = i % 2 ? hf_judge_new_relation(cx, fx->universe, rule, &criterion, &judge)
                             : hf_judge_new(cx, fx->universe, rule, &criterion, &judge);
    status = status == HF_OK ? use_judge(cx, judge) : status;
    hf_judge_free(judge);
    return status;
}

static hf_status play_rule(hf_context *cx, void *user) {
    const rule_scene *s = user;
    static const uint32_t component[] = {1, 5};
    hf_rule rule = {0};
    hf_big *big = NULL;
    hf_fault_set set;
    hf_status status;
    HF_TRY_DONE(hf_rule_init(cx, s->rule, s->fx->topo, &rule));
    HF_TRY_DONE(hf_big_new(cx, &big));
    HF_TRY_DONE(hf_fault_set_make(cx, s->fx->universe, component, 2, &set));
    HF_TRY_DONE(s->judge < count_judges() ? make_and_use_judge(cx, s->fx, &rule, s->judge) : use_plan(cx, &rule, &set, big));
done:
    hf_big_free(big);
    hf_rule_free(&rule);
    return status;
}

static void sweep_rule(fixture *fx, const char *rule) {
    for (size_t judge = 0; judge <= count_judges(); judge++) {
        rule_scene s = {fx, rule, judge};
        failing_sweep_pieces(rule, 13 * 64, play_rule, &s);
    }
}

static bool is_complete_without_arguments(const hf_routing *routing) {
    for (const hf_param *p = routing->params; p && p->name; p++) {
        if (!p->fallback) {
            return false;
        }
    }
    return true;
}

/** Each routing on the first of the topologies that it accepts. */
static void every_routing(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const char *name = hf_routing_at(i)->name;
        bool is_done = !is_complete_without_arguments(hf_routing_at(i));
        for (size_t t = 0; t < N_TOPOLOGY && !is_done; t++) {
            fixture fx;
            hf_rule rule = {0};
            fixture_open(&fx, topologies[t], "links", NULL);
            is_done = hf_rule_init(fx.cx, name, fx.topo, &rule) == HF_OK;
            hf_rule_free(&rule);
            if (is_done) {
                sweep_rule(&fx, name);
            }
            fixture_close(&fx);
        }
        if (!is_done) {
            fail_msg("routing %s accepts none of the topologies", name);
        }
    }
}

static void variants_of_ft2ei(void **state) {
    (void)state;
    static const char *const rules[] = {"ft2ei:intervals=unlimited", "ft2ei:intervals=2,propagate=no", "ft2ei:own=yes"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=2", "switches+channels", NULL);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        sweep_rule(&fx, rules[i]);
    }
    fixture_close(&fx);
}

static hf_status make_bound(hf_context *cx, void *user) {
    const fixture *fx = user;
    hf_bound *bound = NULL;
    bool ok = false;
    hf_status status = hf_bound_make(cx, fx->universe, &fx->rule, &bound);
    if (status == HF_OK) {
        status = hf_bound_check(cx, fx->universe, &fx->rule, bound, &ok);
        assert_true(ok || status != HF_OK);
    }
    hf_bound_free(bound);
    return status;
}

static void bounds(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=2", "channels", "ft2ei:intervals=1");
    failing_sweep_pieces("bound", 3 * 64, make_bound, &fx);
    fixture_close(&fx);
}

/* ---- campaigns and stores ---- */

static const uint32_t faults[] = {0, 1, 2, 5};

static hf_status run_campaign(hf_context *cx, void *user) {
    hf_result *result = NULL;
    const hf_status status = hf_campaign_run(cx, user, &result);
    assert_true(status == HF_OK || result == NULL);
    hf_result_free(result);
    return status;
}

static void campaigns(void **state) {
    (void)state;
    static const struct {
        const char *rule, *universe, *criterion;
        hf_campaign more;
    } row[] = {
        {"ft2ei:intervals=1", "channels", "all-pairs", {.method = HF_METHOD_EXHAUSTIVE, .n_f = 3}},
        {"ft2ei:intervals=1", "channels", "connected", {.method = HF_METHOD_EXHAUSTIVE, .n_f = 3, .part = 2, .n_part = 3}},
        {"ft2ei:intervals=2", "links", "surviving", {.method = HF_METHOD_SAMPLED, .n_f = 4, .samples = 30, .seed = 1}},
        {"updown", "switches", "all-pairs", {.method = HF_METHOD_EXHAUSTIVE, .n_f = 2, .use_relation = true}},
        {"interval", "links", "all-pairs", {.method = HF_METHOD_SAMPLED, .n_f = 4, .samples = 9, .order = HF_ORDER_RANDOM}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        char name[128];
        fixture_open(&fx, "kary-tree:k=2,n=3", row[i].universe, row[i].rule);
        hf_campaign campaign = row[i].more;
        campaign.universe = fx.universe;
        campaign.rule = &fx.rule;
        campaign.criterion = fixture_criterion(&fx, row[i].criterion);
        campaign.f = faults;
        campaign.threads = 1;
        snprintf(name, sizeof name, "campaign %zu, %s", i, row[i].rule);
        assert_true(failing_sweep(name, run_campaign, &campaign) > 10);
        fixture_close(&fx);
    }
}

static hf_status look_at_row(hf_context *cx, void *user, const hf_store_row *row) {
    char *text;
    (void)user;
    return hf_scratch_print(cx, &text, "%s %s", row->topology, row->witness);
}

static hf_status keep_campaign(hf_context *cx, hf_store *store, const hf_campaign *campaign) {
    hf_campaign mine = *campaign;
    hf_journal *journal = NULL;
    char *key = NULL;
    hf_status status;
    HF_TRY_DONE(hf_store_key(cx, campaign, &key));
    HF_TRY_DONE(hf_store_journal_new(cx, store, campaign, &journal));
    mine.journal = journal;
    HF_TRY_DONE(run_campaign(cx, &mine));
done:
    hf_store_journal_free(journal);
    hf_release(hf_context_allocator(cx), key);
    return status;
}

static hf_status use_store(hf_context *cx, const char *path, const hf_campaign *campaign) {
    hf_store *store = NULL;
    uint64_t problems = 0;
    hf_status status;
    HF_TRY_DONE(hf_store_open(cx, path, HF_STORE_WRITE, &store));
    HF_TRY_DONE(keep_campaign(cx, store, campaign));
    HF_TRY_DONE(keep_campaign(cx, store, campaign)); /* now all comes from the store */
    HF_TRY_DONE(hf_store_each(cx, store, look_at_row, NULL));
    HF_TRY_DONE(hf_store_verify(cx, store, &problems, NULL, NULL));
    assert_true(problems == 0);
done:
    hf_store_close(store);
    return status;
}

/* A run that failed at the end of a row leaves it without its end; that is no damage. */
static void expect_unfinished(void *user, const char *problem) {
    (void)user;
    assert_non_null(strstr(problem, "all its sets are there"));
}

/** Whatever failed before, the file is sound, and a store opened again after it works. */
static hf_status play_store(hf_context *cx, void *user) {
    char folder[PATH_SIZE / 2], path[PATH_SIZE];
    uint64_t problems = 0;
    folder_open(folder, sizeof folder);
    const hf_status status = use_store(cx, folder_file(folder, "store.db", path, sizeof path), user);
    hf_context *plain = hf_context_new(NULL);
    hf_store *store = NULL;
    assert_int_equal(hf_store_open(plain, path, HF_STORE_WRITE, &store), HF_OK);
    assert_int_equal(hf_store_verify(plain, store, &problems, expect_unfinished, NULL), HF_OK);
    hf_store_close(store);
    hf_context_free(plain);
    folder_close(folder);
    return status;
}

static void stores(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=2", "channels", "ft2ei:intervals=1");
    hf_campaign campaign = {.universe = fx.universe,
                            .rule = &fx.rule,
                            .criterion = fixture_criterion(&fx, "all-pairs"),
                            .f = faults,
                            .n_f = 3,
                            .threads = 1};
    assert_true(failing_sweep("store", play_store, &campaign) > 50);
    fixture_close(&fx);
}

/* ---- studies ---- */

static hf_status play_study(hf_context *cx, void *user) {
    (void)user;
    static const char text[] = "schema: 1\nname: x\ntitle: t\nsource: s\nabout: words\n"
                               "defaults:\n  topology: kary-tree:k=2,n=2\n  routing: ft2ei\n  universe: channels\n"
                               "  ask: tolerance\n  column: not_tolerated_percent\n"
                               "cells:\n  - label: a\n    faults: 0..2\n  - label: b\n    faults: 2\n    published: 6%\n"
                               "    citation: c\n  - {label: d, ask: cost, column: relative}\n"
                               "  - label: c\n    not-computable: a reason\n    published: 1\n";
    hf_study *study = NULL;
    hf_study_outcome *outcome = NULL, *again = NULL;
    hf_report report;
    hf_text out;
    hf_status status;
    hf_text_init(cx, &out);
    HF_TRY_DONE(hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study));
    HF_TRY_DONE(hf_study_run(cx, study, &(hf_study_options){.threads = 1}, &outcome));
    HF_TRY_DONE(hf_study_outcome_report(cx, study, outcome, &report));
    HF_TRY_DONE(hf_report_print(&report, &(hf_report_style){.form = HF_FORM_CSV}, &out));
    HF_TRY_DONE(hf_study_outcome_read(cx, study, "in.csv", out.data, out.size, &again));
done:
    hf_text_free(&out);
    hf_study_outcome_free(outcome);
    hf_study_outcome_free(again);
    hf_study_free(study);
    return status;
}

static hf_status play_front(hf_context *cx, void *user) {
    (void)user;
    static const char text[] =
        "schema: 2\nname: x\ntitle: t\nabout: words\n"
        "front: {least: cost, most: [throughput, tolerance], limits: {terminals: 4.., deadlock: deadlock-free}}\n"
        "defaults: {ask: \"design reference=kary-tree:k=2,n=2 faults-most=2\", samples: 3}\n"
        "cells:\n  - {topology: \"kary-tree:k=2,n=2\", routing: updown, remark: tree}\n"
        "  - {grid: {n: 3..5}, topology: \"ring:n={n}\", routing: updown-graph}\n";
    hf_study *study = NULL;
    hf_study_outcome *outcome = NULL;
    hf_report report;
    hf_text out;
    hf_status status;
    bool any;
    hf_text_init(cx, &out);
    HF_TRY_DONE(hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study));
    HF_TRY_DONE(hf_study_run(cx, study, &(hf_study_options){.threads = 1}, &outcome));
    HF_TRY_DONE(hf_study_outcome_report(cx, study, outcome, &report));
    HF_TRY_DONE(hf_report_print(&report, &(hf_report_style){.form = HF_FORM_CSV}, &out));
    HF_TRY_DONE(hf_study_outcome_report_short(cx, study, outcome, &report));
    HF_TRY_DONE(hf_study_outcome_plot(cx, study, outcome, 0, HF_PLOT_SVG, &any, &out));
done:
    hf_text_free(&out);
    hf_study_outcome_free(outcome);
    hf_study_free(study);
    return status;
}

static hf_status open_embedded(hf_context *cx, void *user) {
    hf_study *study = NULL;
    const hf_status status = hf_study_open(cx, user, &study);
    hf_study_free(study);
    return status;
}

static void studies(void **state) {
    (void)state;
    assert_true(failing_sweep("study", play_study, NULL) > 50);
    assert_true(failing_sweep("front", play_front, NULL) > 50);
    for (size_t i = 0; i < hf_study_embedded_count(); i += share_step()) {
        char name[128];
        snprintf(name, sizeof name, "%s", hf_study_embedded_name(i));
        failing_sweep(name, open_embedded, name);
    }
}

/* ---- drawings and tables ---- */

static hf_status draw(hf_context *cx, void *user) {
    const fixture *fx = user;
    const uint64_t some[4] = {5, 0, 0, 0};
    hf_fault_set set;
    hf_text out;
    hf_status status;
    hf_text_init(cx, &out);
    HF_TRY_DONE(hf_fault_set_make(cx, fx->universe, (uint32_t[]){0, 2}, 2, &set));
    HF_TRY_DONE(hf_format_svg(
        cx, fx->topo,
        &(hf_marks){
            .faults = &set, .victim_node = some, .lost_terminal = some, .title = "a < b", .held = some, .ring_link = some},
        &out));
    HF_TRY_DONE(hf_format_dot(cx, fx->topo, &out));
    HF_TRY_DONE(hf_format_graphml(cx, fx->topo, &out));
done:
    hf_text_free(&out);
    return status;
}

static void drawings(void **state) {
    (void)state;
    for (size_t t = 1; t < N_TOPOLOGY; t++) {
        fixture fx;
        fixture_open(&fx, topologies[t], "links", NULL);
        failing_sweep_pieces(topologies[t], 256, draw, &fx);
        fixture_close(&fx);
    }
}

static hf_status write_tables(hf_context *cx, void *user) {
    static hf_status (*const write[])(hf_context *, const hf_table *, hf_text *) = {hf_table_text, hf_table_csv,
                                                                                    hf_table_markdown, hf_table_latex};
    for (size_t i = 0; i < 4; i++) {
        hf_text out;
        hf_text_init(cx, &out);
        const hf_status status = write[i](cx, user, &out);
        hf_text_free(&out);
        HF_TRY(status);
    }
    return HF_OK;
}

/* A report with a table of each kind of cell, in every format. */
static hf_status write_report(hf_context *cx, void *user) {
    static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"share", "%", "%", HF_COLUMN_ESTIMATE, 6, 0},
                                        {"names", "names", NULL, HF_COLUMN_WORD, 6, 0}};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = HF_OK;
    for (int form = 0; form < HF_FORMS && status == HF_OK; form++) {
        hf_report r;
        hf_text out;
        hf_text_init(cx, &out);
        hf_report_begin(cx, "title", "label", &r);
        hf_report_argument(&r, "topology", user);
        hf_report_table_begin(&r, "table", columns, 3);
        for (uint64_t i = 0; i < 20; i++) {
            hf_report_cell(&r, hf_cell_count(i));
            hf_report_cell(&r, hf_cell_estimate(1, 0.5, 1.5, HF_INTERVAL_WILSON, NULL));
            hf_report_cell(&r, hf_cell_word("a, \"b\""));
        }
        status = hf_report_print(&r, &(hf_report_style){.form = (hf_form)form}, &out);
        hf_text_free(&out);
    }
    hf_scratch_reset(cx, mark);
    return status;
}

static void reports(void **state) {
    (void)state;
    failing_sweep_pieces("reports", 64, write_report, "mesh:dims=2x2");
}

static void tables(void **state) {
    (void)state;
    static const char *const header[] = {"f", "what & why"};
    static const char *const cell[] = {"1", "a, \"b\" | c", "2", NULL, "1000", "50 % of x_1 ~ {y} \\ z, and so on, and so on"};
    static const bool is_number[] = {true, false};
    hf_table table = {"title", 2, 3, header, cell, is_number, "a note", "label", 0};
    failing_sweep_pieces("tables", 64, write_tables, &table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(universes), cmocka_unit_test(every_routing), cmocka_unit_test(variants_of_ft2ei),
        cmocka_unit_test(bounds),    cmocka_unit_test(campaigns),     cmocka_unit_test(stores),
        cmocka_unit_test(studies),   cmocka_unit_test(drawings),      cmocka_unit_test(tables),
        cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
