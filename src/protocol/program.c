/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Block-structured traces from ordinary C programs that run as a single thread. Source: [brown2002, 3.2 to 3.4]. */
#include <inttypes.h>

#include <holdfast/protocol.h>

enum { LOCAL_REFERENCE = 1 };

/* The program did what it may not; it is dead. */
#define MISUSE(t, code, ...) ((t)->status = hf_context_fail((t)->cx, (code), __FILE__, __LINE__, __VA_ARGS__))

/* Room for one more; on failure it is dead. */
static bool reserve(hf_program *t, uint32_t n, uint32_t *capacity, size_t size, void **array) {
    if (t->status == HF_OK && n == *capacity) {
        const uint32_t wanted = *capacity ? 2 * *capacity : 64;
        t->status = hf_resize(t->cx, wanted, size, array);
        *capacity = t->status == HF_OK ? wanted : *capacity;
    }
    return t->status == HF_OK;
}

static bool is_node(hf_program *t, uint32_t node) {
    if (t->status == HF_OK && node >= t->n_node) {
        MISUSE(t, HF_ERANGE, "the program uses node %" PRIu32 "; need 0 to %" PRIu32, node, t->n_node - 1);
    }
    return t->status == HF_OK;
}

uint32_t hf_program_block_new(hf_program *t, uint32_t node) {
    if (!is_node(t, node) || !reserve(t, t->n_block, &t->block_capacity, sizeof *t->blocks, (void **)&t->blocks)) {
        return 0;
    }
    t->blocks[t->n_block] = (hf_program_block){.node = node, .first = HF_NONE, .last = HF_NONE};
    return t->n_block++;
}

static uint32_t send_from(hf_program *t, uint32_t block, uint32_t destination, uint32_t size, uint32_t target) {
    if (!is_node(t, destination) || !reserve(t, t->n_message, &t->message_capacity, sizeof *t->messages, (void **)&t->messages)) {
        return 0;
    }
    if (size > HF_MESSAGE_SIZE_MAX || (size == 0 && destination != t->blocks[block].node)) {
        MISUSE(t, HF_ERANGE, "a message of %" PRIu32 " flits to node %" PRIu32 "; need 1 to %d", size, destination,
               HF_MESSAGE_SIZE_MAX);
        return 0;
    }
    hf_program_block *b = &t->blocks[block];
    t->messages[t->n_message] =
        (hf_program_message){.destination = destination, .size = size, .offset = b->time, .next = HF_NONE, .target = target};
    *(b->last == HF_NONE ? &b->first : &t->messages[b->last].next) = t->n_message;
    b->last = t->n_message;
    return t->n_message++;
}

hf_status hf_program_init(hf_context *cx, uint32_t n_node, hf_program *out) {
    *out = (hf_program){
        .cx = cx, .n_node = n_node, .work_factor = 1, .request_size = HF_PROGRAM_REQUEST, .reply_size = HF_PROGRAM_REPLY};
    if (n_node == 0) {
        return MISUSE(out, HF_ERANGE, "a program on 0 nodes; need at least 1");
    }
    out->block = hf_program_block_new(out, 0);
    return out->status;
}

void hf_program_free(hf_program *t) {
    if (t->cx) {
        const hf_allocator *allocator = hf_context_allocator(t->cx);
        hf_release(allocator, t->blocks);
        hf_release(allocator, t->messages);
        hf_release(allocator, t->stores);
    }
    *t = (hf_program){0};
}

static void pass(hf_program *t, uint64_t cycles) {
    if (t->status == HF_OK && cycles > UINT32_MAX - t->blocks[t->block].time) {
        MISUSE(t, HF_ERANGE, "a block of the program works for more than 2^32 - 1 cycles");
    }
    if (t->status == HF_OK) {
        t->blocks[t->block].time += (uint32_t)cycles;
    }
}

void hf_program_work(hf_program *t, uint32_t cycles) { pass(t, (uint64_t)cycles * t->work_factor); }

uint32_t hf_program_send(hf_program *t, uint32_t destination, uint32_t size, uint32_t target) {
    return send_from(t, t->block, destination, size, target);
}

void hf_program_continue(hf_program *t, uint32_t block) {
    if (t->status == HF_OK && block >= t->n_block) {
        MISUSE(t, HF_ERANGE, "the program goes on in block %" PRIu32 "; need 0 to %" PRIu32, block, t->n_block - 1);
    }
    if (t->status == HF_OK && t->blocks[block].node != t->node) {
        MISUSE(t, HF_EINVAL, "the thread on node %" PRIu32 " goes on in block %" PRIu32 ", which is on node %" PRIu32, t->node,
               block, t->blocks[block].node);
    }
    if (t->status == HF_OK) {
        send_from(t, t->block, t->node, 0, block);
        t->block = block;
    }
}

