/** \file
 *  Limits on columns of an answer, "terminals=1000..1100, cost=..2, deadlock=deadlock-free": which rows are kept. */
#ifndef HOLDFAST_SRC_REPORT_LIMITS_H
#define HOLDFAST_SRC_REPORT_LIMITS_H

#include <holdfast/report.h>

#include "src/core/lines.h"

typedef struct hf_column_limit {
    hf_slice key, said;
    bool is_range;
    double low, high; /**< of a range; may be infinite */
} hf_column_limit;

enum { HF_LIMITS_MOST = 16 };
typedef struct hf_limits {
    hf_column_limit limit[HF_LIMITS_MOST];
    size_t n;
} hf_limits;

/** Read KEY=VALUE, with commas between; blanks around them are passed over. A value is a range LOW..HIGH, of which one may be
 * left out, or what the column says: a number, a word, yes or no. \param[in] text NULL: none; borrowed  \return HF_EINVAL with
 * what is wrong */
hf_status hf_limits_read(hf_context *cx, const char *text, hf_limits *out);
/** \return HF_EINVAL if a key is none of the columns, or a range is for words, naming those that can be limited */
hf_status hf_limits_check(hf_context *cx, const hf_limits *limits, const hf_column *columns, size_t n);
/** Is the cell of the column within the limits? What nobody knows is not, where there is one. */
bool hf_limits_keep(const hf_limits *limits, const hf_column *column, const hf_cell *cell);

/** Can a cell of the column, one of words, say that? */
bool hf_column_can_say(const hf_column *column, hf_slice word);
/** Does a cell of the column hold a number? A flag is 0 or 1. */
bool hf_column_is_number(const hf_column *column);
/** The number of a cell that is known, of a column of numbers. */
double hf_cell_number(const hf_column *column, const hf_cell *cell);

#endif
