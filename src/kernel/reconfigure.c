/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Faults at given cycles, and how the network gets from one plan to the next. Each fault is a layer: a plan, and the stage that
 *  every switch has reached on the way to it. A switch works by the latest layer that it has heard of, so a fault may come while
 *  an earlier one is being worked on. Notices that take no channel wait in a heap; control packets are in control.c. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/kernel/reconfigure.h"
#include "src/kernel/trains.h"

static hf_status send(hf_outbox *out, uint32_t channel, hf_notice notice) {
    hf_kernel_layers *r = (hf_kernel_layers *)out;
    if (hf_bit_test(r->k->down, channel)) {
        return HF_OK;
    }
    r->layer[r->now].pending++;
    r->layer[r->now].report.messages++;
    return hf_control_send(r, channel, notice);
}

static hf_status later(hf_outbox *out, uint64_t cycles, hf_notice notice) {
    hf_kernel_layers *r = (hf_kernel_layers *)out;
    notice.in = HF_NONE;
    r->layer[r->now].pending++;
    return hf_timers_add(r->k->cx, &r->timers, (hf_timer){r->k->counts.cycle + cycles, 0, HF_TIMER_NOTICE, r->now, notice});
}

/* Does a switch work on a later fault than that of layer i? */
static bool is_superseded(const hf_kernel_layers *r, uint32_t i, uint32_t at) {
    for (uint32_t j = r->n_open; j-- > i + 1;) {
        if (r->layer[j].stage[at] > 0) {
            return true;
        }
    }
    return false;
}

/* Rings for bubbles are those of the latest plan. */
static void take_up_rings(hf_kernel *k, const hf_kernel_layer *y, uint32_t sw) {
    for (uint32_t i = k->topo->out_begin[sw]; k->ring && i < k->topo->out_begin[sw + 1]; i++) {
        const uint32_t first = k->topo->out_list[i] * k->n_vc;
        memcpy(k->ring + first, y->ring + first, k->n_vc * sizeof *k->ring);
    }
}

static void change(hf_outbox *out, uint32_t sw, uint8_t stage) {
    hf_kernel_layers *r = (hf_kernel_layers *)out;
    hf_kernel *k = r->k;
    hf_kernel_layer *y = &r->layer[r->now];
    y->report.changed += y->stage[sw] == 0;
    y->stage[sw] = stage;
    y->report.finished = k->counts.cycle;
    for (uint32_t i = k->topo->out_begin[sw]; i < k->topo->out_begin[sw + 1]; i++) {
        const uint32_t v = k->topo->to[k->topo->out_list[i]];
        if (hf_topology_is_terminal(k->topo, v)) {
            y->stage[v] = stage;
        }
    }
    if (!is_superseded(r, r->now, sw)) {
        take_up_rings(k, y, sw);
    }
    for (uint32_t i = k->topo->out_begin[sw]; i < k->topo->out_begin[sw + 1]; i++) {
        const uint32_t v = k->topo->to[k->topo->out_list[i]];
        if (hf_topology_is_terminal(k->topo, v)) {
            hf_kernel_reroute(k, v);
        }
    }
    hf_kernel_deal_anew(k, sw);
    hf_kernel_reroute(k, sw);
}

/* ---- layers ---- */

static hf_status change_all(hf_kernel_layers *r) {
    for (uint32_t v = 0; v < r->k->topo->n_switch; v++) {
        r->outbox.change(&r->outbox, v, 1);
    }
    return HF_OK;
}

static void see_what_is_finished(hf_kernel_layers *r) {
    for (uint32_t i = 0; i < r->n_open; i++) {
        r->layer[i].report.is_finished |= r->layer[i].pending == 0;
    }
}

static hf_status fire(hf_kernel_layers *r, const hf_timer *t) {
    if (t->kind == HF_TIMER_ARRIVED) {
        return hf_control_arrived(r, t->who);
    }
    hf_kernel_layer *y = &r->layer[t->who];
    const hf_reconfiguration *protocol = y->transition.after->routing->reconfiguration;
    r->now = t->who;
    if (t->kind == HF_TIMER_FAULT) {
        r->n_open = t->who + 1;
        y->report.cycle = y->report.finished = r->k->counts.cycle;
        HF_TRY(hf_kernel_break(r->k, y->fault->faults, &y->report.hit));
        y->pending = 1;
        const uint64_t wait = r->o.detection_cycles + (protocol ? 0 : r->o.swap_cycles);
        return hf_timers_add(r->k->cx, &r->timers, (hf_timer){r->k->counts.cycle + wait, 0, HF_TIMER_DETECTED, t->who, {0}});
    }
    if (t->kind == HF_TIMER_DETECTED) {
        HF_TRY(protocol ? protocol->begin(r->k->cx, &y->transition, &r->outbox) : change_all(r));
    } else if (!hf_bit_test(y->fault->faults->switch_set, t->notice.at) &&
               !(protocol->newest_only && is_superseded(r, t->who, t->notice.at))) {
        HF_TRY(protocol->receive(&y->transition, &t->notice, &r->outbox));
    }
    y->pending--;
    return HF_OK;
}

uint64_t hf_kernel_next_change(const hf_kernel *k) {
    const hf_kernel_layers *r = k->layers;
    return hf_control_is_busy(r) ? k->counts.cycle : r->timers.n ? r->timers.heap[0].at : UINT64_MAX;
}

