/** \file
 *  Inside of `tolerance`: rows that were walked, and rows that were not. */
#ifndef HOLDFAST_SRC_QUESTION_TOLERANCE_H
#define HOLDFAST_SRC_QUESTION_TOLERANCE_H

#include "src/question/campaign.h"
#include "src/question/measures.h"

typedef struct tolerance_args {
    hf_campaign_params campaign;
    bool require;
    double memory_gib;
    const char *probability; /* NULL: not asked for */
} tolerance_args;

typedef struct tolerance {
    hf_context *cx;
    const hf_scene *scene;
    hf_asked_campaign run;
    hf_measured measured;
    bool requires;
    hf_choice choice; /* by method auto; else all 0 */
    hf_report *answer;
} tolerance;

/** Bytes that counting may take. */
double hf_tolerance_memory(const hf_asked *asked);
/** Numbers of sets that nobody looked at one by one: by method counted or orbits, as campaign.method says. */
hf_status hf_tolerance_counted(tolerance *a, const hf_asked *asked);
/** Shares from random orders of failure, and numbers of the sizes that have few sets. */
hf_status hf_tolerance_spectrum(tolerance *a, const hf_asked *asked);
/** A table of what each stratum of the rows says, where they are stratified. */
hf_status hf_tolerance_strata(const tolerance *a);
/** A table of the probability that the set of failed components is not tolerated, out of the rows. \param[in] text probabilities
 * of a component, "0.01,1e-6" */
hf_status hf_tolerance_unreliability(const tolerance *a, const char *text);

#endif
