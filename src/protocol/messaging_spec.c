/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One token for a program and the network that it runs on: "reverse:network=grid3d,constant=8". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/protocol.h>
#include <holdfast/spec.h>

static const char *const networks[] = {"grid2d", "grid3d", "fat-tree", NULL};

static const hf_param params[] = {
    {.name = "network",
     .type = HF_PARAM_WORD,
     .fallback = "grid2d",
     .words = networks,
     .flags = HF_PARAM_SHOWN,
     .help = "network"},
    {.name = "nodes", .type = HF_PARAM_UINT, .fallback = "0", .high = 65536, .help = "nodes; 0: as published"},
    {.name = "backoff", .type = HF_PARAM_WORD, .fallback = "quadratic", .words = hf_backoff_names, .help = "growth of the wait"},
    {.name = "constant", .type = HF_PARAM_UINT, .fallback = "3", .high = 1000000, .help = "constant of the backoff, cycles"},
    {.name = "send", .type = HF_PARAM_UINT, .fallback = "16", .low = 1, .high = 65536, .help = "lines of the send table"},
    {.name = "receive",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 131072,
     .help = "lines of the receive table; 0: twice the send table"},
    {.name = "retention",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT64_MAX / 4,
     .help = "cycles for which a message is remembered after its CONF"},
    {.name = "ids", .type = HF_PARAM_UINT, .fallback = "0", .high = UINT32_MAX, .help = "message ids; 0: never used again"},
    {.name = "secondary", .type = HF_PARAM_BOOL, .fallback = "no", .help = "a CONF names the line of the receive table only"},
    {.name = "work",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .help = "computation takes so many times as long"},
    {.name = "request",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 2,
     .high = HF_MESSAGE_SIZE_MAX,
     .help = "flits of a load, store, fork or join"},
    {.name = "reply", .type = HF_PARAM_UINT, .fallback = "4", .low = 2, .high = HF_MESSAGE_SIZE_MAX, .help = "flits of a reply"},
    {.name = "leaf",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .help = "fat tree: channels each way of a node"},
    {.name = "growth",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = 4,
     .help = "fat tree: a bundle is so many times as wide as those below"},
    {.name = "flit",
     .type = HF_PARAM_UINT,
     .fallback = "32",
     .low = 8,
     .high = 256,
     .help = "bits of a flit where packets are dropped"},
    {.name = "clock",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .low = 1,
     .high = 10000,
     .help = "cycles there in 100 of the processors'"},
    {.name = "failed", .type = HF_PARAM_UINT, .fallback = "0", .high = UINT32_MAX, .help = "links that have failed for good"},
    {.name = "loss", .type = HF_PARAM_TEXT, .fallback = "0", .help = "probability that a packet is damaged"},
    {.name = "jitter",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .help = "each wait is longer by 0 to so many cycles"},
    {.name = "seed", .type = HF_PARAM_UINT, .fallback = "1", .high = UINT64_MAX, .help = "seed"},
    {.name = "cycles", .type = HF_PARAM_UINT, .fallback = "10000000", .low = 1, .high = UINT64_MAX / 4, .help = "limit"},
    {0},
};

static uint32_t number(const hf_args *args, const char *name) { return (uint32_t)hf_args_get(args, name)->number; }

hf_status hf_messaging_parse_loss(hf_context *cx, const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    if (end == text || strspn(text, "0123456789.") < strlen(text) || !(*out >= 0 && *out < 1)) {
        HF_FAIL(cx, HF_EINVAL, "loss=%s is not right; need a probability from 0 to below 1, such as 0.05", text);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_args *a, hf_benchmark_options *options, hf_messaging *m) {
    const uint32_t nodes = number(a, "nodes"), receive = number(a, "receive");
    *m = hf_messaging_default((hf_network_kind)number(a, "network"));
    m->network.leaf_width = number(a, "leaf");
    m->network.growth = number(a, "growth");
    m->network.n_failed = number(a, "failed");
    m->protocol.backoff = (hf_backoff)number(a, "backoff");
    m->protocol.backoff_constant = number(a, "constant");
    m->protocol.send_capacity = number(a, "send");
    m->protocol.receive_capacity = receive ? receive : 2 * m->protocol.send_capacity;
    m->protocol.retention = hf_args_get(a, "retention")->number;
    m->protocol.n_id = number(a, "ids");
    m->protocol.has_secondary = number(a, "secondary");
    m->flit_bits = number(a, "flit");
    m->clock_percent = number(a, "clock");
    m->jitter = number(a, "jitter");
    m->seed = options->seed = hf_args_get(a, "seed")->number;
    m->cycle_limit = hf_args_get(a, "cycles")->number;
    options->n_node = nodes ? nodes : hf_benchmark_nodes(options->benchmark);
    options->work_factor = number(a, "work");
    options->request_size = number(a, "request");
    options->reply_size = number(a, "reply");
    return hf_messaging_parse_loss(cx, hf_args_get(a, "loss")->text, &m->loss);
}

hf_status hf_messaging_parse(hf_context *cx, const char *spec, hf_benchmark_options *options, hf_messaging *out) {
    size_t size;
    const char *text = hf_spec_split(spec, &size);
    hf_args args;
    HF_TRY(hf_benchmark_find(cx, spec, size, &options->benchmark));
    HF_TRY(hf_args_parse(cx, "program", hf_benchmark_name(options->benchmark), params, text, &args));
    const hf_status status = fill(cx, &args, options, out);
    hf_args_free(&args);
    return status;
}
