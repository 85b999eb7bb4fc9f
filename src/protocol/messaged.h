/** \file
 *  A benchmark with messages over a network, and the parameters that fill it in. */
#ifndef HOLDFAST_SRC_PROTOCOL_MESSAGED_H
#define HOLDFAST_SRC_PROTOCOL_MESSAGED_H

#include <holdfast/protocol.h>
#include <holdfast/spec.h>

typedef struct hf_messaged {
    hf_benchmark_options program; /**< n_node 0: as published; its seed is that of the messaging */
    hf_messaging messaging;       /**< receive_capacity 0: twice that of the send table */
} hf_messaged;

/** What `holdfast protocol run` and a program in a study take, but for the loss, which hf_messaging_parse_loss() reads. */
extern const hf_group hf_messaged_group;

#endif
