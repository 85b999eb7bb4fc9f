/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The parameters of the kernel: of a router, of a measurement and of a reconfiguration. */
#include <holdfast/kernel.h>

/* ---- router ---- */

/** What one word of --switching says, as the two fields stand in hf_kernel_options. */
typedef struct way {
    hf_switching switching;
    hf_contention contention;
} way;
_Static_assert(offsetof(hf_kernel_options, contention) - offsetof(hf_kernel_options, switching) == offsetof(way, contention),
               "the fields stand side by side");
static const char *const switchings[] = {"wormhole", "vct", "saf", "drop", "circuit", NULL};
static const way ways[] = {{HF_SWITCHING_WORMHOLE, HF_CONTENTION_WAIT},
                           {HF_SWITCHING_VCT, HF_CONTENTION_WAIT},
                           {HF_SWITCHING_SAF, HF_CONTENTION_WAIT},
                           {HF_SWITCHING_WORMHOLE, HF_CONTENTION_DROP},
                           {HF_SWITCHING_WORMHOLE, HF_CONTENTION_CIRCUIT}};

static const char *const routers[] = {"usual", "booksim-iq", NULL};
static const char *const reuses[] = {"empty", "tail", NULL};
static const char *const choices[] = {"always", "once", NULL};
static const char *const terminal_vcs[] = {"routed", "any", "one", NULL};
static const char *const frees[] = {"room", "credits", "idle", "idle-credits", NULL};
static const char *const units[] = {"buffer", "switch", NULL};

