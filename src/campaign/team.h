/** \file
 *  Programs that share the rows of a campaign: what they say to each other (hf_team). Rank 0 hands out ranges, takes in what the
 *  others have found, and is the only one with a journal. */
#ifndef HOLDFAST_SRC_CAMPAIGN_TEAM_H
#define HOLDFAST_SRC_CAMPAIGN_TEAM_H

#include "src/campaign/ranges.h"
#include "src/campaign/work.h"

/** A team at work on a row. */
typedef struct hf_team_row {
    hf_team *team; /**< NULL: nobody helps */
    uint32_t f;
    uint32_t n_left;      /**< of rank 0: others that are at work on the row still */
    bool has_halted;      /**< of rank 0: they are told to end */
    const hf_tally *like; /**< what the tallies of the row have room for */
} hf_team_row;

/** What a mate asks for or brings. */
typedef enum hf_team_word { HF_TEAM_NOTHING, HF_TEAM_ASKS, HF_TEAM_BRINGS, HF_TEAM_LEAVES } hf_team_word;
typedef struct hf_team_message {
    hf_team_word word;
    uint32_t from;
    uint64_t lo, hi;  /**< of what it brings, with the tally that hf_team_listen() was given */
    hf_status status; /**< of one that leaves: why; `text` is its sentence, valid until the next call */
    const char *text;
} hf_team_message;

/** Are there others, and is this rank 0 of them, or another one? */
static inline bool hf_team_leads(const hf_team_row *t) { return t->team && t->team->n_rank > 1 && t->team->rank == 0; }
static inline bool hf_team_follows(const hf_team_row *t) { return t->team && t->team->rank > 0; }

/** All ranks enter the row: what is to do for rank 0 is to do for all. \param[in,out] todo of rank 0; of others set
 * \param[in,out] tally likewise, what is known already */
hf_status hf_team_begin(hf_context *cx, hf_team_row *t, hf_range_list *todo, hf_tally *tally);
/** All ranks leave it with the tally of rank 0 and its status. \param[in] status of rank 0 */
hf_status hf_team_end(hf_context *cx, hf_team_row *t, hf_tally *tally, hf_status status);

/** Of a rank that follows: ask for the next range. \param[out] has_more false: there is none, or the row ends */
hf_status hf_team_ask(hf_context *cx, hf_team_row *t, hf_range *out, bool *has_more);
hf_status hf_team_bring(hf_context *cx, hf_team_row *t, uint64_t lo, uint64_t hi, const hf_tally *tally);
/** No more is going to be asked for or brought. \param[in] status why; a failure has the context's message */
hf_status hf_team_leave(hf_context *cx, hf_team_row *t, hf_status status);
/** Was it told that the row ends? */
hf_status hf_team_hears_halt(hf_context *cx, hf_team_row *t, bool *out);

/** Of rank 0: the next that a mate says. \param[in] waits until one says something  \param[out] tally of what it brings */
hf_status hf_team_listen(hf_context *cx, hf_team_row *t, bool waits, hf_team_message *out, hf_tally *tally);
/** The answer to one that asks; an empty range: there is none. */
hf_status hf_team_give(hf_context *cx, hf_team_row *t, uint32_t to, hf_range range);
/** Tell all others once that the row ends. */
hf_status hf_team_halt(hf_context *cx, hf_team_row *t);

#endif
