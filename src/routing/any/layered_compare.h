/** \file
 *  Ways on layers beside those without faults, row by row: what is lost, who is a victim, who is served. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERED_COMPARE_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERED_COMPARE_H

#include "src/core/rows.h"
#include "src/routing/any/layered.h"

typedef struct hf_layered_compare {
    const hf_layered *whole;
    const hf_topology *topo;
    hf_rows members;   /**< terminals by the rows of the whole */
    uint32_t *passing; /**< n_row rows of n_switch: terminals whose ways without faults go on from there */
    uint8_t *mark;     /**< n_switch, of one row */
    uint32_t *way;     /**< n_switch */
    bool serves_all;   /**< does the whole? */
} hf_layered_compare;

/** What one set adds up to. */
typedef struct hf_layered_reading {
    const hf_layered *now;
    uint64_t lost, victims;
    bool serves_all;
    bool is_closed; /**< the ways need more layers than there are: none is offered */
} hf_layered_reading;

/** In the arena. \return HF_ENOMEM */
hf_status hf_layered_compare_init(hf_context *cx, const hf_layered *whole, hf_layered_compare *out);
/** Is every pair of the row's destinations served as long as the ways are offered? Time O(terminals) */
bool hf_layered_compare_serves(const hf_layered_compare *compare, const hf_layered *now, uint32_t row);
/** Add a row to a reading. There is one way a pair, kept if all channels and the layer are the same. Time O(terminals, switches)
 */
void hf_layered_compare_row(const hf_layered_compare *compare, hf_layered_reading *reading, uint32_t row);

#endif
