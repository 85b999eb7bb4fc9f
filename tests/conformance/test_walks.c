/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every question of the registry that walks over fault sets: one thread, four threads, a run that is stopped and goes on again
 *  and again, and parts that are joined give the same bytes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/holdfast.h>

#include "tests/support/folder.h"
#include "tests/support/questions.h"

/* A store that counts what is kept, and may stop the run as soon as something is. */
typedef struct keeper {
    hf_store *store;
    hf_journal *journal, counting;
    volatile sig_atomic_t stop;
    bool stops;
    uint64_t kept;
} keeper;

static hf_status save(hf_context *cx, void *user, uint32_t f, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    keeper *k = user;
    k->kept++;
    k->stop = k->stops;
    return k->journal->save(cx, k->journal->user, f, lo, hi, tally);
}

static hf_status load(hf_context *cx, void *user, uint32_t f, hf_journal_take *take, void *taker) {
    const keeper *k = user;
    return k->journal->load(cx, k->journal->user, f, take, taker);
}

static hf_status start(hf_context *cx, void *user, const hf_row *row) {
    const keeper *k = user;
    return k->journal->start(cx, k->journal->user, row);
}

static hf_status finish(hf_context *cx, void *user, const hf_row *row) {
    const keeper *k = user;
    return k->journal->finish(cx, k->journal->user, row);
}

static hf_status flush(hf_context *cx, void *user) {
    const keeper *k = user;
    return k->journal->flush(cx, k->journal->user);
}

static hf_status keep(hf_context *cx, void *user, hf_campaign *campaign) {
    keeper *k = user;
    hf_store_journal_free(k->journal);
    k->journal = NULL;
    HF_TRY(hf_store_journal_new(cx, k->store, campaign, &k->journal));
    k->counting = (hf_journal){.user = k, .load = load, .start = start, .save = save, .finish = finish, .flush = flush};
    campaign->journal = &k->counting;
    return HF_OK;
}

static void see(void *user, const hf_progress *progress) {
    uint64_t *seen = user;
    assert_true(progress->done <= progress->total);
    ++*seen;
}

/* The answer as JSON, which has every cell. \param[in] k NULL: nothing is kept \return NULL: stopped. Lives in the arena of cx */
static char *answer(hf_context *cx, const hf_question *q, const example *e, uint32_t threads, keeper *k) {
    uint64_t seen = 0;
    hf_conduct conduct = {.threads = threads, .progress = see, .progress_user = &seen};
    hf_report report;
    hf_text text;
    char *copy = NULL;
    if (k) {
        conduct.keep = keep;
        conduct.keep_user = k;
        k->stop = 0;
        k->kept = 0;
        hf_context_set_stop(cx, &k->stop);
    }
    const hf_status status = hf_question_ask(cx, q, "test", NULL, e->argument, e->n, &conduct, &report);
    if (k) {
        hf_store_journal_free(k->journal);
        k->journal = NULL;
        hf_context_set_stop(cx, NULL);
    }
    if (status == HF_ESTOP && k && k->stops) {
        hf_context_clear(cx);
        return NULL;
    }
    if (status != HF_OK) {
        fail_msg("%s: %s", q->name, hf_context_message(cx));
    }
    assert_true(seen > 0);
    hf_text_init(cx, &text);
    assert_int_equal(hf_report_print(&report, &(hf_report_style){.form = HF_FORM_JSON}, &text), HF_OK);
    assert_int_equal(hf_scratch_print(cx, &copy, "%s", text.data), HF_OK);
    hf_text_free(&text);
    return copy;
}

static void say(example *e, const char *name, const char *value) {
    size_t i = 0;
    while (i < e->n && strcmp(e->argument[i].name, name) != 0) {
        i++;
    }
    assert_true(i < EXAMPLE_MAX);
    e->argument[i] = (hf_argument){name, value};
    e->n += i == e->n;
}

