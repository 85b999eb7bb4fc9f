/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counting sorts into compressed rows. */
#include "src/core/rows.h"

#include <string.h>

hf_status hf_rows_start(hf_context *cx, size_t n, hf_rows *rows) {
    *rows = (hf_rows){.n = n};
    return hf_scratch(cx, n + 2, sizeof *rows->begin, (void **)&rows->begin);
}

uint32_t hf_rows_sum(hf_rows *rows) {
    for (size_t r = 2; r < rows->n + 2; r++) {
        rows->begin[r] += rows->begin[r - 1];
    }
    return rows->begin[rows->n + 1];
}

hf_status hf_rows_lay(hf_context *cx, hf_rows *rows) {
    const uint32_t n_item = hf_rows_sum(rows);
    return hf_scratch(cx, n_item, sizeof *rows->item, (void **)&rows->item);
}

void hf_rows_fill(const uint32_t *item, uint32_t n_item, const uint32_t *row, hf_rows *out) {
    memset(out->begin, 0, (out->n + 2) * sizeof *out->begin);
    for (uint32_t i = 0; i < n_item; i++) {
        const uint32_t number = item ? item[i] : i;
        if (row[number] != HF_NONE) {
            hf_rows_count(out, row[number]);
        }
    }
    (void)hf_rows_sum(out);
    for (uint32_t i = 0; i < n_item; i++) {
        const uint32_t number = item ? item[i] : i;
        if (row[number] != HF_NONE) {
            hf_rows_put(out, row[number], number);
        }
    }
}

void hf_rows_fill_turned(const hf_rows *rows, hf_rows *out) {
    memset(out->begin, 0, (out->n + 2) * sizeof *out->begin);
    for (uint32_t i = rows->begin[0]; i < rows->begin[rows->n]; i++) {
        if (rows->item[i] < out->n) {
            hf_rows_count(out, rows->item[i]);
        }
    }
    (void)hf_rows_sum(out);
    for (uint32_t r = 0; r < rows->n; r++) {
        for (uint32_t i = rows->begin[r]; i < rows->begin[r + 1]; i++) {
            if (rows->item[i] < out->n) {
                hf_rows_put(out, rows->item[i], r);
            }
        }
    }
}

hf_status hf_rows_of(hf_context *cx, size_t n, const uint32_t *item, uint32_t n_item, const uint32_t *row, hf_rows *rows) {
    HF_TRY(hf_rows_start(cx, n, rows));
    HF_TRY(hf_scratch(cx, n_item, sizeof *rows->item, (void **)&rows->item));
    hf_rows_fill(item, n_item, row, rows);
    return HF_OK;
}

hf_status hf_rows_turn(hf_context *cx, const hf_rows *rows, size_t n, hf_rows *out) {
    HF_TRY(hf_rows_start(cx, n, out));
    HF_TRY(hf_scratch(cx, rows->begin[rows->n] - rows->begin[0], sizeof *out->item, (void **)&out->item));
    hf_rows_fill_turned(rows, out);
    return HF_OK;
}
