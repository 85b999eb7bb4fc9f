/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One token for a program and the network that it runs on: "reverse:network=grid3d,constant=8". */
#include <math.h>
#include <string.h>

#include "src/protocol/messaged.h"

#include "src/core/number.h"

static const char *const networks[] = {"grid2d", "grid3d", "fat-tree", NULL};

static const char *const forever[] = {"forever", NULL};

static const hf_param params[] = {
    {.name = "network",
     .type = HF_PARAM_WORD,
     .fallback = "grid2d",
     .words = networks,
     .flags = HF_PARAM_SHOWN,
     .unit = "name",
     .help = "grid2d (default), grid3d or fat-tree",
     HF_FIELD(hf_messaged, messaging.network.kind)},
    {.name = "nodes",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 65536,
     .unit = "nodes",
     .help = "nodes; 0: as published",
     HF_FIELD(hf_messaged, program.n_node)},
    {.name = "backoff",
     .type = HF_PARAM_WORD,
     .fallback = "quadratic",
     .words = hf_backoff_names,
     .unit = "name",
     .help = "constant, linear, quadratic (default) or exponential growth of the wait",
     HF_FIELD(hf_messaged, messaging.protocol.backoff)},
    {.name = "constant",
     .type = HF_PARAM_UINT,
     .fallback = "3",
     .high = 1000000,
     .unit = "c",
     .help = "constant of the backoff, cycles",
     HF_FIELD(hf_messaged, messaging.protocol.backoff_constant)},
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
     .help = "cycles for which a message is remembered after its CONF, or forever",
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
    {.name = "work",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .unit = "n",
     .help = "computation takes so many times as long as docs/protocol.md says",
     HF_FIELD(hf_messaged, program.work_factor)},
    {.name = "request",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 2,
     .high = HF_MESSAGE_SIZE_MAX,
     .unit = "flits",
     .help = "size of a load, store, fork or join, of 32-bit flits",
     HF_FIELD(hf_messaged, program.request_size)},
    {.name = "reply",
     .type = HF_PARAM_UINT,
     .fallback = "4",
     .low = 2,
     .high = HF_MESSAGE_SIZE_MAX,
     .unit = "flits",
     .help = "size of the reply to a load or store, of 32-bit flits",
     HF_FIELD(hf_messaged, program.reply_size)},
    {.name = "leaf",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .unit = "n",
     .help = "channels each way between a node and the fat tree",
     HF_FIELD(hf_messaged, messaging.network.leaf_width)},
    {.name = "growth",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = 4,
     .unit = "n",
     .help = "a bundle of the fat tree is so many times as wide as those below",
     HF_FIELD(hf_messaged, messaging.network.growth)},
    {.name = "flit",
     .type = HF_PARAM_UINT,
     .fallback = "32",
     .low = 8,
     .high = 256,
     .unit = "bits",
     .help = "a flit of the network that drops packets has so many bits",
     HF_FIELD(hf_messaged, messaging.flit_bits)},
    {.name = "clock",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .low = 1,
     .high = 10000,
     .unit = "percent",
     .help = "the network that drops packets does so many cycles in 100 of the other's",
     HF_FIELD(hf_messaged, messaging.clock_percent)},
    {.name = "failed-links",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT32_MAX,
     .unit = "n",
     .help = "so many links of the network that drops packets have failed, at random",
     HF_FIELD(hf_messaged, messaging.network.n_failed)},
    {.name = "loss",
     .type = HF_PARAM_TEXT,
     .fallback = "0",
     .unit = "p",
     .help = "a packet that gets through is damaged with this probability"},
    {.name = "jitter",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "cycles",
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
     .unit = "n",
     .help = "give up after so many",
     HF_FIELD(hf_messaged, messaging.cycle_limit)},
    {0},
};

/* A table of no lines is one of twice the lines of the other. */
static void settle(const bool *given, void *object) {
    hf_messaged *m = object;
    (void)given;
    m->program.seed = m->messaging.seed;
    if (m->messaging.protocol.receive_capacity == 0) {
        m->messaging.protocol.receive_capacity = 2 * m->messaging.protocol.send_capacity;
    }
}

const hf_group hf_messaged_group = {.name = "program", .params = params, .settle = settle};

hf_status hf_messaging_parse_loss(hf_context *cx, const char *text, double *out) {
    if (!hf_read_real(text, out) || !(*out >= 0 && *out < 1)) {
        HF_FAIL(cx, HF_EINVAL, "loss=%s is not right; need a probability from 0 to below 1, such as 0.05", text);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_args *args, hf_messaged *out) {
    for (size_t i = 0; i < args->count; i++) {
        hf_param_store(&params[i], &args->value[i], out);
    }
    settle(args->given, out);
    return hf_messaging_parse_loss(cx, hf_args_get(args, "loss")->text, &out->messaging.loss);
}

hf_status hf_messaging_parse(hf_context *cx, const char *spec, hf_benchmark_options *options, hf_messaging *out) {
    size_t size;
    const char *text = hf_spec_split(spec, &size);
    hf_messaged m = {.messaging = hf_messaging_default(HF_NETWORK_GRID_2D)};
    hf_args args;
    HF_TRY(hf_benchmark_find(cx, spec, size, &m.program.benchmark));
    HF_TRY(hf_args_parse(cx, "program", hf_benchmark_name(m.program.benchmark), params, text, &args));
    const hf_status status = fill(cx, &args, &m);
    m.program.n_node = m.program.n_node ? m.program.n_node : hf_benchmark_nodes(m.program.benchmark);
    *options = m.program;
    *out = m.messaging;
    hf_args_free(&args);
    return status;
}
