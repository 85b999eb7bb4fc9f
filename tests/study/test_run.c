/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Studies: what is refused, what cells compute, what the store spares. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/study.h>

#include "tests/support/folder.h"

#define TOP "schema: 1\nname: x\ntitle: t\nsource: s\n"
#define CELL                                                                                                                     \
    "cells:\n  - label: a\n    topology: kary-tree:k=2,n=3\n    routing: ft2ei\n    universe: channels\n    "                    \
    "ask: tolerance\n    column: not_tolerated_percent\n"

#define PROTOCOL "cells:\n  - label: a\n    column: sends\n"
#define SIMULATE                                                                                                                 \
    "cells:\n  - label: a\n    column: accepted\n    ask: simulate\n    topology: ring:n=4\n    routing: dor\n    traffic: "     \
    "uniform\n"
#define GROUP SIMULATE "    load: \"1\"\n    id: b\n  - {label: c, kind: combine, of: "
#define PAIR SIMULATE "    load: \"1\"\n    id: b\n  - label: c\n    kind: claim\n    of: b\n"

static int open_context(void **state) {
    *state = hf_context_new(NULL);
    return 0;
}

static int close_context(void **state) {
    hf_context_free(*state);
    return 0;
}

static void ok(hf_context *cx, hf_status status) {
    if (status != HF_OK) {
        print_error("%s: %s\n", hf_status_text(status), hf_context_message(cx));
        fail();
    }
}

