/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cell shows: the words, and which of them go with its kind. */
#include <string.h>

#include "src/study/read.h"

static const char *const shows[] = {"percent-not-tolerated",
                                    "percent-tolerated",
                                    "count-not-tolerated",
                                    "victims-mean",
                                    "count",
                                    "percent",
                                    "sum",
                                    "max",
                                    "mean",
                                    "tolerated-mean",
                                    "tolerated-faults",
                                    "paths",
                                    "lost-paths",
                                    "percent-lost",
                                    "relative-ideal",
                                    "relative-worst",
                                    "flit-ideal",
                                    "flit-worst",
                                    "table",
                                    "adaptive-table",
                                    "intervals",
                                    "fir",
                                    "max-load",
                                    "saturation",
                                    "least",
                                    "most",
                                    "percent-parted",
                                    "mean-parted",
                                    "throughput",
                                    "accepted",
                                    "latency",
                                    "network-latency",
                                    "saturated-at",
                                    "served-to-each",
                                    "task-cycles",
                                    "cycles",
                                    "relayed",
                                    "before",
                                    "during",
                                    "after",
                                    "repair-cycles",
                                    "lost",
                                    "lost-after",
                                    "deviated",
                                    "astray",
                                    "messages",
                                    "gain",
                                    "ratio",
                                    "difference",
                                    "product",
                                    "loss",
                                    "value",
                                    "deviation",
                                    "slope",
                                    "availability",
                                    "slow-down",
                                    "buffered-cycles",
                                    "idempotent-cycles",
                                    "sends",
                                    "packets",
                                    "buffered-packets",
                                    "acted-twice",
                                    "violations",
                                    "worst-over-best",
                                    "mean-over-best",
                                    "least-worst",
                                    "least-mean",
                                    "a column",
                                    "a column in %",
                                    NULL};

/* The shows that each kind can print; the first is what it prints unless told. */
static const struct {
    hf_study_show first, last;
} shows_of[HF_STUDY_KIND_COUNT] = {
    [HF_STUDY_TOLERANCE] = {HF_SHOW_PERCENT_NOT_TOLERATED, HF_SHOW_MEASURE_TOLERATED},
    [HF_STUDY_TOLERATED_FAULTS] = {HF_SHOW_TOLERATED_FAULTS, HF_SHOW_TOLERATED_FAULTS},
    [HF_STUDY_PATHS] = {HF_SHOW_PATHS, HF_SHOW_PATHS},
    [HF_STUDY_LOST_PATHS] = {HF_SHOW_LOST_PATHS, HF_SHOW_PERCENT_LOST},
    [HF_STUDY_COST] = {HF_SHOW_RELATIVE_IDEAL, HF_SHOW_FLIT_WORST},
    [HF_STUDY_MEMORY] = {HF_SHOW_MEMORY_TABLE, HF_SHOW_MEMORY_FIR},
    [HF_STUDY_LOAD] = {HF_SHOW_MAX_LOAD, HF_SHOW_SATURATION},
    [HF_STUDY_EFFORT] = {HF_SHOW_LEAST, HF_SHOW_MOST},
    [HF_STUDY_LIMIT] = {HF_SHOW_PERCENT_PARTED, HF_SHOW_MEAN_PARTED},
    [HF_STUDY_SIMULATE] = {HF_SHOW_THROUGHPUT, HF_SHOW_RELAYED},
    [HF_STUDY_RECONFIGURATION] = {HF_SHOW_BEFORE, HF_SHOW_MESSAGES},
    [HF_STUDY_CLAIM] = {HF_SHOW_GAIN, HF_SHOW_VALUE},
    [HF_STUDY_COMBINE] = {HF_SHOW_GAIN, HF_SHOW_LOSS},
    [HF_STUDY_AVAILABILITY] = {HF_SHOW_AVAILABILITY, HF_SHOW_AVAILABILITY},
    [HF_STUDY_LINE] = {HF_SHOW_DEVIATION, HF_SHOW_SLOPE},
    [HF_STUDY_PROTOCOL] = {HF_SHOW_SLOW_DOWN, HF_SHOW_LEAST_MEAN},
    [HF_STUDY_ASK] = {HF_SHOW_ASKED, HF_SHOW_ASKED_PERCENT},
};

/* "count:overlap", "mean:sacrificed_nodes": a class or a measure that the routing names. */
static bool is_named(const char *text, const char *colon, hf_study_show show) {
    return strlen(shows[show]) == (size_t)(colon - text) && strncmp(shows[show], text, (size_t)(colon - text)) == 0;
}

