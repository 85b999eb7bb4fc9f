/** \file
 *  A tally as one line of text, the form in which the store keeps it. */
#ifndef HOLDFAST_SRC_STORE_BATCH_TEXT_H
#define HOLDFAST_SRC_STORE_BATCH_TEXT_H

#include <holdfast/campaign.h>
#include <holdfast/format.h>

/** "sets not_tolerated victims_sum lost_sum victims_max lost_max lost_sets | bin:count ... oCLASS:sets ... eI:sum mI:max
 * qI:squares ... nI:sets sI:sum lI:lowest hI:highest ... | witness ... . ~ noted ... . ^ noted ... . ! noted ... .". */
void hf_batch_print(const hf_tally *tally, uint32_t f, hf_text *out);
/** Read it back; tally->witness has room for f, tally->quantity for n_quantity, whose old values do not matter; others are read
 * over. \return HF_ESTORE if the text is damaged. */
hf_status hf_batch_parse(hf_context *cx, const char *text, uint32_t f, hf_tally *tally);

#endif
