/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routers and measurements as a study writes them. */
#include "src/study/router.h"

#include <inttypes.h>

#include <holdfast/spec.h>

static const char *const switchings[] = {"wormhole", "vct", "saf", "drop", "circuit", NULL};
static const char *const backoffs[] = {"constant", "linear", "quadratic", "exponential", NULL};
static const char *const flows[] = {"credit", "bubble", NULL};
static const char *const reuses[] = {"empty", "tail", NULL};
static const char *const choices[] = {"always", "once", NULL};
static const char *const units[] = {"buffer", "switch", NULL};
static const hf_param router_params[] = {
    {.name = "switching", .type = HF_PARAM_WORD, .fallback = "wormhole", .words = switchings, .help = "switching"},
    {.name = "flow", .type = HF_PARAM_WORD, .fallback = "credit", .words = flows, .help = "flow control"},
    {.name = "reuse", .type = HF_PARAM_WORD, .fallback = "empty", .words = reuses, .help = "when a virtual channel is given on"},
    {.name = "selection", .type = HF_PARAM_WORD, .fallback = "cyclic", .words = hf_selection_names, .help = "which free hop"},
    {.name = "choose",
     .type = HF_PARAM_WORD,
     .fallback = "always",
     .words = choices,
     .help = "whether a header waits for all free hops or for one"},
    {.name = "length", .type = HF_PARAM_UINT, .fallback = "4", .low = 1, .high = 65536, .help = "flits of a packet"},
    {.name = "buffer", .type = HF_PARAM_UINT, .fallback = "8", .low = 1, .high = 65536, .help = "flits of a buffer"},
    {.name = "routing", .type = HF_PARAM_UINT, .fallback = "1", .low = 0, .high = 10000, .help = "cycles to route a header"},
    {.name = "crossbar", .type = HF_PARAM_UINT, .fallback = "1", .low = 0, .high = 10000, .help = "cycles over the crossbar"},
    {.name = "link", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 10000, .help = "cycles between switches"},
    {.name = "terminal-link", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 10000, .help = "cycles to a terminal"},
    {.name = "credit", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 10000, .help = "cycles of a credit"},
    {.name = "exit",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 10000,
     .help = "cycles from a switch to a terminal"},
    {.name = "backoff", .type = HF_PARAM_WORD, .fallback = "constant", .words = backoffs, .help = "of drop and circuit"},
    {.name = "backoff-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 1,
     .high = 1000000,
     .help = "cycles of the backoff"},
    {.name = "outstanding",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .help = "packets on their way at once"},
    {.name = "reorder",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 1000000,
     .help = "packets kept for each source until their turn; 0: no order"},
    {.name = "output-queue",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 65536,
     .help = "flits behind the crossbar for each virtual channel"},
    {.name = "speedup",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .help = "flits a cycle over the crossbar, of an input and an output"},
    {.name = "transit-priority",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "what is in transit goes before what terminals send"},
    {.name = "injection-room",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 65536,
     .help = "packets that must fit where one from a terminal goes"},
    {.name = "routing-unit",
     .type = HF_PARAM_WORD,
     .fallback = "buffer",
     .words = units,
     .help = "one for each buffer or switch"},
    {0},
};
static const hf_param measure_params[] = {
    {.name = "window", .type = HF_PARAM_UINT, .fallback = "1000", .low = 1, .high = 1000000000, .help = "cycles of a batch"},
    {.name = "batches", .type = HF_PARAM_UINT, .fallback = "20", .low = 2, .high = 100000, .help = "batches to measure"},
    {.name = "warm-up", .type = HF_PARAM_UINT, .fallback = "100", .low = 8, .high = 1000000, .help = "windows before, at most"},
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT64_C(1000000000000000000),
     .help = "at which work with an end is given up; 0: never"},
    {0},
};

