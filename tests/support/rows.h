/** \file
 *  Campaigns in one call, and their rows as text, so that runs can be compared byte by byte. */
#ifndef HOLDFAST_TESTS_SUPPORT_ROWS_H
#define HOLDFAST_TESTS_SUPPORT_ROWS_H

#include <holdfast/campaign.h>

#include "tests/oracle/fixture.h"

/** An exhaustive campaign in one thread on the fixture; `f` is borrowed. */
hf_campaign rows_campaign(fixture *fx, const char *criterion, const uint32_t *f, size_t n_f);
/** Run; fails the test with the message unless it succeeds. */
hf_result *rows_run(fixture *fx, const hf_campaign *campaign);
/** All that does not depend on time, threads or resuming, a line a row. Heap, free with free(). */
char *rows_text(const hf_result *result);
/** Run and compare with the text of another run. */
void rows_expect(fixture *fx, const hf_campaign *campaign, const char *text);

#endif
