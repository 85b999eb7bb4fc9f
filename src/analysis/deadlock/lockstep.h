/** \file
 *  Packets in lockstep: which flits there can be, for relations with one way for each pair. The search over them is in
 *  lockstep.c. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_LOCKSTEP_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_LOCKSTEP_H

#include <holdfast/analysis/deadlock.h>

#include "src/core/rows.h"

enum { HF_FLITS_MAX = 8192, HF_FLIT_CHILDREN_MAX = 65536 };

/** What one channel can hold. A header is chosen to go on to one channel when it comes in; which of the destinations behind that
 * channel it has is left open until their ways part. One that comes from a source into a channel where all packets do is chosen
 * later still, when it goes on (`is_new`): it need not wait there, as it could have been sent later. */
typedef struct hf_flit {
    uint32_t channel;              /**< index of the channel that it is in */
    uint32_t next;                 /**< index of the channel that it goes on to; HF_NONE: it is being delivered */
    uint32_t tag;                  /**< of the hop into `channel` */
    bool is_new;                   /**< a header before that choice; the rest but code does not apply */
    bool is_head, is_open;         /**< open: it came from the source here, and more of its packet may follow */
    uint64_t destinations;         /**< header: which destinations the packet may have, bit by bit */
    uint32_t code;                 /**< from 1: number among the flits of this channel */
    uint32_t body;                 /**< header: the flit that is here when the header has gone on and more follows */
    uint32_t first_child, n_child; /**< header: what comes of it in `next`: child[first_child ...] */
} hf_flit;

typedef struct hf_flits {
    uint32_t n_channel;  /**< in use, but for those that only lead one source's packets to the rest */
    uint32_t *channel;   /**< n_channel: of the topology */
    uint32_t *vc;        /**< n_channel */
    uint32_t *n_code;    /**< n_channel */
    uint32_t *code_base; /**< n_channel: flit_of[code_base[c] + code] */
    uint32_t *flit_of;
    hf_flit *flit;
    uint32_t n_flit, n_child;
    uint32_t *child;
    hf_rows entry;         /**< by channel: flits that sources put into it */
    hf_rows start;         /**< by channel: headers into which new ones turn when they go on to it */
    uint32_t *destination; /**< terminals, by bit of flit.destinations */
    const char *reason;    /**< why there are none: the relation is too large, or loses packets; NULL: all is well */
} hf_flits;

/** Follow every pair, or the `n_only` pairs of the packets `only` where that is not NULL. Arrays live in the arena. \return
 * HF_ENOTSUP where a packet may take several hops or a channel's virtual channels are shared */
hf_status hf_flits_make(hf_context *cx, const hf_plan *plan, const hf_blocked *only, uint32_t n_only, hf_flits *out);

#endif