static void refusals_name_file_line_and_key(void **state) {
    static const struct {
        const char *text, *says;
    } refusal[] = {
        {"", "in.yaml"},
        {"schema: 3\nname: x\ntitle: t\nsource: s\ncells: []\n", "line 1, key \"schema\": \"3\""},
        {"schema: 1\nname: X\ntitle: t\nsource: s\ncells:\n  - label: a\n", "line 2, key \"name\": \"X\""},
        {"schema: 1\nname: x\nsource: s\ncells:\n  - label: a\n", "\"title\""},
        {TOP "cell: 1\n", "line 5"},
        {TOP "cells: []\n", "no cells"},
        {TOP CELL "    faults: 2\n    sampels: 3\n", "line 13"},
        {TOP CELL "    faults: 2\n    method: sampled\n    samples: -1\n", "line 14, key \"samples\": "},
        {TOP CELL "    faults: 2\n    method: exhaustive\n    samples: 5\n",
         "line 14, key \"samples\": samples belongs to method=sampled"},
        {TOP CELL "    faults: 2\n    method: gess\n", "line 13, key \"method\""},
        {TOP CELL, "line 10, key \"ask\": question \"tolerance\": argument faults is missing"},
        {TOP CELL "    faults: 2\n    kind: combin\n", "did you mean"},
        {TOP "cells:\n  - label: a\n    topology: ring:n=4\n", "\"ask\" is missing"},
        {TOP CELL "    faults: 2\n    show: paths\n", "line 13, key \"show\""},
        {TOP CELL "    faults: 2\n    traffic: uniform\n", "line 13, key \"traffic\""},
        {TOP "cells:\n  - {label: a, ask: load, column: max_load, topology: \"ring:n=4\"}\n", "argument routing is missing"},
        {TOP "cells:\n  - {label: a, ask: tolerance nix=3, column: f, topology: \"ring:n=4\", routing: dor, faults: 1}\n",
         "line 6, key \"ask\": question"},
        {TOP CELL "    faults: 2\n    stage: 1\n", "line 13: \"stage\""},
        {TOP CELL "    faults: 2\n    published: 6 percent\n", "line 13, key \"published\""},
        {TOP "cells:\n  - {label: a, ask: verify, column: verdict, topology: \"ring:n=4\", routing: dor, published: free}\n",
         "line 6, key \"published\": \"free\" is no word of column \"verdict\"; need one of deadlock-free|deadlock|unknown"},
        {TOP "cells:\n  - {label: a, ask: verify, column: connected, topology: \"ring:n=4\", routing: dor, published: good}\n",
         "line 6, key \"published\": \"good\" is not right"},
        {TOP CELL "    faults: 2\n    label: b\n", "label"},
        {TOP CELL "    faults: [1, 2]\n", "in.yaml"},
        {TOP "cells:\n\t- x\n", "in.yaml"},
        {TOP SIMULATE "    load: 1e-\n", "line 12, key \"load\""},
        {TOP SIMULATE "    load: 1\n    router: switching=worm\n", "line 13, key \"router\""},
        {TOP SIMULATE "    load: 1\n    measure: batches=1\n", "line 13, key \"measure\""},
        {TOP SIMULATE "    load: 1\n    burst: 0.5,1\n", "line 13, key \"burst\": burst=0.5,1 is not right; need mean cycles"},
        {TOP SIMULATE "    load: 1\n    burst: 200,1,all\n", "line 13, key \"burst\""},
        {TOP CELL "    faults: 2\n    burst: \"200\"\n", "line 13, key \"burst\": a cell that asks"},
        {TOP SIMULATE "    barrier: tasks=2\n    take: least\n", "line 13, key \"take\": a cell that asks"},
        {TOP SIMULATE "    barrier: tasks=2\n    measure: cycles=x\n", "line 13, key \"measure\""},
        {TOP CELL "    faults: 2\n    barrier: tasks=2\n", "line 13, key \"barrier\": a cell that asks"},
        {TOP CELL "    faults: 2\n    trace: file:x\n", "line 13, key \"trace\": a cell that asks"},
        {TOP "cells:\n  - label: a\n    kind: protocol\n", "line 7, key \"kind\": no kind is called \"protocol\""},
        {TOP SIMULATE, "line 8, key \"ask\": need one of load, sweep, saturation, trace, barrier, program"},
        {TOP SIMULATE "    load: 1\n    universe: links\n    faults: 2..1\n", "line 14, key \"faults\""},
        {TOP SIMULATE "    load: 1\n    runs: 2\n", "line 13, key \"runs\": runs belongs to faults"},
        {TOP SIMULATE "    load: 1\n    faults: 1..2\n    published: \"1\"\n", "a published value belongs to one row"},
        {TOP SIMULATE "    load: 0.1,0.2\n    published: \"20\"\n", "a published value belongs to one row"},
        {TOP SIMULATE "    load: 1\n    router: buffer\n",
         "line 13, key \"router\": question \"simulate\": router=\"buffer\" is not right; need one of usual, booksim-iq"},
        {TOP SIMULATE "    load: 1\n    router: usual,buffer\n",
         "line 13, key \"router\": \"buffer\" is not right; need NAME=VALUE"},
        {TOP SIMULATE "    load: 1\n    router: buffers=1\n",
         "line 13, key \"router\": no parameter is called \"buffers\"; did you mean \"buffer\"?"},
        {TOP SIMULATE "    load: 1\n    router: measure=1\n", "line 13, key \"router\": no parameter is called \"measure\""},
        {TOP SIMULATE "    load: 1\n    router: buffer=1,buffer=2\n", "line 13, key \"router\": buffer is given twice"},
        {TOP SIMULATE "    load: 1\n    router: buffer=0\n",
         "line 13, key \"router\": question \"simulate\": buffer=0 is out of range; need 1 <= buffer"},
        {TOP SIMULATE "    barrier: tasks=2\n    load: 1\n", "need one of load"},
        {TOP SIMULATE "    load: 1\n    show: latency\n", "line 13, key \"show\": a cell that asks"},
        {TOP "cells:\n  - {label: a, ask: simulate generate=0, column: cycles, topology: \"ring:n=4\", routing: dor, load: 1}\n",
         "generate=0 is out of range"},
        {TOP PROTOCOL "    ask: protocol benchmark=ad\n",
         "line 8, key \"ask\": question \"protocol\": benchmark=\"ad\" is not right"},
        {TOP PROTOCOL "    ask: protocol loss=1\n", "line 8, key \"ask\": question \"protocol\": loss=\"1\" is"},
        {TOP PROTOCOL "    ask: protocol nods=4\n", "did you mean \"nodes\""},
        {TOP CELL "    faults: 2\n    program: add\n", "line 13, key \"program\": a cell that asks"},
        {TOP CELL "    faults: 2\n    load: \"1\"\n", "line 13, key \"load\": a cell that asks"},
        {TOP CELL "    faults: 2\n    holds: 0%..\n", "line 13, key \"holds\": a cell that asks"},
        {TOP PAIR "    against: c\n    holds: 0%..\n", "line 17, key \"against\": no cell before this one"},
        {TOP PAIR "    against: b\n", "\"holds\" is missing"},
        {TOP SIMULATE "    load: \"1\"\n    id: b\n  - label: c\n    kind: combine\n    of: b\n", "\"against\" is missing"},
        {TOP SIMULATE "    load: \"1\"\n    id: b\n  - label: c\n    kind: combine\n    of: b\n    against: b\n    holds: 0%..\n",
         "line 18, key \"holds\": it belongs to a cell of kind \"claim\""},
        {TOP SIMULATE "    load: \"1\"\n    against: b\n", "key \"against\": a cell that asks"},

        {TOP GROUP "\"b\", against: b, take: least}\n", "key \"of\": \"b\" is not right; need the ids of a group with one *"},
        {TOP GROUP "\"b**\", against: b, take: least}\n", "need the ids of a group with one *"},
        {TOP GROUP "\"b*\", against: b}\n", "key \"of\": \"b*\" names a group; need \"take\""},
        {TOP GROUP "\"b*\", against: b, take: median}\n", "key \"take\""},
        {TOP GROUP "\"c*\", against: b, take: least}\n", "key \"of\": no cell before this one has the id \"c*\""},
        {TOP GROUP "\"b*\", against: \"c*\", take: least}\n", "no cell before this one has the id \"c*\", * being "},
        {TOP GROUP "\"b\", against: \"b*\"}\n", "key \"against\": \"b*\" is not right; need an id"},
        {TOP GROUP "\"b*\", against: \"*b*\", take: most}\n", "or those of a group with one *"},
        {TOP GROUP "\"b*\", show: value, against: b, take: most}\n", "key \"against\": it belongs to what compares two cells"},
        {TOP GROUP "\"b\", show: value}\n", "key \"show\": the value of one cell is that cell"},
        {TOP PAIR "    against: b\n    holds: 0..1\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: 2%..1%\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: 0%<..0%\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: <..1%\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: 1%..<\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: 0%<..<\n", "line 18, key \"holds\""},
        {TOP PAIR "    show: value\n    against: b\n    holds: 0..1\n", "key \"against\": it belongs"},
        {TOP CELL "    faults: 2\n    id: b\n  - label: c\n    kind: claim\n    of: b\n    show: value\n    holds: 0..1\n",
         "line 16, key \"of\": the cell shows a percentage"},
        {TOP SIMULATE "    load: 1\n  - label: c\n    kind: line\n    of: c\n",
         "line 15, key \"of\": no cell before this one is on"},
        {TOP SIMULATE "    load: 1\n  - label: c\n    kind: line\n", "\"of\" is missing"},
        {TOP CELL "    faults: 2\n    of: c\n", "line 13, key \"of\": a cell that asks"},
        {TOP PAIR "    against: b\n    holds: ..\n", "line 18, key \"holds\""},
        {TOP PAIR "    against: b\n    holds: 0%..\n    id: b\n", "line 19, key \"id\": \"b\" is the id"},
    };
    hf_context *cx = *state;
    for (size_t i = 0; i < sizeof refusal / sizeof *refusal; i++) {
        hf_study *study = NULL;
        const hf_status status = hf_study_parse(cx, "in.yaml", refusal[i].text, strlen(refusal[i].text), &study);
        if (status != HF_EINVAL && status != HF_ENOENT && status != HF_ERANGE) {
            print_error("%zu: %s\n", i, hf_status_text(status));
            fail();
        }
        assert_null(study);
        if (!strstr(hf_context_message(cx), refusal[i].says) || strncmp(hf_context_message(cx), "in.yaml", 7) != 0) {
            print_error("%zu: \"%s\" does not say \"%s\"\n", i, hf_context_message(cx), refusal[i].says);
            fail();
        }
    }
}