void hf_program_store(hf_program *t, uint32_t node, int64_t *word, int64_t value) {
    *word = value;
    pass(t, LOCAL_REFERENCE);
    if (node == t->node || !reserve(t, t->n_store, &t->store_capacity, sizeof *t->stores, (void **)&t->stores)) {
        return;
    }
    const uint32_t reference = hf_program_block_new(t, node);
    hf_program_send(t, node, t->request_size, reference);
    t->stores[t->n_store++] = (hf_program_pending){send_from(t, reference, t->node, t->reply_size, HF_NONE), word};
}

void hf_program_wait(hf_program *t) {
    if (t->n_store == t->first_store || t->status != HF_OK) {
        return;
    }
    const uint32_t next = hf_program_block_new(t, t->node);
    while (t->n_store > t->first_store) {
        t->messages[t->stores[--t->n_store].reply].target = next;
    }
    hf_program_continue(t, next);
}

static bool is_pending(const hf_program *t, const int64_t *word) {
    bool found = false;
    for (uint32_t i = t->first_store; i < t->n_store; i++) {
        found |= t->stores[i].word == word;
    }
    return found;
}

int64_t hf_program_load(hf_program *t, uint32_t node, const int64_t *word) {
    if (node == t->node) {
        pass(t, LOCAL_REFERENCE);
        return *word;
    }
    if (is_pending(t, word)) {
        hf_program_wait(t);
    }
    const uint32_t reference = hf_program_block_new(t, node), next = hf_program_block_new(t, t->node);
    hf_program_send(t, node, t->request_size, reference);
    send_from(t, reference, t->node, t->reply_size, next);
    t->block = next;
    return *word;
}

/* Run a thread, or the rest of one, in a block of its own; then the caller goes on. */
static void call(hf_program *t, hf_thread *thread, uint32_t block, void *user) {
    const uint32_t old_node = t->node, old_block = t->block, old_first = t->first_store;
    if (t->status != HF_OK) {
        return;
    }
    t->node = t->blocks[block].node;
    t->block = block;
    t->first_store = t->n_store;
    thread(t, user);
    t->n_store = t->first_store;
    t->first_store = old_first;
    t->block = old_block;
    t->node = old_node;
}

void hf_program_fork(hf_program *t, hf_thread *thread, uint32_t node, void *user) {
    const uint32_t block = hf_program_block_new(t, node);
    pass(t, LOCAL_REFERENCE);
    hf_program_send(t, node, t->request_size, block);
    call(t, thread, block, user);
}

void hf_program_join(hf_program *t, uint32_t node, hf_join *join, int64_t value) {
    if (join->is_written) {
        MISUSE(t, HF_EINVAL, "two Joins of one register; need one");
        return;
    }
    pass(t, LOCAL_REFERENCE);
    const uint32_t message = hf_program_send(t, node, t->request_size, join->is_awaited ? join->place : HF_NONE);
    join->is_written = true;
    join->value = value;
    if (join->is_awaited) {
        call(t, join->then, join->place, join->user);
    } else {
        join->place = message;
    }
}

/* The first Sync of its register. */
static bool is_first_sync(hf_program *t, hf_join *join) {
    if (t->status == HF_OK && (join->is_synced || join->is_awaited)) {
        MISUSE(t, HF_EINVAL, "two Syncs of one register; need one");
    }
    join->is_synced = true;
    return t->status == HF_OK;
}

int64_t hf_program_sync(hf_program *t, hf_join *join) {
    if (is_first_sync(t, join) && !join->is_written) {
        MISUSE(t, HF_EINVAL, "a Sync of a register that no Join has written yet; need hf_program_sync_then()");
    }
    const uint32_t next = hf_program_block_new(t, t->node);
    if (t->status == HF_OK) {
        t->messages[join->place].target = next;
        hf_program_continue(t, next);
    }
    return join->value;
}

void hf_program_sync_then(hf_program *t, hf_join *join, hf_thread *then, void *user) {
    if (t->status == HF_OK && t->n_store > t->first_store) {
        MISUSE(t, HF_EINVAL, "%" PRIu32 " stores outstanding at a Sync with a continuation; need hf_program_wait() before it",
               t->n_store - t->first_store);
    }
    if (join->is_written) {
        hf_program_sync(t, join);
        if (t->status == HF_OK) {
            then(t, user);
        }
        return;
    }
    if (!is_first_sync(t, join)) {
        return;
    }
    const uint32_t next = hf_program_block_new(t, t->node);
    send_from(t, t->block, t->node, 0, next);
    join->is_awaited = true;
    join->place = next;
    join->then = then;
    join->user = user;
}

hf_status hf_program_finish(hf_program *t) {
    for (uint32_t b = 0; b < t->n_block; b++) {
        t->blocks[b].n_signal = 0;
    }
    for (uint32_t m = 0; t->status == HF_OK && m < t->n_message; m++) {
        const uint32_t target = t->messages[m].target;
        if (target != HF_NONE && target >= t->n_block) {
            MISUSE(t, HF_ERANGE, "message %" PRIu32 " signals block %" PRIu32 ", but there are %" PRIu32 " blocks", m, target,
                   t->n_block);
        } else if (target != HF_NONE) {
            t->blocks[target].n_signal++;
        }
    }
    t->is_finished = t->status == HF_OK;
    return t->status;
}
