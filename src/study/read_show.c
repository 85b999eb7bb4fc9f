/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a cell shows: the words, and which of them go with its kind. */
#include <string.h>

#include "src/study/read.h"

static const char *const shows[] = {"gain",      "ratio", "difference", "product",       "loss", "value",
                                    "deviation", "slope", "a column",   "a column in %", NULL};

/* The shows that each kind can print; the first is what it prints unless told. */
static const struct {
    hf_study_show first, last;
} shows_of[HF_STUDY_KIND_COUNT] = {
    [HF_STUDY_CLAIM] = {HF_SHOW_GAIN, HF_SHOW_VALUE},
    [HF_STUDY_COMBINE] = {HF_SHOW_GAIN, HF_SHOW_VALUE},
    [HF_STUDY_LINE] = {HF_SHOW_DEVIATION, HF_SHOW_SLOPE},
    [HF_STUDY_ASK] = {HF_SHOW_ASKED, HF_SHOW_ASKED_PERCENT},
};

/* What a group around the cell shows belongs to the kind that it says, not to another one that the cell says. */
static const char *show_text(const hf_study_reader *r) {
    return r->texts->level[HF_KEY_SHOW] >= r->texts->level[HF_KEY_KIND] ? r->texts->value[HF_KEY_SHOW] : NULL;
}

hf_status hf_study_read_show(const hf_study_reader *r, hf_study_cell *cell) {
    const hf_study_show first = shows_of[cell->kind].first, last = shows_of[cell->kind].last;
    const char *text = show_text(r);
    uint32_t show;
    show = first;
    HF_TRY(text ? hf_study_read_word(r, HF_KEY_SHOW, shows, first, &show) : HF_OK);
    cell->show = (hf_study_show)show;
    if (cell->show < first || cell->show > last) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "a cell of kind \"%s\" cannot show \"%s\"", hf_study_kind_names[cell->kind],
                         shows[show]);
    }
    return HF_OK;
}

const char *hf_study_show_name(hf_study_show show) { return shows[show]; }