/* Wrong specs show when the cell is run; the message says where the cell stands. */
static void wrong_specs_name_the_cell(void **state) {
    static const char text[] = TOP "cells:\n  - label: a\n    topology: kary-tree:k=1,n=3\n    routing: ft2ei\n"
                                   "    universe: channels\n    ask: tolerance\n    column: not_tolerated\n    faults: 2\n";
    hf_context *cx = *state;
    hf_study *study;
    hf_study_outcome *outcome = NULL;
    const hf_study_options options = {.threads = 1};
    ok(cx, hf_study_parse(cx, "in.yaml", text, sizeof text - 1, &study));
    assert_int_equal(hf_study_run(cx, study, &options, &outcome), HF_ERANGE);
    assert_null(outcome);
    assert_non_null(strstr(hf_context_message(cx), "in.yaml, line 6, cell \"a\""));
    assert_non_null(strstr(hf_context_message(cx), "k=1"));
    hf_study_free(study);
}

static const char good[] =
    TOP "defaults:\n  topology: kary-tree:k=2,n=3\n  routing: ft2ei\n  universe: channels\n  ask: tolerance\n"
        "  column: not_tolerated_percent\ncells:\n"
        "  - {label: share, faults: 2, published: 6%}\n"
        "  - {label: count, faults: 2, column: not_tolerated, published: \"33\"}\n"
        "  - {label: victims, faults: 3, column: victims_mean}\n"
        "  - {label: rows, faults: \"0..2\"}\n"
        "  - {label: sampled, faults: 4, method: sampled, samples: 5000, published: 35%}\n"
        "  - {label: faults, ask: bound enumerate=yes, column: tolerated_faults, published: \"1\"}\n"
        "  - {label: certified, ask: bound, column: tolerated_faults, published: \"1\"}\n"
        "  - {label: paths, ask: paths, column: paths, published: \"168\"}\n"
        "  - {label: lost, ask: paths, column: lost, failed: \"s4:2>s8:0\", published: \"16\"}\n"
        "  - {label: share lost, ask: paths, column: lost_percent, failed: \"s8:0>s4:2\", published: 9.52%}\n"
        "  - {label: cost, ask: cost, column: relative}\n"
        "  - {label: memory, ask: cost, column: memory_bits}\n"
        "  - {label: load, ask: load, column: max_load, traffic: uniform}\n"
        "  - {label: free, ask: verify, column: verdict, published: deadlock-free}\n"
        "  - {label: method, ask: verify, column: method, published: escape}\n"
        "  - {label: connected, ask: verify, column: connected, published: \"yes\", id: connected}\n"
        "  - {label: as one, ask: verify, column: connected, published: \"1\"}\n"
        "  - {label: claimed, kind: claim, show: value, of: connected, holds: \"1..1\"}\n"
        "  - {label: never, not-computable: no traces, published: \"5\"}\n";