/* Enough sets to be stopped among them. */
static example walk_of(const hf_question *q, size_t form) {
    example e;
    assert_true(example_at(q, form, &e));
    say(&e, "topology", "kary-tree:k=2,n=3");
    say(&e, "universe", "links");
    const bool is_instead = form > 0;
    if (is_instead && strcmp(q->forms[form - 1].given, "orders") == 0) {
        say(&e, "orders", "300");
    } else if (!is_instead && hf_question_param_named(q, "faults")) {
        say(&e, "faults", "0..2");
    }
    return e;
}

static bool walks(const hf_question *q, size_t form) {
    const bool by_itself = hf_question_param_named(q, "faults");
    return q->walks && (by_itself || form > 0); /* without them a form does: bound --enumerate */
}

static void for_each_walk(void (*check)(hf_context *cx, const hf_question *q, const example *e, keeper *k)) {
    uint32_t n = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        for (size_t form = 0; form < example_forms(q); form++) {
            example e;
            if (walks(q, form) && example_at(q, form, &e)) {
                char folder[200], path[256];
                keeper k = {.stops = false};
                hf_context *cx = hf_context_new(NULL);
                folder_open(folder, sizeof folder);
                assert_int_equal(
                    hf_store_open(cx, folder_file(folder, "kept.sqlite", path, sizeof path), HF_STORE_WRITE, &k.store), HF_OK);
                e = walk_of(q, form);
                check(cx, q, &e, &k);
                hf_store_close(k.store);
                folder_close(folder);
                hf_context_free(cx);
                n++;
            }
        }
    }
    assert_true(n >= 7);
}

static void same_by_threads(hf_context *cx, const hf_question *q, const example *e, keeper *k) {
    (void)k;
    assert_string_equal(answer(cx, q, e, 1, NULL), answer(cx, q, e, 4, NULL));
}

static void threads_do_not_show(void **state) {
    (void)state;
    for_each_walk(same_by_threads);
}

static void same_when_resumed(hf_context *cx, const hf_question *q, const example *e, keeper *k) {
    const char *want = answer(cx, q, e, 1, NULL), *found = NULL;
    uint32_t stops = 0;
    k->stops = true;
    while ((found = answer(cx, q, e, 2, k)) == NULL) {
        assert_true(++stops < 1000);
    }
    assert_true(stops > 0);
    assert_string_equal(found, want);
    k->stops = false;
    assert_string_equal(answer(cx, q, e, 1, k), want); /* from the store alone */
    assert_int_equal(k->kept, 0);
}

static void a_stopped_run_goes_on(void **state) {
    (void)state;
    for_each_walk(same_when_resumed);
}

/* What has no part itself looks at the sets of tolerance. */
static void same_by_parts(hf_context *cx, const hf_question *q, const example *e, keeper *k) {
    static const char *const part[] = {"1/3", "2/3", "3/3"};
    const char *want = answer(cx, q, e, 1, NULL);
    const hf_question *of = q;
    example one = *e;
    uint64_t kept = 0;
    if (!hf_question_param_named(q, "part")) {
        assert_string_equal(q->name, "bound");
        assert_int_equal(hf_question_find(cx, "tolerance", &of), HF_OK);
        one = walk_of(of, 0);
    }
    for (size_t i = 0; i < 3; i++) {
        say(&one, "part", part[i]);
        assert_string_not_equal(answer(cx, of, &one, 1, k), want);
        kept += k->kept;
    }
    assert_true(kept >= 3);
    assert_string_equal(answer(cx, q, e, 1, k), want);
    if (k->kept > 0) {
        fail_msg("%s: parts leave something to walk", q->name);
    }
}

static void parts_make_the_whole(void **state) {
    (void)state;
    for_each_walk(same_by_parts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_show), cmocka_unit_test(a_stopped_run_goes_on),
                                       cmocka_unit_test(parts_make_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
