/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The keys of claims, combinations and lines. */
#include <math.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/study/read.h"

/* Does an id fit what a claim says, in which `*` stands for any text? \param[out] star that text, empty without `*` */
static bool fits(const char *id, const char *said, hf_slice *star) {
    const size_t before = strcspn(said, "*");
    *star = (hf_slice){"", 0};
    if (!said[before]) {
        return strcmp(id, said) == 0;
    }
    const size_t behind = strlen(said + before + 1), size = strlen(id);
    if (size < before + behind || strncmp(id, said, before) != 0 || strcmp(id + size - behind, said + before + 1) != 0) {
        return false;
    }
    *star = (hf_slice){id + before, size - before - behind};
    return true;
}

/* The first cell from `at` on and before this one that fits. \return false: none */
static bool next_cell(const hf_study_reader *r, const hf_study_cell *cell, const char *said, size_t *at, hf_slice *star) {
    const size_t here = (size_t)(cell - r->study->cell);
    while (*at < here && !(r->study->cell[*at].id && fits(r->study->cell[*at].id, said, star))) {
        ++*at;
    }
    return *at < here;
}

/* The cell that belongs to a text that `*` stands for. */
static hf_status find_against(const hf_study_reader *r, const hf_study_cell *cell, const char *said, hf_slice star, size_t *out) {
    hf_slice other;
    for (*out = 0; next_cell(r, cell, said, out, &other); ++*out) {
        if (!strchr(said, '*') || (other.size == star.size && memcmp(other.text, star.text, star.size) == 0)) {
            return HF_OK;
        }
    }
    HF_STUDY_FAIL_AT(r, HF_KEY_AGAINST, "no cell before this one has the id \"%s\"%s%.*s", said,
                     strchr(said, '*') ? ", * being " : "", strchr(said, '*') ? (int)star.size : 0, star.text);
}

static hf_status check_stars(const hf_study_reader *r, const hf_study_cell *cell, const char *of, const char *against) {
    if (cell->take == HF_TAKE_NONE && strchr(of, '*')) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "\"%s\" names a group; need \"take\": least, most or mean", of);
    }
    if (cell->take != HF_TAKE_NONE && (!strchr(of, '*') || strchr(of, '*') != strrchr(of, '*'))) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "\"%s\" is not right; need the ids of a group with one *, such as \"time-*\"", of);
    }
    if (against && strchr(against, '*') && (cell->take == HF_TAKE_NONE || strchr(against, '*') != strrchr(against, '*'))) {
        HF_STUDY_FAIL_AT(r, HF_KEY_AGAINST, "\"%s\" is not right; need an id%s", against,
                         cell->take != HF_TAKE_NONE ? ", or those of a group with one *" : "");
    }
    return HF_OK;
}

/* Pairs live as long as the document. */
static hf_status add_pair(const hf_study_reader *r, hf_study_pair next, hf_study_pair **pair, size_t *n, size_t *room) {
    hf_context *memory = r->study->document.memory;
    const hf_status status = *n < *room ? HF_OK : hf_grow_scratch(memory, *n, sizeof **pair, (void **)pair, room);
    if (status != HF_OK) {
        hf_context_copy_failure(r->cx, memory);
        return status;
    }
    (*pair)[(*n)++] = next;
    return HF_OK;
}

/* The cells before this one that it is made of. */
static hf_status find_pairs(const hf_study_reader *r, hf_study_cell *cell) {
    const bool is_value = cell->show == HF_SHOW_VALUE;
    const char *of, *against = NULL;
    hf_study_pair *pair = NULL;
    size_t room = 0;
    hf_slice star;
    HF_TRY(hf_study_need(r, HF_KEY_OF, &of));
    HF_TRY(is_value ? HF_OK : hf_study_need(r, HF_KEY_AGAINST, &against));
    HF_TRY(check_stars(r, cell, of, against));
    for (size_t at = 0; next_cell(r, cell, of, &at, &star); at++) {
        hf_study_pair next = {at, at};
        HF_TRY(is_value ? HF_OK : find_against(r, cell, against, star, &next.against));
        HF_TRY(add_pair(r, next, &pair, &cell->n_pair, &room));
    }
    if (cell->n_pair == 0) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "no cell before this one has the id \"%s\"", of);
    }
    cell->pair = pair;
    cell->group = cell->take != HF_TAKE_NONE ? of : NULL;
    return HF_OK;
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

/* Values as they are, printed as their cells print them. */
static hf_status check_value(const hf_study_reader *r, const hf_study_cell *cell) {
    if (hf_study_says(r->texts, HF_KEY_AGAINST)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_AGAINST, "it belongs to what compares two cells; this one shows a value");
    }
    if (cell->kind == HF_STUDY_COMBINE && cell->take == HF_TAKE_NONE) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "the value of one cell is that cell; need a group, with \"take\"");
    }
    for (const hf_study_pair *p = cell->pair; p < cell->pair + cell->n_pair; p++) {
        if (hf_study_show_is_percent(r->study->cell[p->of].show)) {
            HF_STUDY_FAIL_AT(r, HF_KEY_OF, "the cell shows a percentage; a claim about its value needs a plain number");
        }
    }
    return HF_OK;
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
    if (!hf_study_is_of_cells(cell->kind)) {
        return HF_OK;
    }
    if (cell->kind == HF_STUDY_LINE) {
        return read_line(r, cell);
    }
    static const char *const takes[] = {"least", "most", "mean", "sum", NULL}; /* from HF_TAKE_LEAST on */
    enum { NONE = HF_TAKE_SUM };
    uint32_t take;
    HF_TRY(hf_study_read_word(r, HF_KEY_TAKE, takes, NONE, &take));
    cell->take = take == NONE ? HF_TAKE_NONE : (hf_study_take)(HF_TAKE_LEAST + take);
    HF_TRY(find_pairs(r, cell));
    HF_TRY(cell->show == HF_SHOW_VALUE ? check_value(r, cell) : HF_OK);
    return cell->kind == HF_STUDY_CLAIM ? read_holds(r, cell) : HF_OK;
}
