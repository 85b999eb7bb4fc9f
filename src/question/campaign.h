/** \file
 *  Questions that run over fault sets. */
#ifndef HOLDFAST_SRC_QUESTION_CAMPAIGN_H
#define HOLDFAST_SRC_QUESTION_CAMPAIGN_H

#include <holdfast/question.h>

/** A campaign made of what was asked; release with hf_asked_campaign_free(). */
typedef struct hf_asked_campaign {
    hf_campaign campaign;
    uint32_t *f;
    hf_result *result;
    hf_allocator allocator;
} hf_asked_campaign;
/** Make it of the scene, the parameters of hf_campaign_group and the conduct; criterion or inquiry are set by who asks. Puts into
 * the answer what the arguments do not say as they stand: no samples where all sets are walked, and the number of components. */
hf_status hf_asked_campaign_init(hf_context *cx, const hf_asked *asked, const hf_campaign_params *params, hf_report *answer,
                                 hf_asked_campaign *out);
/** Check, give it a journal, run. */
hf_status hf_asked_campaign_run(hf_context *cx, const hf_asked *asked, hf_asked_campaign *run);
void hf_asked_campaign_free(hf_asked_campaign *run);

/** Of a row: "exact", "exact, part 2 of 4"; NULL where sets were sampled. */
hf_status hf_asked_campaign_word(hf_context *cx, const hf_campaign *campaign, const hf_row *row, char **out);
/** Names of the components of a set, between them `separator`. */
hf_status hf_asked_campaign_names(hf_context *cx, const hf_universe *universe, const uint32_t *component, size_t n,
                                  const char *separator, char **out);

#endif
