/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traffic from files: permutations and matrices. */
#include <inttypes.h>

#include "src/analysis/traffic/traffic.h"
#include "src/core/lines.h"
#include "src/core/source.h"

enum { FILE_LIMIT = 256 << 20, MATRIX_MAX = 4096 };
#define WEIGHT_MAX UINT64_C(1000000000000)

/* ---- permutations ---- */

static hf_status read_pair(hf_lines *r, hf_traffic *t, uint64_t *taken) {
    uint64_t from, to;
    HF_TRY(hf_lines_number(r, "source terminal", 0, t->n_terminal - 1, &from));
    HF_TRY(hf_lines_number(r, "destination terminal", 0, t->n_terminal - 1, &to));
    HF_TRY(hf_lines_end(r, "one source and one destination a line"));
    if (t->to[from] != HF_NONE) {
        HF_LINE_FAIL(r, HF_EINVAL, "terminal %u sends already; a permutation has one destination a source", (uint32_t)from);
    }
    if (taken[to]) {
        HF_LINE_FAIL(r, HF_EINVAL, "terminal %u is a destination already, at line %u; a permutation has one source a destination",
                     (uint32_t)to, (uint32_t)taken[to]);
    }
    taken[to] = r->line;
    t->to[from] = (uint32_t)to;
    return HF_OK;
}

static hf_status read_pairs(hf_lines *r, hf_traffic *t) {
    uint64_t *taken;
    HF_TRY(hf_scratch(r->cx, t->n_terminal, sizeof *taken, (void **)&taken));
    HF_TRY(hf_traffic_map(r->cx, t));
    uint32_t n = 0;
    for (; hf_lines_next_text(r); n++) {
        HF_TRY(read_pair(r, t, taken));
    }
    if (n == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: no traffic in it; write lines SOURCE DESTINATION", r->file);
    }
    return HF_OK;
}

hf_status hf_traffic_parse_permutation(hf_context *cx, const char *file, const char *data, size_t size, hf_traffic *traffic) {
    hf_lines r;
    hf_lines_start(cx, file, data, size, &r);
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = read_pairs(&r, traffic);
    hf_scratch_reset(cx, mark);
    return status;
}

/* ---- matrices ---- */

static hf_status read_row(hf_lines *r, hf_traffic *t, uint32_t s) {
    uint64_t sum = 0;
    for (uint32_t d = 0; d < t->n_terminal; d++) {
        uint64_t *weight = &t->matrix[(size_t)s * t->n_terminal + d];
        HF_TRY(hf_lines_number(r, "weight", 0, WEIGHT_MAX, weight));
        sum += *weight;
    }
    t->denominator = sum > t->denominator ? sum : t->denominator;
    return hf_lines_end(r, "a weight for each terminal");
}

hf_status hf_traffic_parse_matrix(hf_context *cx, const char *file, const char *data, size_t size, hf_traffic *t) {
    hf_lines r;
    if (t->n_terminal > MATRIX_MAX) {
        HF_FAIL(cx, HF_ERANGE, "traffic \"matrix\": %u terminals are too many; need at most %d", t->n_terminal, MATRIX_MAX);
    }
    HF_TRY(hf_allocate(cx, (size_t)t->n_terminal * t->n_terminal, sizeof *t->matrix, (void **)&t->matrix));
    hf_lines_start(cx, file, data, size, &r);
    uint32_t s = 0;
    for (; hf_lines_next_text(&r); s++) {
        if (s == t->n_terminal) {
            HF_FAIL(cx, HF_EINVAL, "%s, line %u: too many rows; need one for each of %u terminals", file, r.line, t->n_terminal);
        }
        HF_TRY(read_row(&r, t, s));
    }
    if (s < t->n_terminal) {
        HF_FAIL(cx, HF_EINVAL, "%s, line %u: %u rows are too few; need one for each of %u terminals", file, r.line, s,
                t->n_terminal);
    }
    return HF_OK;
}

/* ---- flows ---- */

