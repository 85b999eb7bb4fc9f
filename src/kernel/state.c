/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Making a kernel: what it refuses, and its tables. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/machine.h"
#include "src/kernel/trains.h"

static hf_status check_queues(hf_context *cx, const hf_kernel_options *o) {
    const uint32_t need = (o->bubble ? 2 : 1) * o->packet_length;
    if (o->speedup > 1 && !o->output_queue) {
        HF_FAIL(cx, HF_EINVAL, "a crossbar of speed-up %u needs output queues; it has none", o->speedup);
    }
    if (o->output_queue && o->contention != HF_CONTENTION_WAIT) {
        HF_FAIL(cx, HF_EINVAL, "switching %s has no queues; output queues need wormhole, vct or saf",
                hf_kernel_switching_name(o));
    }
    if (o->output_queue && o->switching != HF_SWITCHING_WORMHOLE && o->output_queue < need) {
        HF_FAIL(cx, HF_EINVAL, "output queues of %u flits do not hold %s of %u flits; need at least %u under %s%s",
                o->output_queue, o->bubble ? "two packets" : "a packet", o->packet_length, need, hf_switching_name(o->switching),
                o->bubble ? " with bubbles" : "");
    }
    return HF_OK;
}

static hf_status check_injection(hf_context *cx, const hf_kernel_options *o) {
    const uint32_t least = o->output_queue && o->output_queue < o->buffer ? o->output_queue : o->buffer;
    if ((o->transit_first || o->injection_room > 1) && o->contention != HF_CONTENTION_WAIT) {
        HF_FAIL(cx, HF_EINVAL, "switching %s has no buffers; transit priority and injection room need wormhole, vct or saf",
                hf_kernel_switching_name(o));
    }
    if (o->injection_room > 1 && o->switching == HF_SWITCHING_WORMHOLE) {
        HF_FAIL(cx, HF_EINVAL, "injection room of %u packets needs packets that fit a buffer; need switching vct or saf",
                o->injection_room);
    }
    if (o->injection_room > 1 && least / o->injection_room < o->packet_length) {
        HF_FAIL(cx, HF_EINVAL, "injection room of %u packets of %u flits does not fit %s of %u flits; need at least %llu",
                o->injection_room, o->packet_length, least < o->buffer ? "output queues" : "buffers", least,
                (unsigned long long)o->injection_room * o->packet_length);
    }
    return HF_OK;
}

static hf_status check_retry(hf_context *cx, const hf_kernel_options *o) {
    const bool tries_again = o->contention == HF_CONTENTION_DROP || o->contention == HF_CONTENTION_CIRCUIT;
    if (!tries_again && (o->selection == HF_SELECT_UNBLOCKED || o->forward_after)) {
        HF_FAIL(cx, HF_EINVAL, "under switching %s nothing is blocked and sent again; %s needs drop or circuit",
                hf_kernel_switching_name(o), o->forward_after ? "forward-after" : "selection unblocked");
    }
    return HF_OK;
}

static hf_status check_selection(hf_context *cx, const hf_plan *plan, const hf_kernel_options *o) {
    hf_kary_tree tree;
    const bool commits = hf_plan_traits(plan) & HF_ROUTING_COMMITS;
    if (o->selection == HF_SELECT_UGAL && !(plan->routing->length && commits)) {
        HF_FAIL(cx, HF_ENOTSUP, "selection ugal is for rules that commit packets to a hop and know how far it is, not for \"%s\"",
                plan->routing->name);
    }
    const bool needs_tree = o->choose_once || (o->selection >= HF_SELECT_SSP && o->selection <= HF_SELECT_ADAP_LIN);
    if (needs_tree && !hf_kary_tree_shape(plan->topo, &tree)) {
        HF_FAIL(cx, HF_ENOTSUP, "%s%s is for k-ary n-trees; %s is none", o->choose_once ? "choosing once" : "selection ",
                o->choose_once ? "" : hf_selection_name(o->selection), plan->topo->spec);
    }
    if (o->choose_once && o->selection == HF_SELECT_ESCAPE_LAST) {
        HF_FAIL(cx, HF_EINVAL,
                "a header that chooses once does not wait for the escape; selection escape-last needs headers that "
                "choose always");
    }
    if (o->selection == HF_SELECT_ESCAPE_LAST && commits) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"%s\" commits a packet to a hop, so it does not wait for the escape; need another selection",
                plan->routing->name);
    }
    if (o->selection == HF_SELECT_RANDOM && plan->routing->escape) {
        HF_FAIL(cx, HF_EINVAL,
                "a header whose channel is drawn does not wait for the escape that routing \"%s\" needs; selection random is for "
                "rules without one",
                plan->routing->name);
    }
    return HF_OK;
}

