/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Several programs at one campaign, here as threads that talk through mailboxes: the rows of each rank are those of a program
 *  alone, whatever their number; a stop and a failure of one end the row for all. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rows.h"

enum { RANKS_MOST = 5, LETTERS = 4096 };

/* ---- the post ---- */

typedef struct letter {
    uint32_t from;
    char *data;
    size_t size;
} letter;

typedef struct office office;
typedef struct rank {
    office *post;
    fixture fx;
    hf_team team;
    hf_campaign campaign;
    hf_result *result;
    hf_status status;
    letter box[LETTERS];
    size_t n_read, n_put;
    char *last; /* the letter that was read last */
} rank;

struct office {
    pthread_mutex_t lock;
    pthread_cond_t news;
    pthread_barrier_t meeting;
    const void *shared;
    rank *of;
    uint32_t n;
};

static hf_status share(hf_context *cx, void *user, void *data, size_t size) {
    rank *r = user;
    (void)cx;
    if (r->team.rank == 0) {
        r->post->shared = data;
    }
    pthread_barrier_wait(&r->post->meeting);
    if (r->team.rank > 0) {
        memcpy(data, r->post->shared, size);
    }
    pthread_barrier_wait(&r->post->meeting);
    return HF_OK;
}

static hf_status send(hf_context *cx, void *user, uint32_t to, const void *data, size_t size) {
    rank *r = user, *other = &r->post->of[to];
    char *copy = malloc(size);
    if (copy) {
        memcpy(copy, data, size);
    }
    pthread_mutex_lock(&r->post->lock);
    const bool fits = copy && other->n_put < LETTERS;
    if (fits) {
        other->box[other->n_put++] = (letter){r->team.rank, copy, size};
        pthread_cond_broadcast(&r->post->news);
    }
    pthread_mutex_unlock(&r->post->lock);
    if (!fits) {
        free(copy);
        HF_FAIL(cx, HF_ENOMEM, "the box is full");
    }
    return HF_OK;
}

static hf_status receive(hf_context *cx, void *user, bool waits, uint32_t *from, const void **data, size_t *size) {
    rank *r = user;
    (void)cx;
    *size = 0;
    pthread_mutex_lock(&r->post->lock);
    while (waits && r->n_read == r->n_put) {
        pthread_cond_wait(&r->post->news, &r->post->lock);
    }
    if (r->n_read < r->n_put) {
        const letter *l = &r->box[r->n_read++];
        free(r->last);
        r->last = l->data;
        *from = l->from;
        *data = l->data;
        *size = l->size;
    }
    pthread_mutex_unlock(&r->post->lock);
    return HF_OK;
}

/* ---- the ranks ---- */

static void *work(void *user) {
    rank *r = user;
    r->status = hf_campaign_run(r->fx.cx, &r->campaign, &r->result);
    const hf_status parted = hf_team_disband(r->fx.cx, &r->team);
    r->status = r->status == HF_OK ? parted : r->status;
    return NULL;
}

static void office_open(office *post, uint32_t n) {
    *post = (office){.n = n, .of = calloc(n, sizeof *post->of)};
    assert_non_null(post->of);
    pthread_mutex_init(&post->lock, NULL);
    pthread_cond_init(&post->news, NULL);
    pthread_barrier_init(&post->meeting, NULL, n);
    for (uint32_t i = 0; i < n; i++) {
        rank *r = &post->of[i];
        r->post = post;
        r->team = (hf_team){.rank = i, .n_rank = n, .user = r, .share = share, .send = send, .receive = receive};
    }
}

static void run_all(office *post) {
    pthread_t thread[RANKS_MOST];
    for (uint32_t i = 0; i < post->n; i++) {
        post->of[i].campaign.team = &post->of[i].team;
        assert_int_equal(pthread_create(&thread[i], NULL, work, &post->of[i]), 0);
    }
    for (uint32_t i = 0; i < post->n; i++) {
        pthread_join(thread[i], NULL);
    }
}

static void office_close(office *post) {
    for (uint32_t i = 0; i < post->n; i++) {
        rank *r = &post->of[i];
        hf_result_free(r->result);
        for (; r->n_read < r->n_put; r->n_read++) {
            free(r->box[r->n_read].data);
        }
        free(r->last);
        fixture_close(&r->fx);
    }
    pthread_barrier_destroy(&post->meeting);
    pthread_cond_destroy(&post->news);
    pthread_mutex_destroy(&post->lock);
    free(post->of);
}

