/** \file
 *  How large the rows of a campaign are. */
#ifndef HOLDFAST_SRC_CAMPAIGN_SIZE_H
#define HOLDFAST_SRC_CAMPAIGN_SIZE_H

#include <holdfast/campaign.h>

typedef struct hf_row_size {
    bool exhaustive;
    uint64_t total;  /**< ranks of the whole row: C(m, f) or samples */
    uint64_t lo, hi; /**< the part's share */
} hf_row_size;

/** \return HF_ERANGE with the number if the row has to be walked and cannot be. */
hf_status hf_row_size_find(hf_context *cx, const hf_campaign *campaign, uint32_t f, hf_row_size *out);
/** C(m, f) in decimal. Heap, free with hf_release(). */
hf_status hf_row_population(hf_context *cx, const hf_campaign *campaign, uint32_t f, char **out);
/** Threads that the campaign asks for; all cores for 0. */
uint32_t hf_campaign_threads(const hf_campaign *campaign);

#endif