/* "least:safe tables/messages/one of every switch": a quantity of the routing's reconfiguration. */
static hf_status read_quantity(const hf_study_reader *r, hf_study_cell *cell, const char *text, const char *colon) {
    const bool is_least = is_named(text, colon, HF_SHOW_LEAST);
    if (!is_least && !is_named(text, colon, HF_SHOW_MOST)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "\"%s\" is not right; need least: or most: and PHASE/QUANTITY/ASSUMPTION", text);
    }
    cell->show = is_least ? HF_SHOW_LEAST : HF_SHOW_MOST;
    cell->shown = colon + 1;
    return HF_OK;
}

static hf_status read_named_show(const hf_study_reader *r, hf_study_cell *cell, const char *text, const char *colon) {
    uint32_t show = HF_SHOW_CLASS_COUNT;
    if (cell->kind == HF_STUDY_EFFORT) {
        return read_quantity(r, cell, text, colon);
    }
    while (show <= HF_SHOW_MEASURE_TOLERATED && !is_named(text, colon, (hf_study_show)show)) {
        show++;
    }
    if (show > HF_SHOW_MEASURE_TOLERATED || cell->kind != HF_STUDY_TOLERANCE) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW,
                         "\"%s\" is not right; need count:CLASS, percent:CLASS, sum:MEASURE, max:MEASURE, mean:MEASURE or "
                         "tolerated-mean:MEASURE in a cell of kind \"tolerance\"",
                         text);
    }
    cell->show = (hf_study_show)show;
    cell->shown = colon + 1;
    if (cell->method == HF_METHOD_SAMPLED && (show == HF_SHOW_MEASURE_SUM || show == HF_SHOW_MEASURE_MAX)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "\"%s\" has no interval where sets are sampled; need method exhaustive, or mean:MEASURE",
                         text);
    }
    return HF_OK;
}

/* A criterion that gives verdicts only has nothing else to show. */
static hf_status check_verdicts(const hf_study_reader *r, const hf_study_cell *cell) {
    if (cell->kind == HF_STUDY_TOLERANCE && (cell->criterion.flags & HF_CRITERION_SWITCHES) &&
        cell->show != HF_SHOW_PERCENT_NOT_TOLERATED && cell->show != HF_SHOW_PERCENT_TOLERATED &&
        cell->show != HF_SHOW_COUNT_NOT_TOLERATED) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "criterion \"%s\" gives verdicts only; need %s, %s or %s", cell->criterion.spec,
                         shows[HF_SHOW_PERCENT_NOT_TOLERATED], shows[HF_SHOW_PERCENT_TOLERATED],
                         shows[HF_SHOW_COUNT_NOT_TOLERATED]);
    }
    return HF_OK;
}

/* What a group around the cell shows belongs to the kind that it says, not to another one that the cell says. */
const char *hf_study_show_text(const hf_study_reader *r) {
    return r->texts->level[HF_KEY_SHOW] >= r->texts->level[HF_KEY_KIND] ? r->texts->value[HF_KEY_SHOW] : NULL;
}

hf_status hf_study_read_show(const hf_study_reader *r, hf_study_cell *cell) {
    const hf_study_show first = shows_of[cell->kind].first, last = shows_of[cell->kind].last;
    const char *text = hf_study_show_text(r), *colon = text ? strchr(text, ':') : NULL;
    uint32_t show;
    if (colon) {
        HF_TRY(read_named_show(r, cell, text, colon));
        return check_verdicts(r, cell);
    }
    show = first;
    HF_TRY(text ? hf_study_read_word(r, HF_KEY_SHOW, shows, first, &show) : HF_OK);
    if (cell->kind == HF_STUDY_EFFORT) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "a cell of kind \"bounds\" needs least: or most: and PHASE/QUANTITY/ASSUMPTION");
    }
    if (show >= HF_SHOW_CLASS_COUNT && show <= HF_SHOW_MEASURE_TOLERATED) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "\"%s\" needs the name of a class or measure: %s:NAME", text, text);
    }
    cell->show = (hf_study_show)show;
    if (cell->show < first || cell->show > last) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "a cell of kind \"%s\" cannot show \"%s\"", hf_study_kind_names[cell->kind],
                         shows[show]);
    }
    return check_verdicts(r, cell);
}

const char *hf_study_show_name(hf_study_show show) { return shows[show]; }
