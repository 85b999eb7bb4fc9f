/** \file
 *  Arrays that grow: their room doubles, so that n elements cost O(n) in all. */
#ifndef HOLDFAST_SRC_CORE_GROW_H
#define HOLDFAST_SRC_CORE_GROW_H

#include <holdfast/core/context.h>

/** Room for n elements of `size` bytes in all of a heap array. \param[in,out] room in elements
 *  \return HF_ENOMEM; *array and *room are then as before */
hf_status hf_reserve_heap(hf_context *cx, size_t n, size_t size, void **array, size_t *room);
/** More room in the arena: the `n` elements are copied, the old place is given back with the arena. */
hf_status hf_grow_scratch(hf_context *cx, size_t n, size_t size, void **array, size_t *room);

/** In a function that returns a status: room for n elements of a heap array in all. */
#define HF_RESERVE(cx, array, n, room)                                                                                           \
    HF_TRY((n) <= (room) ? HF_OK : hf_reserve_heap((cx), (n), sizeof *(array), (void **)&(array), &(room)))
/** In a function that returns a status: room for one more behind the n elements of a heap array; or of one in the arena.
 *  Arrays that share a room grow by turns, each with a copy of it but the last. */
#define HF_GROW(cx, array, n, room) HF_RESERVE(cx, array, (size_t)(n) + 1, room)
#define HF_GROW_SCRATCH(cx, array, n, room)                                                                                      \
    HF_TRY((n) < (room) ? HF_OK : hf_grow_scratch((cx), (n), sizeof *(array), (void **)&(array), &(room)))

#endif
