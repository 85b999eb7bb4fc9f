/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/share.h"

static void *resize(void *user, void *old, size_t size) {
    failing *a = user;
    pthread_mutex_lock(&a->lock);
    const bool fails = a->requests++ == a->fail_at;
    void *block = fails ? NULL : realloc(old, size);
    a->has_failed |= fails;
    a->live += block && !old;
    pthread_mutex_unlock(&a->lock);
    return block;
}

static void release(void *user, void *old) {
    failing *a = user;
    pthread_mutex_lock(&a->lock);
    a->live -= old != NULL;
    pthread_mutex_unlock(&a->lock);
    free(old);
}

hf_allocator failing_allocator(failing *account, size_t fail_at) {
    *account = (failing){.fail_at = fail_at};
    pthread_mutex_init(&account->lock, NULL);
    return (hf_allocator){resize, release, account};
}

/* One run on a context of its own. */
static hf_status run_once(const char *name, failing *account, size_t fail_at, hf_status (*scene)(hf_context *cx, void *user),
                          void *user) {
    const hf_allocator allocator = failing_allocator(account, fail_at);
    hf_context *cx = hf_context_new(&allocator);
    hf_status status = HF_ENOMEM;
    if (cx) {
        status = scene(cx, user);
        if (status != HF_OK && (status != HF_ENOMEM || !hf_context_message(cx)[0])) {
            print_error("%s, allocation %zu fails: %s: \"%s\"\n", name, fail_at, hf_status_text(status), hf_context_message(cx));
            fail();
        }
        hf_context_free(cx);
    }
    if (account->live != 0) {
        print_error("%s, allocation %zu fails: %zu blocks leak\n", name, fail_at, account->live);
        fail();
    }
    pthread_mutex_destroy(&account->lock);
    return status;
}

/* After WHOLE requests only some fail, spread evenly, and the arena is left COARSE times as many bytes from sweep to sweep,
 * thrice that where a test makes a share: the requests of a long scene are those of its loops. HOLDFAST_SWEEP=whole lets all of
 * them fail. */
enum { WHOLE = 150, COARSE = 4, COARSE_SHARE = 3 * COARSE };

static bool is_whole(void) {
    const char *sweep = getenv("HOLDFAST_SWEEP");
    return sweep && strcmp(sweep, "whole") == 0;
}

size_t failing_sweep(const char *name, hf_status (*scene)(hf_context *cx, void *user), void *user) {
    failing account;
    assert_int_equal(run_once(name, &account, SIZE_MAX, scene, user), HF_OK);
    const size_t requests = account.requests, step = requests > WHOLE && !is_whole() ? requests / WHOLE : 1;
    for (size_t fail_at = 0;; fail_at += fail_at < WHOLE ? 1 : step) {
        const hf_status status = run_once(name, &account, fail_at, scene, user);
        if (!account.has_failed) {
            assert_int_equal(status, HF_OK);
            return requests;
        }
        assert_true(fail_at < 100000);
    }
}

/* ---- the arena ---- */

typedef struct tight {
    hf_status (*scene)(hf_context *cx, void *user);
    void *user;
    size_t taken; /* bytes of the arena that are gone before the scene begins */
} tight;

static hf_status play_tight(hf_context *cx, void *user) {
    const tight *t = user;
    void *piece;
    HF_TRY(hf_scratch(cx, t->taken, 1, &piece));
    return t->scene(cx, t->user);
}

void failing_sweep_pieces(const char *name, size_t step, hf_status (*scene)(hf_context *cx, void *user), void *user) {
    enum { BLOCK = 1 << 16 };
    const size_t stride = is_whole() ? step : (share_step() > 1 ? COARSE_SHARE : COARSE) * step;
    size_t requests = 0, n = 0;
    for (size_t left = 0; left < BLOCK; left += stride, n++) {
        tight t = {scene, user, BLOCK - left};
        requests += failing_sweep(name, play_tight, &t);
    }
    assert_true(requests > 3 * n); /* the context, its first block, the next block, and what the scene has on the heap */
}
