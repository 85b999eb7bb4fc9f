/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/router.h"

uint32_t oracle_between(hf_random *r, uint32_t low, uint32_t high) { return low + (uint32_t)hf_random_below(r, high - low + 1); }

bool oracle_toss(hf_random *r) { return hf_random_below(r, 2) == 1; }

static hf_kernel_options draw_delays(hf_random *r) {
    return (hf_kernel_options){.packet_length = oracle_between(r, 1, 6),
                               .routing_delay = oracle_between(r, 0, 3),
                               .crossbar_delay = oracle_between(r, 0, 2),
                               .link_delay = oracle_between(r, 1, 4),
                               .fly_delay = oracle_between(r, 1, 3),
                               .credit_delay = oracle_between(r, 1, 4),
                               .exit_delay = oracle_toss(r) ? oracle_between(r, 1, 5) : 0,
                               .one_routing_unit = oracle_toss(r),
                               .selection = (hf_selection)oracle_between(r, HF_SELECT_CYCLIC, HF_SELECT_FIRST),
                               .speedup = 1};
}

hf_kernel_options oracle_router_draw(hf_random *r, bool has_rings, bool is_tree) {
    hf_kernel_options o = draw_delays(r);
    const bool has_buffers = hf_random_below(r, 5) > 0;
    o.buffer = oracle_between(r, 1, 9);
    if (!has_buffers) {
        o.contention = oracle_toss(r) ? HF_CONTENTION_DROP : HF_CONTENTION_CIRCUIT;
        o.backoff = (hf_backoff)oracle_between(r, HF_BACKOFF_CONSTANT, HF_BACKOFF_EXPONENTIAL);
        o.backoff_cycles = oracle_between(r, 1, 6);
        o.outstanding = oracle_between(r, 1, 4);
        o.one_routing_unit = false;
        return o;
    }
    o.bubble = has_rings;
    o.switching = (hf_switching)oracle_between(r, has_rings ? HF_SWITCHING_VCT : HF_SWITCHING_WORMHOLE, HF_SWITCHING_SAF);
    const uint32_t least = o.switching == HF_SWITCHING_WORMHOLE ? 1 : (o.bubble ? 2 : 1) * o.packet_length;
    o.buffer = oracle_between(r, least, least + 6);
    o.output_queue = oracle_toss(r) ? oracle_between(r, least, least + 6) : 0;
    o.speedup = o.output_queue ? oracle_between(r, 1, 3) : 1;
    o.selection = oracle_toss(r) ? HF_SELECT_CREDITS : o.selection;
    o.reuse_early = o.switching == HF_SWITCHING_WORMHOLE && oracle_toss(r);
    o.vc_stage = oracle_toss(r);
    o.outputs_first = oracle_toss(r);
    o.terminal_vcs = (hf_terminal_vcs)oracle_between(r, HF_TERMINAL_VCS_ROUTED, HF_TERMINAL_VCS_ONE);
    o.reorder = oracle_toss(r) ? oracle_between(r, 1, 9) : 0;
    o.transit_first = oracle_toss(r);
    const uint32_t room = o.output_queue && o.output_queue < o.buffer ? o.output_queue : o.buffer;
    o.injection_room = o.switching != HF_SWITCHING_WORMHOLE ? oracle_between(r, 0, room / o.packet_length) : 0;
    if (is_tree && oracle_toss(r)) {
        o.selection = (hf_selection)oracle_between(r, HF_SELECT_SSP, HF_SELECT_ADAP_LIN);
        o.choose_once = oracle_toss(r);
    }
    /* not drawn, so that seeds stay what they were */
    o.route_early = o.switching != HF_SWITCHING_SAF && (o.buffer + o.link_delay) % 2 > 0;
    o.selection = (o.fly_delay + o.credit_delay) % 3 ? o.selection : HF_SELECT_BALANCED;
    o.free = o.choose_once ? (hf_free)((o.buffer + o.credit_delay) % 4) : HF_FREE_ROOM;
    return o;
}
