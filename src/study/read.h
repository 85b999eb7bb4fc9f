/** \file
 *  Reading the mappings of a study. */
#ifndef HOLDFAST_SRC_STUDY_READ_H
#define HOLDFAST_SRC_STUDY_READ_H

#include "src/study/study.h"

/** The texts of the top or of a cell being read. */
typedef struct hf_study_reader {
    hf_context *cx;
    hf_study *study;
    const hf_study_texts *texts;
} hf_study_reader;

/** The text of a key that must be there and not be empty. */
hf_status hf_study_need(const hf_study_reader *r, hf_study_key key, const char **out);
/** A whole number in [low, high]; `fallback` where the key is not given. */
hf_status hf_study_read_number(const hf_study_reader *r, hf_study_key key, uint64_t low, uint64_t high, uint64_t fallback,
                               uint64_t *out);
/** The place of a word in a list that ends with NULL; `fallback` where the key is not given. */
hf_status hf_study_read_word(const hf_study_reader *r, hf_study_key key, const char *const *words, uint32_t fallback,
                             uint32_t *out);
/** The words of the kinds of cells, by hf_study_kind; ends with NULL. */
extern const char *const hf_study_kind_names[];
/** The word of a show. */
const char *hf_study_show_name(hf_study_show show);
/** Put file, line and key before the message of a failure. */
hf_status hf_study_at_key(const hf_study_reader *r, hf_study_key key, hf_status status);
#define HF_STUDY_FAIL_AT(r, key, ...)                                                                                            \
    return hf_study_at_key((r), (key), hf_context_fail((r)->cx, HF_EINVAL, __FILE__, __LINE__, __VA_ARGS__))

/** The key show; the kind of the cell has been read. */
hf_status hf_study_read_show(const hf_study_reader *r, hf_study_cell *cell);
/** The plots, or the axes of the one drawing, from the top. */
hf_status hf_study_read_plots(const hf_study_reader *r);
/** The keys of a curve: curve, x. The study's axes have been read. */
hf_status hf_study_read_curve(const hf_study_reader *r, hf_study_cell *cell);
/** The keys of claims, combinations and lines: of, against, take, holds; and that an id is there once. */
hf_status hf_study_read_claim(const hf_study_reader *r, hf_study_cell *cell);
/** The keys of a cell that asks: ask, column, row, and what it says of the question besides. A design says no column. */
hf_status hf_study_read_ask(const hf_study_reader *r, hf_study_cell *cell);

/** What the front has, before the cells, as far as it is said without a question. */
hf_status hf_study_read_front(const hf_study_reader *r);
/** A cell without a column: what it shows is its place in the front. \param[in] columns of its answer */
hf_status hf_study_read_design(const hf_study_reader *r, const hf_column *columns);
/** The front once all cells have been read: that it has designs, and they its columns. \param[in] r at the top */
hf_status hf_study_check_front(const hf_study_reader *r);

#endif
