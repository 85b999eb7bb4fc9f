/** \file
 *  Words that are numbers, for people: as many digits as what stands beside them or their interval supports. */
#ifndef HOLDFAST_SRC_REPORT_SAID_H
#define HOLDFAST_SRC_REPORT_SAID_H

#include <string.h>

#include <holdfast/report.h>

/** How a number and its 95% interval are printed: the number ends where two digits of half of the interval end, and the ends of
 * the interval are rounded there, outwards. A number without an interval has so many digits, and no zeros at its end where it is
 * no longer. Digits before the point always stand. None
 *  has more than six digits for its interval, or than an exact one would have. */
typedef struct hf_said_number {
    double value, low, high; /**< both `value`: it is exact */
    int digits;              /**< of an exact number */
    int told;                /**< digits that were asked for, of any number; 0: none */
    const char *unit;        /**< behind each number */
} hf_said_number;
/** \param[out] out in the arena */
hf_status hf_said_value(hf_context *cx, const hf_said_number *number, char **out);
/** "7.9 to 8.2". */
hf_status hf_said_interval(hf_context *cx, const hf_said_number *number, char **out);
/** "+- 0.15", of an interval about its middle: what it takes to hold the interval round the number as that is printed. */
hf_status hf_said_half(hf_context *cx, const hf_said_number *number, char **out);
/** Numbers with commas between thousands, as papers have them; digits behind a point stay together. \param[out] grouped in the
 * arena */
hf_status hf_said_grouped(hf_context *cx, const char *text, const char **grouped);
/** An exact number with so many digits. */
double hf_said_round(double value, int digits);

/** The number of a word that is one, see hf_cell_said(). */
static inline hf_said_number hf_said_of(const hf_cell *cell, int told) {
    return (hf_said_number){cell->value, cell->low, cell->high, cell->digits, told, strchr(cell->word, '%') ? "%" : ""};
}

#endif
