/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What does not fit the machine, or a day, is refused with the estimate. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/core/machine.h"

static const double gibibyte = 1073741824.0;

static void expect(hf_context *cx, hf_status got, hf_status want, const char *words) {
    assert_int_equal(got, want);
    if (want != HF_OK && !strstr(hf_context_message(cx), words)) {
        fail_msg("\"%s\" does not say \"%s\"", hf_context_message(cx), words);
    }
}

static void memory(void **state) {
    hf_context *cx = *state;
    unsetenv("HOLDFAST_MEMORY");
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    assert_true(hf_machine_memory() > 0 && hf_machine_memory() <= machine);
    expect(cx, hf_machine_fits(cx, 2 * machine, HUGE_VAL, "it"), HF_ERANGE, "GiB of memory; this machine has ");
    expect(cx, hf_machine_fits(cx, HUGE_VAL, HUGE_VAL, "it"), HF_ERANGE, "it needs about inf GiB");
    setenv("HOLDFAST_MEMORY", "1.5", 1);
    assert_true(hf_machine_memory() == 1.5 * gibibyte);
    expect(cx, hf_machine_fits(cx, 1.5 * gibibyte, HUGE_VAL, "it"), HF_OK, "");
    expect(cx, hf_machine_fits(cx, 2.5 * gibibyte, HUGE_VAL, "topology \"%s\"", "x"), HF_ERANGE,
           "topology \"x\" needs about 2.5 GiB of memory; this machine has 1.5 GiB (HOLDFAST_MEMORY=GIB says otherwise)");
    expect(cx, hf_machine_fits(cx, 2.5 * gibibyte, gibibyte, "it"), HF_ERANGE, "about 2.5 GiB of memory; the limit is 1 GiB");
    expect(cx, hf_machine_fits(cx, 2000, 1000, "it"), HF_ERANGE, "the limit is");
    static const char *const others[] = {"", "x", "0", "-3", "1x", "nan"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        setenv("HOLDFAST_MEMORY", others[i], 1);
        assert_true(hf_machine_memory() != 1.5 * gibibyte && hf_machine_memory() > 0);
    }
    unsetenv("HOLDFAST_MEMORY");
    struct rlimit old, now;
    assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
    now = (struct rlimit){(rlim_t)1 << 40, old.rlim_max};
    const double before = hf_machine_memory();
    if (before > 4 * gibibyte && (old.rlim_max == RLIM_INFINITY || old.rlim_max > now.rlim_cur)) {
        now.rlim_cur = (rlim_t)(4 * gibibyte);
        assert_int_equal(setrlimit(RLIMIT_DATA, &now), 0);
        assert_true(hf_machine_memory() == 4 * gibibyte);
        assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
    }
}

static void a_day(void **state) {
    hf_context *cx = *state;
    unsetenv("HOLDFAST_HOURS");
    expect(cx, hf_machine_lasts(cx, 86400, "it"), HF_OK, "");
    expect(cx, hf_machine_lasts(cx, 10 * 86400, "walking \"%s\"", "x"), HF_ERANGE,
           "walking \"x\" takes more than 10 days; what takes more than 24 hours is refused (HOLDFAST_HOURS=N says otherwise)");
    setenv("HOLDFAST_HOURS", "1000", 1);
    expect(cx, hf_machine_lasts(cx, 10 * 86400, "it"), HF_OK, "");
    setenv("HOLDFAST_HOURS", "0.5", 1);
    expect(cx, hf_machine_lasts(cx, 3600, "it"), HF_ERANGE, "more than 0.5 hours");
    unsetenv("HOLDFAST_HOURS");
}

static int open_context(void **state) {
    *state = hf_context_new(NULL);
    return *state ? 0 : -1;
}

static int close_context(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory), cmocka_unit_test(a_day)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
