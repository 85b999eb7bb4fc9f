/** \file
 *  What is left of a row, measured at random places. */
#ifndef HOLDFAST_SRC_CAMPAIGN_FORECAST_H
#define HOLDFAST_SRC_CAMPAIGN_FORECAST_H

#include "src/campaign/crew.h"
#include "src/campaign/ranges.h"

typedef struct hf_forecast_part {
    hf_row_job *job;           /**< ready to work on; its campaign has the forecast */
    const hf_range_list *todo; /**< not empty */
    uint32_t threads;          /**< workers that are there */
    double start_s;            /**< what it took to get ready */
} hf_forecast_part;
/** Add a row to the forecast: all threads look at random runs of sets for the row's share of the time. */
hf_status hf_forecast_measure(hf_context *cx, const hf_forecast_part *part, hf_crew *crew);

#endif
