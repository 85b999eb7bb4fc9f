/** \file
 *  Where the hops of a state stand: an array over all states where they are few, else a table of those that packets reach. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_PLACES_H
#define HOLDFAST_SRC_ROUTING_LUA_PLACES_H

#include <holdfast/core/context.h>

typedef struct hf_places {
    uint64_t *state; /**< NULL: `place` is by state; else open hashing, state + 1, 0: free */
    uint32_t *place; /**< place + 1; 0: none */
    size_t room, used;
} hf_places;

/** For states below n. \param[in] is_dense an array of n words in the arena; else a table on the heap until it is settled */
hf_status hf_places_open(hf_context *cx, size_t n, bool is_dense, hf_places *out);
/** \return place + 1; 0: none */
uint32_t hf_places_get(const hf_places *places, uint64_t state);
/** A state that has none yet. */
hf_status hf_places_put(hf_context *cx, hf_places *places, uint64_t state, uint32_t place_and_one);
/** All are there: a table moves to the arena. What is on the heap is given back in any case. */
hf_status hf_places_settle(hf_context *cx, hf_places *places);
/** Give back a table that was not settled. */
void hf_places_drop(hf_context *cx, hf_places *places);

#endif
