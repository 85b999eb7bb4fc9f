/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the texts of a study mean. Whatever can be said without building a network is said here, with file, line and key. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/names.h"
#include "src/core/number.h"
#include "src/core/registry.h"
#include "src/study/read.h"

enum { LEAST_DIGITS = 6 };

typedef hf_study_reader reader;

/* Of columns with words a word that they can say; of flags yes and no too. Where only the answer has the column, it is a number
 * if it reads as one. */
static hf_status parse_published(hf_context *cx, const hf_study_cell *cell, const char *text, hf_published *out) {
    const hf_column *column = cell->shown;
    const bool is_known = cell->kind != HF_STUDY_ASK || cell->not_computable || column,
               is_flag = column && column->kind == HF_COLUMN_FLAG;
    const bool is_word = column && column->kind < HF_COLUMN_FLAG, is_answer = strcmp(text, "yes") == 0 || strcmp(text, "no") == 0;
    *out = (hf_published){.is_text = true};
    if (is_word && !hf_column_can_say(column, hf_slice_of(text))) {
        HF_FAIL(cx, HF_EINVAL, "\"%s\" is no word of column \"%s\"; need one of %s", text, column->key, column->unit);
    }
    if (is_word || (is_flag && is_answer)) {
        return HF_OK;
    }
    const hf_status status = hf_published_parse(cx, text, out);
    if (status == HF_EINVAL && !is_known) {
        *out = (hf_published){.is_text = true};
        return HF_OK;
    }
    return status;
}

static hf_status read_published(const reader *r, hf_study_cell *cell) {
    const char *text = r->texts->value[HF_KEY_PUBLISHED];
    cell->published = text ? text : "";
    if (!text) {
        return HF_OK;
    }
    if (cell->kind == HF_STUDY_ASK && cell->n_line > 1) {
        HF_STUDY_FAIL_AT(r, HF_KEY_PUBLISHED, "a published value belongs to one row, but the answer has %zu; need \"row\"",
                         cell->n_line);
    }
    HF_TRY(hf_study_at_key(r, HF_KEY_PUBLISHED, parse_published(r->cx, cell, text, &cell->printed)));
    if (cell->printed.is_percent && !cell->not_computable && !hf_study_show_is_percent(cell->show)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_PUBLISHED, "\"%s\" is a percentage, but the cell shows \"%s\"", text,
                         hf_study_show_name(cell->show));
    }
    return HF_OK;
}

#define OF(kind) (UINT32_C(1) << HF_STUDY_##kind)
/* Keys that some kinds take only. */
static const struct {
    hf_study_key key;
    uint32_t kinds;
} keys_of_kinds[] = {
    {HF_KEY_LOAD, OF(ASK)},
    {HF_KEY_BURST, OF(ASK)},
    {HF_KEY_ROUTER, OF(ASK)},
    {HF_KEY_MEASURE, OF(ASK)},
    {HF_KEY_FAILED, OF(ASK)},
    {HF_KEY_BARRIER, OF(ASK)},
    {HF_KEY_TRACE, OF(ASK)},
    {HF_KEY_PROGRAM, OF(ASK)},
    {HF_KEY_OF, OF(CLAIM) | OF(COMBINE) | OF(LINE)},
    {HF_KEY_AGAINST, OF(CLAIM) | OF(COMBINE)},
    {HF_KEY_TAKE, OF(CLAIM) | OF(COMBINE)},
    {HF_KEY_HOLDS, OF(CLAIM) | OF(LINE)},
    {HF_KEY_MTBF_HOURS, OF(ASK)},
    {HF_KEY_DOWN_CYCLES, OF(ASK)},
    {HF_KEY_CLOCK_MHZ, OF(ASK)},
    {HF_KEY_FAULTS, OF(ASK)},
    {HF_KEY_METHOD, OF(ASK)},
    {HF_KEY_TABLE, OF(ASK)},
    {HF_KEY_COLUMN, OF(ASK)},
    {HF_KEY_ROW, OF(ASK)},
};
#undef OF

/* What the cell itself says and its kind does not take is a mistake; of groups and defaults it is for other cells. */
static hf_status check_keys(const reader *r, hf_study_kind kind) {
    for (size_t i = 0; i < sizeof keys_of_kinds / sizeof *keys_of_kinds; i++) {
        const uint32_t kinds = keys_of_kinds[i].kinds;
        char list[256] = "";
        size_t size = 0;
        if (!hf_study_says(r->texts, keys_of_kinds[i].key) || (kinds >> kind & 1)) {
            continue;
        }
        for (uint32_t k = 0; k < HF_STUDY_KIND_COUNT; k++) {
            if (kinds >> k & 1) {
                size += (size_t)snprintf(list + size, sizeof list - size, "%s\"%s\"", size ? " or " : "", hf_study_kind_names[k]);
            }
        }
        HF_STUDY_FAIL_AT(r, keys_of_kinds[i].key, "it belongs to a cell of kind %s", list);
    }
    return HF_OK;
}

/* Of a kind and a question the one that is said nearer to the cell. */
static bool asks(const hf_study_texts *t) {
    return t->value[HF_KEY_ASK] && (!t->value[HF_KEY_KIND] || t->level[HF_KEY_ASK] >= t->level[HF_KEY_KIND]);
}

/* A design is called as its topology and routing are, unless it says how. */
static hf_status read_label(const reader *r, hf_study_cell *cell) {
    const char *topology = r->texts->value[HF_KEY_TOPOLOGY], *routing = r->texts->value[HF_KEY_ROUTING];
    hf_context *memory = r->study->document.memory;
    char *label;
    if (r->texts->value[HF_KEY_LABEL] || !r->study->front.is_there || r->texts->value[HF_KEY_COLUMN] || !topology) {
        return hf_study_need(r, HF_KEY_LABEL, &cell->label);
    }
    if (hf_scratch_print(memory, &label, "%s%s%s", topology, routing ? ", " : "", routing ? routing : "") != HF_OK) {
        hf_context_copy_failure(r->cx, memory);
        return HF_ENOMEM;
    }
    cell->label = label;
    return HF_OK;
}

