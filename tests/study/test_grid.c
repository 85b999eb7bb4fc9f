/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Grids of studies: what they come to, what is refused; and random ones against an expansion of another kind, which counts
 *  through the points of a grid and writes the texts down as it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/study.h"
#include "tests/fuzz/fuzz.h"

#define TOP "schema: 2\nname: x\ntitle: t\nsource: s\n"
#define ONE "not-computable: n"

/* Label, published value and remark of every cell. */
static void write_cells(const hf_study *study, hf_text *out) {
    for (size_t i = 0; i < study->n_cell; i++) {
        const hf_study_cell *c = &study->cell[i];
        hf_text_print(out, "%s,%s,%s;", c->label, c->published, c->remark);
    }
}

static void grids_are_expanded(void **state) {
    static const struct {
        const char *yaml, *cells;
    } row[] = {
        {"cells:\n  - {label: a, " ONE "}\n", "a,,;"},
        {"cells:\n  - {label: \"a{k}{{}}\", " ONE ", grid: {k: [4, 8]}}\n", "a4{},,;a8{},,;"},
        {"cells:\n  - {label: \"{k} {n}\", " ONE ", grid: {k: \"1,4\", n: 0.1..0.3/0.1}}\n",
         "1 0.1,,;1 0.2,,;1 0.3,,;4 0.1,,;4 0.2,,;4 0.3,,;"},
        {"cells:\n  - {label: \"{k} {n}\", " ONE ", grid: {tree: [{k: 4, n: 2}, {n: 3, k: 8}]}}\n", "4 2,,;8 3,,;"},
        {"cells:\n  - {label: \"{k} {n}\", " ONE ", grid: {k: [4, 8], n: [2, 3]}, published: [1, ~, 3, \"4\"]}\n",
         "4 2,1,;4 3,,;8 2,3,;8 3,4,;"},
        {"cells:\n  - {label: \"{k} {n}\", " ONE ", grid: {k: [4, 8], n: [2, 3]}, published: [~, [3, 4]]}\n",
         "4 2,,;4 3,,;8 2,3,;8 3,4,;"},
        {"names: {base: b}\ndefaults: {remark: \"{base}r\"}\ncells:\n  - {label: a, " ONE "}\n  - {label: c, remark: ~, " ONE
         "}\n",
         "a,,br;c,,;"},
        {"cells:\n  - grid: {k: [4, 8]}\n    remark: [r, s]\n    cells:\n      - {label: \"a{k}\", " ONE ", published: [1, 2]}\n"
         "      - {label: \"{n}{k}\", grid: {n: [2, 3]}, " ONE ", published: [5, 6], remark: [[a, b], [c, d]]}\n",
         "a4,1,r;24,5,a;34,6,b;a8,2,s;28,5,c;38,6,d;"},
        {"cells:\n  - {label: \"{k}{n}\", grid: {k: [4, 8], n: 1..3}, " ONE
         ", except: [{k: 8, n: [1, 3], remark: \"e{n}\"}, {k: 4, n: 2, skip: yes}]}\n",
         "41,,;43,,;81,,e1;82,,;83,,e3;"},
        {"cells:\n  - grid: {k: [1, 2]}\n    names: {twice: \"{k}{k}\", odd: [yes, ~]}\n    skip: [no, yes]\n    cells:\n"
         "      - {label: \"{twice}{odd}\", " ONE "}\n",
         "11yes,,;"},
        {"cells:\n  - {label: \"{v}\", " ONE
         ", published: \"{p}\", remark: \"<{p}>\", grid: {c: [{v: a, p: 1}, {v: b, p: ~}]}}\n",
         "a,1,<1>;b,,<>;"},
        {"cells:\n  - {label: \"{a}{b}\", " ONE ", grid: {a: [1, 2], b: [\"x{a}\", y]}}\n", "1x1,,;1y,,;2x2,,;2y,,;"},
    };
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char yaml[2000];
        hf_study *study;
        hf_text cells;
        hf_text_init(cx, &cells);
        (void)snprintf(yaml, sizeof yaml, TOP "%s", row[i].yaml);
        if (hf_study_parse(cx, "in.yaml", yaml, strlen(yaml), &study) != HF_OK) {
            fail_msg("row %zu: %s", i, hf_context_message(cx));
        }
        write_cells(study, &cells);
        assert_string_equal(cells.data, row[i].cells);
        hf_text_free(&cells);
        hf_study_free(study);
    }
    hf_context_free(cx);
}

