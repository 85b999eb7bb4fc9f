/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs on a network of the kernel: blocks and their messages, cycle by cycle. */
#include "src/protocol/run.h"

#include <inttypes.h>

#include <holdfast/core/bitset.h>

hf_messaging hf_messaging_default(hf_network_kind kind) {
    return (hf_messaging){.network = {.kind = kind, .leaf_width = 1, .growth = 2},
                          .protocol = hf_protocol_default(),
                          .seed = 1,
                          .cycle_limit = 10000000};
}

/* ---- what the kernel tells ---- */

static hf_status send(hf_run *r, uint32_t message) {
    r->n_open++;
    if (r->source[message] == r->program->messages[message].destination) {
        return hf_run_deliver(r, message);
    }
    if (hf_bit_test(r->carried, message)) {
        return HF_OK; /* its request's ACK brings it */
    }
    r->result->n_message++;
    return r->interface->send(r, message);
}

static hf_status wake(hf_run *r, uint32_t node) {
    if (r->node[node].wake != r->now) {
        return HF_OK; /* it has looked since */
    }
    r->node[node].wake = UINT64_MAX;
    return r->interface->serve(r, node);
}

/* Nodes in their order; what they do wakes none in this cycle. */
static hf_status wake_all(hf_run *r) {
    const size_t n_word = hf_words(r->program->n_node);
    for (size_t w = 0; w < n_word; w++) {
        uint64_t word = r->waking[w];
        r->waking[w] = 0;
        for (; word; word &= word - 1) {
            HF_TRY(wake(r, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(word)));
        }
    }
    return HF_OK;
}

/* All of this cycle, in one order. */
static hf_status begin(hf_kernel *k, void *user) {
    hf_run *r = user;
    bool is_some = true;
    (void)k;
    while (is_some) {
        hf_appointment e;
        HF_TRY(hf_agenda_take(r->cx, &r->agenda, r->now, &e, &is_some));
        HF_TRY(is_some ? hf_run_push(r, r->now, e.kind, e.who) : HF_OK);
    }
    while (r->n_present > 0) {
        const hf_run_event e = hf_run_take(r);
        HF_TRY(e.kind == HF_RUN_SEND ? send(r, e.index) : r->interface->arrive(r, e.index));
    }
    return wake_all(r);
}

static hf_status be_idle(hf_kernel *k, void *user, uint32_t t) {
    hf_run *r = user;
    (void)k;
    return t < r->program->n_node ? hf_run_wake(r, t, r->now) : HF_OK;
}

static hf_status end_packet(hf_kernel *k, void *user, const hf_packet *packet) {
    hf_run *r = user;
    (void)k;
    if (!packet->is_lost) {
        return hf_run_push(r, r->now, HF_RUN_ARRIVE, packet->user);
    }
    r->result->n_dropped++;
    hf_run_packet_drop(r, packet->user);
    return HF_OK;
}

/* ---- cycles ---- */

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

/* The next cycle in which something happens, from that of the kernel on; UINT64_MAX: none. */
static uint64_t next_cycle(const hf_run *r) {
    const uint64_t now = r->kernel->counts.cycle, next = r->n_present > 0 ? now : hf_kernel_heads_next(r->kernel);
    const uint64_t mine = next > now ? hf_agenda_next(&r->agenda) : next;
    return mine < next ? mine : next;
}

