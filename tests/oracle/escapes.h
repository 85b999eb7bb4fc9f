/** \file
 *  The judgement about an escape, made the obvious way: every extended dependency listed, destination by destination. */
#ifndef HOLDFAST_TESTS_ORACLE_ESCAPES_H
#define HOLDFAST_TESTS_ORACLE_ESCAPES_H

#include "src/analysis/deadlock/decide.h"
#include "tests/oracle/fixture.h"

/** As hf_escape_check() without rings. \param[out] number n_channel * n_vc; defined if the answer is yes */
bool escapes_check(const hf_plan *plan, const hf_escape *escape, uint32_t *number);

#endif
