/** \file
 *  CSV as RFC 4180 has it: writing fields, and reading files with a header. */
#ifndef HOLDFAST_SRC_REPORT_CSV_H
#define HOLDFAST_SRC_REPORT_CSV_H

#include <holdfast/report.h>

/** A field, in quotes where it holds a comma, a quote or the end of a line. */
void hf_csv_put(hf_text *out, const char *text);

/** A file that has been read. Fields live in the arena. */
typedef struct hf_csv {
    const char *file; /**< for messages, borrowed */
    size_t n_column, n_row;
    char **name;    /**< n_column: the header */
    char **cell;    /**< n_row x n_column */
    uint32_t *line; /**< n_row: where a row begins, from 1 */
} hf_csv;
/** \return HF_EINVAL with file and line: a quote that does not end or stands inside a field, a row with more or fewer fields than
 *  the header, a byte that is 0 or not UTF-8, no header */
hf_status hf_csv_read(hf_context *cx, const char *file, const char *data, size_t size, hf_csv *out);
/** Place of a column by its name. \return HF_EINVAL with the file: there is none */
hf_status hf_csv_column(hf_context *cx, const hf_csv *csv, const char *name, size_t *out);
/** What a report's table has put there: the cell of a column, with what stands beside it in KEY_low and the like. \param[out] out
 * its texts are those of the file  \return HF_EINVAL with file, line and what would be right */
hf_status hf_csv_cell(hf_context *cx, const hf_csv *csv, size_t row, const hf_column *column, hf_cell *out);

#endif
