/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a network is asked for a yes or no: what a wiring promises, and whether it is the one that was intended. */
#include "src/question/topology_checks.h"

#include <inttypes.h>

#include <holdfast/analysis/tolerance.h>

#include "src/bridge/json.h"
#include "src/report/tree.h"
#include "src/topology/compare.h"

/* ---- wirings ---- */

static hf_cell number(uint32_t value) { return value == HF_NONE ? hf_cell_none() : hf_cell_count(value); }

enum { WIRING_HEAD = 4 };

const hf_column hf_topology_check[] = {
    {"terminals", "terminals", NULL, HF_COLUMN_COUNT, 6, 0},
    {"connected", "every pair connected", NULL, HF_COLUMN_FLAG, 6, 0},
    {"fanout_maximal_to", "fanout maximal to stage", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
    {"fanout_possible_to", "possible to stage", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
    {"stage", "stage", NULL, HF_COLUMN_COUNT, 6, 0},
    {"class_size", "routers a class", NULL, HF_COLUMN_COUNT, 6, 0},
    {"fanout_least", "fanout least", NULL, HF_COLUMN_COUNT, 6, 0},
    {"fanout_most", "most", NULL, HF_COLUMN_COUNT, 6, 0},
    {"fanout_limit", "limit", NULL, HF_COLUMN_COUNT, 6, 0},
    {"expansion_1", "1 router leads to", NULL, HF_COLUMN_COUNT, 6, 0},
    {"expansion_2", "2", NULL, HF_COLUMN_COUNT, 6, 0},
    {"expansion_3", "3", NULL, HF_COLUMN_COUNT, 6, 0},
    {"expansion", "expansion", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
    {0}};

static void put_wiring(hf_report *answer, const hf_topology *topo, const hf_wiring *w) {
    hf_report_cell(answer, hf_cell_count(topo->n_terminal));
    hf_report_cell(answer, hf_cell_flag(w->is_connected));
    hf_report_cell(answer, w->n_stage ? number(w->full_to) : hf_cell_none());
    hf_report_cell(answer, w->n_stage ? number(w->can_to) : hf_cell_none());
}

static void add_stage(hf_report *answer, const hf_topology *topo, const hf_wiring *w, uint32_t stage) {
    const hf_wiring_stage *s = &w->stage[stage];
    hf_json *expansion = hf_json_array();
    put_wiring(answer, topo, w);
    hf_report_cell(answer, hf_cell_count(stage));
    hf_report_cell(answer, hf_cell_count(s->class_size));
    hf_report_cell(answer, hf_cell_count(s->fanout_least));
    hf_report_cell(answer, hf_cell_count(s->fanout_most));
    hf_report_cell(answer, hf_cell_count(s->most));
    for (uint32_t k = 0; k < HF_EXPANSION_MAX; k++) {
        hf_report_cell(answer, s->expansion[k] ? hf_cell_count(s->expansion[k]) : hf_cell_none());
        hf_json_push(expansion, s->expansion[k] ? hf_json_integer(s->expansion[k]) : hf_json_null());
    }
    hf_report_tree(answer, expansion);
}

static hf_status note_wiring(hf_context *cx, hf_report *answer, const hf_wiring *w) {
    char *maximal, *note;
    HF_TRY(w->full_to == HF_NONE ? hf_scratch_print(cx, &maximal, "in no stage")
                                 : hf_scratch_print(cx, &maximal, "up to stage %" PRIu32, w->full_to));
    HF_TRY(hf_scratch_print(cx, &note,
                            "Fanout maximal: %s (possible up to stage %" PRIu32
                            "). Fanout: routers on the paths of a pair; sets of "
                            "1, 2 and 3 routers of a class lead, in one direction, to at least so many.",
                            maximal, w->can_to));
    hf_report_note(answer, note);
    return HF_OK;
}

hf_status hf_topology_answer_check(hf_context *cx, const hf_topology *topo, hf_report *answer) {
    hf_wiring w;
    HF_TRY(hf_wiring_check(cx, topo, &w));
    answer->answer = w.is_connected ? HF_ANSWER_YES : HF_ANSWER_NO;
    hf_report_group(answer, WIRING_HEAD, "stages");
    for (uint32_t s = 0; s < w.n_stage; s++) {
        add_stage(answer, topo, &w, s);
    }
    if (w.n_stage) {
        return note_wiring(cx, answer, &w);
    }
    put_wiring(answer, topo, &w);
    for (size_t c = WIRING_HEAD; hf_topology_check[c].key; c++) {
        hf_report_cell(answer, hf_cell_none());
    }
    return HF_OK;
}

/* ---- the intended one ---- */

const hf_column hf_topology_against[] = {
    {"missing", "links missing", NULL, HF_COLUMN_COUNT, 6, 0}, {"extra", "there besides", NULL, HF_COLUMN_COUNT, 6, 0}, {0}};
static const hf_column columns[] = {{"difference", "difference", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"from", "from", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"to", "to", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"intended", "links intended", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"actual", "there are", NULL, HF_COLUMN_COUNT, 6, 0}};

static void add_difference(hf_report *answer, const hf_link_difference *d) {
    hf_report_cell(answer, hf_cell_word(d->one > d->two ? "missing" : "extra"));
    hf_report_cell(answer, hf_cell_word(d->a));
    hf_report_cell(answer, hf_cell_word(d->b));
    hf_report_cell(answer, hf_cell_count(d->one));
    hf_report_cell(answer, hf_cell_count(d->two));
}

static hf_status compare(hf_context *cx, const hf_topology *actual, const hf_topology *intended, hf_report *answer) {
    hf_link_difference *found;
    size_t n;
    uint64_t missing = 0, extra = 0;
    char *note;
    HF_TRY(hf_topology_compare(cx, intended, actual, &found, &n));
    for (size_t i = 0; i < n; i++) {
        missing += found[i].one > found[i].two ? found[i].one - found[i].two : 0;
        extra += found[i].two > found[i].one ? found[i].two - found[i].one : 0;
    }
    hf_report_cell(answer, hf_cell_count(missing));
    hf_report_cell(answer, hf_cell_count(extra));
    HF_TRY(hf_scratch_print(cx, &note, "Intended is %s. Links go by the names of their nodes; ports are not compared.",
                            intended->spec));
    hf_report_note(answer, note);
    answer->answer = n ? HF_ANSWER_NO : HF_ANSWER_YES;
    hf_report_table_begin(answer, "differences", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        add_difference(answer, &found[i]);
    }
    return HF_OK;
}

hf_status hf_topology_answer_against(hf_context *cx, const hf_topology *topo, const char *spec, hf_report *answer) {
    hf_topology *intended = NULL;
    HF_TRY(hf_topology_new(cx, spec, &intended));
    const hf_status status = compare(cx, topo, intended, answer);
    hf_topology_free(intended);
    return status;
}
