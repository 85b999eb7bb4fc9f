/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Layers of ways against layers that are matrices, searched whole for each dependency. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/layers.h"
#include "tests/support/failing.h"

enum { N_MAX = 24, WAY_MAX = 6 };

typedef struct slow_layers {
    bool edge[HF_LAYERS_MAX][N_MAX][N_MAX];
} slow_layers;

static bool leads(bool edge[N_MAX][N_MAX], uint32_t from, uint32_t to, bool *seen) {
    seen[from] = true;
    for (uint32_t v = 0; v < N_MAX; v++) {
        if (from == to || (edge[from][v] && !seen[v] && leads(edge, v, to, seen))) {
            return true;
        }
    }
    return from == to;
}

static bool slow_try(bool edge[N_MAX][N_MAX], const uint32_t *way, uint32_t n) {
    bool before[N_MAX][N_MAX];
    memcpy(before, edge, sizeof before);
    for (uint32_t i = 1; i < n; i++) {
        bool seen[N_MAX] = {false};
        if (leads(edge, way[i], way[i - 1], seen)) {
            memcpy(edge, before, sizeof before);
            return false;
        }
        edge[way[i - 1]][way[i]] = true;
    }
    return true;
}

static uint32_t slow_put(slow_layers *s, const uint32_t *way, uint32_t n) {
    for (uint32_t l = 0; l < HF_LAYERS_MAX; l++) {
        if (slow_try(s->edge[l], way, n)) {
            return l;
        }
    }
    return HF_NONE;
}

static hf_status number(hf_context *cx, hf_layer_set *set, const uint32_t *way, uint32_t n, uint32_t *edges) {
    for (uint32_t i = 1; i < n; i++) {
        HF_TRY(hf_layers_edge(cx, set, way[i - 1], way[i], &edges[i - 1]));
    }
    return HF_OK;
}

/* A way by its vertices. */
static hf_status put(hf_context *cx, hf_layer_set *set, const uint32_t *way, uint32_t n, uint32_t *layer) {
    uint32_t edges[WAY_MAX];
    HF_TRY(number(cx, set, way, n, edges));
    return hf_layers_put(cx, set, edges, n > 0 ? n - 1 : 0, layer);
}

/* One that ends as the last one, of `tail` vertices, which is on `*layer`. */
static hf_status extend(hf_context *cx, hf_layer_set *set, const uint32_t *way, uint32_t n, uint32_t tail, uint32_t *layer) {
    uint32_t edges[WAY_MAX];
    HF_TRY(number(cx, set, way, n, edges));
    return hf_layers_extend(cx, set, edges, n - 1, n - tail, *layer, layer);
}

/* Labels rise along the list, which has every vertex, and every dependency rises. */
static void assert_ordered(const hf_layer_set *set) {
    for (uint32_t l = 0; l < set->n_layer; l++) {
        const hf_layer_order *o = &set->order[l];
        uint32_t count = 0;
        for (uint32_t v = o->next[set->n_vertex]; v != set->n_vertex; v = o->next[v], count++) {
            assert_true(o->previous[o->next[v]] == v);
            assert_true(o->next[v] == set->n_vertex || o->label[v] < o->label[o->next[v]]);
        }
        assert_int_equal(count, set->n_vertex);
        for (uint32_t e = 0; e < set->n_edge; e++) {
            assert_true(!(set->edge[e].laid >> l & 1) || o->label[set->edge[e].from] < o->label[set->edge[e].to]);
        }
    }
}

static uint32_t draw_way(hf_random *random, uint32_t n_vertex, uint32_t *way) {
    const uint32_t n = (uint32_t)hf_random_below(random, WAY_MAX + 1);
    for (uint32_t i = 0; i < n; i++) {
        way[i] = (uint32_t)hf_random_below(random, n_vertex);
    }
    return n;
}

static uint32_t draw_before(hf_random *random, uint32_t n_vertex, uint32_t *way, uint32_t tail) {
    const uint32_t more = 1 + (uint32_t)hf_random_below(random, WAY_MAX - tail);
    memmove(way + more, way, tail * sizeof *way);
    for (uint32_t i = 0; i < more; i++) {
        way[i] = (uint32_t)hf_random_below(random, n_vertex);
    }
    return more + tail;
}

