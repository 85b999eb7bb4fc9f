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

struct hf_kernel_layers {
    hf_outbox outbox; /**< first: hf_outbox * is hf_kernel_layers * */
    hf_kernel *k;
    hf_reconfiguration_options o;
    hf_kernel_layer *layer;
    uint32_t n_layer, n_open; /**< n_open: those whose fault has come */
    uint32_t now;             /**< layer that is being worked on */
    hf_timers timers;
    struct hf_control_line *line; /**< by channel, or by node */
    uint32_t *active;             /**< lines with control packets */
    uint32_t n_active;
    struct hf_control_packet *message;
    uint32_t n_message, free_message;
};

#endif