static void refusals_say_where(void **state) {
    static const struct {
        const char *cell, *says;
    } row[] = {
        {"label: \"{k}\", grid: {n: [1]}", "in.yaml, line 6, key \"label\": no grid here has the name \"k\""},
        {"label: \"{load}\", grid: {loads: [1]}", "did you mean \"loads\"?"},
        {"label: \"a{k\", grid: {k: [1]}", "key \"label\": \"a{k\" is not right"},
        {"label: \"a}\"", "a brace that is meant is doubled"},
        {"label: a, grid: {k: [1, 2]}", "key \"k\": no text uses this name; need {k} in one"},
        {"label: \"{k}\", grid: {t: [{k: 1, n: 2}]}", "key \"n\": no text uses this name"},
        {"label: a, names: {k: 1}", "key \"k\": no text uses this name"},
        {"label: \"{k}\", grid: {k: []}", "key \"k\": an axis is a list that is not empty"},
        {"label: \"{k}\", grid: {k: 4-8}", "key \"k\": \"4-8\" is not right; need numbers"},
        {"label: \"{k}\", grid: {k: 8..4}", "key \"k\": \"8..4\" is not right"},
        {"label: \"{k}\", grid: {k: [1, {k: 2}]}", "all texts, or all mappings with the same names"},
        {"label: \"{k}\", grid: {t: [{k: 1}, {n: 2}]}", "has no such name"},
        {"label: \"{k}\", grid: {t: [{k: 1}, {k: [2]}]}", "key \"k\": need a number or a text here"},
        {"label: \"{k}\", grid: {k: [1], t: [{k: 1}]}", "the name is that of an axis or a name in line 6 too"},
        {"label: \"{a b}\", grid: {a b: [1]}", "a name has letters, digits, - and _ only"},
        {"label: \"{k}\", grid: [k]", "key \"grid\": need a mapping of names to lists"},
        {"label: \"{k}\", grid: {k: [1, 2]}, published: [1, 2, 3]", "key \"published\": a list of 3 does not fit; need 2 texts"},
        {"label: [a, b]", "key \"label\": a list of 2 does not fit; need 1 texts"},
        {"label: \"{k}\", grid: {k: [1, 2]}, published: [[1], [2, 3]]", "a list of 2 does not fit"},
        {"label: {k}", "key \"label\": need a number or a text here; a text that begins with a brace stands in quotes"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: {k: 1}", "key \"except\": need a list of exceptions"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: [x]", "need an exception here"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: [{k: 1}]", "an exception needs an axis with a value, and a key"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: [{remark: a}]", "an exception needs an axis with a value"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: [{n: 1, remark: a}]", "\"n\" is no key of a cell"},
        {"label: \"{k}\", grid: {k: [1, 2]}, except: [{k: 3, remark: a}]", "this exception selects no point"},
        {"label: \"{k}\", grid: {k: [1, 2]}, skip: maybe", "key \"skip\": \"maybe\" is not right; need yes or no"},
        {"label: a, cells: []", "key \"cells\": the group has no cells"},
        {"label: a, cells: [b]", "need a cell"},
        {"label: a, gird: {k: [1]}", "did you mean \"grid\"?"},
        {"label: \"{a}{b}{c}\", grid: {a: 1..1000, b: 1..1000, c: [1]}", "more than 10000 cells"},
        {"label: \"{a}{b}{c}\", grid: {a: 1..1000, b: 1..1000, c: [1]}, skip: yes", "its grids have more than 100000 points"},
        {"label: \"{k}\", samples: x, method: sampled, ask: tolerance, column: f, topology: t, routing: r, faults: 1, "
         "not-computable: ~, grid: {k: [1, 2]}",
         "in.yaml, line 6, key \"samples\" (k=1): "},
        {"label: a, seed: &x 1", "anchors, aliases and tags are not taken"},
        {"label: a, seed: !!int 1", "anchors, aliases and tags are not taken"},
        {"label: a, label: b", "key \"label\" stands here a second time; the first is in line 6"},
    };
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char yaml[2000];
        hf_study *study = NULL;
        const char *more = strstr(row[i].cell, "not-computable") ? "" : ", " ONE;
        (void)snprintf(yaml, sizeof yaml, TOP "cells:\n  - {%s%s}\n", row[i].cell, more);
        const hf_status status = hf_study_parse(cx, "in.yaml", yaml, strlen(yaml), &study);
        if (status == HF_OK || !strstr(hf_context_message(cx), row[i].says) ||
            strncmp(hf_context_message(cx), "in.yaml", 7) != 0) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, status == HF_OK ? "" : hf_context_message(cx), row[i].says);
        }
    }
    hf_context_free(cx);
}

