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
    hf_report *answer;
    bool is_auto;    /**< the method is still to be chosen */
    const char *why; /**< a sentence for hf_asked_campaign_explain(), or "" */
} hf_asked_campaign;
/** Make it of the scene, the parameters of hf_campaign_group and the conduct; criterion or inquiry are set by who asks. Puts into
 * the answer what the arguments do not say as they stand: no samples where all sets are walked, and the number of components. */
hf_status hf_asked_campaign_init(hf_context *cx, const hf_asked *asked, const hf_campaign_params *params, hf_report *answer,
                                 hf_asked_campaign *out);
/** Choose a method among those that the question takes. Puts it and the reason into the answer. \param[in] walks only such as
 * look at sets  \param[in] memory as hf_campaign_choose() has it  \param[out] out free what was counted */
hf_status hf_asked_campaign_choose(hf_context *cx, const hf_asked *asked, bool walks, double memory, hf_asked_campaign *run,
                                   hf_choice *out);
/** Choose a method if that is still to be done; for who asks otherwise by one method than by another. The inquiry is there. */
hf_status hf_asked_campaign_settle(hf_context *cx, const hf_asked *asked, hf_asked_campaign *run);
/** Choose a method if that is still to be done, check, give it a journal, run. */
hf_status hf_asked_campaign_run(hf_context *cx, const hf_asked *asked, hf_asked_campaign *run);
void hf_asked_campaign_free(hf_asked_campaign *run);

/** Say in the note of the first table why the method was chosen, before what stands there; nothing where it was told, and where
 * all sets are walked, which says enough. */
hf_status hf_asked_campaign_explain(hf_context *cx, const hf_asked_campaign *run);
/** Of a row: "exact", "exact, part 2 of 4"; NULL where sets were sampled. */
hf_status hf_asked_campaign_word(hf_context *cx, const hf_campaign *campaign, const hf_row *row, char **out);
/** Names of the components of a set, between them `separator`. */
hf_status hf_asked_campaign_names(hf_context *cx, const hf_universe *universe, const uint32_t *component, size_t n,
                                  const char *separator, char **out);

#endif
