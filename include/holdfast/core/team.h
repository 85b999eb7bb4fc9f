/** \file
 *  Several programs at one work, and how they talk: a campaign (hf_campaign.team) is run by all of them, which run the same
 *  campaigns in the same order. Rank 0 hands out ranges and keeps the journal; each has the whole result. */
#ifndef HOLDFAST_CORE_TEAM_H
#define HOLDFAST_CORE_TEAM_H

#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Programs that work together, such as the ranks of a job under MPI. Calls come from one thread at a time. */
typedef struct hf_team {
    uint32_t rank, n_rank;
    uint32_t row;   /**< how many rows they have begun; 0 before the first */
    bool has_ended; /**< there are no more rows */
    void *user;
    /** What rank 0 has there, all have there. */
    hf_status (*share)(hf_context *cx, void *user, void *data, size_t size);
    hf_status (*send)(hf_context *cx, void *user, uint32_t to, const void *data, size_t size);
    /** A message from any other. \param[in] waits until there is one  \param[out] size 0: there is none  \param[out] data valid
     * until the next call */
    hf_status (*receive)(hf_context *cx, void *user, bool waits, uint32_t *from, const void **data, size_t *size);
} hf_team;
/** What rank 0 shares in the place of a number of ranges when there are no more rows. */
#define HF_TEAM_NO_MORE UINT64_MAX
/** The end of the job: each rank calls it once, when it has no more campaigns. Who waits for rank 0 in a row is set free. */
hf_status hf_team_disband(hf_context *cx, hf_team *team);

#ifdef __cplusplus
}
#endif
#endif
