/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Simulation of a block-structured trace over a network that drops packets, or over one that stores them. */
#include "src/protocol/run.h"

#include <inttypes.h>
#include <string.h>

/* ---- blocks ---- */

static hf_status activate(hf_run *r, uint32_t block) {
    const hf_trace_block *b = &r->trace->blocks[block];
    const uint64_t end = r->now + b->time;
    r->result->cycles = end > r->result->cycles ? end : r->result->cycles;
    for (uint32_t m = b->first; m != HF_NONE; m = r->trace->messages[m].next) {
        HF_TRY(hf_run_push(r, r->now + r->trace->messages[m].offset, HF_RUN_SEND, m));
    }
    return HF_OK;
}

hf_status hf_run_deliver(hf_run *r, uint32_t message) {
    const uint32_t target = r->trace->messages[message].target;
    if (r->is_delivered[message]) {
        r->result->n_duplicate++;
        return HF_OK;
    }
    r->is_delivered[message] = 1;
    r->n_open--;
    r->result->cycles = r->now > r->result->cycles ? r->now : r->result->cycles;
    return target != HF_NONE && --r->missing[target] == 0 ? activate(r, target) : HF_OK;
}

/* ---- cycles ---- */

static hf_status send(hf_run *r, uint32_t message) {
    if (r->source[message] == r->trace->messages[message].destination) {
        return hf_run_deliver(r, message);
    }
    r->result->n_message++;
    return r->messaging->is_buffered ? hf_buffered_send(r, message) : hf_lossy_send(r, message);
}

static hf_status wake(hf_run *r, uint32_t node) {
    if (r->node[node].wake != r->now) {
        return HF_OK; /* it has looked since */
    }
    r->node[node].wake = UINT64_MAX;
    return r->messaging->is_buffered ? hf_buffered_serve(r, node) : hf_lossy_serve(r, node);
}

static hf_status happen(hf_run *r, hf_run_event e) {
    if (e.kind == HF_RUN_SEND) {
        return send(r, e.index);
    }
    if (e.kind == HF_RUN_WAKE) {
        return wake(r, e.index);
    }
    return r->messaging->is_buffered ? hf_buffered_arrive(r, e.index) : hf_lossy_arrive(r, e.index);
}

static hf_status loop(hf_run *r) {
    for (uint32_t turn = 1; r->n_open > 0; turn++) {
        if (r->n_active == 0 && r->calendar.n == 0) {
            HF_FAIL(r->cx, HF_EINVAL, "the program waits for a signal that nobody sends: %" PRIu32 " messages are left",
                    r->n_open);
        }
        HF_TRY(hf_run_advance(r, r->n_active > 0));
        if (r->now > r->messaging->cycle_limit) {
            return HF_OK;
        }
        if (turn % 4096 == 0 && hf_context_stopped(r->cx)) {
            HF_FAIL(r->cx, HF_ESTOP, "stopped at cycle %" PRIu64, r->now);
        }
        for (hf_run_event e; hf_run_pop(r, &e);) {
            HF_TRY(happen(r, e));
        }
        HF_TRY(r->messaging->is_buffered ? hf_buffered_move(r) : hf_lossy_move(r));
    }
    r->result->is_complete = true;
    return HF_OK;
}

/* ---- set-up ---- */

static hf_status prepare_trace(hf_run *r) {
    const hf_trace *t = r->trace;
    HF_TRY(hf_allocate(r->cx, t->n_block, sizeof *r->missing, (void **)&r->missing));
    HF_TRY(hf_allocate(r->cx, t->n_message, sizeof *r->source, (void **)&r->source));
    HF_TRY(hf_allocate(r->cx, t->n_message, sizeof *r->next_message, (void **)&r->next_message));
    HF_TRY(hf_allocate(r->cx, t->n_message, 1, (void **)&r->is_delivered));
    r->n_open = t->n_message;
    for (uint32_t b = 0; b < t->n_block; b++) {
        r->missing[b] = t->blocks[b].n_signal;
        for (uint32_t m = t->blocks[b].first; m != HF_NONE; m = t->messages[m].next) {
            r->source[m] = t->blocks[b].node;
            if (t->messages[m].size > HF_MESSAGE_SIZE_MAX) {
                HF_FAIL(r->cx, HF_ERANGE, "a message of %" PRIu32 " flits; need at most %d", t->messages[m].size,
                        HF_MESSAGE_SIZE_MAX);
            }
        }
    }
    return HF_OK;
}

static hf_status prepare_nodes(hf_run *r) {
    const hf_protocol *p = &r->messaging->protocol;
    const uint32_t n = r->net.n_node;
    HF_TRY(hf_allocate(r->cx, r->net.n_channel, sizeof *r->free_at, (void **)&r->free_at));
    HF_TRY(hf_allocate(r->cx, n, sizeof *r->node, (void **)&r->node));
    HF_TRY(hf_allocate(r->cx, (size_t)n * p->send_capacity, sizeof *r->sent, (void **)&r->sent));
    HF_TRY(hf_allocate(r->cx, (size_t)n * p->receive_capacity, sizeof *r->received, (void **)&r->received));
    for (uint32_t i = 0; i < n; i++) {
        r->node[i] = (hf_run_node){.pending = {HF_NONE, HF_NONE}, .conf = {HF_NONE, HF_NONE}, .wake = UINT64_MAX};
        r->node[i].end = (hf_endpoint){
            .node = i, .sent = r->sent + (size_t)i * p->send_capacity, .received = r->received + (size_t)i * p->receive_capacity};
    }
    hf_random_init(&r->random, r->messaging->seed, HF_PURPOSE_TRAFFIC, 0);
    return HF_OK;
}

static void release(hf_run *r) {
    const hf_allocator *a = hf_context_allocator(r->cx);
    const hf_run_calendar *c = &r->calendar;
    void *const held[] = {r->missing,  r->source, r->next_message, r->is_delivered,  r->free_at,   r->node, r->sent,
                          r->received, r->packet, r->active,       c->present.event, c->far.event, c->note};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        hf_release(a, held[i]);
    }
}

hf_status hf_messaging_run(hf_context *cx, const hf_messaging *messaging, const hf_trace *trace, hf_messaging_result *out) {
    hf_run r = {.cx = cx, .messaging = messaging, .trace = trace, .result = out, .free_packet = HF_NONE};
    hf_status status;
    *out = (hf_messaging_result){0};
    hf_run_calendar_init(&r.calendar);
    HF_TRY_DONE(hf_network_make(cx, &messaging->network, trace->n_node, &r.net));
    HF_TRY_DONE(prepare_trace(&r));
    HF_TRY_DONE(prepare_nodes(&r));
    for (uint32_t b = 0; b < trace->n_block; b++) {
        if (trace->blocks[b].n_signal == 0) {
            HF_TRY_DONE(activate(&r, b));
        }
    }
    status = loop(&r);
done:
    release(&r);
    return status;
}
