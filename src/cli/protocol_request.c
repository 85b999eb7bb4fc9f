/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the works of holdfast protocol are asked: read from the options, told in JSON. */
#include <string.h>

#include "src/cli/protocol.h"

/* ---- read ---- */

/* Kinds of packets in the order of hf_protocol_kind. */
static const char *const kinds[] = {"msg", "ack", "conf"};
enum { N_KIND = sizeof kinds / sizeof *kinds };

/* "msg,ack" */
hf_status protocol_read_once(const cli *c, unsigned *out) {
    const char *text = cli_value(c, "once");
    *out = 0;
    for (const char *at = text; at;) {
        const size_t size = strcspn(at, ",");
        unsigned k = 0;
        while (k < N_KIND && (strlen(kinds[k]) != size || strncmp(kinds[k], at, size) != 0)) {
            k++;
        }
        if (k == N_KIND) {
            HF_FAIL(c->cx, HF_EINVAL, "--once=%s is not right; need msg, ack, conf, or several such as msg,ack", text);
        }
        *out |= 1U << k;
        at = at[size] ? at + size + 1 : NULL;
    }
    return HF_OK;
}

static const char *benchmark_name(int i) { return hf_benchmark_name((hf_benchmark)i); }
static const char *network_name(int i) { return hf_network_kind_name((hf_network_kind)i); }

/* One of `n` names, or all. */
static hf_status read_choice(const cli *c, const char *option, const char *(*name)(int), int n, bool *has) {
    const char *text = cli_value_or(c, option, "all");
    bool is_known = false;
    for (int i = 0; i < n; i++) {
        has[i] = strcmp(text, "all") == 0 || strcmp(text, name(i)) == 0;
        is_known |= has[i];
    }
    if (!is_known) {
        HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right; need all, %s, %s, %s%s%s", option, text, name(0), name(1), name(2),
                n > 3 ? " or " : "", n > 3 ? name(3) : "");
    }
    return HF_OK;
}

static hf_status read_loss(const cli *c, double *out) {
    const hf_status status = hf_messaging_parse_loss(c->cx, cli_value_or(c, "loss", "0"), out);
    if (status != HF_OK) {
        hf_context_prefix(c->cx, "--");
    }
    return status;
}

/* A trace file says all about its program. */
static hf_status read_file(protocol_request *r) {
    static const char *const others[] = {"benchmark", "nodes", "work", "request", "reply"};
    r->file = cli_value(r->c, "program");
    for (size_t i = 0; r->file && i < sizeof others / sizeof *others; i++) {
        if (cli_has(r->c, others[i])) {
            HF_FAIL(r->c->cx, HF_EINVAL, "--program and --%s exclude each other: the file says what its program is", others[i]);
        }
    }
    return HF_OK;
}

hf_status protocol_read_request(protocol_request *r) {
    const cli *c = r->c;
    r->run.messaging = hf_messaging_default(HF_NETWORK_GRID_2D);
    HF_TRY(read_file(r));
    HF_TRY(read_choice(c, "benchmark", benchmark_name, PROTOCOL_BENCHMARKS, r->has_benchmark));
    HF_TRY(read_choice(c, "network", network_name, PROTOCOL_NETWORKS, r->has_network));
    HF_TRY(cli_group(c, &hf_messaged_group, &r->run));
    HF_TRY(protocol_read_once(c, &r->run.messaging.protocol.once));
    return read_loss(c, &r->run.messaging.loss);
}

hf_benchmark_options protocol_program(const protocol_request *r, hf_benchmark benchmark) {
    hf_benchmark_options program = r->run.program;
    program.benchmark = benchmark;
    program.n_node = program.n_node ? program.n_node : hf_benchmark_nodes(benchmark);
    return program;
}

/* ---- told ---- */

void protocol_json_safeguards(const hf_protocol *protocol, hf_json *spec) {
    hf_json *once = hf_json_array();
    for (unsigned k = 0; k < N_KIND; k++) {
        if (protocol->once & 1U << k) {
            hf_json_push(once, hf_json_text(kinds[k]));
        }
    }
    hf_json_set(spec, "retention_cycles",
                protocol->retention == HF_RETENTION_FOREVER ? hf_json_null() : hf_json_integer((int64_t)protocol->retention));
    hf_json_set(spec, "once", once);
}

hf_json *protocol_json_spec(const protocol_request *r) {
    const hf_messaging *m = &r->run.messaging;
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "send_table", hf_json_integer(m->protocol.send_capacity));
    hf_json_set(spec, "receive_table", hf_json_integer(m->protocol.receive_capacity));
    protocol_json_safeguards(&m->protocol, spec);
    hf_json_set(spec, "ids", hf_json_integer((int64_t)m->protocol.n_id));
    hf_json_set(spec, "secondary_ids", hf_json_boolean(m->protocol.has_secondary));
    hf_json_set(spec, "backoff", hf_json_text(hf_backoff_name(m->protocol.backoff)));
    hf_json_set(spec, "constant_cycles", hf_json_integer(m->protocol.backoff_constant));
    hf_json_set(spec, "jitter_cycles", hf_json_integer(m->jitter));
    hf_json_set(spec, "loss", hf_json_real(m->loss));
    hf_json_set(spec, "seed", hf_json_integer((int64_t)m->seed));
    hf_json_set(spec, "leaf", hf_json_integer(m->network.leaf_width));
    hf_json_set(spec, "growth", hf_json_integer(m->network.growth));
    hf_json_set(spec, "failed_links", hf_json_integer(m->network.n_failed));
    hf_json_set(spec, "flit_bits", hf_json_integer(m->flit_bits));
    hf_json_set(spec, "clock_percent", hf_json_integer(m->clock_percent));
    hf_json_set(spec, "work", hf_json_integer(r->run.program.work_factor));
    hf_json_set(spec, "request_flits", hf_json_integer(r->run.program.request_size));
    hf_json_set(spec, "reply_flits", hf_json_integer(r->run.program.reply_size));
    return spec;
}