/* Schema 1 has no grids: braces are braces there, and ~ is a text. */
static void schema_1_is_as_before(void **state) {
    static const char good[] = "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: \"{a}}\", remark: ~, " ONE "}\n";
    static const char bad[] = "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: a, grid: {k: [1]}, " ONE "}\n";
    hf_context *cx = hf_context_new(NULL);
    hf_study *study;
    (void)state;
    assert_int_equal(hf_study_parse(cx, "in.yaml", good, sizeof good - 1, &study), HF_OK);
    assert_string_equal(study->cell[0].label, "{a}}");
    assert_string_equal(study->cell[0].remark, "~");
    hf_study_free(study);
    assert_int_equal(hf_study_parse(cx, "in.yaml", bad, sizeof bad - 1, &study), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(cx), "line 6: \"grid\" is of schema 2; this file says another"));
    hf_context_free(cx);
}

/* What a group says belongs to cells of its kind: a claim within it is none the worse. */
static void groups_are_defaults(void **state) {
    static const char yaml[] =
        TOP "cells:\n  - ask: simulate\n    column: latency\n    topology: ring:n=4\n    traffic: uniform\n    load: \"0.1\"\n"
            "    cells:\n      - {label: a, id: \"{r}\", routing: \"{r}\", grid: {r: [dor, updown-graph]}}\n"
            "      - {label: b, kind: claim, of: dor, against: updown-graph, holds: \"..5%\"}\n"
            "      - {label: c, ask: cost, column: switches, routing: dor}\n";
    hf_context *cx = hf_context_new(NULL);
    hf_study *study;
    (void)state;
    if (hf_study_parse(cx, "in.yaml", yaml, sizeof yaml - 1, &study) != HF_OK) {
        fail_msg("%s", hf_context_message(cx));
    }
    assert_int_equal(study->n_cell, 4);
    assert_int_equal(study->cell[1].kind, HF_STUDY_ASK);
    assert_int_equal(study->cell[2].show, HF_SHOW_GAIN);
    assert_true(study->cell[2].n_pair == 1 && study->cell[2].pair[0].of == 0 && study->cell[2].pair[0].against == 1);
    assert_int_equal(study->cell[2].line, 13);
    assert_int_equal(study->cell[3].kind, HF_STUDY_ASK);
    hf_study_free(study);
    hf_context_free(cx);
}

/* ---- random grids, in another way ---- */

enum { AXES = 3, CHILDREN = 3, DEPTH = 3 };

typedef struct maker {
    uint64_t random;
    hf_text yaml, expected;
    int entries;
} maker;

/* An axis of n values: texts, numbers, or pairs of names. */
typedef struct made_axis {
    int n, form, low;
} made_axis;

static void print_value(hf_text *out, const made_axis *a, int i) {
    if (a->form == 1) {
        hf_text_print(out, "%d", a->low + i);
    } else {
        hf_text_print(out, "%s%d", a->form == 0 ? "v" : "p", i);
    }
}

static void print_axis(maker *m, int entry, int axis, const made_axis *a) {
    hf_text_print(&m->yaml, "%sn%d-%d: ", axis ? ", " : "", entry, axis);
    if (a->form == 1) {
        hf_text_print(&m->yaml, "%d..%d", a->low, a->low + a->n - 1);
        return;
    }
    for (int i = 0; i < a->n; i++) {
        hf_text_print(&m->yaml, "%s", i ? ", " : "[");
        if (a->form == 0) {
            print_value(&m->yaml, a, i);
        } else {
            hf_text_print(&m->yaml, "{n%d-%d: p%d, m%d-%d: q%d}", entry, axis, i, entry, axis, i);
        }
    }
    hf_text_print(&m->yaml, "]");
}

/* All that the entry says, once; then it is played point by point into what is expected. */
typedef struct made {
    int id, n_axis, points, n_child, except; /**< except: a value of the first axis, or -1 */
    made_axis axis[AXES];
    struct made *child[CHILDREN];
} made;

static made *make(hf_context *cx, maker *m, int depth) {
    made *e;
    assert_int_equal(hf_scratch(cx, 1, sizeof *e, (void **)&e), HF_OK);
    *e = (made){.id = m->entries++, .points = 1, .except = -1};
    e->n_axis = (int)fuzz_below(&m->random, AXES + 1);
    for (int a = 0; a < e->n_axis; a++) {
        e->axis[a] =
            (made_axis){(int)fuzz_below(&m->random, 3) + 1, (int)fuzz_below(&m->random, 3), (int)fuzz_below(&m->random, 9)};
        e->points *= e->axis[a].n;
    }
    if (e->n_axis && fuzz_below(&m->random, 2)) {
        e->except = (int)fuzz_below(&m->random, (size_t)e->axis[0].n);
    }
    e->n_child = depth < DEPTH ? (int)fuzz_below(&m->random, CHILDREN + 1) : 0;
    for (int c = 0; c < e->n_child; c++) {
        e->child[c] = make(cx, m, depth + 1);
    }
    return e;
}

