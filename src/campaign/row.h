/** \file
 *  One row of a campaign: resume, work, finish. */
#ifndef HOLDFAST_SRC_CAMPAIGN_ROW_H
#define HOLDFAST_SRC_CAMPAIGN_ROW_H

#include "src/campaign/crew.h"

/** Work on the row of `f` faults. \param[in,out] progress of the whole campaign   \param[out] row valid also after HF_ESTOP; its
 * texts are owned by the caller whatever the status */
hf_status hf_row_run(hf_context *cx, const hf_campaign *campaign, uint32_t f, hf_crew *crew, hf_progress *progress, hf_row *row);

#endif
