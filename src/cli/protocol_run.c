/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast protocol run: programs over networks that drop packets and over perfect ones, beside the published times. */
#include <inttypes.h>
#include <string.h>

#include "src/cli/protocol.h"

enum { N_BENCHMARK = PROTOCOL_BENCHMARKS, N_NETWORK = PROTOCOL_NETWORKS };
typedef protocol_request request;

typedef struct cell {
    const char *name;
    bool is_benchmark;
    hf_benchmark benchmark; /* of one */
    hf_network_kind network;
    uint32_t n_node, flit_bits, clock_percent;
    hf_messaging_result perfect, lossy;
} cell;

/* [brown2002, tables 2a and 2b]: cycles on the perfect network, with the protocol, and with it on flits of 40 bits and a clock
 * that is 60% faster. */
static const uint32_t published[N_BENCHMARK][N_NETWORK][3] = {
    {{814, 1229, 848}, {645, 986, 709}, {634, 991, 637}},
    {{8198, 60548, 30053}, {3333, 24799, 13931}, {717, 2701, 1421}},
    {{195356, 496306, 285565}, {124230, 232580, 147229}, {96745, 167438, 113460}},
    {{119528, 463741, 265500}, {79493, 241771, 137627}, {97720, 229111, 131092}},
};

/* ---- work ---- */

static hf_status run_cell(const request *r, const hf_program *program, cell *out) {
    hf_messaging m = r->run.messaging;
    m.network.kind = out->network;
    HF_TRY(hf_messaging_run(r->c->cx, &m, program, &out->lossy));
    m.is_buffered = true;
    m.network.n_failed = m.flit_bits = m.clock_percent = 0;
    return hf_messaging_run(r->c->cx, &m, program, &out->perfect);
}

/* `of` says what the trace is. */
static hf_status run_trace(const request *r, const hf_program *program, cell of, cell *out, uint32_t *n) {
    of.n_node = program->n_node;
    of.flit_bits = r->run.messaging.flit_bits;
    of.clock_percent = r->run.messaging.clock_percent;
    for (int k = 0; k < N_NETWORK; k++) {
        if (r->has_network[k]) {
            of.network = (hf_network_kind)k;
            out[*n] = of;
            HF_TRY(run_cell(r, program, &out[(*n)++]));
        }
    }
    return HF_OK;
}

static hf_status run_benchmark(const request *r, hf_benchmark benchmark, cell *out, uint32_t *n) {
    const hf_benchmark_options options = protocol_program(r, benchmark);
    const cell of = {.name = hf_benchmark_name(benchmark), .is_benchmark = true, .benchmark = benchmark};
    hf_program program;
    HF_TRY(hf_benchmark_program(r->c->cx, &options, &program));
    const hf_status status = run_trace(r, &program, of, out, n);
    hf_program_free(&program);
    return status;
}

static hf_status run_file(const request *r, cell *out, uint32_t *n) {
    hf_program program;
    HF_TRY(hf_program_read_file(r->c->cx, r->file, &program));
    const hf_status status = run_trace(r, &program, (cell){.name = r->file}, out, n);
    hf_program_free(&program);
    return status;
}

static hf_status run_all(const request *r, cell *out, uint32_t *n) {
    if (r->file) {
        return run_file(r, out, n);
    }
    for (int b = 0; b < N_BENCHMARK; b++) {
        if (r->has_benchmark[b]) {
            HF_TRY(run_benchmark(r, (hf_benchmark)b, out, n));
        }
    }
    return HF_OK;
}

/* ---- output ---- */

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

/* The published times on the perfect network and with the protocol. \return false where the run is of another size, flit or
 * clock. */
static bool has_published(const cell *x, uint32_t *perfect, uint32_t *lossy) {
    const bool is_wide = x->flit_bits == 40 && x->clock_percent == 160, is_plain = x->flit_bits == 32 && x->clock_percent == 100;
    *perfect = published[x->benchmark][x->network][0];
    *lossy = published[x->benchmark][x->network][is_wide ? 2 : 1];
    return x->is_benchmark && x->n_node == hf_benchmark_nodes(x->benchmark) && (is_wide || is_plain);
}

static hf_status print_row(hf_context *cx, cli_table *t, const cell *x) {
    uint32_t perfect, lossy;
    const bool is_published = has_published(x, &perfect, &lossy);
    const bool is_complete = x->lossy.is_complete && x->perfect.is_complete;
    HF_TRY(cli_table_cell(cx, t, "%s", x->name));
    HF_TRY(cli_table_cell(cx, t, "%s", hf_network_kind_name(x->network)));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, x->n_node));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, x->perfect.cycles));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64 "%s", x->lossy.cycles, is_complete ? "" : " (not complete)"));
    HF_TRY(cli_table_cell(cx, t, "%.2f", ratio(x->lossy.cycles, x->perfect.cycles)));
    HF_TRY(is_published ? cli_table_cell(cx, t, "%" PRIu32, perfect) : cli_table_cell(cx, t, "-"));
    HF_TRY(is_published ? cli_table_cell(cx, t, "%" PRIu32, lossy) : cli_table_cell(cx, t, "-"));
    HF_TRY(is_published ? cli_table_cell(cx, t, "%.2f", ratio(lossy, perfect)) : cli_table_cell(cx, t, "-"));
    HF_TRY(cli_table_cell(cx, t, "%.2f", ratio(x->lossy.n_packet[HF_PROTOCOL_MSG], x->lossy.n_message)));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, x->lossy.n_lost));
    return cli_table_cell(cx, t, "%" PRIu64, x->lossy.n_duplicate);
}