static hf_status read_cell(const reader *r, hf_study_cell *cell) {
    uint32_t word = HF_STUDY_KIND_COUNT;
    cell->line = r->texts->at;
    cell->digits = LEAST_DIGITS;
    HF_TRY(read_label(r, cell));
    const char *citation = r->texts->value[HF_KEY_CITATION], *remark = r->texts->value[HF_KEY_REMARK];
    cell->citation = citation ? citation : r->study->source;
    cell->remark = remark ? remark : "";
    cell->id = r->texts->value[HF_KEY_ID];
    cell->not_computable = r->texts->value[HF_KEY_NOT_COMPUTABLE];
    if (cell->not_computable) {
        HF_TRY(hf_study_need(r, HF_KEY_NOT_COMPUTABLE, &cell->not_computable));
        return read_published(r, cell);
    }
    HF_TRY(hf_study_read_word(r, HF_KEY_KIND, hf_study_kind_names, HF_STUDY_KIND_COUNT, &word));
    HF_TRY(word == HF_STUDY_KIND_COUNT ? hf_study_need(r, HF_KEY_ASK, &cell->ask) : HF_OK);
    cell->kind = asks(r->texts) ? HF_STUDY_ASK : (hf_study_kind)word;
    if (cell->kind == HF_STUDY_ASK) {
        HF_TRY(hf_study_read_ask(r, cell));
        HF_TRY(hf_study_read_curve(r, cell));
        return read_published(r, cell);
    }
    HF_TRY(check_keys(r, cell->kind));
    HF_TRY(hf_study_read_show(r, cell));
    HF_TRY(hf_study_read_claim(r, cell));
    HF_TRY(hf_study_read_curve(r, cell));
    return read_published(r, cell);
}

/* It becomes part of file names. */
static hf_status check_name(const reader *r, const char *name) {
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != strlen(name) || *name == '.' || *name == '-' ||
        strlen(name) > 80) {
        HF_STUDY_FAIL_AT(r, HF_KEY_NAME,
                         "\"%s\" is not right; need at most 80 of a-z, 0-9, - and ., with a letter or digit first", name);
    }
    return HF_OK;
}

static hf_status read_top(const reader *r) {
    uint64_t schema;
    const char *text;
    HF_TRY(hf_study_need(r, HF_KEY_SCHEMA, &text));
    if (hf_study_read_number(r, HF_KEY_SCHEMA, 1, 2, 0, &schema) != HF_OK) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SCHEMA, "\"%s\" is not known; this program reads schemas 1 and 2", text);
    }
    HF_TRY(hf_study_need(r, HF_KEY_NAME, &r->study->name));
    HF_TRY(check_name(r, r->study->name));
    HF_TRY(hf_study_need(r, HF_KEY_TITLE, &r->study->title));
    r->study->about = r->texts->value[HF_KEY_ABOUT];
    HF_TRY(hf_study_read_plots(r));
    HF_TRY(hf_study_read_front(r));
    if (r->texts->line[HF_KEY_PIVOT]) {
        HF_TRY(hf_study_need(r, HF_KEY_ROWS, &text));
        HF_TRY(hf_study_need(r, HF_KEY_FIGURES, &text));
    }
    r->study->source = "";
    HF_TRY(r->study->front.is_there && !r->texts->value[HF_KEY_SOURCE] ? HF_OK
                                                                       : hf_study_need(r, HF_KEY_SOURCE, &r->study->source));
    if (r->study->document.n_cell == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: the study has no cells", r->study->file);
    }
    return HF_OK;
}

/* An id names one cell. \param[in,out] line of the cell that has an id, by its number */
static hf_status add_id(const reader *r, const hf_study_cell *cell, hf_names *ids, uint32_t *line) {
    if (!cell->id) {
        return HF_OK;
    }
    uint32_t id = hf_names_find(ids, hf_slice_of(cell->id));
    if (id != HF_NONE) {
        HF_STUDY_FAIL_AT(r, HF_KEY_ID, "\"%s\" is the id of the cell in line %" PRIu32 " too", cell->id, line[id]);
    }
    HF_TRY(hf_names_add(r->cx, ids, hf_slice_of(cell->id), &id));
    line[id] = cell->line;
    return HF_OK;
}

static hf_status read_cells(reader *r, hf_names *ids) {
    hf_study *study = r->study;
    uint32_t *line;
    HF_TRY(hf_scratch(r->cx, study->n_cell, sizeof *line, (void **)&line));
    for (size_t i = 0; i < study->n_cell; i++) {
        r->texts = &study->document.cell[i];
        HF_TRY(read_cell(r, &study->cell[i]));
        HF_TRY(add_id(r, &study->cell[i], ids, line));
    }
    return HF_OK;
}

hf_status hf_study_read(hf_context *cx, hf_study *study) {
    const hf_study_document *d = &study->document;
    reader r = {.cx = cx, .study = study, .texts = &d->top};
    hf_names ids;
    HF_TRY(read_top(&r));
    HF_TRY(hf_allocate(cx, d->n_cell, sizeof *study->cell, (void **)&study->cell));
    study->n_cell = d->n_cell;
    hf_names_init(cx, &ids);
    const hf_status status = read_cells(&r, &ids);
    hf_names_free(&ids);
    HF_TRY(status);
    r.texts = &d->top;
    return hf_study_check_front(&r);
}