static hf_status check(hf_context *cx, const hf_plan *plan, const hf_kernel_options *o) {
    const uint32_t fits = o->bubble ? 2 : 1;
    if (plan->n_vc > 64) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" has %u virtual channels; the kernel takes up to 64", plan->routing->name,
                plan->n_vc);
    }
    if ((uint64_t)plan->topo->n_channel * plan->n_vc + plan->topo->n_terminal >= HF_LANE_CONTROL) {
        HF_FAIL(cx, HF_ERANGE, "%u channels with %u virtual channels each are too many", plan->topo->n_channel, plan->n_vc);
    }
    if (!o->packet_length || !o->buffer || !o->link_delay || !o->fly_delay || !o->credit_delay) {
        HF_FAIL(cx, HF_EINVAL, "packets, buffers and the delays of links and credits must be at least 1");
    }
    HF_TRY(check_retry(cx, o));
    HF_TRY(check_selection(cx, plan, o));
    if (o->route_early && (o->contention != HF_CONTENTION_WAIT || o->switching == HF_SWITCHING_SAF)) {
        HF_FAIL(cx, HF_EINVAL,
                "headers are routed behind others where they come before the packet in front has left; need "
                "switching wormhole or vct");
    }
    if (o->free != HF_FREE_ROOM && !o->choose_once) {
        HF_FAIL(cx, HF_EINVAL, "what counts as free matters to headers that choose once; others take what has room for them");
    }
    HF_TRY(hf_switching_check(cx, o->switching, o->bubble));
    HF_TRY(o->bubble ? hf_plan_need_rings(cx, plan) : HF_OK);
    if (o->drain_after > 0 && (!o->bubble || o->contention != HF_CONTENTION_WAIT)) {
        HF_FAIL(cx, HF_EINVAL, "what is drained is a full ring with bubbles, after %u cycles; need flow bubble", o->drain_after);
    }
    if (o->switching != HF_SWITCHING_WORMHOLE && o->buffer < fits * o->packet_length) {
        HF_FAIL(cx, HF_EINVAL, "buffers of %u flits do not hold %s of %u flits; need at least %u under %s%s", o->buffer,
                o->bubble ? "two packets" : "a packet", o->packet_length, fits * o->packet_length,
                hf_switching_name(o->switching), o->bubble ? " with bubbles" : "");
    }
    HF_TRY(check_injection(cx, o));
    return check_queues(cx, o);
}

static hf_status new_requests(hf_context *cx, uint32_t n, hf_request **out) {
    HF_TRY(hf_scratch(cx, n, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < n; i++) {
        (*out)[i].by = HF_NONE;
    }
    return HF_OK;
}

/* What grows with buffers, ports and delays; packets come on top. */
static hf_status check_memory(const hf_kernel *k) {
    const double places = (double)k->n_resource * ((double)k->ring_mask + 1);
    const double buffers = places * sizeof *k->flit + (double)k->n_lane * sizeof *k->lane;
    const double ports = (double)k->n_port * sizeof *k->port;
    return hf_machine_fits(k->cx, buffers + ports, HUGE_VAL, "a simulation of \"%s\" with buffers of %" PRIu32 " flits",
                           k->topo->spec, k->o.buffer);
}

static hf_status new_rings(hf_kernel *k) {
    if (hf_flow_control_may_bubble(k->o.flow)) {
        hf_flow_control control;
        HF_TRY(hf_flow_control_read(k->cx, k->topo, k->o.flow, &control));
        k->plain = control.plain;
        if (!control.bubble) {
            return HF_OK;
        }
    }
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->ring, (void **)&k->ring));
    return hf_plan_read_rings(k->cx, k->plan, k->ring);
}

