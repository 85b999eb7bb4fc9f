/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a deadlock that holdfast verify or holdfast simulate wrote, and putting its packets in place. */
#include <string.h>

#include "src/cli/simulate.h"

enum { FILE_LIMIT = 1 << 30 };

typedef struct reader {
    simulate *s;
    const char *file;
    const hf_json *spec, *certificate;
} reader;

static hf_status malformed(const reader *r, const char *need) {
    HF_FAIL(r->s->c->cx, HF_EINVAL, "%s holds no deadlock of holdfast verify; need %s", r->file, need);
}

static hf_status read_name(const reader *r, const hf_json *value, char type, uint32_t *out) {
    const char *name = hf_json_string(value);
    char found;
    if (!name) {
        return malformed(r, "names of terminals and channels");
    }
    HF_TRY(hf_topology_parse_name(r->s->c->cx, r->s->net.topo, name, strlen(name), &found, out));
    return found == type ? HF_OK : malformed(r, "terminals as source and destination, and channels");
}

static hf_status read_hop(const reader *r, const hf_json *value, hf_hop *out) {
    int64_t vc, tag = 0;
    HF_TRY(read_name(r, hf_json_get(value, "channel"), 'c', &out->channel));
    (void)hf_json_whole(hf_json_get(value, "tag"), &tag);
    if (!hf_json_whole(hf_json_get(value, "vc"), &vc) || vc < 0 || vc >= r->s->plan.n_vc) {
        return malformed(r, "virtual channels of the routing");
    }
    out->vc = (uint32_t)vc;
    out->tag = (uint32_t)tag;
    return HF_OK;
}

static hf_status read_packet(const reader *r, const hf_json *value, hf_blocked *b) {
    hf_context *cx = r->s->c->cx;
    const hf_json *path = hf_json_get(value, "path"), *holds = hf_json_get(value, "holds");
    *b = (hf_blocked){.n_path = (uint32_t)hf_json_count(path), .n_hold = (uint32_t)hf_json_count(holds)};
    HF_TRY(read_name(r, hf_json_get(value, "source"), 't', &b->source));
    HF_TRY(read_name(r, hf_json_get(value, "destination"), 't', &b->destination));
    HF_TRY(hf_scratch(cx, b->n_path, sizeof *b->path, (void **)&b->path));
    HF_TRY(hf_scratch(cx, b->n_hold, sizeof *b->hold, (void **)&b->hold));
    for (uint32_t i = 0; i < b->n_path; i++) {
        HF_TRY(read_hop(r, hf_json_at(path, i), &b->path[i]));
    }
    for (uint32_t i = 0; i < b->n_hold; i++) {
        hf_hop hop;
        HF_TRY(read_hop(r, hf_json_at(holds, i), &hop));
        b->hold[i] = hop.channel * r->s->plan.n_vc + hop.vc;
    }
    const uint32_t n_terminal = r->s->net.topo->n_terminal;
    return b->source < n_terminal && b->destination < n_terminal ? HF_OK : malformed(r, "terminals of the topology");
}

static hf_status read_switching(const reader *r) {
    const char *name = hf_json_string(hf_json_get(r->spec, "switching"));
    for (int s = HF_SWITCHING_WORMHOLE; name && s <= HF_SWITCHING_SAF; s++) {
        if (strcmp(name, hf_switching_name((hf_switching)s)) == 0) {
            r->s->s.kernel.switching = (hf_switching)s;
            return HF_OK;
        }
    }
    return malformed(r, "switching wormhole, vct or saf");
}

static hf_status make_plan(const reader *r) {
    simulate *s = r->s;
    hf_context *cx = s->c->cx;
    const char *topology = hf_json_string(hf_json_get(r->spec, "topology")),
               *routing = hf_json_string(hf_json_get(r->spec, "routing")),
               *failed = hf_json_string(hf_json_get(r->spec, "failed")),
               *universe = hf_json_string(hf_json_get(r->spec, "universe")),
               *verdict = hf_json_string(hf_json_get(r->certificate, "verdict"));
    if (!topology || !routing || !verdict || strcmp(verdict, hf_deadlock_answer_name(HF_DEADLOCK_FOUND)) != 0) {
        return malformed(r, "topology, routing and the verdict \"deadlock\"");
    }
    HF_TRY(cli_network_open(s->c, topology, routing, universe, NULL, &s->net));
    HF_TRY(hf_fault_set_parse(cx, s->net.topo, s->net.universe, failed ? failed : "", &s->faults));
    HF_TRY(hf_plan_make(cx, &s->net.rule, &s->faults, &s->plan));
    return read_switching(r);
}

static hf_status replay(const reader *r, simulate_replay *out) {
    simulate *s = r->s;
    hf_context *cx = s->c->cx;
    const hf_json *list = hf_json_get(r->certificate, "blocked");
    hf_kernel *k;
    hf_blocked *blocked, *found;
    HF_TRY(make_plan(r));
    *out = (simulate_replay){.packets = (uint32_t)hf_json_count(list), .cycles = s->s.window};
    if (out->packets == 0) {
        return malformed(r, "packets that wait for each other");
    }
    HF_TRY(hf_scratch(cx, out->packets, sizeof *blocked, (void **)&blocked));
    for (uint32_t i = 0; i < out->packets; i++) {
        HF_TRY(read_packet(r, hf_json_at(list, i), &blocked[i]));
    }
    HF_TRY(hf_kernel_new(cx, &s->plan, &s->s.kernel, &k));
    HF_TRY(hf_kernel_place(k, blocked, out->packets));
    HF_TRY(hf_kernel_run(k, out->cycles));
    out->flit_hops = hf_kernel_read(k)->flit_hops;
    return hf_kernel_deadlock(k, &found, &out->blocked);
}

hf_status simulate_read_and_replay(simulate *s, simulate_replay *out) {
    hf_context *cx = s->c->cx;
    reader r = {.s = s, .file = cli_value(s->c, "replay")};
    hf_json *root = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_text_load(cx, r.file, FILE_LIMIT, &text);
    status = status == HF_OK ? hf_json_parse(cx, r.file, text.data ? text.data : "", text.size, &root) : status;
    r.spec = hf_json_get(root, "spec");
    r.certificate = hf_json_get(root, "certificate");
    status = status == HF_OK ? replay(&r, out) : status;
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}
