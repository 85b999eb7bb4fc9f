/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The agenda beside a heap: the same events in the same order, near and far, over cycles one by one and over leaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/kernel/agenda.h"

static void ok(hf_status status) { assert_int_equal(status, HF_OK); }

/* Mostly soon, sometimes around the end of the ring, seldom far beyond. */
static uint64_t draw_wait(hf_random *r) {
    const uint64_t kind = hf_random_below(r, 16);
    return kind < 10   ? hf_random_below(r, 40)
           : kind < 15 ? HF_AGENDA_CYCLES - 20 + hf_random_below(r, 40)
                       : hf_random_below(r, 100000);
}

static void note(hf_context *cx, hf_agenda *a, hf_timers *t, uint64_t at, uint32_t who) {
    ok(hf_agenda_add(cx, a, at, who % 3, who));
    ok(hf_timers_add(cx, t, (hf_timer){.at = at, .kind = who % 3, .who = who}));
}

static void agendas_are_heaps(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 40; seed++) {
        hf_context *cx = hf_context_new(NULL);
        hf_agenda a = {0};
        hf_timers t = {0};
        hf_random r;
        uint64_t cycle = seed % 2 ? UINT64_C(1) << 40 : 0;
        uint32_t made = 0, taken = 0;
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        ok(hf_agenda_init(cx, &a));
        for (; made < 3000 || taken < made; cycle += hf_random_below(&r, 50) ? 1 : hf_random_below(&r, 5000)) {
            for (uint64_t n = hf_random_below(&r, 4); n > 0 && made < 3000; n--) {
                note(cx, &a, &t, cycle + draw_wait(&r), made++);
            }
            bool is_some;
            hf_appointment e;
            assert_int_equal(hf_agenda_count(&a), made - taken);
            assert_int_equal(hf_agenda_next(&a), t.n ? t.heap[0].at : UINT64_MAX);
            ok(hf_agenda_take(cx, &a, cycle, &e, &is_some));
            while (is_some) {
                assert_true(hf_timers_due(&t, cycle));
                const hf_timer want = hf_timers_take(&t);
                assert_true(e.at == want.at && e.kind == want.kind && e.who == want.who);
                taken++;
                if (made < 3000 && hf_random_below(&r, 2)) {
                    note(cx, &a, &t, cycle + draw_wait(&r), made++);
                }
                ok(hf_agenda_take(cx, &a, cycle, &e, &is_some));
            }
            assert_false(hf_timers_due(&t, cycle));
        }
        hf_context_free(cx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agendas_are_heaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
