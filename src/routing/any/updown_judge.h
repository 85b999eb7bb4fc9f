/** \file
 *  The judge of up* / down*: its state, and what one fault set changes. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_UPDOWN_JUDGE_H
#define HOLDFAST_SRC_ROUTING_ANY_UPDOWN_JUDGE_H

#include "src/routing/any/updown.h"

/* Rows of goals for each switch and phase. */
typedef struct hf_updown_marks {
    uint64_t *at[2];
} hf_updown_marks;

typedef struct hf_updown_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_updown_table *table;
    const hf_universe *universe;
    bool is_two_way; /* links between switches fail in both directions */
    hf_fault_stack failed;
    uint32_t *down;                  /* n_channel: components of the stack that take it down */
    uint64_t *failed_set;            /* n_channel bits */
    uint32_t *failed_list, n_failed; /* channels between switches, in the order in which they failed */
    uint32_t n_cut, root_gone;       /* failed channels of terminals; components that take the root down */
    /* of one set */
    bool keeps_order, had_cut;
    hf_updown_ways ways;                /* where the order is another, or a hop may have been given up */
    uint32_t *level, *lost_parents;     /* n_switch */
    uint32_t *sources, *sinks, *selves; /* n_goal: terminals that can still send, be sent to, both */
    uint64_t
        *come; /* 4 n_switch rows: goals of packets that come with phase p without faults, q now, at 2 p + q; one of these: */
    uint64_t *come_free, *come_now;
    uint64_t *lost;                          /* n_channel rows: goals for which the hop over a channel is lost */
    bool *is_lost;                           /* n_channel: is there such a goal? */
    uint64_t *rest;                          /* a row: goals whose ways have to be counted anew */
    uint64_t *left;                          /* 4 n_switch: ways that are left */
    hf_updown_marks longer, farther, behind; /* legal ways, and ways, have got longer; ways come by behind a failed channel */
    uint32_t *list;                          /* of switches and phases: 2 n_switch */
    uint64_t *waits;                         /* 2 n_switch bits: those in the list */
} hf_updown_judge;

static inline const uint64_t *hf_updown_row(const hf_updown_judge *j, const uint64_t *rows, size_t i) {
    return rows + i * j->table->words;
}

static inline bool hf_updown_has_failed(const hf_updown_judge *j, uint32_t channel) {
    return hf_bit_test(j->failed_set, channel);
}

/** Of rows of `come`. */
static inline size_t hf_updown_place(uint32_t sw, uint32_t before, uint32_t now) { return 4 * (size_t)sw + 2 * before + now; }

/** What comes to each switch without faults, by its phase then and, by `ways`, now. \param[out] all 4 n_switch rows */
void hf_updown_find_come(const hf_updown_judge *j, const hf_updown_ways *ways, uint64_t *all);
/** Where all ways to a goal are lost that are as short as without faults. \param[in] hop rows of channels on shortest ways, of
 * both phases, or of the first alone where there are none */
void hf_updown_find_longer(const hf_updown_judge *j, const uint64_t *const hop[2], const hf_updown_marks *lost);
void hf_updown_clear_marks(const hf_updown_judge *j, const hf_updown_marks *marks);
/** Fault-free hops that are offered no more to any packet that comes; goals for which some packets keep a hop are the rest. */
void hf_updown_find_lost_hops(hf_updown_judge *j, const hf_updown_ways *ways);
/** Lost ways, where the lost hops are known and some goals are to be counted anew in any case. Ways over one lost hop are counted
 *  by it. */
uint64_t hf_updown_count_lost(hf_updown_judge *j, const hf_updown_ways *ways);

#endif
