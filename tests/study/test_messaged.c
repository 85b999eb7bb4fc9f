/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs with idempotent messaging in studies: the store gives back what was run, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/studies.h"

static hf_study_outcome *run(hf_context *cx, const hf_study_options *options, const char *program, const char *show) {
    char text[512];
    snprintf(text, sizeof text,
             "schema: 1\nname: t\ntitle: t\nsource: s\ncells:\n"
             "  - {label: a, ask: \"protocol benchmark=%s%s\", column: %s}\n",
             program, strstr(program, "network=") ? "" : " network=grid2d", show);
    hf_study_outcome *out = study_run(cx, text, options);
    assert_int_equal(out->n_line, 1);
    return out;
}

/* One line, and whether it came from the store. */
static void expect(hf_context *cx, const hf_study_options *options, const char *program, const char *show, bool from_store) {
    const hf_study_options alone = {.threads = 1};
    hf_study_outcome *stored = run(cx, options, program, show), *fresh = run(cx, &alone, program, show);
    if (stored->line[0].from_store != from_store) {
        fail_msg("%s, %s: %s from the store", program, show, from_store ? "not" : "taken");
    }
    assert_string_equal(stored->line[0].computed, fresh->line[0].computed);
    assert_string_equal(stored->line[0].method, fresh->line[0].method);
    hf_study_outcome_free(stored);
    hf_study_outcome_free(fresh);
}

static void the_store_knows_every_run(void **state) {
    (void)state;
    static const char *const programs[] = {"add nodes=16",
                                           "reverse nodes=16",
                                           "add nodes=64",
                                           "add nodes=16 network=grid3d",
                                           "add nodes=16 network=fat-tree",
                                           "add nodes=16 network=fat-tree leaf=2",
                                           "add nodes=16 network=fat-tree growth=3",
                                           "add nodes=16 backoff=linear",
                                           "add nodes=16 constant=4",
                                           "add nodes=16 send-table=8",
                                           "add nodes=16 receive-table=8",
                                           "add nodes=16 retention=5",
                                           "add nodes=16 ids=100",
                                           "add nodes=16 secondary-ids=yes",
                                           "add nodes=16 work=2",
                                           "add nodes=16 request=9",
                                           "add nodes=16 reply=5",
                                           "add nodes=16 flit=40",
                                           "add nodes=16 clock=160",
                                           "add nodes=16 failed-links=2",
                                           "add nodes=16 loss=0.1",
                                           "add nodes=16 loss=0.2",
                                           "add nodes=16 jitter=3",
                                           "add nodes=16 seed=2",
                                           "add nodes=16 cycles=900000"};
    char folder[256], path[512];
    hf_context *cx = hf_context_new(NULL);
    hf_store *store;
    folder_open(folder, sizeof folder);
    assert_int_equal(hf_store_open(cx, folder_file(folder, "s.sqlite", path, sizeof path), HF_STORE_WRITE, &store), HF_OK);
    const hf_study_options options = {.store = store, .threads = 1};
    const hf_study_options again = {.store = store, .threads = 1, .again = true};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        expect(cx, &options, programs[i], "sends", false);
    }
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        expect(cx, &options, programs[i], "sends", true);
        expect(cx, &options, programs[i], "idempotent_cycles", true);
        expect(cx, &again, programs[i], "sends", false);
    }
    expect(cx, &options, programs[0], "slow_down", true);
    hf_store_close(store);
    folder_close(folder);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_store_knows_every_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