/* Random ways, some empty, some through a vertex twice and so in no layer at all, some the way before with more in front. */
static void places_as_searches_do(void **state) {
    hf_context *cx = *state;
    static slow_layers slow;
    const uint64_t seed = 13;
    for (uint32_t run = 0; run < 60; run++) {
        const hf_mark mark = hf_scratch_mark(cx);
        hf_random random;
        hf_layer_set set;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, run);
        const uint32_t n_vertex = 1 + (uint32_t)hf_random_below(&random, N_MAX);
        memset(&slow, 0, sizeof slow);
        assert_int_equal(hf_layers_init(cx, n_vertex, &set), HF_OK);
        uint32_t way[WAY_MAX], n = 0, layer = HF_NONE;
        for (uint32_t i = 0; i < 40 + 4 * run; i++) {
            const bool extends = layer != HF_NONE && n > 0 && n < WAY_MAX && hf_random_below(&random, 2);
            const uint32_t tail = n;
            n = extends ? draw_before(&random, n_vertex, way, tail) : draw_way(&random, n_vertex, way);
            const uint32_t want = slow_put(&slow, way, n);
            assert_int_equal(extends ? extend(cx, &set, way, n, tail, &layer) : put(cx, &set, way, n, &layer), HF_OK);
            if (layer != want) {
                fail_msg("seed %u, run %u, way %u: layer %u, a search puts it on %u", (unsigned)seed, run, i, layer, want);
            }
        }
        assert_ordered(&set);
        hf_scratch_reset(cx, mark);
    }
}

/* Ways put on what is kept, which comes back between them, with what it refuses and nothing else. */
static void takes_back_what_was_put(void **state) {
    hf_context *cx = *state;
    static slow_layers kept, slow;
    const uint64_t seed = 14;
    for (uint32_t run = 0; run < 40; run++) {
        const hf_mark mark = hf_scratch_mark(cx);
        hf_random random;
        hf_layer_set set;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, run);
        const uint32_t n_vertex = 1 + (uint32_t)hf_random_below(&random, N_MAX);
        memset(&kept, 0, sizeof kept);
        slow = kept;
        assert_int_equal(hf_layers_init(cx, n_vertex, &set), HF_OK);
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t way[WAY_MAX], layer;
            const uint32_t n = draw_way(&random, n_vertex, way);
            if (i % 20 == 0 && set.changed) {
                hf_layers_take_back(&set);
                slow = kept;
            }
            if (i == run || i == 120) {
                assert_int_equal(hf_layers_keep(cx, &set), HF_OK);
                kept = slow;
            }
            const uint32_t want = slow_put(&slow, way, n);
            assert_int_equal(put(cx, &set, way, n, &layer), HF_OK);
            if (layer != want) {
                fail_msg("seed %u, run %u, way %u: layer %u, a search puts it on %u", (unsigned)seed, run, i, layer, want);
            }
        }
        assert_ordered(&set);
        hf_scratch_reset(cx, mark);
    }
}

/* Every vertex comes close behind the last one, so gaps between labels fill up: those are numbered anew. */
static void fills_gaps(void **state) {
    hf_context *cx = *state;
    enum { N = 200 };
    hf_layer_set set;
    uint32_t layer = HF_NONE;
    assert_int_equal(hf_layers_init(cx, N, &set), HF_OK);
    for (uint32_t v = 0; v + 1 < N; v++) {
        assert_int_equal(put(cx, &set, (uint32_t[]){N - 1, v}, 2, &layer), HF_OK);
        assert_int_equal(layer, 0);
        assert_ordered(&set);
    }
    assert_int_equal(put(cx, &set, (uint32_t[]){7, N - 1}, 2, &layer), HF_OK);
    assert_int_equal(layer, 1);
}

static void closes_rings(void **state) {
    hf_context *cx = *state;
    hf_layer_set set;
    uint32_t layer = HF_NONE;
    assert_int_equal(hf_layers_init(cx, 4, &set), HF_OK);
    assert_int_equal(put(cx, &set, NULL, 0, &layer), HF_OK);
    assert_int_equal(layer, 0);
    for (uint32_t v = 0; v < 4; v++) { /* a ring of four: the last two ways close it */
        assert_int_equal(put(cx, &set, (uint32_t[]){v, (v + 1) % 4, (v + 2) % 4}, 3, &layer), HF_OK);
        assert_int_equal(layer, v < 2 ? 0 : 1);
    }
    assert_int_equal(put(cx, &set, (uint32_t[]){2, 2}, 2, &layer), HF_OK);
    assert_int_equal(layer, HF_NONE);
}

static hf_status lay_some(hf_context *cx, void *user) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_layer_set set;
    uint32_t layer = HF_NONE;
    (void)user;
    HF_TRY(hf_layers_init(cx, 4000, &set));
    for (uint32_t v = 1; v < 3000; v++) {
        HF_TRY(v == 500 ? hf_layers_keep(cx, &set) : HF_OK);
        HF_TRY(put(cx, &set, (uint32_t[]){0, v, 0}, v % 100 ? 2 : 3, &layer));
    }
    hf_layers_take_back(&set);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static void without_memory(void **state) {
    (void)state;
    assert_true(failing_sweep("layers", lay_some, NULL) > 2);
}

static int setup(void **state) { return (*state = hf_context_new(NULL)) ? 0 : -1; }
static int teardown(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_as_searches_do), cmocka_unit_test(takes_back_what_was_put), cmocka_unit_test(fills_gaps),
        cmocka_unit_test(closes_rings),          cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