/* ---- what is asked ---- */

typedef struct job {
    const char *topology, *universe, *rule, *criterion;
    uint32_t f[4];
    size_t n_f;
    uint64_t samples; /* 0: all sets */
    hf_order order;
} job;

static const job jobs[] = {
    {"kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1", "all-pairs", {0, 1, 2, 3}, 4, 0, HF_ORDER_COMPONENT},
    {"kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1", "all-pairs", {3, 5}, 2, 2001, HF_ORDER_RANDOM},
    {"kary-tree:k=2,n=3", "links", "updown", "surviving", {0, 16, 4}, 3, 0, HF_ORDER_COMPONENT},
    {"torus:dims=3x3", "links", "dor", "connected", {2, 3}, 2, 0, HF_ORDER_COMPONENT},
    {"mesh:dims=3x3", "switches", "solid-fault", "all-pairs", {0, 2, 9}, 3, 0, HF_ORDER_COMPONENT},
};

static hf_campaign open_job(fixture *fx, const job *j, uint32_t threads) {
    fixture_open(fx, j->topology, j->universe, j->rule);
    hf_campaign c = rows_campaign(fx, j->criterion, j->f, j->n_f);
    c.threads = threads;
    c.order = j->order;
    c.method = j->samples ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE;
    c.samples = j->samples;
    c.seed = 7;
    return c;
}

static void open_ranks(office *post, const job *j, uint32_t n) {
    office_open(post, n);
    for (uint32_t i = 0; i < n; i++) {
        post->of[i].campaign = open_job(&post->of[i].fx, j, 1 + i % 3);
    }
}

static void expect_same(const job *j, uint32_t n, const char *text) {
    office post;
    open_ranks(&post, j, n);
    run_all(&post);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(post.of[i].status, HF_OK);
        char *again = rows_text(post.of[i].result);
        assert_string_equal(again, text);
        free(again);
    }
    office_close(&post);
}

static void ranks_do_not_show(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        fixture fx;
        const hf_campaign c = open_job(&fx, &jobs[i], 1);
        hf_result *alone = rows_run(&fx, &c);
        char *text = rows_text(alone);
        for (uint32_t n = 1; n <= RANKS_MOST; n++) {
            expect_same(&jobs[i], n, text);
        }
        free(text);
        hf_result_free(alone);
        fixture_close(&fx);
    }
}

/* ---- a failure and a stop ---- */

typedef struct book {
    uint32_t n_saved, fails_at, stops_at;
    volatile sig_atomic_t stop;
    uint64_t sets;
} book;

static hf_status save(hf_context *cx, void *user, uint32_t f, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    book *b = user;
    (void)f;
    b->n_saved++;
    if (b->n_saved == b->fails_at) {
        HF_FAIL(cx, HF_ESTORE, "the book is full");
    }
    assert_int_equal(tally->sets, hi - lo);
    b->sets += tally->sets;
    b->stop = b->stop || b->n_saved == b->stops_at;
    return HF_OK;
}

static void expect_end(const book *given, uint32_t n, hf_status want) {
    book b = *given;
    hf_journal journal = {.user = &b, .save = save};
    office post;
    open_ranks(&post, &jobs[0], n);
    post.of[0].campaign.journal = &journal;
    hf_context_set_stop(post.of[0].fx.cx, &b.stop);
    run_all(&post);
    assert_int_equal(post.of[0].status, want);
    for (uint32_t i = 1; i < n; i++) {
        assert_int_equal(post.of[i].status, HF_ESTOP);
    }
    office_close(&post);
}

static void one_ends_all(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        expect_end(&(book){.fails_at = 1}, n, HF_ESTORE);
        expect_end(&(book){.fails_at = 4}, n, HF_ESTORE);
        expect_end(&(book){.stops_at = 2}, n, HF_ESTOP);
    }
}

/* The journal of rank 0 has every set once, whoever looked at it. */
static void the_journal_has_all(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 4; n++) {
        book b = {.sets = 0};
        hf_journal journal = {.user = &b, .save = save};
        office post;
        open_ranks(&post, &jobs[0], n);
        post.of[0].campaign.journal = &journal;
        run_all(&post);
        assert_int_equal(post.of[0].status, HF_OK);
        assert_int_equal(b.sets, 1 + 32 + 496 + 4960);
        office_close(&post);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_do_not_show), cmocka_unit_test(one_ends_all),
                                       cmocka_unit_test(the_journal_has_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
