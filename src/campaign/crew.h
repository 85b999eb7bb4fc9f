/** \file
 *  The workers of a campaign: a context and a judge for each thread, made when there is work for them. */
#ifndef HOLDFAST_SRC_CAMPAIGN_CREW_H
#define HOLDFAST_SRC_CAMPAIGN_CREW_H

#include "src/campaign/work.h"

typedef struct hf_crew {
    hf_worker *worker; /**< room for `threads` */
    uint32_t count;    /**< workers so far */
    uint32_t threads;  /**< most workers at a time */
    uint32_t f_max;
} hf_crew;

hf_status hf_crew_init(hf_context *cx, const hf_campaign *campaign, uint32_t threads, hf_crew *out);
/** See to it that there are min(n, threads) workers. \param[out] count that many */
hf_status hf_crew_grow(hf_context *cx, const hf_campaign *campaign, hf_crew *crew, size_t n, uint32_t *count);
void hf_crew_free(hf_context *cx, hf_crew *crew);

#endif
