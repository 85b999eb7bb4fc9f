/** \file
 *  Faults at given cycles as layers: who routes asks them where a switch has got to, who reconfigures takes switches on. */
#ifndef HOLDFAST_SRC_KERNEL_RECONFIGURE_H
#define HOLDFAST_SRC_KERNEL_RECONFIGURE_H

#include "src/kernel/kernel.h"

/** A fault: the plans before and after it, and how far each switch is on the way. */
typedef struct hf_kernel_layer {
    hf_transition transition;
    const hf_kernel_fault *fault;
    uint8_t *stage; /**< by node; 0: it works by an earlier layer, or by the plan of the start */
    uint32_t *ring; /**< by resource, of the plan; NULL: no bubble */
    uint64_t pending;
    hf_kernel_reconfiguration report;
} hf_kernel_layer;

/** hf_timer.kind, and what hf_timer.who is: a layer, or the number of a control packet. */
enum { HF_TIMER_FAULT, HF_TIMER_DETECTED, HF_TIMER_NOTICE, HF_TIMER_ARRIVED };

/** Numbers of lines or of switches that have something to do. */
typedef struct hf_active {
    uint32_t *item, n;
} hf_active;

/** Control packets and where they wait (control.c). */
typedef struct hf_controls {
    struct hf_control_packet *packet; /**< a pool */
    uint32_t n_packet, first_free;
    struct hf_control_line *line; /**< by channel, or by node */
    hf_active lines;              /**< with packets */
    uint32_t first_behind;        /**< of those that wait in a buffer behind others */
    struct hf_control_box *box;   /**< by switch; NULL: a switch takes in what comes at once */
    hf_active boxes;              /**< with packets */
    uint32_t *held;               /**< by resource: flits of its buffer that control packets hold; NULL: they never do */
} hf_controls;

struct hf_kernel_layers {
    hf_outbox outbox; /**< first: hf_outbox * is hf_kernel_layers * */
    hf_kernel *k;
    hf_reconfiguration_options o;
    hf_kernel_layer *layer;
    uint32_t n_layer, n_open; /**< n_open: those whose fault has come */
    uint32_t n_set;           /**< those that have a timer */
    uint32_t now;             /**< layer that is being worked on */
    hf_timers timers;
    hf_controls controls;
};

/* ---- control.c ---- */
hf_status hf_control_new(hf_kernel_layers *r);
/** A control packet of layer r->now for a channel. */
hf_status hf_control_send(hf_kernel_layers *r, uint32_t channel, hf_notice notice);
/** One has come to the end of its channel. */
hf_status hf_control_arrived(hf_kernel_layers *r, uint32_t m);
/** Switches take in what has come, if it is their time; notices may be due in this cycle. */
hf_status hf_control_take_in(hf_kernel_layers *r);
/** Channels go on with their control packets. */
hf_status hf_control_send_on(hf_kernel_layers *r);
/** Does a control packet wait for something, or is one being sent? */
static inline bool hf_control_is_busy(const hf_kernel_layers *r) {
    return r->controls.lines.n || r->controls.boxes.n || r->controls.first_behind != HF_NONE;
}

#endif
