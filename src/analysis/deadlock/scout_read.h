/** \file
 *  What a rule says to a thread that follows its relation: offers of hops, and rows of them. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_SCOUT_READ_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_SCOUT_READ_H

#include "src/analysis/deadlock/scout.h"

/** Room for `need` elements of a heap array. \return false: no memory; s->failed is set */
bool hf_scout_room(hf_scout *s, void **block, uint32_t need, uint32_t *room, size_t size);
/** What has newly come to states is what is looked at now. \return is there any? */
bool hf_scout_turn(hf_scout *s);
/** Room for so many states, which are empty. \return false: no memory */
bool hf_scout_make_states(hf_scout *s, uint32_t need);
/** Healthy hops into s->hops; s->loses. \return how many; 0 where the rule breaks its contract, which is noted */
uint32_t hf_scout_hops(hf_scout *s, uint32_t at, hf_hop in, uint32_t destination);
/** The n hops that were read last, at `at`, as an offer. \return its number; HF_NONE: no memory */
uint32_t hf_scout_offer(hf_scout *s, uint32_t at, uint32_t n);
/** Mask of the first n of s->hops. */
uint32_t hf_scout_mask_of_hops(hf_scout *s, uint32_t at, uint32_t n);
/** The mask of one hop. */
uint32_t hf_scout_mask_of_hop(hf_scout *s, uint32_t at, hf_hop hop);
/** A packet does not get on, that `source` has just sent or, HF_NONE, that is under way. */
void hf_scout_note_stuck_lanes(hf_scout *s, uint32_t source, uint64_t lanes);
/** Number of the row of an arrival at a switch. \return HF_NONE: no memory */
uint32_t hf_scout_row(hf_scout *s, uint32_t node, hf_hop in);
/** Read a row for lanes that it does not know, as a packet that came by `in`. */
void hf_scout_read(hf_scout *s, hf_row_of_lanes *row, hf_hop in, uint64_t lanes);
/** The block is over. */
void hf_scout_forget(hf_scout *s);

#endif
