/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs with messages and what they run on: parameters that the command line, studies and C read alike. */
#include <string.h>

#include "src/protocol/messaged.h"

#include "src/core/number.h"

static const char *const networks_or_all[] = {"grid2d", "grid3d", "fat-tree", "all", NULL},
                         *const benchmarks_or_all[] = {"add", "reverse", "quicksort", "nbody", "all", NULL},
                         *const forever[] = {"forever", NULL},
                         *const kinds[] = {"msg", "ack", "conf", NULL}; /* in the order of hf_protocol_kind */

/* ---- the tables ---- */

static const hf_param choice_params[] = {{.name = "benchmark",
                                          .type = HF_PARAM_WORD,
                                          .fallback = "all",
                                          .words = benchmarks_or_all,
                                          .without = "program",
                                          .unit = "name",
                                          .help = "add, reverse, quicksort, nbody or all (default)",
                                          HF_FIELD(hf_messaged_choice, benchmark)},
                                         {.name = "network",
                                          .type = HF_PARAM_WORD,
                                          .fallback = "all",
                                          .words = networks_or_all,
                                          .without = "topology",
                                          .unit = "name",
                                          .help = "grid2d, grid3d, fat-tree or all (default)",
                                          HF_FIELD(hf_messaged_choice, network)},
                                         {0}};
const hf_group hf_messaged_choice_group = {.name = "choice", .params = choice_params};

static const hf_param params[] = {
    {.name = "nodes",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 65536,
     .unit = "nodes",
     .help = "nodes; 0: as published, with topology as many as it has terminals",
     HF_FIELD(hf_messaged, program.n_node)},
    {.name = "backoff",
     .type = HF_PARAM_WORD,
     .fallback = "quadratic",
     .words = hf_backoff_names,
     .unit = "name",
     .without = "search",
     .help = "constant, linear, quadratic (default) or exponential growth of the wait, a table, or congestion of the node",
     HF_FIELD(hf_messaged, messaging.protocol.backoff)},
    {.name = "constant",
     .type = HF_PARAM_UINT,
     .fallback = "3",
     .high = 1000000,
     .unit = "c",
     .key = "constant_cycles",
     .without = "search",
     .help = "constant of the backoff, cycles",
     HF_FIELD(hf_messaged, messaging.protocol.backoff_constant)},
    {.name = "piggyback",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "the reply to a load or store goes in the ACK of its request",
     HF_FIELD(hf_messaged, messaging.piggybacks)},
    {.name = "send-table",
     .type = HF_PARAM_UINT,
     .fallback = "16",
     .low = 1,
     .high = 65536,
     .unit = "lines",
     .help = "lines of the send table",
     HF_FIELD(hf_messaged, messaging.protocol.send_capacity)},
    {.name = "receive-table",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 131072,
     .unit = "lines",
     .help = "lines of the receive table; 0: twice the send table",
     HF_FIELD(hf_messaged, messaging.protocol.receive_capacity)},
    {.name = "retention",
     .type = HF_PARAM_COUNT,
     .fallback = "0",
     .high = UINT64_MAX / 4,
     .words = forever,
     .unit = "cycles",
     .key = "retention_cycles",
     .help = "cycles for which a message is remembered after its CONF, or forever; 0: with hold as far as packets slip",
     HF_FIELD(hf_messaged, messaging.protocol.retention)},
    {.name = "ids",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT32_MAX,
     .unit = "n",
     .help = "message ids before they start anew; 0: never",
     HF_FIELD(hf_messaged, messaging.protocol.n_id)},
    {.name = "secondary-ids",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "a CONF names the line of the receive table only",
     HF_FIELD(hf_messaged, messaging.protocol.has_secondary)},
    {.name = "once",
     .type = HF_PARAM_WORDS,
     .fallback = "none",
     .words = kinds,
     .unit = "kinds",
     .help = "packets that are not sent again: msg, ack, conf or several, such as msg+ack",
     HF_FIELD(hf_messaged, messaging.protocol.once)},
    {.name = "work",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .unit = "n",
     .help = "computation takes so many times as long as docs/protocol.md says",
     HF_FIELD(hf_messaged, program.work_factor)},
    {.name = "iterations",
     .type = HF_PARAM_UINT,
     .fallback = "16",
     .low = 1,
     .high = 100000,
     .unit = "n",
     .help = "time steps of nbody",
     HF_FIELD(hf_messaged, program.iterations)},
    {.name = "request",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 2,
     .high = HF_MESSAGE_SIZE_MAX,
     .unit = "flits",
     .key = "request_flits",
     .help = "size of a load, store, fork or join, of 32-bit flits",
     HF_FIELD(hf_messaged, program.request_size)},
    {.name = "reply",
     .type = HF_PARAM_UINT,
     .fallback = "4",
     .low = 2,
     .high = HF_MESSAGE_SIZE_MAX,
     .unit = "flits",
     .key = "reply_flits",
     .help = "size of the reply to a load or store, of 32-bit flits",
     HF_FIELD(hf_messaged, program.reply_size)},
    {.name = "leaf",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .without = "topology",
     .unit = "n",
     .help = "channels each way between a node and the fat tree",
     HF_FIELD(hf_messaged, messaging.network.leaf_width)},
    {.name = "growth",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = 4,
     .without = "topology",
     .unit = "n",
     .help = "a bundle of the fat tree is so many times as wide as those below",
     HF_FIELD(hf_messaged, messaging.network.growth)},
    {.name = "flit",
     .type = HF_PARAM_UINT,
     .fallback = "32",
     .low = 8,
     .high = 256,
     .unit = "bits",
     .key = "flit_bits",
     .help = "a flit of the network that drops packets has so many bits",
     HF_FIELD(hf_messaged, messaging.flit_bits)},
    {.name = "clock",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .low = 1,
     .high = 10000,
     .unit = "percent",
     .key = "clock_percent",
     .help = "the network that drops packets does so many cycles in 100 of the other's",
     HF_FIELD(hf_messaged, messaging.clock_percent)},
    {.name = "failed-links",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT32_MAX,
     .unit = "n",
     .help = "so many links of the network that drops packets have failed, at random",
     HF_FIELD(hf_messaged, messaging.network.n_failed)},
    {.name = "hold",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "cycles",
     .key = "hold_cycles",
     .help = "a blocked packet waits in its channel for so many before it is dropped; 0: it does not",
     HF_FIELD(hf_messaged, messaging.hold_cycles)},
    {.name = "loss",
     .type = HF_PARAM_REAL,
     .fallback = "0",
     .high = 1,
     .flags = HF_PARAM_BELOW,
     .unit = "p",
     .help = "a packet that gets through is damaged with this probability",
     HF_FIELD(hf_messaged, messaging.loss)},
    {.name = "jitter",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "cycles",
     .key = "jitter_cycles",
     .help = "each wait is longer by 0 to so many cycles, at random",
     HF_FIELD(hf_messaged, messaging.jitter)},
    {.name = "seed",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = UINT64_MAX - 1,
     .unit = "n",
     .help = "seed of the keys, the failed links, the damage and the jitter",
     HF_FIELD(hf_messaged, messaging.seed)},
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .fallback = "10000000",
     .low = 1,
     .high = UINT64_MAX / 4,
     .unit = "cycles",
     .help = "give up after so many",
     HF_FIELD(hf_messaged, messaging.cycle_limit)},
    {0},
};

