/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of claims, combinations and lines. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/study/read.h"

static hf_status check_id(const hf_study_reader *r, const hf_study_cell *cell) {
    for (const hf_study_cell *c = r->study->cell; cell->id && c < cell; c++) {
        if (c->id && strcmp(c->id, cell->id) == 0) {
            HF_STUDY_FAIL_AT(r, HF_KEY_ID, "\"%s\" is the id of the cell in line %" PRIu32 " too", cell->id, c->line);
        }
    }
    return HF_OK;
}

/* The cell before this one that an id names. */
static hf_status find_cell(const hf_study_reader *r, hf_study_key key, const hf_study_cell *cell, size_t *out) {
    const char *id;
    HF_TRY(hf_study_need(r, key, &id));
    const size_t here = (size_t)(cell - r->study->cell);
    for (*out = 0; *out < here; ++*out) {
        const hf_study_cell *c = &r->study->cell[*out];
        if (c->id && strcmp(c->id, id) == 0) {
            return HF_OK;
        }
    }
    HF_STUDY_FAIL_AT(r, key, "no cell before this one has the id \"%s\"", id);
}

/* Nothing lies in the range, or everything; or an end is left out that is not given. */
static bool says_nothing(const hf_study_claim *claim) {
    const bool is_point = claim->low == claim->high && (claim->excludes_low || claim->excludes_high);
    const bool has_low = !isinf(claim->low), has_high = !isinf(claim->high);
    return claim->low > claim->high || is_point || (!has_low && (!has_high || claim->excludes_low)) ||
           (!has_high && claim->excludes_high);
}

static bool read_bound(const char *text, size_t size, bool is_percent, double *out) {
    if (size == 0) {
        return true;
    }
    hf_slice at = {text, size};
    if (!hf_take_real(&at, out) || (is_percent && !hf_take_text(&at, "%")) || at.size > 0) {
        return false;
    }
    *out /= is_percent ? 100 : 1;
    return true;
}

/* "8%..14%", "0.9..", "..1"; a "<" at an end leaves the end itself out: "0%<..", "..<1". */
static hf_status read_holds(const hf_study_reader *r, hf_study_cell *cell) {
    const char *text, *dots;
    const bool is_percent = hf_study_show_is_percent(cell->show);
    hf_study_claim *claim = &cell->claim;
    HF_TRY(hf_study_need(r, HF_KEY_HOLDS, &text));
    claim->is_made = true;
    claim->low = -INFINITY;
    claim->high = INFINITY;
    dots = strstr(text, "..");
    claim->excludes_low = dots && dots > text && dots[-1] == '<';
    claim->excludes_high = dots && dots[2] == '<';
    const char *high = dots ? dots + 2 + claim->excludes_high : NULL;
    if (!dots || !read_bound(text, (size_t)(dots - text) - claim->excludes_low, is_percent, &claim->low) ||
        !read_bound(high, strlen(high), is_percent, &claim->high) || says_nothing(claim)) {
        HF_STUDY_FAIL_AT(
            r, HF_KEY_HOLDS,
            "\"%s\" is not right; need LOW..HIGH, one of which may be left out, such as %s; LOW<.. and ..<HIGH leave "
            "out the end itself",
            text, is_percent ? "8%..14%" : "0.9..1");
    }
    return HF_OK;
}

/* A claim about one value, printed as that cell prints it. */
static hf_status read_value_claim(const hf_study_reader *r, hf_study_cell *cell) {
    if (hf_study_says(r->texts, HF_KEY_AGAINST)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_AGAINST, "it belongs to a cell of kind \"claim\" of two cells or \"combine\"");
    }
    cell->claim.against = cell->claim.of;
    if (hf_study_show_is_percent(r->study->cell[cell->claim.of].show)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "the cell shows a percentage; a claim about its value needs a plain number");
    }
    return read_holds(r, cell);
}

/* A line goes through the cells of a curve that stand before it; it may be a claim. */
static hf_status read_line(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(hf_study_need(r, HF_KEY_OF, &cell->fitted));
    const hf_study_cell *c = r->study->cell;
    while (c < cell && !(c->curve && strcmp(c->curve, cell->fitted) == 0)) {
        c++;
    }
    if (c == cell) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "no cell before this one is on the curve \"%s\"", cell->fitted);
    }
    return r->texts->value[HF_KEY_HOLDS] ? read_holds(r, cell) : HF_OK;
}

hf_status hf_study_read_claim(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(check_id(r, cell));
    if (!hf_study_is_of_cells(cell->kind)) {
        return HF_OK;
    }
    if (cell->kind == HF_STUDY_LINE) {
        return read_line(r, cell);
    }
    HF_TRY(find_cell(r, HF_KEY_OF, cell, &cell->claim.of));
    if (cell->show == HF_SHOW_VALUE) {
        return read_value_claim(r, cell);
    }
    HF_TRY(find_cell(r, HF_KEY_AGAINST, cell, &cell->claim.against));
    return cell->kind == HF_STUDY_CLAIM ? read_holds(r, cell) : HF_OK;
}