static hf_status put_table(const cli *c, const cell *x, uint32_t n) {
    static const char *const header[] = {"benchmark",
                                         "network",
                                         "nodes",
                                         "buffered cycles",
                                         "idempotent cycles",
                                         "slow-down",
                                         "published buffered",
                                         "published idempotent",
                                         "published slow-down",
                                         "sends a message",
                                         "lost",
                                         "acted on twice"};
    static const bool is_number[] = {false, false, true, true, true, true, true, true, true, true, true, true};
    cli_table t;
    hf_text out;
    HF_TRY(cli_table_start(c->cx, &t, header, is_number, sizeof header / sizeof *header, n));
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(print_row(c->cx, &t, &x[i]));
    }
    hf_text_init(c->cx, &out);
    hf_status status = hf_table_text(c->cx, &t.table, &out);
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_json *json_row(const cell *x) {
    hf_json *row = hf_json_object();
    const hf_messaging_result *r = &x->lossy;
    uint32_t perfect, lossy;
    const bool is_published = has_published(x, &perfect, &lossy);
    hf_json_set(row, "benchmark", hf_json_text(x->name));
    hf_json_set(row, "network", hf_json_text(hf_network_kind_name(x->network)));
    hf_json_set(row, "nodes", hf_json_integer(x->n_node));
    hf_json_set(row, "complete", hf_json_boolean(r->is_complete && x->perfect.is_complete));
    hf_json_set(row, "buffered_cycles", hf_json_integer((int64_t)x->perfect.cycles));
    hf_json_set(row, "idempotent_cycles", hf_json_integer((int64_t)r->cycles));
    hf_json_set(row, "published_buffered_cycles", is_published ? hf_json_integer(perfect) : hf_json_null());
    hf_json_set(row, "published_idempotent_cycles", is_published ? hf_json_integer(lossy) : hf_json_null());
    hf_json_set(row, "messages", hf_json_integer((int64_t)r->n_message));
    hf_json_set(row, "msg_packets", hf_json_integer((int64_t)r->n_packet[HF_PROTOCOL_MSG]));
    hf_json_set(row, "ack_packets", hf_json_integer((int64_t)r->n_packet[HF_PROTOCOL_ACK]));
    hf_json_set(row, "conf_packets", hf_json_integer((int64_t)r->n_packet[HF_PROTOCOL_CONF]));
    hf_json_set(row, "dropped_packets", hf_json_integer((int64_t)r->n_dropped));
    hf_json_set(row, "damaged_packets", hf_json_integer((int64_t)r->n_damaged));
    hf_json_set(row, "refused_messages", hf_json_integer((int64_t)r->n_refused));
    hf_json_set(row, "lost_messages", hf_json_integer((int64_t)r->n_lost));
    hf_json_set(row, "acted_on_twice", hf_json_integer((int64_t)r->n_duplicate));
    return row;
}

static hf_status put_json(const request *r, const cell *x, uint32_t n) {
    hf_json *root = cli_json(r->c), *rows = hf_json_array();
    for (uint32_t i = 0; i < n; i++) {
        hf_json_push(rows, json_row(&x[i]));
    }
    hf_json_set(root, "spec", protocol_json_spec(r));
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

hf_status protocol_run(const cli *c, bool *is_yes) {
    request r = {.c = c};
    cell x[N_BENCHMARK * N_NETWORK];
    uint32_t n = 0;
    HF_TRY(protocol_read_request(&r));
    HF_TRY(run_all(&r, x, &n));
    for (uint32_t i = 0; i < n; i++) {
        *is_yes &= x[i].lossy.is_complete && x[i].perfect.is_complete && x[i].lossy.n_lost + x[i].lossy.n_duplicate == 0;
    }
    return cli_has(c, "json") ? put_json(&r, x, n) : put_table(c, x, n);
}

hf_status protocol_trace(const cli *c) {
    request r = {.c = c};
    hf_program program;
    hf_text text;
    int benchmark = 0, n = 0;
    HF_TRY(protocol_read_request(&r));
    for (int b = 0; b < N_BENCHMARK; b++) {
        benchmark = r.has_benchmark[b] ? b : benchmark;
        n += r.has_benchmark[b];
    }
    if (n != 1 || r.file) {
        HF_FAIL(c->cx, HF_EINVAL, "a trace is of one program; need --benchmark add, reverse, quicksort or nbody");
    }
    const hf_benchmark_options options = protocol_program(&r, (hf_benchmark)benchmark);
    HF_TRY(hf_benchmark_program(c->cx, &options, &program));
    hf_text_init(c->cx, &text);
    hf_status status = hf_program_print(c->cx, &program, &text);
    status = status == HF_OK ? cli_put(c, &text) : status;
    hf_text_free(&text);
    hf_program_free(&program);
    return status;
}
