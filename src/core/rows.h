/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Compressed rows: all items of row 0, then all of row 1, and so on, with the places where rows begin. */
#ifndef HOLDFAST_SRC_CORE_ROWS_H
#define HOLDFAST_SRC_CORE_ROWS_H

#include <holdfast/core/context.h>

/** Row r is item[begin[r]] .. item[begin[r + 1] - 1]. */
typedef struct hf_rows {
    size_t n;        /**< rows */
    uint32_t *begin; /**< n + 1, and one more place while they are built */
    uint32_t *item;
} hf_rows;

/* Building takes two passes over the same (row, item) in the same order: hf_rows_start(), hf_rows_count() for each,
 * hf_rows_lay(), hf_rows_put() for each. Items of a row stay in their order: it is a counting sort. While they are counted and
 * put, begin[] runs two places and one place ahead, so that filling moves it into place. */

/** `n` empty rows in the arena. \return HF_ENOMEM */
hf_status hf_rows_start(hf_context *cx, size_t n, hf_rows *rows);
static inline void hf_rows_count(hf_rows *rows, size_t row) { rows->begin[row + 2]++; }
/** All are counted: begin[] becomes their sums. \return items in all, fewer than 2^32 */
uint32_t hf_rows_sum(hf_rows *rows);
/** The same, and room for the items in the arena. \return HF_ENOMEM */
hf_status hf_rows_lay(hf_context *cx, hf_rows *rows);
/** The next place of a row, taken. */
static inline uint32_t hf_rows_take(hf_rows *rows, size_t row) { return rows->begin[row + 1]++; }
static inline void hf_rows_put(hf_rows *rows, size_t row, uint32_t item) { rows->item[hf_rows_take(rows, row)] = item; }

/** Rows of the `n_item` numbers in `item` (NULL: 0, 1, ...) by row[number] < n, in the arena; those of row HF_NONE are left out.
 *  Time O(n + n_item), and so are the functions below. */
hf_status hf_rows_of(hf_context *cx, size_t n, const uint32_t *item, uint32_t n_item, const uint32_t *row, hf_rows *rows);
/** Turned round, in the arena: row r of `out` lists, ascending, the rows in which r stands, once for each time; what is no row
 *  of `out`, such as HF_NONE, is passed over. */
hf_status hf_rows_turn(hf_context *cx, const hf_rows *rows, size_t n, hf_rows *out);
/** The same two where `out` has its n, n + 2 places in begin and room for all items. */
void hf_rows_fill(const uint32_t *item, uint32_t n_item, const uint32_t *row, hf_rows *out);
void hf_rows_fill_turned(const hf_rows *rows, hf_rows *out);

#endif
