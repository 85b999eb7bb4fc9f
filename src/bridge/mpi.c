/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Messages by MPI. Whoever waits sleeps between looks, so that a rank without work leaves its core to the others. */
#include "src/bridge/mpi.h"

#include <limits.h>

#include <mpi.h>

#include "src/core/clock.h"

enum { TAG = 1 };
static const double look_every_s = 0.0001;

/* The last message that came. */
typedef struct inbox {
    hf_allocator allocator;
    char *data;
    size_t room;
} inbox;

static hf_status check(hf_context *cx, int code, const char *what) {
    char text[MPI_MAX_ERROR_STRING];
    int size;
    if (code == MPI_SUCCESS) {
        return HF_OK;
    }
    (void)MPI_Error_string(code, text, &size);
    HF_FAIL(cx, HF_EIO, "MPI cannot %s: %s", what, text);
}

static hf_status check_size(hf_context *cx, size_t size) {
    if (size > INT_MAX) {
        HF_FAIL(cx, HF_ERANGE, "a message of %zu bytes is more than MPI takes", size);
    }
    return HF_OK;
}

static void rest_until_done(MPI_Request *request) {
    int is_done = 0;
    while (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done) {
        hf_clock_wait(look_every_s);
    }
}

static hf_status share(hf_context *cx, void *user, void *data, size_t size) {
    MPI_Request request = MPI_REQUEST_NULL;
    (void)user;
    HF_TRY(check_size(cx, size));
    const int begun = MPI_Ibcast(data, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    rest_until_done(&request);
    const int ended = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return check(cx, begun != MPI_SUCCESS ? begun : ended, "share");
}

static hf_status send(hf_context *cx, void *user, uint32_t to, const void *data, size_t size) {
    (void)user;
    HF_TRY(check_size(cx, size));
    return check(cx, MPI_Send(data, (int)size, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD), "send");
}

static hf_status receive(hf_context *cx, void *user, bool waits, uint32_t *from, const void **data, size_t *size) {
    inbox *in = user;
    MPI_Status status;
    int is_there = 0, n = 0;
    *size = 0;
    *data = NULL;
    for (;;) {
        HF_TRY(check(cx, MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &is_there, &status), "look for messages"));
        if (is_there || !waits) {
            break;
        }
        hf_clock_wait(look_every_s);
    }
    if (!is_there) {
        return HF_OK;
    }
    HF_TRY(check(cx, MPI_Get_count(&status, MPI_BYTE, &n), "measure a message"));
    if ((size_t)n > in->room) {
        HF_TRY(hf_resize(cx, (size_t)n, 1, (void **)&in->data));
        in->room = (size_t)n;
    }
    HF_TRY(check(cx, MPI_Recv(in->data, n, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "receive"));
    *from = (uint32_t)status.MPI_SOURCE;
    *data = in->data;
    *size = (size_t)n;
    return HF_OK;
}

hf_status hf_mpi_open(hf_context *cx, int *argc, char ***argv, hf_team *out) {
    int level = MPI_THREAD_SINGLE, rank = 0, n = 1;
    inbox *in;
    HF_TRY(hf_allocate(cx, 1, sizeof *in, (void **)&in));
    in->allocator = *hf_context_allocator(cx);
    *out = (hf_team){.n_rank = 1, .user = in, .share = share, .send = send, .receive = receive};
    HF_TRY(check(cx, MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level), "start"));
    HF_TRY(check(cx, MPI_Comm_rank(MPI_COMM_WORLD, &rank), "tell the rank"));
    HF_TRY(check(cx, MPI_Comm_size(MPI_COMM_WORLD, &n), "tell the ranks"));
    out->rank = (uint32_t)rank;
    out->n_rank = (uint32_t)n;
    if (level < MPI_THREAD_SERIALIZED) {
        HF_FAIL(cx, HF_ENOTSUP, "this MPI takes no calls from threads; need one with MPI_THREAD_SERIALIZED");
    }
    return HF_OK;
}

void hf_mpi_close(hf_team *team) {
    inbox *in = team->user;
    const hf_allocator allocator = in->allocator;
    (void)MPI_Finalize();
    hf_release(&allocator, in->data);
    hf_release(&allocator, in);
}
