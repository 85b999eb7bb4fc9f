/** \file
 *  A benchmark with messages over a network, and the parameters that fill it in. */
#ifndef HOLDFAST_SRC_PROTOCOL_MESSAGED_H
#define HOLDFAST_SRC_PROTOCOL_MESSAGED_H

#include <holdfast/core/spec.h>
#include <holdfast/protocol.h>

typedef struct hf_messaged {
    hf_benchmark_options program; /**< n_node 0: as published; its seed is that of the messaging */
    hf_messaging messaging;       /**< receive_capacity 0: twice that of the send table */
} hf_messaged;

/** What `holdfast protocol` takes, but for the program and the network. */
extern const hf_group hf_messaged_group;

enum { HF_BENCHMARKS = HF_BENCHMARK_NBODY + 1, HF_NETWORKS = HF_NETWORK_FAT_TREE + 1 };

/** Programs and networks, one or all of them. */
typedef struct hf_messaged_choice {
    uint32_t benchmark; /**< an hf_benchmark; HF_BENCHMARKS: all */
    uint32_t network;   /**< an hf_network_kind; HF_NETWORKS: all */
} hf_messaged_choice;
extern const hf_group hf_messaged_choice_group;

/** The programs that are chosen. \param[in] n_node nodes where `m` does not say; 0: as published
 *  \param[out] out room for HF_BENCHMARKS \return how many */
size_t hf_messaged_programs(const hf_messaged *m, const hf_messaged_choice *choice, uint32_t n_node, hf_benchmark_options *out);
/** The networks that are chosen, with what is said of each; the one topology that is given, if one is. \param[out] out room for
 * HF_NETWORKS \return how many */
size_t hf_messaged_networks(const hf_messaged *m, const hf_messaged_choice *choice, hf_messaging *out);

#endif
