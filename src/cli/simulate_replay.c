/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Putting the packets of a deadlock that holdfast verify or holdfast simulate wrote in place. */
#include <string.h>

#include "src/analysis/deadlock/certificate.h"
#include "src/cli/simulate.h"

enum { FILE_LIMIT = 1 << 30 };

/* The network of the certificate becomes that of the simulation, which frees it. The plan points into `net`, in the arena. */
static hf_status open_network(simulate *s, const hf_certificate *c, hf_certificate_net **out) {
    hf_certificate_net *net;
    HF_TRY(hf_scratch(s->c->cx, 1, sizeof *net, (void **)&net));
    const hf_status status = hf_certificate_open(c, net);
    s->net = (cli_network){.topo = net->topo, .universe = net->universe, .rule = net->rule, .has_rule = net->has_rule};
    s->faults = net->faults;
    s->plan = net->plan;
    s->s.kernel.switching = c->switching;
    *out = net;
    return status;
}

static hf_status replay(simulate *s, const hf_json *root, simulate_replay *out) {
    hf_context *cx = s->c->cx;
    hf_certificate c;
    hf_certificate_net *net;
    hf_kernel *k;
    hf_blocked *blocked, *found;
    HF_TRY(hf_certificate_read(cx, cli_value(s->c, "replay"), root, &c));
    if (c.answer != HF_DEADLOCK_FOUND) {
        HF_FAIL(cx, HF_EINVAL, "%s holds no deadlock; need the verdict \"deadlock\", not \"%s\"", c.file,
                hf_deadlock_answer_name(c.answer));
    }
    HF_TRY(open_network(s, &c, &net));
    *out = (simulate_replay){.packets = (uint32_t)hf_json_count(c.blocked), .cycles = s->s.window};
    HF_TRY(hf_scratch(cx, out->packets, sizeof *blocked, (void **)&blocked));
    for (uint32_t i = 0; i < out->packets; i++) {
        HF_TRY(hf_certificate_packet(&c, net, i, &blocked[i]));
    }
    HF_TRY(hf_kernel_new(cx, &s->plan, &s->s.kernel, &k));
    HF_TRY(hf_kernel_place(k, blocked, out->packets));
    HF_TRY(hf_kernel_run(k, out->cycles));
    out->flit_hops = hf_kernel_read(k)->flit_hops;
    return hf_kernel_deadlock(k, &found, &out->blocked);
}

hf_status simulate_read_and_replay(simulate *s, simulate_replay *out) {
    hf_context *cx = s->c->cx;
    const char *file = cli_value(s->c, "replay");
    hf_json *root = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_text_load(cx, file, FILE_LIMIT, &text);
    status = status == HF_OK ? hf_json_parse(cx, file, text.data ? text.data : "", text.size, &root) : status;
    status = status == HF_OK ? replay(s, root, out) : status;
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}
