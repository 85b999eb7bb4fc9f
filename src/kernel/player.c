/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Messages in the kernel. Their packets go through the kernel as those of a pattern do; the end of the last one is the end of
 *  the message, which may set off others. */
#include "src/kernel/player.h"

#include <math.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/core/heap.h"
#include "src/kernel/measure.h"

enum {
    LOOK_EVERY = 1024, /* cycles between looks at the stop flag and for deadlocks */
    WINDOWS_MOST = 1000000
};

/* ---- room ---- */

static hf_status grow(hf_context *cx, uint32_t *capacity, size_t size, void **block) {
    void *larger;
    if (*capacity > HF_NONE / 4) {
        HF_FAIL(cx, HF_ERANGE, "more than %u messages at once", *capacity);
    }
    HF_TRY(hf_scratch(cx, *capacity * 2, size, &larger));
    memcpy(larger, *block, *capacity * size);
    *block = larger;
    *capacity *= 2;
    return HF_OK;
}

static hf_status new_post(hf_player *p, uint32_t *out) {
    if (p->free_post == 0) {
        const uint32_t old = p->n_post;
        HF_TRY(grow(p->k->cx, &p->n_post, sizeof *p->post, (void **)&p->post));
        for (uint32_t i = p->n_post; i-- > old;) {
            p->post[i].next = p->free_post;
            p->free_post = i;
        }
    }
    *out = p->free_post;
    p->free_post = p->post[*out].next;
    p->n_open++;
    return HF_OK;
}

/* ---- those of later cycles ---- */

static bool is_before(const void *user, const hf_post_time *a, const hf_post_time *b) {
    (void)user;
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->number < b->number;
}

HF_HEAP_DEFINE(times, hf_post_time, const void *, is_before);

static hf_status push(hf_player *p, uint64_t cycle, uint32_t post, uint32_t again) {
    HF_GROW_SCRATCH(p->k->cx, p->time, p->n_time, p->time_capacity);
    times_push(NULL, p->time, p->n_time++, (hf_post_time){cycle, p->number++, post, again});
    return HF_OK;
}

hf_status hf_player_post(hf_player *p, const hf_message *message, uint32_t user) {
    uint32_t i;
    HF_TRY(new_post(p, &i));
    p->post[i] = (hf_post){.message = *message, .user = user, .at = message->source, .entered = UINT64_MAX};
    return push(p, message->cycle, i, 0);
}

/* ---- the end of a message ---- */

static void count_delivered(hf_player *p, const hf_post *post) {
    hf_play_result *r = p->result;
    const uint64_t now = p->k->counts.cycle, latency = now - post->message.cycle, network = now - post->entered;
    r->delivered++;
    r->flits += post->message.flits;
    r->latency_max = latency > r->latency_max ? latency : r->latency_max;
    r->network_latency_max = network > r->network_latency_max ? network : r->network_latency_max;
    r->histogram[latency ? 64 - __builtin_clzll(latency) : 0]++;
    r->cycles = now > r->cycles ? now : r->cycles;
    p->latency_sum += latency;
    p->network_latency_sum += network;
}

static hf_status end(hf_player *p, uint32_t i, bool is_delivered) {
    const hf_post post = p->post[i];
    if (post.message.source != post.message.destination) {
        p->result->lost += !is_delivered;
        if (is_delivered) {
            count_delivered(p, &post);
        }
    }
    p->post[i].next = p->free_post;
    p->free_post = i;
    p->n_open--;
    return p->happens(p, p->driver, post.user, is_delivered ? HF_POST_DELIVERED : HF_POST_LOST);
}

/* ---- queues ---- */

/* Cut the next packet off the message at the head of the queue; the message leaves the queue with its last packet. */
static hf_status send_packet(hf_player *p, uint32_t t) {
    const uint32_t i = p->first[t], most = p->k->o.packet_length;
    hf_post *post = &p->post[i];
    const uint32_t length = post->unsent < most ? post->unsent : most;
    const uint64_t generated = t == post->message.source ? post->message.cycle : p->k->counts.cycle;
    post->unsent -= length;
    p->first[t] = post->unsent > 0 ? i : post->next;
    return hf_kernel_put_at_head(
        p->k,
        &(hf_packet){
            .source = t, .destination = post->leg, .length = length, .user = i, .generated = generated, .entered = UINT64_MAX});
}