static const hf_param reconfiguration_params[] = {
    {.name = "fault", .type = HF_PARAM_UINT, .fallback = "2000", .low = 1, .high = 1000000000, .help = "cycle of the fault"},
    {.name = "every",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 1000000000,
     .help = "cycles to the next fault; 0: at once"},
    {.name = "cycles", .type = HF_PARAM_UINT, .fallback = "10000", .low = 1, .high = 1000000000, .help = "cycles of the run"},
    {.name = "detection", .type = HF_PARAM_UINT, .fallback = "10", .low = 0, .high = 1000000, .help = "cycles to notice a fault"},
    {.name = "manage", .type = HF_PARAM_UINT, .fallback = "1", .low = 0, .high = 1000000, .help = "cycles for a control packet"},
    {.name = "hop", .type = HF_PARAM_UINT, .fallback = "100", .low = 1, .high = 1000000, .help = "cycles of a notice"},
    {.name = "swap", .type = HF_PARAM_UINT, .fallback = "1000", .low = 0, .high = 1000000000, .help = "cycles to a new plan"},
    {.name = "priority", .type = HF_PARAM_BOOL, .fallback = "yes", .help = "control packets go first"},
    {.name = "in-turn", .type = HF_PARAM_BOOL, .fallback = "no", .help = "a switch sends control packets one by one"},
    {.name = "emergency", .type = HF_PARAM_BOOL, .fallback = "no", .help = "emergency paths"},
    {0},
};

static uint64_t number(const hf_args *args, const char *name) { return hf_args_get(args, name)->number; }

hf_status hf_study_router_parse(hf_context *cx, const char *text, hf_kernel_options *out, char **canonical) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, "router", "router", router_params, text, &args));
    *out = hf_kernel_usual();
    const uint64_t switching = number(&args, "switching");
    out->switching = switching <= HF_SWITCHING_SAF ? (hf_switching)switching : HF_SWITCHING_WORMHOLE;
    out->contention = switching == 3 ? HF_CONTENTION_DROP : switching == 4 ? HF_CONTENTION_CIRCUIT : HF_CONTENTION_WAIT;
    out->backoff = (hf_backoff)number(&args, "backoff");
    out->backoff_cycles = (uint32_t)number(&args, "backoff-cycles");
    out->outstanding = (uint32_t)number(&args, "outstanding");
    out->bubble = number(&args, "flow") == 1;
    out->reuse_early = number(&args, "reuse") == 1;
    out->selection = (hf_selection)number(&args, "selection");
    out->choose_once = number(&args, "choose") == 1;
    out->packet_length = (uint32_t)number(&args, "length");
    out->buffer = (uint32_t)number(&args, "buffer");
    out->routing_delay = (uint32_t)number(&args, "routing");
    out->crossbar_delay = (uint32_t)number(&args, "crossbar");
    out->link_delay = (uint32_t)number(&args, "link");
    out->fly_delay = (uint32_t)number(&args, "terminal-link");
    out->credit_delay = (uint32_t)number(&args, "credit");
    out->exit_delay = (uint32_t)number(&args, "exit");
    out->reorder = (uint32_t)number(&args, "reorder");
    out->output_queue = (uint32_t)number(&args, "output-queue");
    out->speedup = (uint32_t)number(&args, "speedup");
    out->transit_first = number(&args, "transit-priority") == 1;
    out->injection_room = (uint32_t)number(&args, "injection-room");
    out->one_routing_unit = number(&args, "routing-unit") == 1;
    const hf_status status = hf_args_canonical(cx, "router", &args, canonical);
    hf_args_free(&args);
    return status;
}

hf_status hf_study_measure_parse(hf_context *cx, const char *text, hf_simulation *out, uint64_t *cycle_limit, char **canonical) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, "measure", "measure", measure_params, text, &args));
    out->window = number(&args, "window");
    out->batches = (uint32_t)number(&args, "batches");
    out->warm_up_most = (uint32_t)number(&args, "warm-up");
    *cycle_limit = number(&args, "cycles");
    const hf_status status = hf_args_canonical(cx, "measure", &args, canonical);
    hf_args_free(&args);
    return status;
}

hf_status hf_study_reconfiguration_parse(hf_context *cx, const char *text, hf_study_reconfiguration *out, char **canonical) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, "repair", "repair", reconfiguration_params, text, &args));
    out->options = hf_reconfiguration_usual();
    out->fault = number(&args, "fault");
    out->every = number(&args, "every");
    out->cycles = number(&args, "cycles");
    out->options.detection_cycles = number(&args, "detection");
    out->options.manage_cycles = number(&args, "manage");
    out->options.hop_cycles = number(&args, "hop");
    out->options.swap_cycles = number(&args, "swap");
    out->options.has_priority = number(&args, "priority") == 1;
    out->options.is_in_turn = number(&args, "in-turn") == 1;
    out->options.has_emergency_paths = number(&args, "emergency") == 1;
    const hf_status status =
        out->fault < out->cycles
            ? hf_args_canonical(cx, "repair", &args, canonical)
            : hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__, "fault=%" PRIu64 " is not before the end, cycles=%" PRIu64,
                              out->fault, out->cycles);
    hf_args_free(&args);
    return status;
}
