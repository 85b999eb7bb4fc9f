/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Simulation of a block-structured trace over a network that drops packets, or over one that stores them. */
#include "src/protocol/run.h"

#include <inttypes.h>
#include <string.h>

hf_messaging hf_messaging_default(hf_network_kind kind) {
    return (hf_messaging){.network = {.kind = kind, .leaf_width = 1, .growth = 2},
                          .protocol = hf_protocol_default(),
                          .seed = 1,
                          .cycle_limit = 10000000};
}

/* ---- units ---- */

enum { TRACE_FLIT_BITS = 32 };

uint32_t hf_run_size(const hf_run *r, uint32_t size) {
    const uint32_t bits = r->messaging->flit_bits ? r->messaging->flit_bits : TRACE_FLIT_BITS;
    return (size * TRACE_FLIT_BITS + bits - 1) / bits;
}

/* Cycles of the network in which processors do `cycles`, and back, rounded up. */
static uint64_t network_cycles(const hf_run *r, uint64_t cycles) {
    const uint64_t percent = r->messaging->clock_percent ? r->messaging->clock_percent : 100;
    return (cycles * percent + 99) / 100;
}

static uint64_t processor_cycles(const hf_run *r, uint64_t cycles) {
    const uint64_t percent = r->messaging->clock_percent ? r->messaging->clock_percent : 100;
    return (cycles * 100 + percent - 1) / percent;
}

/* ---- blocks ---- */

static hf_status activate(hf_run *r, uint32_t block) {
    const hf_program_block *b = &r->program->blocks[block];
    const uint64_t end = r->now + network_cycles(r, b->time);
    r->result->cycles = end > r->result->cycles ? end : r->result->cycles;
    for (uint32_t m = b->first; m != HF_NONE; m = r->program->messages[m].next) {
        HF_TRY(hf_run_push(r, r->now + network_cycles(r, r->program->messages[m].offset), HF_RUN_SEND, m));
    }
    return HF_OK;
}

hf_status hf_run_deliver(hf_run *r, uint32_t message) {
    const uint32_t target = r->program->messages[message].target;
    if (r->fate[message] == HF_RUN_DELIVERED) {
        r->result->n_duplicate++;
        return HF_OK;
    }
    r->result->n_lost -= r->fate[message] == HF_RUN_FORGOTTEN; /* a late copy */
    r->fate[message] = HF_RUN_DELIVERED;
    r->result->n_waiting--;
    r->n_open--;
    r->result->cycles = r->now > r->result->cycles ? r->now : r->result->cycles;
    return target != HF_NONE && --r->missing[target] == 0 ? activate(r, target) : HF_OK;
}

void hf_run_forget(hf_run *r, uint32_t message) {
    if (r->fate[message] == HF_RUN_OPEN) {
        r->fate[message] = HF_RUN_FORGOTTEN;
        r->result->n_lost++;
    }
}

/* ---- cycles ---- */