static hf_status new_lanes(hf_kernel *k) {
    while (k->ring_mask < k->o.buffer - 1) {
        k->ring_mask = 2 * k->ring_mask + 1;
        k->ring_bits++;
    }
    HF_TRY(check_memory(k));
    HF_TRY(hf_scratch(k->cx, k->n_lane, sizeof *k->lane, (void **)&k->lane));
    HF_TRY(hf_scratch(k->cx, k->n_lane, sizeof *k->aim, (void **)&k->aim));
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_resource << k->ring_bits, sizeof *k->flit, (void **)&k->flit));
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->credit, (void **)&k->credit));
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->owner, (void **)&k->owner));
    for (uint32_t i = 0; i < k->n_lane; i++) {
        hf_lane *l = &k->lane[i];
        const bool is_source = i >= k->n_resource;
        l->out = l->slot = l->packet = HF_NONE;
        l->port = is_source ? k->topo->n_channel + i - k->n_resource : i / k->n_vc;
        k->aim[i] = (hf_aim){HF_NONE, l->port};
        l->node = is_source ? k->topo->n_switch + i - k->n_resource : k->topo->to[i / k->n_vc];
        l->bit = (uint8_t)(is_source ? 0 : i % k->n_vc);
        l->next = is_source ? 0 : (uint8_t)hf_next_of(l->bit, k->n_vc);
        l->place = is_source                                                      ? HF_LANE_INSIDE
                   : hf_topology_is_terminal(k->topo, l->node)                    ? HF_LANE_SINK
                   : hf_topology_is_terminal(k->topo, k->topo->from[i / k->n_vc]) ? HF_LANE_INJECTION
                                                                                  : HF_LANE_INSIDE;
    }
    for (uint32_t r = 0; r < k->n_resource; r++) {
        k->credit[r] = k->o.buffer;
        k->owner[r] = HF_NONE;
    }
    return k->o.bubble ? new_rings(k) : HF_OK;
}

static hf_status new_ports(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    HF_TRY(hf_scratch(k->cx, k->n_port, sizeof *k->port, (void **)&k->port));
    for (uint32_t i = 0; i < k->n_port; i++) {
        const bool is_source = i >= topo->n_channel;
        hf_port *p = &k->port[i];
        p->first = is_source ? k->n_resource + i - topo->n_channel : i * k->n_vc;
        p->node = is_source ? topo->n_switch + i - topo->n_channel : topo->to[i];
        p->degree = 1;
        p->lane = HF_NONE;
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
            hf_port *p = &k->port[topo->in_list[i]];
            p->place = i - topo->in_begin[v];
            p->degree = topo->in_begin[v + 1] - topo->in_begin[v];
            p->next = hf_next_of(p->place, p->degree);
        }
    }
    HF_TRY(new_requests(k->cx, k->n_resource, &k->vcs));
    if (k->o.choose_once) {
        HF_TRY(hf_scratch(k->cx, topo->n_node, sizeof *k->chosen, (void **)&k->chosen));
    }
    if (k->o.selection == HF_SELECT_BALANCED) {
        HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->dealt, (void **)&k->dealt));
    }
    if (k->o.route_early && k->commits) {
        HF_TRY(hf_scratch(k->cx, (size_t)k->n_resource * k->o.buffer, sizeof *k->early, (void **)&k->early));
    }
    return k->o.one_routing_unit ? hf_scratch(k->cx, topo->n_node, sizeof *k->routed, (void **)&k->routed) : HF_OK;
}

static hf_status new_outputs(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->output, (void **)&k->output));
    k->n_slot = k->o.credit_delay + 1;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        hf_kernel_output *o = &k->output[c];
        o->best = UINT64_MAX;
        o->is_exit = hf_topology_is_terminal(topo, topo->to[c]);
        const uint32_t crossbar = hf_topology_is_terminal(topo, topo->from[c]) ? 0 : k->o.crossbar_delay;
        const uint32_t way = topo->link[c] < topo->n_switch_link ? k->o.link_delay : k->o.fly_delay;
        o->delay = crossbar + (k->o.exit_delay && o->is_exit ? k->o.exit_delay : way);
        k->n_slot = o->delay >= k->n_slot ? o->delay + 1 : k->n_slot;
    }
    for (uint32_t v = 0; v < topo->n_node && k->n_port > 0; v++) { /* heads do not ask for outputs */
        const uint32_t *out = topo->out_list + topo->out_begin[v], n = topo->out_begin[v + 1] - topo->out_begin[v];
        for (uint32_t i = 0; i < n; i++) {
            hf_kernel_output *o = &k->output[out[i]];
            o->place = i;
            o->next = hf_next_of(i, n);
        }
    }
    return HF_OK;
}