/* Faults that come with packets: now. */
static hf_status set_timers(hf_kernel_layers *r) {
    while (r->n_set < r->n_layer && (!r->o.by_packets || r->layer[r->n_set].fault->cycle <= r->k->counts.delivered)) {
        const uint64_t at = r->o.by_packets ? r->k->counts.cycle : r->layer[r->n_set].fault->cycle;
        HF_TRY(hf_timers_add(r->k->cx, &r->timers, (hf_timer){at, 0, HF_TIMER_FAULT, r->n_set, {0}}));
        r->n_set++;
    }
    return HF_OK;
}

hf_status hf_kernel_reconfigure(hf_kernel *k) {
    hf_kernel_layers *r = k->layers;
    HF_TRY(set_timers(r));
    do {
        while (hf_timers_due(&r->timers, k->counts.cycle)) {
            const hf_timer t = hf_timers_take(&r->timers);
            HF_TRY(fire(r, &t));
            see_what_is_finished(r);
        }
        HF_TRY(hf_control_take_in(r));
    } while (hf_timers_due(&r->timers, k->counts.cycle));
    HF_TRY(hf_control_send_on(r));
    see_what_is_finished(r);
    return HF_OK;
}

void hf_kernel_reconfigurations(const hf_kernel *k, hf_kernel_reconfiguration *out) {
    for (uint32_t i = 0; k->layers && i < k->layers->n_layer; i++) {
        out[i] = k->layers->layer[i].report;
    }
}

/* ---- scheduling ---- */

static hf_status check(const hf_kernel *k, const hf_kernel_fault *fault, uint32_t n, const hf_reconfiguration_options *o) {
    const uint64_t *failed = k->down;
    uint64_t cycle = k->counts.cycle;
    if (k->layers || o->message_length == 0) {
        HF_FAIL(k->cx, HF_EINVAL, "faults are scheduled once, with control packets of at least one flit");
    }
    if (o->uses_input_queue && (k->circuits || o->message_length > k->o.buffer)) {
        HF_FAIL(k->cx, HF_EINVAL, "a control packet that waits in the buffers of channels needs some, of its %u flits at least",
                o->message_length);
    }
    if (o->by_packets && (k->circuits || k->threads > 1)) {
        HF_FAIL(k->cx, HF_ENOTSUP, "faults that come with packets are for networks with buffers, on one thread");
    }
    if (k->heads) {
        HF_FAIL(k->cx, HF_ENOTSUP, "where packets are moved as a whole nothing fails in a given cycle");
    }
    for (uint32_t i = 0; i < n; i++) {
        if (fault[i].cycle < cycle) {
            HF_FAIL(k->cx, HF_EINVAL, "fault %u comes in cycle %llu; need cycles that ascend, from %llu on", i + 1,
                    (unsigned long long)fault[i].cycle, (unsigned long long)cycle);
        }
        for (size_t w = 0; w < hf_words(k->topo->n_channel); w++) {
            if (failed[w] & ~fault[i].faults->channel_set[w]) {
                HF_FAIL(k->cx, HF_EINVAL, "fault %u leaves out channels that have failed before", i + 1);
            }
        }
        if (fault[i].plan->n_vc != k->n_vc || fault[i].plan->max_hops > k->max_hops) {
            HF_FAIL(k->cx, HF_ENOTSUP,
                    "the plan of fault %u has %u virtual channels and up to %u hops, that of the start %u and %u", i + 1,
                    fault[i].plan->n_vc, fault[i].plan->max_hops, k->n_vc, k->max_hops);
        }
        failed = fault[i].faults->channel_set;
        cycle = fault[i].cycle;
    }
    return HF_OK;
}

hf_status hf_kernel_schedule(hf_kernel *k, const hf_kernel_fault *fault, uint32_t n, const hf_reconfiguration_options *options) {
    hf_kernel_layers *r;
    HF_TRY(check(k, fault, n, options));
    if (k->o.forward_after || k->blockages) {
        HF_FAIL(k->cx, HF_ENOTSUP, "forward-after and selection unblocked are for faults that are there from the start");
    }
    HF_TRY(hf_scratch(k->cx, 1, sizeof *r, (void **)&r));
    *r = (hf_kernel_layers){.outbox = {send, later, change}, .k = k, .o = *options, .n_layer = n};
    HF_TRY(hf_scratch(k->cx, n, sizeof *r->layer, (void **)&r->layer));
    HF_TRY(hf_control_new(r));
    HF_TRY(hf_scratch(k->cx, hf_words(k->topo->n_terminal), sizeof *k->gone, (void **)&k->gone));
    for (uint32_t i = 0; i < n; i++) {
        hf_kernel_layer *y = &r->layer[i];
        y->transition =
            (hf_transition){hf_plan_own(i ? fault[i - 1].plan : k->plan), hf_plan_own(fault[i].plan), options->hop_cycles, NULL};
        y->fault = &fault[i];
        HF_TRY(hf_scratch(k->cx, k->topo->n_node, sizeof *y->stage, (void **)&y->stage));
        if (k->ring) {
            HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *y->ring, (void **)&y->ring));
            HF_TRY(hf_plan_read_rings(k->cx, fault[i].plan, y->ring));
        }
        y->report.cycle = UINT64_MAX;
    }
    HF_TRY(r->o.by_packets ? HF_OK : set_timers(r));
    hf_kernel_trains_give_up(k);
    k->layers = r;
    hf_kernel_circuit_ask_anew(k);
    return HF_OK;
}
