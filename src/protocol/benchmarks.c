/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The published programs by name. */
#include "src/protocol/benchmarks.h"

#include <inttypes.h>

#include "src/core/registry.h"

static const char *const names[] = {"add", "reverse", "quicksort", "nbody", NULL};

const char *hf_benchmark_name(hf_benchmark benchmark) { return names[benchmark]; }

hf_status hf_benchmark_find(hf_context *cx, const char *name, size_t size, hf_benchmark *out) {
    size_t i;
    HF_TRY(hf_words_need(cx, "program", names, (hf_slice){name, size}, &i));
    *out = (hf_benchmark)i;
    return HF_OK;
}

uint32_t hf_benchmark_nodes(hf_benchmark benchmark) {
    static const uint32_t n[] = {4096, 1024, 1024, 256};
    return n[benchmark];
}

enum { ITERATIONS = 16 }; /* of nbody, unless told */

static hf_status write_down(hf_program *t, const hf_benchmark_options *o) {
    switch (o->benchmark) {
    case HF_BENCHMARK_ADD:
        return hf_bench_add(t);
    case HF_BENCHMARK_REVERSE:
        return hf_bench_reverse(t);
    case HF_BENCHMARK_QUICKSORT:
        return hf_bench_quicksort(t, o->seed);
    case HF_BENCHMARK_NBODY:
        return hf_bench_nbody(t, o->iterations ? o->iterations : ITERATIONS);
    }
    return HF_EINVAL;
}

hf_status hf_benchmark_program(hf_context *cx, const hf_benchmark_options *options, hf_program *out) {
    const uint32_t n_node = options->n_node;
    const bool is_square = (n_node & 0x55555555U) != 0, must_be_square = options->benchmark == HF_BENCHMARK_NBODY;
    *out = (hf_program){0};
    if (n_node < 4 || n_node > 65536 || (n_node & (n_node - 1)) != 0 || (must_be_square && !is_square)) {
        HF_FAIL(cx, HF_ERANGE, "%s on %" PRIu32 " nodes; need a power of %d from 4 to 65536",
                hf_benchmark_name(options->benchmark), n_node, must_be_square ? 4 : 2);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_program_init(cx, n_node, out));
    out->work_factor = options->work_factor ? options->work_factor : 1;
    out->request_size = options->request_size ? options->request_size : out->request_size;
    out->reply_size = options->reply_size ? options->reply_size : out->reply_size;
    hf_status status = write_down(out, options);
    hf_scratch_reset(cx, mark);
    status = status == HF_OK ? hf_program_finish(out) : status;
    if (status != HF_OK) {
        hf_program_free(out);
    }
    return status;
}