static const struct {
    const char *label, *computed;
    hf_study_verdict verdict;
} line[] = {{"share", "6.45161%", HF_STUDY_REPRODUCED},
            {"count", "32", HF_STUDY_DIFFERS},
            {"victims", "0.0451613", HF_STUDY_NO_PUBLISHED},
            {"rows, f=0", "0%", HF_STUDY_NO_PUBLISHED},
            {"rows, f=1", "0%", HF_STUDY_NO_PUBLISHED},
            {"rows, f=2", "6.45161%", HF_STUDY_NO_PUBLISHED},
            {"sampled", NULL, HF_STUDY_REPRODUCED},
            {"faults", "1", HF_STUDY_REPRODUCED},
            {"certified", "1", HF_STUDY_REPRODUCED},
            {"paths", "168", HF_STUDY_REPRODUCED},
            {"lost", "16", HF_STUDY_REPRODUCED},
            {"share lost", "9.52381%", HF_STUDY_REPRODUCED},
            {"cost", "1.0625", HF_STUDY_NO_PUBLISHED},
            {"memory", "36", HF_STUDY_NO_PUBLISHED},
            {"load", "0.857143", HF_STUDY_NO_PUBLISHED},
            {"free", "deadlock-free", HF_STUDY_REPRODUCED},
            {"method", "acyclic dependency graph", HF_STUDY_DIFFERS},
            {"connected", "yes", HF_STUDY_REPRODUCED},
            {"as one", "yes", HF_STUDY_REPRODUCED},
            {"claimed", "1", HF_STUDY_HOLDS},
            {"never", "", HF_STUDY_NOT_COMPUTABLE}};
enum { LINES = sizeof line / sizeof *line };