static hf_status fill_from_flows(hf_context *cx, const hf_traffic *t, const hf_flow_list *flows, uint64_t *matrix,
                                 uint64_t *most) {
    const uint32_t n = t->n_terminal;
    for (uint32_t d = 0; d < n; d++) {
        for (uint32_t i = flows->begin[d]; i < flows->begin[d + 1]; i++) {
            const uint32_t s = flows->source[i];
            matrix[(size_t)s * n + d] = flows->rate ? flows->rate[i] : hf_traffic_weight(t, s, d);
        }
    }
    for (uint32_t s = 0; s < n; s++) {
        uint64_t sum = 0;
        for (uint32_t d = 0; d < n; d++) {
            sum += matrix[(size_t)s * n + d];
        }
        *most = sum > *most ? sum : *most;
        if (flows->rate && sum > HF_FLOW_RATE_UNIT) {
            HF_FAIL(cx, HF_EINVAL, "%s: t%" PRIu32 " sends %" PRIu64 " millionths of a flit per cycle; need 1000000 at most",
                    flows->named, s, sum);
        }
    }
    if (*most == 0) {
        HF_FAIL(cx, HF_EINVAL, "traffic \"%s\" sends nothing along the flows of %s", t->spec, flows->named);
    }
    return HF_OK;
}

hf_status hf_traffic_keep(hf_context *cx, hf_traffic *t, const hf_flow_list *flows) {
    const hf_allocator *a = &t->allocator;
    uint64_t *matrix, most = 0;
    if (flows->rate && t->kind != &hf_traffic_uniform) {
        HF_FAIL(cx, HF_EINVAL, "the flows of %s have rates; they go with traffic uniform, not with \"%s\"", flows->named,
                t->spec);
    }
    if (t->n_terminal > MATRIX_MAX) {
        HF_FAIL(cx, HF_ERANGE, "traffic along flows: %u terminals are too many; need at most %d", t->n_terminal, MATRIX_MAX);
    }
    HF_TRY(hf_allocate(cx, (size_t)t->n_terminal * t->n_terminal, sizeof *matrix, (void **)&matrix));
    const hf_status status = fill_from_flows(cx, t, flows, matrix, &most);
    if (status != HF_OK) {
        hf_release(a, matrix);
        return status;
    }
    hf_release(a, t->to);
    hf_release(a, t->matrix);
    t->to = NULL;
    t->base = t->to_weight = t->hot_weight = t->hot_own = 0;
    t->hot = HF_NONE;
    t->matrix = matrix;
    t->denominator = flows->rate ? HF_FLOW_RATE_UNIT : most;
    return HF_OK;
}

/* ---- the files ---- */

typedef hf_status parser(hf_context *cx, const char *file, const char *data, size_t size, hf_traffic *traffic);

static hf_status read_file(hf_context *cx, hf_traffic *t, parser *parse) {
    hf_source source;
    HF_TRY(hf_source_load(cx, hf_args_get(&t->args, "path")->text, FILE_LIMIT, &source));
    const hf_status status = parse(cx, source.path, source.text.data ? source.text.data : "", source.text.size, t);
    hf_source_free(&source);
    return status;
}

static const hf_param file_params[] = {
    {.name = "path", .type = HF_PARAM_TEXT, .flags = HF_PARAM_POSITIONAL, .help = "file to read"},
    {0},
};

static hf_status fill_permutation(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    return read_file(cx, t, hf_traffic_parse_permutation);
}

const hf_traffic_kind hf_traffic_permutation = {
    .name = "permutation",
    .summary = "From a file with lines SOURCE DESTINATION; terminals that are not named send nothing",
    .source = "none; user's own",
    .params = file_params,
    .fill = fill_permutation,
};

static hf_status fill_matrix(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    (void)topo;
    return read_file(cx, t, hf_traffic_parse_matrix);
}

const hf_traffic_kind hf_traffic_matrix = {
    .name = "matrix",
    .summary = "From a file with a row of whole weights for each source; the largest row sum is one flit per cycle",
    .source = "none; user's own",
    .params = file_params,
    .fill = fill_matrix,
};
