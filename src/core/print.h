/** \file
 *  Printing that does not depend on the locale of the program around the library. */
#ifndef HOLDFAST_SRC_CORE_PRINT_H
#define HOLDFAST_SRC_CORE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#include <holdfast/core/big.h>

/** vsnprintf with the decimal point of the C locale. \return as vsnprintf. */
__attribute__((format(printf, 3, 0))) int hf_print_list(char *text, size_t size, const char *format, va_list list);

/** What a noun ends in behind a number: "1 flit", "2 flits". */
static inline const char *hf_plural(uint64_t n) { return n == 1 ? "" : "s"; }

/** Decimal digits of `value`. \param[out] text at least 40 bytes. */
void hf_print_decimal(hf_u128 value, char *text);

/** Bytes of the well-formed UTF-8 character that `text` begins with, 1 to 4; 0 if malformed or at the final 0. */
size_t hf_utf8_length(const char *text);

#endif