static const hf_param router_params[] = {
    {.name = "router",
     .type = HF_PARAM_WORD,
     .fallback = "usual",
     .words = routers,
     .lists = true,
     .unit = "name",
     .help =
         "usual (default), or booksim-iq: the input-queued router of BookSim 2; then also parameters, switching=vct,buffer=16"},
    {.name = "switching",
     .type = HF_PARAM_WORD,
     .fallback = "wormhole",
     .words = switchings,
     .values = ways,
     .unit = "name",
     .help = "wormhole (default), vct (default with bubble), saf, drop (a blocked packet is sent again) or circuit (with retry)",
     .offset = offsetof(hf_kernel_options, switching),
     .size = sizeof *ways},
    {.name = "backoff",
     .type = HF_PARAM_WORD,
     .fallback = "constant",
     .words = hf_backoff_formulas,
     .unit = "name",
     .help = "drop, circuit: constant (default), linear, quadratic or exponential in the attempts",
     HF_FIELD(hf_kernel_options, backoff)},
    {.name = "backoff-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 1,
     .high = 1000000,
     .unit = "cycles",
     .help = "drop, circuit: cycles of the backoff",
     HF_FIELD(hf_kernel_options, backoff_cycles)},
    {.name = "outstanding",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 1000,
     .unit = "packets",
     .help = "drop, circuit: packets of a terminal on their way at once",
     HF_FIELD(hf_kernel_options, outstanding)},
    {.name = "forward-after",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "attempts",
     .help = "drop, circuit: after so many blocked attempts by way of another terminal, drawn at random; 0: never",
     HF_FIELD(hf_kernel_options, forward_after)},
    {.name = "flow",
     .type = HF_PARAM_TEXT,
     .fallback = "credit",
     .unit = "control",
     .help = HF_FLOW_CONTROL_HELP,
     HF_FIELD(hf_kernel_options, flow)},
    {.name = "drain-after",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "cycles",
     .help = "bubble: a packet that has waited so long in front of a ring's buffer goes out through a terminal; 0: never",
     HF_FIELD(hf_kernel_options, drain_after)},
    {.name = "packet-length",
     .type = HF_PARAM_UINT,
     .fallback = "4",
     .low = 1,
     .high = 65536,
     .unit = "flits",
     .help = "length of packets",
     HF_FIELD(hf_kernel_options, packet_length)},
    {.name = "buffer",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 1,
     .high = 65536,
     .unit = "flits",
     .help = "buffer of each virtual channel",
     HF_FIELD(hf_kernel_options, buffer)},
    {.name = "output-queue",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 65536,
     .unit = "flits",
     .help = "output queue of each virtual channel of a switch; 0: none",
     HF_FIELD(hf_kernel_options, output_queue)},
    {.name = "speedup",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .unit = "flits",
     .help = "with output queues: flits a cycle over each port of the crossbar",
     HF_FIELD(hf_kernel_options, speedup)},
    {.name = "transit-priority",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "packets in transit go before those that come from terminals",
     HF_FIELD(hf_kernel_options, transit_first)},
    {.name = "injection-room",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 65536,
     .unit = "packets",
     .help = "vct, saf: a packet leaves its first switch where so many fit",
     HF_FIELD(hf_kernel_options, injection_room)},
    {.name = "reorder",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000,
     .unit = "packets",
     .help = "deliver in order: what a terminal can keep for each other one until its turn comes; 0: as packets come",
     HF_FIELD(hf_kernel_options, reorder)},
    {.name = "reuse",
     .type = HF_PARAM_WORD,
     .fallback = "empty",
     .words = reuses,
     .unit = "when",
     .help = "wormhole: give a virtual channel on when it is empty (default), or after the tail",
     HF_FIELD(hf_kernel_options, reuse_early)},
    {.name = "selection",
     .type = HF_PARAM_WORD,
     .fallback = "cyclic",
     .words = hf_selection_names,
     .unit = "name",
     .help = "which free hop: cyclic (CP, default), first (FF), credits (MC), random, escape-last, balanced; on trees ssp, "
             "sdp, sop, sadp, adap-lin; with drop or circuit unblocked",
     HF_FIELD(hf_kernel_options, selection)},
    {.name = "choose",
     .type = HF_PARAM_WORD,
     .fallback = "always",
     .words = choices,
     .unit = "when",
     .help = "always (default): a header takes any free hop; once: it chooses when routed, then waits for that hop",
     HF_FIELD(hf_kernel_options, choose_once)},
    {.name = "free",
     .type = HF_PARAM_WORD,
     .fallback = "room",
     .words = frees,
     .unit = "what",
     .help = "choose once: a port is free with room (default); also with credits behind its queue, or an idle queue, or both",
     HF_FIELD(hf_kernel_options, free)},
    {.name = "route-early",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "wormhole, vct: a header is routed, and chooses once, behind others in its buffer; else in front",
     HF_FIELD(hf_kernel_options, route_early)},
    {.name = "routing-unit",
     .type = HF_PARAM_WORD,
     .fallback = "buffer",
     .words = units,
     .unit = "where",
     .help = "each buffer has one (buffer, default), or the switch: it routes one header at a time",
     HF_FIELD(hf_kernel_options, one_routing_unit)},
    {.name = "routing-delay",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = 10000,
     .unit = "cycles",
     .help = "cycles to route a header",
     HF_FIELD(hf_kernel_options, routing_delay)},
    {.name = "crossbar-delay",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = 10000,
     .unit = "cycles",
     .help = "cycles over the crossbar",
     HF_FIELD(hf_kernel_options, crossbar_delay)},
    {.name = "link-delay",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 10000,
     .unit = "cycles",
     .help = "cycles over a link between switches",
     HF_FIELD(hf_kernel_options, link_delay)},
    {.name = "terminal-link-delay",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 10000,
     .unit = "cycles",
     .help = "cycles over a link of a terminal",
     HF_FIELD(hf_kernel_options, fly_delay)},
    {.name = "credit-delay",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 10000,
     .unit = "cycles",
     .help = "cycles until a credit is back",
     HF_FIELD(hf_kernel_options, credit_delay)},
    {.name = "exit-delay",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 10000,
     .unit = "cycles",
     .help = "cycles from a switch to a terminal; 0: as other links of terminals",
     HF_FIELD(hf_kernel_options, exit_delay)},
    {.name = "vc-stage",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "giving a virtual channel takes a cycle of its own",
     HF_FIELD(hf_kernel_options, vc_stage)},
    {.name = "outputs-first",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "outputs of the crossbar choose first, then inputs (iSLIP, one iteration)",
     HF_FIELD(hf_kernel_options, outputs_first)},
    {.name = "terminal-vcs",
     .type = HF_PARAM_WORD,
     .fallback = "routed",
     .words = terminal_vcs,
     .unit = "which",
     .bare = "any",
     .help = "virtual channel on links of terminals: that of the rule (routed, default), any, or one: drawn to come in",
     HF_FIELD(hf_kernel_options, terminal_vcs)},
    {0},
};

static void make_booksim_iq(hf_kernel_options *o) {
    o->reuse_early = o->vc_stage = o->outputs_first = true;
    o->terminal_vcs = HF_TERMINAL_VCS_ANY;
    o->routing_delay = 0;
    o->link_delay = o->exit_delay = 2; /* its sources send in the cycle of generation, 2 cycles too: vc_stage and fly_delay */
    o->credit_delay = 3;
}

static void make_router(uint64_t word, void *options) {
    if (word == 1) {
        make_booksim_iq(options);
    }
}

/* Bubbles need packets that fit a buffer. */
static void settle_router(const bool *given, void *options) {
    enum { SWITCHING = 1 };
    hf_kernel_options *o = options;
    o->bubble = hf_flow_control_may_bubble(o->flow);
    o->switching = o->bubble && !given[SWITCHING] ? HF_SWITCHING_VCT : o->switching;
}

const hf_group hf_router_group = {.name = "router", .params = router_params, .base = make_router, .settle = settle_router};

hf_kernel_options hf_kernel_usual(void) {
    hf_kernel_options o = {0};
    hf_group_defaults(&hf_router_group, &o);
    return o;
}