static hf_status new_rates(hf_kernel *k) {
    k->tempo = hf_topology_tempo(k->topo);
    if (!k->tempo.rate) {
        return HF_OK;
    }
    if (k->o.contention != HF_CONTENTION_WAIT) {
        HF_FAIL(k->cx, HF_ENOTSUP, "%s has links of different rates, which switching %s does not know; need wormhole, vct or saf",
                k->topo->spec, hf_kernel_switching_name(&k->o));
    }
    return hf_scratch(k->cx, k->topo->n_channel, sizeof *k->due, (void **)&k->due);
}

hf_status hf_kernel_new(hf_context *cx, const hf_plan *plan, const hf_kernel_options *options, hf_kernel **out) {
    void *memory;
    HF_TRY(check(cx, plan, options));
    HF_TRY(hf_scratch(cx, 1, sizeof(hf_kernel), &memory));
    hf_kernel *k = memory;
    k->cx = cx;
    k->plan = plan;
    k->topo = plan->topo;
    k->o = *options;
    k->n_vc = plan->n_vc;
    k->max_hops = k->o.terminal_vcs && plan->max_hops < plan->n_vc ? plan->n_vc : plan->max_hops;
    k->commits = k->o.choose_once || hf_plan_traits(plan) & HF_ROUTING_COMMITS;
    k->has_runs = k->o.selection == HF_SELECT_CYCLIC && !k->commits;
    (void)hf_kary_tree_shape(plan->topo, &k->tree);
    const bool has_flits = k->o.contention < HF_CONTENTION_LOSE;
    HF_TRY(has_flits ? HF_OK : hf_kernel_heads_check(k));
    k->n_resource = has_flits ? plan->topo->n_channel * plan->n_vc : 0;
    k->n_lane = k->n_resource + plan->topo->n_terminal;
    k->n_port = has_flits ? plan->topo->n_channel + plan->topo->n_terminal : 0;
    HF_TRY(hf_scratch(cx, 1, sizeof *k->part, (void **)&k->part));
    k->part[0] = k;
    k->n_part = 1;
    HF_TRY(new_lanes(k));
    HF_TRY(hf_kernel_known_new(k));
    HF_TRY(hf_kernel_queues_new(k));
    HF_TRY(hf_kernel_order_new(k));
    HF_TRY(has_flits ? new_ports(k) : HF_OK);
    HF_TRY(new_outputs(k));
    HF_TRY(new_rates(k));
    HF_TRY(hf_kernel_trains_new(k));
    HF_TRY(hf_kernel_lists_new(k));
    HF_TRY(hf_kernel_wheels_new(k));
    HF_TRY(hf_scratch(cx, hf_words(k->topo->n_channel), sizeof *k->down, (void **)&k->down));
    if (plan->faults) {
        memcpy(k->down, plan->faults->channel_set, hf_words(k->topo->n_channel) * sizeof *k->down);
    }
    HF_TRY(hf_kernel_drain_new(k));
    HF_TRY(has_flits ? hf_kernel_circuits_new(k) : hf_kernel_heads_new(k));
    *out = k;
    return HF_OK;
}

const hf_kernel_counts *hf_kernel_read(const hf_kernel *k) { return &k->counts; }

uint64_t hf_kernel_waited(const hf_kernel *k, uint32_t terminal) {
    const uint32_t packet = k->lane[k->n_resource + terminal].packet;
    return packet == HF_NONE ? 0 : k->counts.cycle - k->packet[packet].generated;
}

uint64_t hf_kernel_present(const hf_kernel *k) { return k->present; }