static void expect_lines(const hf_study_outcome *o) {
    assert_int_equal(o->n_line, LINES);
    for (size_t i = 0; i < LINES; i++) {
        assert_string_equal(o->line[i].label, line[i].label);
        assert_int_equal(o->line[i].verdict, line[i].verdict);
        if (line[i].computed) {
            assert_string_equal(o->line[i].computed, line[i].computed);
            assert_string_equal(o->line[i].low, "");
        } else {
            assert_string_not_equal(o->line[i].low, "");
        }
    }
    assert_int_equal(o->reproduced, 10);
    assert_int_equal(o->differing, 2);
    assert_int_equal(o->not_computable, 1);
    assert_string_equal(o->line[LINES - 1].remark, "no traces");
}

/* What a study gave is read back from its CSV as it was: again printed, the same bytes. */
static void expect_lines_again(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome) {
    const hf_report_style csv = {.form = HF_FORM_CSV};
    hf_study_outcome *again;
    hf_report report;
    hf_text text[2];
    for (int i = 0; i < 2; i++) {
        hf_text_init(cx, &text[i]);
        ok(cx, hf_study_outcome_report(cx, study, i ? again : outcome, &report));
        assert_int_equal(report.table[0].n_cell, LINES * report.table[0].n_column);
        ok(cx, hf_report_print(&report, &csv, &text[i]));
        if (i == 0) {
            ok(cx, hf_study_outcome_read(cx, study, "in.csv", text[0].data, text[0].size, &again));
            expect_lines(again);
        }
    }
    for (size_t i = 0; i < LINES; i++) {
        const hf_study_line *a = &outcome->line[i], *b = &again->line[i];
        assert_true(a->cell == b->cell && a->f == b->f && a->is_percent == b->is_percent && a->is_exact == b->is_exact);
        assert_true(isnan(a->x) ? isnan(b->x) : a->x == b->x);
        assert_string_equal(a->high, b->high);
    }
    assert_string_equal(text[0].data, text[1].data);
    hf_text_free(&text[0]);
    hf_text_free(&text[1]);
    hf_study_outcome_free(again);
}

static void cells_compute(void **state) {
    hf_context *cx = *state;
    hf_study *study;
    hf_study_outcome *outcome;
    const hf_study_options options = {.threads = 2};
    ok(cx, hf_study_parse(cx, "in.yaml", good, sizeof good - 1, &study));
    ok(cx, hf_study_run(cx, study, &options, &outcome));
    expect_lines(outcome);
    expect_lines_again(cx, study, outcome);
    hf_study_outcome_free(outcome);
    hf_study_free(study);
}

static size_t from_store(const hf_study_outcome *o) {
    size_t n = 0;
    for (size_t i = 0; i < o->n_line; i++) {
        n += o->line[i].from_store;
    }
    return n;
}

static void the_store_spares_campaigns(void **state) {
    hf_context *cx = *state;
    char folder[256], file[300];
    folder_open(folder, sizeof folder);
    folder_file(folder, "s.db", file, sizeof file);
    hf_store *store;
    hf_study *study;
    hf_study_outcome *outcome;
    ok(cx, hf_store_open(cx, file, HF_STORE_WRITE, &store));
    ok(cx, hf_study_parse(cx, "in.yaml", good, sizeof good - 1, &study));
    for (int run = 0; run < 3; run++) {
        const hf_study_options options = {.threads = 1, .store = store, .again = run == 2};
        ok(cx, hf_study_run(cx, study, &options, &outcome));
        expect_lines(outcome);
        assert_int_equal(from_store(outcome) >= 7, run == 1);
        hf_study_outcome_free(outcome);
    }
    hf_study_free(study);
    hf_store_close(store);
    folder_close(folder);
}