hf_kernel_options hf_kernel_booksim_iq(void) {
    hf_kernel_options o = hf_kernel_usual();
    make_booksim_iq(&o);
    return o;
}

const char *hf_kernel_switching_name(const hf_kernel_options *o) {
    static const char *const name[] = {"", "drop", "circuit", "lose", "store"};
    return o->contention == HF_CONTENTION_WAIT ? hf_switching_name(o->switching) : name[o->contention];
}

/* ---- measurement ---- */

static const hf_param measurement_params[] = {
    {.name = "window",
     .type = HF_PARAM_UINT,
     .fallback = "1000",
     .low = 1,
     .high = 1000000000,
     .unit = "cycles",
     .help = "length of a window, cycles",
     HF_FIELD(hf_simulation, window)},
    {.name = "batches",
     .type = HF_PARAM_UINT,
     .fallback = "20",
     .low = 2,
     .high = 100000,
     .unit = "windows",
     .help = "windows to measure",
     HF_FIELD(hf_simulation, batches)},
    {.name = "warm-up",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .low = 8,
     .high = 1000000,
     .unit = "windows",
     .help = "windows of warm-up at most",
     HF_FIELD(hf_simulation, warm_up_most)},
    {0},
};
const hf_group hf_measurement_group = {.name = "measure", .params = measurement_params};

/* ---- reconfiguration ---- */

static const char *const controls[] = {"priority", "equal", "apart", NULL};
static const char *const fault_clocks[] = {"cycles", "packets", NULL};
static const char *const control_queues[] = {"own", "input", NULL};
static const hf_param reconfiguration_params[] = {
    {.name = "detection-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "10",
     .high = 1000000000,
     .unit = "cycles",
     .help = "cycles from a fault until the switches at it know",
     HF_FIELD(hf_reconfiguration_options, detection_cycles)},
    {.name = "manage-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = 1000000000,
     .unit = "cycles",
     .help = "cycles that a switch works on a control packet",
     HF_FIELD(hf_reconfiguration_options, manage_cycles)},
    {.name = "hop-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .high = 1000000000,
     .unit = "cycles",
     .help = "cycles to manage and pass on a notice of the emergency, for routings that have one",
     HF_FIELD(hf_reconfiguration_options, hop_cycles)},
    {.name = "swap-cycles",
     .type = HF_PARAM_UINT,
     .fallback = "1000",
     .high = 1000000000,
     .unit = "cycles",
     .help = "cycles from detection to the new plan, for routings without a protocol of their own",
     HF_FIELD(hf_reconfiguration_options, swap_cycles)},
    {.name = "control",
     .type = HF_PARAM_WORD,
     .fallback = "priority",
     .words = controls,
     .unit = "who",
     .help = "on channels control packets have priority (default), are equal to others, or go apart from them",
     HF_FIELD(hf_reconfiguration_options, control)},
    {.name = "control-in-turn",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "a switch sends its control packets one after the other; else over all channels at once",
     HF_FIELD(hf_reconfiguration_options, is_in_turn)},
    {.name = "control-length",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 65536,
     .unit = "flits",
     .help = "length of control packets; 0: that of packets",
     HF_FIELD(hf_reconfiguration_options, message_length)},
    {.name = "control-queue",
     .type = HF_PARAM_WORD,
     .fallback = "own",
     .words = control_queues,
     .unit = "where",
     .help = "where control packets wait that have come to a switch: own (default), or input: behind what is in the buffer",
     HF_FIELD(hf_reconfiguration_options, uses_input_queue)},
    {.name = "control-every",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000000,
     .unit = "cycles",
     .help = "a switch takes in one control packet in so many cycles; 0: as they come",
     HF_FIELD(hf_reconfiguration_options, control_every)},
    {.name = "control-order",
     .type = HF_PARAM_WORD,
     .fallback = "first",
     .words = hf_control_order_names,
     .unit = "which",
     .help = "which of the control packets that wait for that: the first that came (default), or the newest",
     HF_FIELD(hf_reconfiguration_options, newest_first)},
    {.name = "fault-clock",
     .type = HF_PARAM_WORD,
     .fallback = "cycles",
     .words = fault_clocks,
     .unit = "what",
     .help = "work with an end: faults come after so many cycles (default), or when so many packets have arrived",
     HF_FIELD(hf_reconfiguration_options, by_packets)},
    {.name = "emergency-paths",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "packets that meet a fault take the routing's emergency paths",
     HF_FIELD(hf_reconfiguration_options, has_emergency_paths)},
    {0},
};
const hf_group hf_reconfiguration_group = {.name = "reconfiguration", .params = reconfiguration_params};

hf_reconfiguration_options hf_reconfiguration_usual(void) {
    hf_reconfiguration_options o = {0};
    hf_group_defaults(&hf_reconfiguration_group, &o);
    o.message_length = 4;
    return o;
}