static hf_status loop(hf_run *r) {
    while (r->result->n_waiting > 0) {
        const uint64_t next = next_cycle(r);
        if (next == UINT64_MAX) {
            return r->n_open > 0 ? HF_OK /* lost, never sent again, or in each other's way */ : blame_program(r);
        }
        if (next > r->messaging->cycle_limit) {
            return HF_OK;
        }
        r->now = r->kernel->counts.cycle = next;
        HF_TRY(hf_kernel_run(r->kernel, 1));
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
    HF_TRY(hf_scratch(r->cx, t->n_block, sizeof *r->missing, (void **)&r->missing));
    HF_TRY(hf_scratch(r->cx, t->n_message, sizeof *r->source, (void **)&r->source));
    HF_TRY(hf_scratch(r->cx, t->n_message, sizeof *r->next_message, (void **)&r->next_message));
    HF_TRY(hf_scratch(r->cx, t->n_message, 1, (void **)&r->fate));
    HF_TRY(hf_scratch(r->cx, t->n_message, sizeof *r->block_of, (void **)&r->block_of));
    HF_TRY(hf_scratch(r->cx, hf_words(t->n_message), sizeof *r->carried, (void **)&r->carried));
    HF_TRY(hf_scratch(r->cx, t->n_block, sizeof *r->path, (void **)&r->path));
    r->result->n_waiting = t->n_message;
    for (uint32_t b = 0; b < t->n_block; b++) {
        r->missing[b] = t->blocks[b].n_signal;
        for (uint32_t m = t->blocks[b].first; m != HF_NONE; m = t->messages[m].next) {
            r->source[m] = t->blocks[b].node;
            r->block_of[m] = b;
            const uint32_t size = t->messages[m].size;
            if (size > HF_MESSAGE_SIZE_MAX || hf_run_size(r, size) > HF_MESSAGE_SIZE_MAX) {
                HF_FAIL(r->cx, HF_ERANGE, "a message of %" PRIu32 " flits; need at most %d", size, HF_MESSAGE_SIZE_MAX);
            }
        }
    }
    return HF_OK;
}

static void find_replies(hf_run *r) {
    for (uint32_t m = 0; m < r->program->n_message; m++) {
        const uint32_t reply = hf_run_reply(r, m);
        if (reply != HF_NONE) {
            hf_bit_set(r->carried, reply);
        }
    }
}

/* Of two packets that leave a node one after the other the first is held back in each of its channels at most. */
static hf_status prepare_retention(hf_run *r) {
    const hf_messaging *m = r->messaging;
    uint64_t longest = 0;
    if (m->hold_cycles && !m->is_buffered && m->protocol.retention == 0) {
        HF_TRY(hf_network_longest(r->cx, r->net, &longest));
        r->protocol.retention = longest * m->hold_cycles;
    }
    return HF_OK;
}

/* Nothing takes a cycle but a channel. */
static hf_status prepare_kernel(hf_run *r) {
    static const hf_client client = {.begin = begin, .idle = be_idle, .gone = end_packet};
    hf_kernel_options o = hf_kernel_usual();
    o.hold_cycles = r->messaging->is_buffered ? 0 : r->messaging->hold_cycles;
    o.contention = r->messaging->is_buffered || o.hold_cycles ? HF_CONTENTION_STORE : HF_CONTENTION_LOSE;
    o.selection = HF_SELECT_FIRST;
    o.packet_length = HF_MESSAGE_SIZE_MAX;
    o.buffer = 1; /* there are no flits */
    o.routing_delay = o.crossbar_delay = 0;
    HF_TRY(hf_kernel_new(r->cx, r->messaging->is_buffered ? &r->net->perfect : &r->net->lossy, &o, &r->kernel));
    r->interface = r->messaging->is_buffered ? &hf_run_plain : &hf_run_idempotent;
    return hf_kernel_attach(r->kernel, &client, r);
}

static hf_status prepare_nodes(hf_run *r) {
    const hf_protocol *p = &r->protocol;
    const uint32_t n = r->program->n_node;
    const bool has_tables = !r->messaging->is_buffered;
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->node, (void **)&r->node));
    HF_TRY(hf_scratch(r->cx, hf_words(n), sizeof *r->waking, (void **)&r->waking));
    HF_TRY(has_tables ? hf_resize(r->cx, (size_t)n * p->send_capacity, sizeof *r->sent, (void **)&r->sent) : HF_OK);
    HF_TRY(has_tables ? hf_resize(r->cx, (size_t)n * p->receive_capacity, sizeof *r->received, (void **)&r->received) : HF_OK);
    for (uint32_t i = 0; i < n; i++) {
        r->node[i] =
            (hf_run_node){.end = {.node = i}, .pending = {HF_NONE, HF_NONE}, .conf = {HF_NONE, HF_NONE}, .wake = UINT64_MAX};
        if (has_tables) {
            r->node[i].end.sent = r->sent + (size_t)i * p->send_capacity;
            r->node[i].end.received = r->received + (size_t)i * p->receive_capacity;
        }
    }
    hf_random_init(&r->random, r->messaging->seed, HF_PURPOSE_TRAFFIC, 0);
    return HF_OK;
}

/* Cycles of processors in which the network does `cycles`, rounded up. */
static uint64_t processor_cycles(const hf_run *r, uint64_t cycles) {
    const uint64_t percent = r->messaging->clock_percent ? r->messaging->clock_percent : 100;
    return (cycles * 100 + percent - 1) / percent;
}

hf_status hf_messaging_run_on(hf_context *cx, const hf_messaging *messaging, const hf_network *network, const hf_program *program,
                              hf_messaging_result *out) {
    hf_run r = {.cx = cx, .messaging = messaging, .program = program, .result = out, .net = network, .free_packet = HF_NONE};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status;
    *out = (hf_messaging_result){0};
    HF_TRY_DONE(hf_agenda_init(cx, &r.agenda));
    r.protocol = messaging->protocol;
    r.protocol.reply_size = hf_run_size(&r, messaging->protocol.reply_size);
    HF_TRY_DONE(prepare_trace(&r));
    find_replies(&r);
    HF_TRY_DONE(prepare_retention(&r));
    HF_TRY_DONE(prepare_nodes(&r));
    HF_TRY_DONE(prepare_kernel(&r));
    for (uint32_t b = 0; b < program->n_block; b++) {
        if (program->blocks[b].n_signal == 0) {
            HF_TRY_DONE(hf_run_activate(&r, b));
        }
    }
    status = loop(&r);
    if (messaging->is_buffered) { /* others wait at their sources */
        out->n_packet[HF_PROTOCOL_MSG] = r.kernel->counts.injected;
    }
    out->cycles = processor_cycles(&r, out->cycles);
done:
    hf_release(hf_context_allocator(cx), r.sent);
    hf_release(hf_context_allocator(cx), r.received);
    hf_release(hf_context_allocator(cx), r.packet);
    hf_release(hf_context_allocator(cx), r.present);
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_messaging_run(hf_context *cx, const hf_messaging *messaging, const hf_program *program, hf_messaging_result *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_network *network;
    if (messaging->network.n_failed > 0 && messaging->is_buffered) {
        HF_FAIL(cx, HF_ENOTSUP, "the perfect network has no failed links; need 0, not %" PRIu32, messaging->network.n_failed);
    }
    HF_TRY(hf_network_open(cx, &messaging->network, program->n_node, messaging->seed, &network));
    const hf_status status = hf_messaging_run_on(cx, messaging, network, program, out);
    hf_network_close(network);
    hf_scratch_reset(cx, mark);
    return status;
}
