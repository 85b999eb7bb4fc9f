/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Studies: from a file, from memory, or from the ones built in. */
#include "src/study/study.h"

#include <ctype.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/study/embedded.h"

enum { STUDY_BYTES_MAX = 1 << 20 };

hf_status hf_study_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_study **out) {
    hf_study *study;
    hf_status status;
    HF_TRY(hf_allocate(cx, 1, sizeof *study, (void **)&study));
    study->allocator = *hf_context_allocator(cx);
    HF_TRY_DONE(hf_duplicate(cx, file, &study->file));
    HF_TRY_DONE(hf_study_document_read(cx, file, data, size, &study->document));
    HF_TRY_DONE(hf_study_read(cx, study));
    *out = study;
    return HF_OK;
done:
    hf_study_free(study);
    return status;
}

hf_status hf_study_load(hf_context *cx, const char *path, hf_study **out) {
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_text_load(cx, path, STUDY_BYTES_MAX, &text);
    status = status == HF_OK ? hf_study_parse(cx, path, text.data ? text.data : "", text.size, out) : status;
    hf_text_free(&text);
    return status;
}

static bool is_path(const char *text) {
    static const char ending[] = ".yaml";
    const size_t size = strlen(text), tail = sizeof ending - 1;
    return strchr(text, '/') || (size >= tail && strcmp(text + size - tail, ending) == 0);
}

hf_status hf_study_open(hf_context *cx, const char *name_or_path, hf_study **out) {
    if (is_path(name_or_path)) {
        return hf_study_load(cx, name_or_path, out);
    }
    const char **names;
    size_t found;
    HF_TRY(hf_allocate(cx, hf_embedded_studies_count + 1, sizeof *names, (void **)&names));
    for (size_t i = 0; i < hf_embedded_studies_count; i++) {
        names[i] = hf_embedded_studies[i].name;
    }
    const hf_status status = hf_words_need(cx, "study", names, hf_slice_of(name_or_path), &found);
    hf_release(hf_context_allocator(cx), names);
    HF_TRY(status);
    const hf_embedded_file *e = &hf_embedded_studies[found];
    return hf_study_parse(cx, e->name, e->data, e->size, out);
}

size_t hf_study_embedded_count(void) { return hf_embedded_studies_count; }
const char *hf_study_embedded_name(size_t i) { return hf_embedded_studies[i].name; }

void hf_study_free(hf_study *study) {
    if (!study) {
        return;
    }
    const hf_allocator allocator = study->allocator;
    hf_release(&allocator, study->cell);
    hf_study_document_free(&study->document);
    hf_release(&allocator, study->file);
    hf_release(&allocator, study);
}

const char *hf_study_name(const hf_study *study) { return study->name; }
const char *hf_study_title(const hf_study *study) { return study->title; }
const char *hf_study_source(const hf_study *study) { return study->source; }

/* How many bytes of a title say where the paper has it: "Figures 3.18 and 3.19" before a colon; 0: it does not say. */
static size_t find_place(const char *title) {
    static const char *const words[] = {"Figure", "Table", "Section", "Equation", "Theorem", "Lemma"};
    const char *colon = strstr(title, ": ");
    bool begins = false;
    for (size_t i = 0; colon && i < sizeof words / sizeof *words && !begins; i++) {
        begins = strncmp(title, words[i], strlen(words[i])) == 0;
    }
    return begins ? (size_t)(colon - title) : 0;
}

hf_status hf_study_caption(hf_context *cx, const hf_study *study, const char *title, const char *more, char **out) {
    const size_t place = find_place(title), source = strcspn(study->source, ",");
    if (place == 0) {
        return hf_scratch_print(cx, out, "%s%s", title, more);
    }
    const char *shown = title + place + 2;
    return hf_scratch_print(cx, out, "%c%s%s (%c%.*s%s%.*s)", toupper((unsigned char)*shown), shown + (*shown != 0), more,
                            tolower((unsigned char)*title), (int)place - 1, title + 1, source ? " of " : "", (int)source,
                            study->source);
}

bool hf_study_has_front(const hf_study *study) { return study->front.is_there; }
bool hf_study_has_lines(const hf_study *study) {
    size_t i = 0;
    while (i < study->n_cell && hf_study_is_design(&study->cell[i])) {
        i++;
    }
    return i < study->n_cell;
}
size_t hf_study_cell_count(const hf_study *study) { return study->n_cell; }

hf_status hf_study_turn(hf_context *cx, const hf_study *study, hf_report_style *style) {
    const char *const *value = study->document.top.value;
    if (!value[HF_KEY_ROWS]) {
        HF_FAIL(cx, HF_EINVAL, "study \"%s\" names no pivot; turn it by --rows, --across and --cell", study->name);
    }
    style->across = style->across || style->rows ? style->across : value[HF_KEY_ACROSS];
    style->rows = style->rows ? style->rows : value[HF_KEY_ROWS];
    style->cell = style->cell ? style->cell : value[HF_KEY_FIGURES];
    style->where = style->where ? style->where : value[HF_KEY_WHERE];
    style->table = style->table ? style->table : "lines";
    return HF_OK;
}

void hf_study_cells_print(const hf_study *study, hf_text *out) {
    for (size_t i = 0; i < study->n_cell; i++) {
        const hf_study_texts *t = &study->document.cell[i];
        hf_text_print(out, "%s%s, line %u%s%s\n", i ? "\n" : "", study->file, (unsigned)t->at, *t->point ? ": " : "", t->point);
        for (uint32_t key = 0; key < HF_KEY_COUNT; key++) {
            if (t->value[key]) {
                hf_text_print(out, "  %s: %s\n", hf_study_key_name((hf_study_key)key), t->value[key]);
            }
        }
    }
}