static void print_entry(maker *m, const made *e, int indent, const char *label) {
    char own[400];
    int size = snprintf(own, sizeof own, "%s", label);
    hf_text_print(&m->yaml, "%*s- names: {own%d: o}\n%*s  grid: {", indent, "", e->id, indent, "");
    for (int a = 0; a < e->n_axis; a++) {
        print_axis(m, e->id, a, &e->axis[a]);
        size += snprintf(own + size, sizeof own - (size_t)size, e->axis[a].form == 2 ? "/{n%d-%d}{m%d-%d}" : "/{n%d-%d}", e->id,
                         a, e->id, a);
    }
    (void)snprintf(own + size, sizeof own - (size_t)size, "{own%d}", e->id);
    hf_text_print(&m->yaml, "}\n%*s  published: [", indent, "");
    for (int i = 0; i < e->points; i++) {
        hf_text_print(&m->yaml, "%s%d", i ? ", " : "", 100 * e->id + i);
    }
    hf_text_print(&m->yaml, "]\n%*s  label: \"%s\"\n", indent, "", own);
    if (e->except >= 0) {
        hf_text_print(&m->yaml, "%*s  except: [{n%d-0: ", indent, "", e->id);
        print_value(&m->yaml, &e->axis[0], e->except);
        hf_text_print(&m->yaml, ", remark: e%d}]\n", e->id);
    }
    if (e->n_child > 0) {
        hf_text_print(&m->yaml, "%*s  cells:\n", indent, "");
    }
    for (int c = 0; c < e->n_child; c++) {
        print_entry(m, e->child[c], indent + 4, own);
    }
}

static void play(maker *m, const made *e, const char *label, const char *remark) {
    for (int point = 0; point < e->points; point++) {
        char own[400];
        int size = snprintf(own, sizeof own, "%s", label), rest = point, under = e->points;
        bool is_excepted = false;
        for (int a = 0; a < e->n_axis; a++) {
            under /= e->axis[a].n;
            const int i = rest / under;
            const made_axis *x = &e->axis[a];
            rest %= under;
            is_excepted |= a == 0 && i == e->except;
            size += snprintf(own + size, sizeof own - (size_t)size,
                             x->form == 0   ? "/v%d"
                             : x->form == 1 ? "/%d"
                                            : "/p%dq%d",
                             x->form == 1 ? x->low + i : i, i);
        }
        (void)snprintf(own + size, sizeof own - (size_t)size, "o");
        char text[16];
        (void)snprintf(text, sizeof text, "e%d", e->id);
        const char *said = is_excepted ? text : remark;
        for (int c = 0; c < e->n_child; c++) {
            play(m, e->child[c], own, said);
        }
        if (e->n_child == 0) {
            hf_text_print(&m->expected, "%s,%d,%s;", own, 100 * e->id + point, said);
        }
    }
}

static void random_grids_are_as_counted(void **state) {
    hf_context *cx = hf_context_new(NULL);
    size_t n_cell = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        maker m = {.random = seed};
        hf_study *study = NULL;
        hf_text cells;
        hf_text_init(cx, &m.yaml);
        hf_text_init(cx, &m.expected);
        hf_text_init(cx, &cells);
        const hf_mark mark = hf_scratch_mark(cx);
        const made *root = make(cx, &m, 1);
        hf_text_print(&m.yaml, TOP "defaults: {" ONE "}\ncells:\n");
        print_entry(&m, root, 2, "");
        play(&m, root, "", "");
        const hf_status status = hf_study_parse(cx, "in.yaml", m.yaml.data, m.yaml.size, &study);
        if (status == HF_OK) {
            write_cells(study, &cells);
            n_cell += study->n_cell;
            if (strcmp(cells.data, m.expected.data) != 0) {
                fail_msg("seed %u:\n%s\n%s\nexpected\n%s", (unsigned)seed, m.yaml.data, cells.data, m.expected.data);
            }
        } else if (status != HF_ERANGE) { /* more cells than a study may have */
            fail_msg("seed %u: %s\n%s", (unsigned)seed, hf_context_message(cx), m.yaml.data);
        }
        hf_scratch_reset(cx, mark);
        hf_study_free(study);
        hf_text_free(&m.yaml);
        hf_text_free(&m.expected);
        hf_text_free(&cells);
    }
    assert_true(n_cell > 10000);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grids_are_expanded), cmocka_unit_test(refusals_say_where),
                                       cmocka_unit_test(schema_1_is_as_before), cmocka_unit_test(groups_are_defaults),
                                       cmocka_unit_test(random_grids_are_as_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