/* So many flits more of a message to send; it is in the queue where some were left. */
static hf_status enqueue_flits(hf_player *p, uint32_t i, uint32_t flits) {
    hf_post *post = &p->post[i];
    const uint32_t t = post->at;
    post->unsent += flits;
    if (post->unsent > flits) {
        return HF_OK;
    }
    post->next = 0;
    *(p->first[t] ? &p->post[p->last[t]].next : &p->first[t]) = i;
    p->last[t] = i;
    return p->k->lane[p->k->n_resource + t].packet == HF_NONE ? send_packet(p, t) : HF_OK;
}

static hf_status enqueue(hf_player *p, uint32_t i) {
    hf_post *post = &p->post[i];
    post->leg = post->message.destination;
    if (p->k->o.forward_after == 0) { /* else the kernel passes on what it does not get through */
        HF_TRY(hf_kernel_leg(p->k, post->at, post->message.destination, &post->leg));
    }
    post->open = post->message.flits;
    return enqueue_flits(p, i, post->message.flits);
}

/* ---- what the kernel tells ---- */

static hf_status send_next(hf_kernel *k, void *user, uint32_t t) {
    hf_player *p = user;
    (void)k;
    return p->first[t] ? send_packet(p, t) : HF_OK;
}

static bool is_cut_off(const hf_kernel *k, uint32_t t) { return k->gone && hf_bit_test(k->gone, t); }

/* Lost by a fault, or on ways that are given up for one; not because there is no way. */
static bool is_sent_again(const hf_player *p, const hf_packet *packet) {
    return packet->is_lost && p->play->resend && !hf_kernel_came_late(p->k, packet->entered) &&
           !is_cut_off(p->k, packet->source) && !is_cut_off(p->k, packet->destination);
}

static hf_status take_gone(hf_kernel *k, void *user, const hf_packet *packet) {
    hf_player *p = user;
    const uint32_t i = packet->user;
    hf_post *post = &p->post[i];
    if (is_sent_again(p, packet)) {
        p->result->resent++;
        return push(p, k->counts.cycle + p->play->resend, i, packet->length);
    }
    post->entered = packet->entered < post->entered && !packet->is_lost ? packet->entered : post->entered;
    post->is_lost |= packet->is_lost;
    p->result->relayed += packet->is_forwarded && !post->is_forwarded;
    post->is_forwarded |= packet->is_forwarded;
    post->open -= packet->length;
    if (post->open > 0) {
        return HF_OK;
    }
    if (post->is_lost || post->leg == post->message.destination) {
        return end(p, i, !post->is_lost);
    }
    p->result->relayed += post->at == post->message.source;
    post->at = post->leg;
    return enqueue(p, i);
}

static hf_status release(hf_kernel *k, void *user) {
    hf_player *p = user;
    while (p->n_time > 0 && p->time[0].cycle <= k->counts.cycle) {
        const hf_post_time now = times_pop(NULL, p->time, p->n_time--);
        const uint32_t i = now.post;
        const hf_message m = p->post[i].message;
        if (now.again) {
            HF_TRY(enqueue_flits(p, i, now.again));
            continue;
        }
        const bool is_live = hf_plan_is_live(k->plan, m.source) && hf_plan_is_live(k->plan, m.destination) &&
                             !is_cut_off(k, m.source) && !is_cut_off(k, m.destination);
        p->result->messages += m.source != m.destination;
        HF_TRY(p->happens(p, p->driver, p->post[i].user, HF_POST_STARTED));
        HF_TRY(!is_live || m.source == m.destination ? end(p, i, is_live) : enqueue(p, i));
    }
    return HF_OK;
}

/* ---- running ---- */

static hf_status schedule(const hf_player *p) {
    hf_reconfiguration_options o = p->play->options;
    o.message_length = o.message_length ? o.message_length : p->play->kernel.packet_length;
    return p->play->n_fault ? hf_kernel_schedule(p->k, p->play->fault, p->play->n_fault, &o) : HF_OK;
}

hf_status hf_player_new(hf_context *cx, const hf_play *play, hf_play_result *result, hf_player **out) {
    static const hf_client client = {.begin = release, .idle = send_next, .gone = take_gone};
    hf_player *p;
    *result = (hf_play_result){.latency = NAN, .network_latency = NAN};
    HF_TRY(hf_scratch(cx, 1, sizeof *p, (void **)&p));
    HF_TRY(hf_kernel_new(cx, play->plan, &play->kernel, &p->k));
    p->play = play;
    p->result = result;
    p->cycle_limit = play->cycle_limit ? play->cycle_limit : UINT64_MAX;
    p->time_capacity = p->n_post = 16;
    HF_TRY(hf_scratch(cx, p->n_post, sizeof *p->post, (void **)&p->post));
    HF_TRY(hf_scratch(cx, p->time_capacity, sizeof *p->time, (void **)&p->time));
    HF_TRY(hf_scratch(cx, p->k->topo->n_terminal, sizeof *p->first, (void **)&p->first));
    HF_TRY(hf_scratch(cx, p->k->topo->n_terminal, sizeof *p->last, (void **)&p->last));
    for (uint32_t i = p->n_post; i-- > 1;) { /* 0 is none */
        p->post[i].next = p->free_post;
        p->free_post = i;
    }
    *out = p;
    HF_TRY(schedule(p));
    return hf_kernel_attach(p->k, &client, p);
}