static hf_status send(hf_run *r, uint32_t message) {
    r->n_open++;
    if (r->source[message] == r->program->messages[message].destination) {
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

/* Nothing is left to happen, and every message that was sent has come. */
static hf_status blame_program(const hf_run *r) {
    uint32_t b = 0;
    while (b + 1 < r->program->n_block && r->missing[b] == 0) {
        b++;
    }
    HF_FAIL(r->cx, HF_EINVAL,
            "block %" PRIu32 " of the program waits for %" PRIu32 " of its signals, which nobody sends; %" PRIu64
            " messages are left",
            b, r->missing[b], r->result->n_waiting);
}

static hf_status loop(hf_run *r) {
    for (uint32_t turn = 1; r->result->n_waiting > 0; turn++) {
        if (r->n_active == 0 && hf_run_n_event(r) == 0 && r->n_open > 0) { /* lost, or never sent again */
            return HF_OK;
        }
        if (r->n_active == 0 && hf_run_n_event(r) == 0) {
            return blame_program(r);
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
    const hf_program *t = r->program;
    if (!t->is_finished) {
        HF_FAIL(r->cx, HF_EINVAL, "the trace is not finished; need hf_program_finish() before it is run");
    }
    HF_TRY(hf_allocate(r->cx, t->n_block, sizeof *r->missing, (void **)&r->missing));
    HF_TRY(hf_allocate(r->cx, t->n_message, sizeof *r->source, (void **)&r->source));
    HF_TRY(hf_allocate(r->cx, t->n_message, sizeof *r->next_message, (void **)&r->next_message));
    HF_TRY(hf_allocate(r->cx, t->n_message, 1, (void **)&r->fate));
    r->result->n_waiting = t->n_message;
    for (uint32_t b = 0; b < t->n_block; b++) {
        r->missing[b] = t->blocks[b].n_signal;
        for (uint32_t m = t->blocks[b].first; m != HF_NONE; m = t->messages[m].next) {
            r->source[m] = t->blocks[b].node;
            const uint32_t size = t->messages[m].size;
            if (size > HF_MESSAGE_SIZE_MAX || hf_run_size(r, size) > HF_MESSAGE_SIZE_MAX) {
                HF_FAIL(r->cx, HF_ERANGE, "a message of %" PRIu32 " flits; need at most %d", size, HF_MESSAGE_SIZE_MAX);
            }
        }
    }
    return HF_OK;
}

static hf_status prepare_network(hf_run *r) {
    const hf_network_spec *spec = &r->messaging->network;
    HF_TRY(hf_network_make(r->cx, spec, r->program->n_node, &r->net));
    HF_TRY(hf_allocate(r->cx, r->net.n_channel, sizeof *r->free_at, (void **)&r->free_at));
    HF_TRY(hf_allocate(r->cx, r->net.n_channel, 1, (void **)&r->is_failed));
    if (spec->n_failed > 0 && r->messaging->is_buffered) {
        HF_FAIL(r->cx, HF_ENOTSUP, "the perfect network has no failed links; need 0, not %" PRIu32, spec->n_failed);
    }
    HF_TRY(hf_network_fail_links(r->cx, &r->net, spec, r->messaging->seed, r->is_failed, &r->distance));
    for (uint32_t c = 0; c < r->net.n_channel; c++) {
        r->free_at[c] = r->is_failed[c] ? UINT64_MAX : 0;
    }
    return HF_OK;
}

static hf_status prepare_nodes(hf_run *r) {
    const hf_protocol *p = &r->protocol;
    const uint32_t n = r->net.n_node;
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
    void *const held[] = {r->missing,  r->source, r->next_message, r->fate,    r->free_at,   r->node,    r->sent,
                          r->received, r->packet, r->active,       r->present, r->is_failed, r->distance};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        hf_release(a, held[i]);
    }
}

hf_status hf_messaging_run(hf_context *cx, const hf_messaging *messaging, const hf_program *program, hf_messaging_result *out) {
    hf_run r = {.cx = cx, .messaging = messaging, .program = program, .result = out, .free_packet = HF_NONE};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status;
    *out = (hf_messaging_result){0};
    HF_TRY_DONE(hf_agenda_init(cx, &r.agenda));
    r.protocol = messaging->protocol;
    r.protocol.reply_size = hf_run_size(&r, messaging->protocol.reply_size);
    HF_TRY_DONE(prepare_network(&r));
    HF_TRY_DONE(prepare_trace(&r));
    HF_TRY_DONE(prepare_nodes(&r));
    for (uint32_t b = 0; b < program->n_block; b++) {
        if (program->blocks[b].n_signal == 0) {
            HF_TRY_DONE(activate(&r, b));
        }
    }
    status = loop(&r);
    out->cycles = processor_cycles(&r, out->cycles);
done:
    release(&r);
    hf_scratch_reset(cx, mark);
    return status;
}