/* An answer that read a file is taken from the store while the file is as it was. */
static void answers_know_their_files(void **state) {
    static const char *const network[] = {"router 0 node 0 router 1\nrouter 1 node 1\n",
                                          "router 0 node 0 router 1\nrouter 1 node 1 router 2\nrouter 2 node 2\n"};
    hf_context *cx = *state;
    char folder[128], path[160], file[160], yaml[600];
    hf_store *store;
    hf_study *study;
    folder_open(folder, sizeof folder);
    folder_file(folder, "s.sqlite", path, sizeof path);
    folder_file(folder, "net.anynet", file, sizeof file);
    (void)snprintf(yaml, sizeof yaml,
                   TOP "cells:\n  - {label: a, ask: paths, column: pairs, topology: \"file:%s\", routing: minimal}\n", file);
    ok(cx, hf_store_open(cx, path, HF_STORE_WRITE, &store));
    ok(cx, hf_study_parse(cx, "in.yaml", yaml, strlen(yaml), &study));
    for (int run = 0; run < 4; run++) {
        const hf_study_options options = {.threads = 1, .store = store};
        hf_study_outcome *o;
        folder_write(file, network[run / 2], strlen(network[run / 2]));
        ok(cx, hf_study_run(cx, study, &options, &o));
        assert_string_equal(o->line[0].computed, run / 2 ? "6" : "2");
        assert_int_equal(o->line[0].from_store, run % 2 == 1);
        hf_study_outcome_free(o);
    }
    hf_study_free(study);
    hf_store_close(store);
    folder_close(folder);
}

/** Means of a routing's measures: those of samples lie about those of all sets, and carry an interval that holds them. */
static void means_of_samples(void **state) {
    static const char cells[] =
        TOP "defaults:\n  topology: maximal-fanout:radix=2,dilation=2,stages=4\n  universe: chips\n  samples: 3000\n"
            "  routing: multipath:live=io-isolation\n  ask: tolerance\n"
            "cells:\n"
            "  - label: a\n    faults: 4\n    column: lost_nodes_mean\n"
            "  - label: b\n    faults: 4\n    method: sampled\n    column: lost_nodes_mean\n"
            "  - label: c\n    faults: 4\n    column: lost_nodes_of_tolerated\n"
            "  - label: d\n    faults: 4\n    method: sampled\n    column: lost_nodes_of_tolerated\n";
    hf_context *cx = *state;
    hf_study *study;
    hf_study_outcome *o = NULL;
    const hf_study_options options = {.threads = 1};
    ok(cx, hf_study_parse(cx, "in.yaml", cells, sizeof cells - 1, &study));
    ok(cx, hf_study_run(cx, study, &options, &o));
    assert_int_equal(o->n_line, 4);
    for (size_t i = 0; i < 4; i += 2) {
        const double exact = strtod(o->line[i].computed, NULL), mean = strtod(o->line[i + 1].computed, NULL);
        const double low = strtod(o->line[i + 1].low, NULL), high = strtod(o->line[i + 1].high, NULL);
        assert_string_equal(o->line[i].low, "");
        assert_true(low < exact && exact < high && low < mean && mean < high);
        assert_true(high - low < mean && high - low > 0.02 * mean);
        assert_non_null(strstr(o->line[i + 1].method, ", bernstein-hoeffding"));
    }
    assert_string_equal(o->line[0].computed, "0.386652");
    assert_string_equal(o->line[2].computed, "0.408424");
    hf_study_outcome_free(o);
    hf_study_free(study);
}

static void built_in_studies_are_read(void **state) {
    hf_context *cx = *state;
    assert_true(hf_study_embedded_count() >= 6);
    for (size_t i = 0; i < hf_study_embedded_count(); i++) {
        hf_study *study;
        const char *name = hf_study_embedded_name(i);
        assert_true(i == 0 || strcmp(hf_study_embedded_name(i - 1), name) < 0);
        ok(cx, hf_study_open(cx, name, &study));
        assert_string_equal(hf_study_name(study), name);
        hf_study_free(study);
    }
    hf_study *study = NULL;
    assert_int_equal(hf_study_open(cx, "gomez2010-table-3.9", &study), HF_ENOENT);
    assert_non_null(strstr(hf_context_message(cx), "did you mean \"gomez2010-table-3."));
    assert_int_equal(hf_study_open(cx, "none/such.yaml", &study), HF_ENOENT);
    assert_null(study);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_context, close_context)
    const struct CMUnitTest tests[] = {
        TEST(refusals_name_file_line_and_key), TEST(wrong_specs_name_the_cell), TEST(cells_compute),
        TEST(the_store_spares_campaigns),      TEST(answers_know_their_files),  TEST(means_of_samples),
        TEST(built_in_studies_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
