/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The memories of a rule that no thread uses, and whether it has any. */
#include "src/routing/lua/memory.h"

#include <pthread.h>
#include <stdatomic.h>

enum { FEW = 3 }; /* plans that are made as if there were no others: to decide costs four */

struct hf_lua_pool {
    hf_allocator allocator;
    pthread_mutex_t lock; /* over what follows */
    bool is_decided, is_sound, asks;
    hf_lua_rule rule;
    hf_lua_memory *idle;
    atomic_uint plans;
};

hf_status hf_lua_pool_new(hf_context *cx, hf_lua_pool **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    (*out)->allocator = *hf_context_allocator(cx);
    pthread_mutex_init(&(*out)->lock, NULL);
    return HF_OK;
}

static void drop(const hf_lua_pool *pool, hf_lua_memory *memory) {
    hf_answers_free(&memory->answers);
    hf_release(&pool->allocator, memory);
}

void hf_lua_pool_free(hf_lua_pool *pool) {
    while (pool && pool->idle) {
        hf_lua_memory *memory = pool->idle;
        pool->idle = memory->next;
        drop(pool, memory);
    }
    if (pool) {
        const hf_allocator allocator = pool->allocator;
        pthread_mutex_destroy(&pool->lock);
        hf_release(&allocator, pool);
    }
}

bool hf_lua_pool_is_busy(hf_lua_pool *pool) { return atomic_fetch_add(&pool->plans, 1) >= FEW; }

static hf_status make(hf_context *cx, const hf_lua_pool *pool, hf_lua_memory **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    **out = (hf_lua_memory){.answers.allocator = pool->allocator, .rule = pool->rule, .asks = pool->asks};
    return HF_OK;
}

static hf_status decide_once(hf_context *cx, hf_lua_pool *pool, hf_lua_decide *decide, void *user) {
    hf_lua_memory *memory;
    if (pool->is_decided) {
        return HF_OK;
    }
    HF_TRY(make(cx, pool, &memory));
    const hf_status status = decide(cx, user, memory, &pool->is_sound);
    if (status != HF_OK || !pool->is_sound) {
        pool->is_decided = status == HF_OK;
        drop(pool, memory);
        return status;
    }
    pool->is_decided = true;
    pool->rule = memory->rule;
    pool->asks = memory->asks = hf_answers_has_questions(&memory->answers);
    pool->idle = memory;
    return HF_OK;
}

static hf_status take(hf_context *cx, hf_lua_pool *pool, hf_lua_memory **out) {
    *out = pool->idle;
    if (!pool->is_sound) {
        return HF_OK;
    }
    if (!pool->idle) {
        return make(cx, pool, out);
    }
    pool->idle = pool->idle->next;
    return HF_OK;
}

hf_status hf_lua_pool_take(hf_context *cx, hf_lua_pool *pool, hf_lua_decide *decide, void *user, hf_lua_memory **out) {
    *out = NULL;
    pthread_mutex_lock(&pool->lock);
    hf_status status = decide_once(cx, pool, decide, user);
    status = status == HF_OK ? take(cx, pool, out) : status;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void hf_lua_pool_give(hf_lua_pool *pool, hf_lua_memory *memory) {
    if (!hf_answers_have_room(&memory->answers, 1)) {
        hf_answers_free(&memory->answers); /* lists alone go on growing: all is learnt anew */
    }
    pthread_mutex_lock(&pool->lock);
    memory->next = pool->idle;
    pool->idle = memory;
    pthread_mutex_unlock(&pool->lock);
}