static bool is_quiet(const hf_kernel *k) {
    for (uint32_t s = 0; s < k->n_slot; s++) {
        if (k->wheel[0][s].n_flit || k->wheel[0][s].n_credit) {
            return false;
        }
    }
    return k->present == 0 && !hf_kernel_is_changing(k);
}

/* The cycle until which nothing happens: the present one where something does. */
static uint64_t next_cycle(const hf_player *p) {
    const hf_kernel *k = p->k;
    const uint64_t now = k->counts.cycle, change = k->layers ? hf_kernel_next_change(k) : UINT64_MAX;
    uint64_t next = p->n_time > 0 ? p->time[0].cycle : now;
    next = next < p->cycle_limit ? next : p->cycle_limit;
    next = next < change ? next : change;
    return next > now && is_quiet(k) ? next : now;
}

/* What waits for a table does not wait for ever. */
static bool is_settled(const hf_kernel *k) {
    return !k->layers || (hf_kernel_next_change(k) == UINT64_MAX && !hf_kernel_is_changing(k));
}

static hf_status look(hf_player *p) {
    hf_kernel *k = p->k;
    if (hf_context_stopped(k->cx)) {
        HF_FAIL(k->cx, HF_ESTOP, "stopped at cycle %llu", (unsigned long long)k->counts.cycle);
    }
    return is_settled(k) ? hf_kernel_deadlock(k, &p->result->blocked, &p->result->n_blocked) : HF_OK;
}

static hf_status take_window(hf_player *p, uint64_t end) {
    hf_play_result *r = p->result;
    if (r->n_window == WINDOWS_MOST) {
        HF_FAIL(p->k->cx, HF_ERANGE, "more than %d windows of %llu cycles; need longer ones", WINDOWS_MOST,
                (unsigned long long)p->play->window);
    }
    HF_GROW_SCRATCH(p->k->cx, r->window, r->n_window, p->window_capacity);
    r->window[r->n_window++] = hf_measure_window(p->k, &p->begun, p->window_begin, end);
    p->begun = *hf_kernel_read(p->k);
    p->window_begin = end;
    return HF_OK;
}

static hf_status take_windows(hf_player *p) {
    const uint64_t length = p->play->window;
    while (length && p->k->counts.cycle - p->window_begin >= length) {
        HF_TRY(take_window(p, p->window_begin + length));
    }
    return HF_OK;
}

static hf_status finish(hf_player *p) {
    hf_play_result *r = p->result;
    r->is_complete = p->n_open == 0 && r->n_blocked == 0;
    r->cycles = r->is_complete ? r->cycles : p->k->counts.cycle;
    r->packets = p->k->counts.delivered;
    r->flit_hops = p->k->counts.flit_hops;
    if (r->delivered > 0) {
        r->latency = (double)p->latency_sum / (double)r->delivered;
        r->network_latency = (double)p->network_latency_sum / (double)r->delivered;
    }
    HF_TRY(hf_scratch(p->k->cx, p->play->n_fault, sizeof *r->reconfiguration, (void **)&r->reconfiguration));
    hf_kernel_reconfigurations(p->k, r->reconfiguration);
    return p->play->window && p->k->counts.cycle > p->window_begin ? take_window(p, p->k->counts.cycle) : HF_OK;
}

hf_status hf_player_run(hf_player *p) {
    hf_kernel *k = p->k;
    uint64_t until_look = LOOK_EVERY;
    while (p->n_open > 0 && !p->has_ended && k->counts.cycle < p->cycle_limit && p->result->n_blocked == 0) {
        const uint64_t next = next_cycle(p);
        if (next > k->counts.cycle) {
            k->counts.cycle = next;
        } else {
            HF_TRY(hf_kernel_run(k, 1));
            until_look--;
        }
        HF_TRY(take_windows(p));
        if (until_look == 0) {
            until_look = LOOK_EVERY;
            HF_TRY(look(p));
        }
    }
    return finish(p);
}
