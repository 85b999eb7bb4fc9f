/** \file
 *  Events of later cycles, most of them soon: a ring of lists, one a cycle, and a heap for what lies beyond it. */
#ifndef HOLDFAST_SRC_KERNEL_AGENDA_H
#define HOLDFAST_SRC_KERNEL_AGENDA_H

#include "src/kernel/timers.h"

enum { HF_AGENDA_CYCLES = 1024 }; /**< of the ring; a power of 2 */

typedef struct hf_appointment {
    uint64_t at;
    uint32_t kind, who; /**< as its user has it */
    uint32_t next;      /**< in the list of its cycle, or of free places */
    uint64_t number;    /**< of those that were noted, and what else takes a number; grows within a cycle */
} hf_appointment;

/** Events come by cycle, those of one cycle in the order in which they were noted. Lives in the arena. */
typedef struct hf_agenda {
    uint64_t now;      /**< events before it have been taken */
    uint64_t n_number; /**< given so far */
    hf_appointment *event;
    uint32_t room, free; /**< place 0 is none */
    uint32_t n_near;     /**< events in the ring */
    uint32_t first[HF_AGENDA_CYCLES], last[HF_AGENDA_CYCLES];
    hf_timers far;
} hf_agenda;

/** Start with nothing noted. `a` is all zero. */
hf_status hf_agenda_init(hf_context *cx, hf_agenda *a);
/** Note an event; `at` is not before the cycle of the last hf_agenda_take(). Time O(1) within the ring. \return HF_ENOMEM */
hf_status hf_agenda_add(hf_context *cx, hf_agenda *a, uint64_t at, uint32_t kind, uint32_t who);
/** The number that an event noted now would have: for what its user keeps in order with the events. */
static inline uint64_t hf_agenda_number(hf_agenda *a) { return a->n_number++; }
/** Take the next event up to `cycle`, which never falls. \param[out] is_some false: there is none */
hf_status hf_agenda_take(hf_context *cx, hf_agenda *a, uint64_t cycle, hf_appointment *out, bool *is_some);

/** Events noted and not yet taken. */
static inline size_t hf_agenda_count(const hf_agenda *a) { return a->n_near + a->far.n; }
/** The cycle of the next event; UINT64_MAX: there is none. Time O(cycles until then) within the ring. */
uint64_t hf_agenda_next(const hf_agenda *a);

#endif
