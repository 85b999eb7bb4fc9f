/** \file
 *  Studies from texts, and their lines by label. */
#ifndef HOLDFAST_TESTS_SUPPORT_STUDIES_H
#define HOLDFAST_TESTS_SUPPORT_STUDIES_H

#include <holdfast/study.h>

/** Read and run a study; fails the test with the message if it cannot be. Free with hf_study_outcome_free(). */
hf_study_outcome *study_run(hf_context *cx, const char *yaml, const hf_study_options *options);
/** The first line with that label; fails the test if there is none. */
const hf_study_line *study_find(const hf_study_outcome *o, const char *label);

#endif