/* A table of no lines is one of twice the lines of the other; what no parameter says is as published. */
static void settle(const bool *given, void *object) {
    hf_messaged *m = object;
    (void)given;
    m->program.seed = m->messaging.seed;
    m->messaging.protocol.reply_size = hf_protocol_default().reply_size;
    if (m->messaging.protocol.receive_capacity == 0) {
        m->messaging.protocol.receive_capacity = 2 * m->messaging.protocol.send_capacity;
    }
}

const hf_group hf_messaged_group = {.name = "program", .params = params, .settle = settle};

/* ---- what they choose ---- */

static hf_benchmark_options program_of(const hf_messaged *m, uint32_t n_node, hf_benchmark benchmark) {
    hf_benchmark_options program = m->program;
    program.benchmark = benchmark;
    n_node = n_node ? n_node : hf_benchmark_nodes(benchmark);
    program.n_node = program.n_node ? program.n_node : n_node;
    return program;
}

size_t hf_messaged_programs(const hf_messaged *m, const hf_messaged_choice *choice, uint32_t n_node, hf_benchmark_options *out) {
    size_t n = 0;
    for (uint32_t b = 0; b < HF_BENCHMARKS; b++) {
        if (choice->benchmark == b || choice->benchmark == HF_BENCHMARKS) {
            out[n++] = program_of(m, n_node, (hf_benchmark)b);
        }
    }
    return n;
}

size_t hf_messaged_networks(const hf_messaged *m, const hf_messaged_choice *choice, hf_messaging *out) {
    size_t n = 0;
    if (m->messaging.network.topology) {
        out[0] = m->messaging;
        return 1;
    }
    for (uint32_t k = 0; k < HF_NETWORKS; k++) {
        if (choice->network == k || choice->network == HF_NETWORKS) {
            out[n] = m->messaging;
            out[n++].network.kind = (hf_network_kind)k;
        }
    }
    return n;
}
