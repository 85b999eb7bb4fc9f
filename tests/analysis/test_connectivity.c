/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Criterion `connected`: the search from nothing against the incremental state, and the size of the work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/analysis/tolerance/connectivity.h"
#include "tests/oracle/fixture.h"

/* Push and pop at random; after each step both must agree. */
static void incremental_equals_search(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe;
    } row[] = {{"kary-tree:k=2,n=3", "channels"},
               {"kary-tree:k=2,n=4", "links+switches"},
               {"kary-tree:k=3,n=3", "channels"},
               {"kary-tree:k=2,n=3", "links+switches+terminal-links"}};
    for (uint64_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_connectivity *net;
        hf_random random;
        uint32_t component[64], depth = 0, seen[2] = {0, 0};
        fixture_open(&fx, row[i].topo, row[i].universe, NULL);
        fixture_ok(&fx, hf_connectivity_new(fx.cx, fx.universe, &net));
        hf_random_init(&random, i, HF_PURPOSE_TEST, 0);
        const uint32_t deep = 4 + (uint32_t)hf_random_below(&random, fx.universe->n_component < 64 ? 12 : 36);
        for (uint32_t step = 0; step < 3000; step++) {
            if (depth == 0 || (depth < deep && hf_random_below(&random, 2))) {
                uint32_t *next = &component[depth];
                bool is_new;
                do {
                    *next = (uint32_t)hf_random_below(&random, fx.universe->n_component);
                    is_new = true;
                    for (uint32_t c = 0; c < depth; c++) {
                        is_new &= component[c] != *next;
                    }
                } while (!is_new);
                hf_connectivity_push(net, component[depth++]);
            } else {
                hf_connectivity_pop(net, component[--depth]);
            }
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_fault_set set;
            bool all;
            fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, depth, &set));
            fixture_ok(&fx, hf_connectivity_all(fx.cx, &set, &all));
            seen[all]++;
            if (all != hf_connectivity_read(net)) {
                print_error("%s, %s, seed %llu, step %u: search says %d\n", row[i].topo, row[i].universe, (unsigned long long)i,
                            step, all);
                fail();
            }
            hf_scratch_reset(fx.cx, mark);
        }
        assert_true(seen[0] > 0 && seen[1] > 0);
        hf_connectivity_free(net);
        fixture_close(&fx);
    }
}

static void criteria_are_found_by_name(void **state) {
    (void)state;
    fixture fx;
    hf_criterion criterion;
    fixture_open(&fx, "kary-tree:k=2,n=1", NULL, NULL);
    assert_int_equal(hf_criterion_count(), 4);
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        fixture_ok(&fx, hf_criterion_init(fx.cx, hf_criterion_at(i)->name, &criterion));
        assert_ptr_equal(criterion.name, hf_criterion_at(i)->name);
        assert_string_equal(criterion.spec, criterion.name);
    }
    assert_null(hf_criterion_at(4));
    assert_int_equal(hf_criterion_init(fx.cx, "all-pears", &criterion), HF_ENOENT);
    assert_non_null(strstr(hf_context_message(fx.cx), "all-pairs"));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incremental_equals_search),
        cmocka_unit_test(criteria_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
