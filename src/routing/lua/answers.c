/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Trees of questions and answers, and lists of hops, in arrays that grow up to a limit. */
#include "src/routing/lua/answers.h"

#include <string.h>

#include "src/core/grow.h"

/* Of one thread. */
static const size_t bytes_most = (size_t)256 << 20;

void hf_answers_free(hf_answers *answers) {
    const hf_allocator allocator = answers->allocator;
    hf_release(&allocator, answers->list);
    hf_release(&allocator, answers->node);
    hf_release(&allocator, answers->root);
    hf_index_close(&allocator, &answers->lists);
    hf_index_close(&allocator, &answers->roots);
    *answers = (hf_answers){.allocator = allocator};
}

/* ---- lists ---- */

static uint32_t hash_of(const hf_lua_hop *hops, uint32_t n) {
    uint32_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash = hf_index_hash((uint64_t)hash << 32 | hops[i].channel);
        hash = hf_index_hash((uint64_t)(hash ^ hops[i].header) << 32 | (uint32_t)hops[i].vc << 1 | hops[i].is_escape);
    }
    return hash;
}

static bool is_same_hop(const hf_lua_hop *a, const hf_lua_hop *b) {
    return a->channel == b->channel && a->vc == b->vc && a->header == b->header && a->is_escape == b->is_escape;
}

static bool is_list(const hf_answers *answers, uint32_t list, const hf_lua_hop *hops, uint32_t n) {
    const hf_lua_hop *have = answers->list + list;
    bool is_same = have->channel == n;
    for (uint32_t i = 0; i < n && is_same; i++) {
        is_same = is_same_hop(&have[i + 1], &hops[i]);
    }
    return is_same;
}

/* Room for more; place 0 is left free. */
static hf_status make_room(hf_context *cx, hf_answers *answers, uint32_t more) {
    HF_RESERVE(cx, answers->list, answers->n_list + more + 2, answers->list_room);
    if (answers->n_list == 0) {
        answers->list[answers->n_list++] = (hf_lua_hop){0};
    }
    return HF_OK;
}

hf_status hf_answers_list(hf_context *cx, hf_answers *answers, const hf_lua_hop *hops, uint32_t n, uint32_t *list) {
    const uint32_t hash = hash_of(hops, n);
    uint32_t at = hash, i;
    while ((i = hf_index_next(&answers->lists, hash, &at)) != HF_NONE) {
        if (is_list(answers, i, hops, n)) {
            *list = i;
            return HF_OK;
        }
    }
    if (answers->n_list + n + 1 >= HF_LUA_LEAF) {
        return HF_ERANGE;
    }
    HF_TRY(make_room(cx, answers, n));
    *list = (uint32_t)answers->n_list;
    if (!hf_index_add(&answers->allocator, &answers->lists, hash, *list)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for %zu lists of hops", (size_t)answers->lists.used);
    }
    answers->list[answers->n_list++] = (hf_lua_hop){.channel = n};
    if (n > 0) {
        memcpy(answers->list + answers->n_list, hops, n * sizeof *hops);
    }
    answers->n_list += n;
    return HF_OK;
}

/* ---- trees ---- */

static hf_lua_root *find_root(const hf_answers *answers, uint64_t key) {
    const uint32_t hash = hf_index_hash(key);
    uint32_t at = hash, i;
    while ((i = hf_index_next(&answers->roots, hash, &at)) != HF_NONE) {
        if (answers->root[i].key == key) {
            return &answers->root[i];
        }
    }
    return NULL;
}

hf_lua_branch hf_answers_root(const hf_answers *answers, uint64_t key) {
    const hf_lua_root *root = find_root(answers, key);
    return root ? root->branch : 0;
}

bool hf_answers_have_room(const hf_answers *answers, size_t nodes) {
    const size_t root_bytes = sizeof *answers->root + 2 * sizeof *answers->roots.slot;
    const size_t lists = answers->n_list * sizeof *answers->list + answers->lists.used * 2 * sizeof *answers->lists.slot;
    return (answers->n_node + nodes) * sizeof *answers->node + answers->n_root * root_bytes + lists < bytes_most;
}

static hf_status add_root(hf_context *cx, hf_answers *answers, uint64_t key, hf_lua_root **out) {
    HF_GROW(cx, answers->root, answers->n_root, answers->root_room);
    if (!hf_index_add(&answers->allocator, &answers->roots, hf_index_hash(key), (uint32_t)answers->n_root)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for the answers of %zu states", answers->n_root);
    }
    *out = &answers->root[answers->n_root++];
    **out = (hf_lua_root){key, 0};
    return HF_OK;
}

static hf_status reserve_nodes(hf_context *cx, hf_answers *answers, size_t more) {
    HF_RESERVE(cx, answers->node, answers->n_node + more + 1, answers->node_room);
    answers->n_node += answers->n_node == 0;
    return HF_OK;
}

/* Down the tree as far as it goes along the trace: other answers to a question are nodes of their own, one after the other.
 * \param[out] asked of the trace, on the way  \return where the next belongs; NULL: the tree asks something else */
static hf_lua_branch *descend(hf_answers *answers, hf_lua_branch *b, const hf_lua_trace *trace, uint32_t *asked) {
    uint32_t i = 0;
    while (*b && !(*b & HF_LUA_LEAF)) {
        hf_lua_node *n = &answers->node[*b];
        if (i >= trace->n || trace->item[i].query != n->query) {
            return NULL;
        }
        const bool is_same = trace->item[i].value == n->value;
        b = is_same ? &n->same : &n->other;
        const bool goes_on = !is_same && *b && !(*b & HF_LUA_LEAF) && answers->node[*b].query == n->query;
        const bool ends = !is_same && !*b && hf_lua_query_has_many(n->query);
        i += !goes_on && !ends;
        if (ends) {
            break;
        }
    }
    *asked = i;
    return b;
}

hf_status hf_answers_keep(hf_context *cx, hf_answers *answers, uint64_t key, const hf_lua_trace *trace, uint32_t list,
                          bool *differs) {
    hf_lua_root *root = find_root(answers, key);
    uint32_t i = 0;
    *differs = false;
    if (!hf_answers_have_room(answers, trace->n)) {
        return HF_OK;
    }
    HF_TRY(reserve_nodes(cx, answers, trace->n));
    HF_TRY(root ? HF_OK : add_root(cx, answers, key, &root));
    hf_lua_branch *b = descend(answers, &root->branch, trace, &i);
    if (!b || *b) {
        *differs = !b || i < trace->n || *b != (list | HF_LUA_LEAF);
        return HF_OK;
    }
    for (; i < trace->n; i++) {
        *b = (hf_lua_branch)answers->n_node++;
        answers->node[*b] = (hf_lua_node){.query = trace->item[i].query, .value = trace->item[i].value};
        b = &answers->node[*b].same;
    }
    *b = list | HF_LUA_LEAF;
    return HF_OK;
}
