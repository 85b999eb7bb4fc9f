/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holdfast simulate prints and writes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/analysis/deadlock/certificate.h"
#include "src/cli/simulate.h"

/* ---- tables ---- */

static const char *state_of(const hf_point *p) {
    const bool is_steady = p->is_saturated ? hf_batch_is_steady(p->accepted) : p->is_steady;
    return p->n_blocked                    ? "deadlock"
           : p->is_saturated && !is_steady ? "saturated, not steady"
           : p->is_saturated               ? "saturated"
           : is_steady                     ? "steady"
                                           : "not steady";
}

static hf_status number_cell(hf_context *cx, cli_table *t, double value, int digits) {
    return isnan(value) ? cli_table_cell(cx, t, "-") : cli_table_cell(cx, t, "%.*f", digits, value);
}

static hf_status mean_cells(hf_context *cx, cli_table *t, hf_batch_mean m, int digits) {
    HF_TRY(number_cell(cx, t, m.mean, digits));
    return number_cell(cx, t, m.half, digits);
}

static hf_status table_row(hf_context *cx, cli_table *t, const hf_point *p) {
    HF_TRY(cli_table_cell(cx, t, "%.6g", p->load));
    HF_TRY(number_cell(cx, t, p->offered, 4));
    HF_TRY(mean_cells(cx, t, p->accepted, 4));
    HF_TRY(mean_cells(cx, t, p->latency, 2));
    HF_TRY(mean_cells(cx, t, p->network_latency, 2));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, p->packets));
    return cli_table_cell(cx, t, "%s", state_of(p));
}

static hf_status make_table(const simulate *s, cli_table *t, const char *const *header) {
    static const bool is_number[] = {true, true, true, true, true, true, true, true, true, false};
    HF_TRY(cli_table_start(s->c->cx, t, header, is_number, sizeof is_number / sizeof *is_number, s->n_point));
    for (uint32_t i = 0; i < s->n_point; i++) {
        HF_TRY(table_row(s->c->cx, t, &s->point[i]));
    }
    return HF_OK;
}

enum { BLOCKED_SHOWN = 16 };

void simulate_print_blocked(const simulate *s, const hf_blocked *blocked, uint32_t n, hf_text *out) {
    for (uint32_t i = 0; i < n && i < BLOCKED_SHOWN; i++) {
        const hf_blocked *b = &blocked[i];
        char name[96];
        hf_resource_name(s->net.topo, s->plan.n_vc, b->hold[b->n_hold - 1], name, sizeof name);
        hf_text_print(out, "  to t%" PRIu32 " in %s", b->destination, name);
        for (uint32_t w = 0; w < b->n_wait; w++) {
            hf_resource_name(s->net.topo, s->plan.n_vc, b->wait[w], name, sizeof name);
            hf_text_print(out, "%s%s", w ? ", " : " waits for ", name);
        }
        hf_text_print(out, "\n");
    }
    if (n > BLOCKED_SHOWN) {
        hf_text_print(out, "  and %" PRIu32 " more; --json and --certificate have all\n", n - BLOCKED_SHOWN);
    }
}

static void print_deadlock(const simulate *s, const hf_point *p, hf_text *out) {
    hf_text_print(out, "\nload %.6g: %" PRIu32 " packets wait for each other for ever, found in cycle %" PRIu64 "\n", p->load,
                  p->n_blocked, p->deadlock_cycle);
    simulate_print_blocked(s, p->blocked, p->n_blocked, out);
}

static void print_saturation(const simulate *s, hf_text *out) {
    if (s->best == HF_NONE) {
        hf_text_print(out, "\nsaturated at every load\n");
    } else {
        const hf_point *p = &s->point[s->best];
        hf_text_print(out, "\nsaturation: %.4f flits/cycle/terminal accepted at load %.6g\n", p->accepted.mean, p->load);
    }
}

/* Packets that did not come through, where the plan has no way for them. */
static void print_lost(const simulate *s, hf_text *out) {
    const char *begin = "\n";
    for (uint32_t i = 0; i < s->n_point; i++) {
        const hf_point *p = &s->point[i];
        if (p->lost + p->refused > 0) {
            hf_text_print(out, "%sload %.6g: %" PRIu64 " packets were refused at their source, %" PRIu64 " lost on their way\n",
                          begin, p->load, p->refused, p->lost);
            begin = "";
        }
    }
}

/* The first deadlock, below all figures. */
static void print_first_deadlock(const simulate *s, hf_text *out) {
    for (uint32_t i = 0; i < s->n_point; i++) {
        if (s->point[i].n_blocked) {
            print_deadlock(s, &s->point[i], out);
            return;
        }
    }
}

static void print_options(const simulate *s, hf_text *out) {
    const hf_kernel_options *o = &s->s.kernel;
    hf_text_print(out, "\n%s, ", hf_kernel_switching_name(o));
    if (o->contention == HF_CONTENTION_WAIT) {
        hf_text_print(out, "%s, packets of %" PRIu32 " flit%s, buffers of %" PRIu32 " flit%s", o->bubble ? "bubble" : "credit",
                      o->packet_length, hf_plural(o->packet_length), o->buffer, hf_plural(o->buffer));
        if (o->output_queue) {
            hf_text_print(out, ", output queues of %" PRIu32 " flit%s, speed-up %" PRIu32, o->output_queue,
                          hf_plural(o->output_queue), o->speedup);
        }
        hf_text_print(out, "%s", o->transit_first ? ", transit first" : "");
        if (o->injection_room > 1) {
            hf_text_print(out, ", injection where %" PRIu32 " packets fit", o->injection_room);
        }
        hf_text_print(out, "\n");
        const char *remark = hf_rings_remark(&s->plan, o->bubble);
        hf_text_print(out, remark ? "remark: %s %s\n\n" : "\n", s->plan.routing->name, remark);
    } else {
        hf_text_print(out, "packets of %" PRIu32 " flit%s, %s backoff of %" PRIu32 " cycle%s, %" PRIu32 " outstanding\n\n",
                      o->packet_length, hf_plural(o->packet_length), hf_backoff_name(o->backoff), o->backoff_cycles,
                      hf_plural(o->backoff_cycles), o->outstanding);
    }
}

void simulate_print_work(const simulate *s, const char *work, hf_text *out) {
    hf_text_print(out, "%s, %s, %s", s->net.topo->spec, s->net.rule.spec, work);
    print_options(s, out);
}

void simulate_print_head(const simulate *s, hf_text *out) {
    hf_text_print(out, "%s, %s, traffic %s", s->net.topo->spec, s->net.rule.spec, s->traffic->spec);
    if (s->s.burst.length > 0) {
        hf_text_print(out, ", bursts of %g cycles with %g flits/cycle%s", s->s.burst.length, s->s.burst.peak,
                      s->s.burst.together ? ", of all together" : "");
    }
    print_options(s, out);
}

hf_status simulate_print_text(const simulate *s) {
    static const char *const header[] = {"load",   "offered",         "accepted", "95% +-",  "latency",
                                         "95% +-", "network latency", "95% +-",   "packets", "state"};
    cli_table t;
    hf_text out;
    HF_TRY(make_table(s, &t, header));
    hf_text_init(s->c->cx, &out);
    simulate_print_head(s, &out);
    hf_status status = hf_table_text(s->c->cx, &t.table, &out);
    if (cli_has(s->c, "saturation")) {
        print_saturation(s, &out);
    }
    print_lost(s, &out);
    if (status == HF_OK && cli_has(s->c, "sweep")) {
        status = simulate_plot_text(s, &out);
    }
    if (cli_has(s->c, "histogram")) {
        simulate_print_histograms(s, &out);
    }
    print_first_deadlock(s, &out);
    status = status == HF_OK ? cli_put(s->c, &out) : status;
    hf_text_free(&out);
    return status;
}

hf_status simulate_print_csv(const simulate *s) {
    static const char *const header[] = {"load",    "offered",      "accepted",        "accepted_half",
                                         "latency", "latency_half", "network_latency", "network_latency_half",
                                         "packets", "state"};
    cli_table t;
    hf_text out;
    HF_TRY(make_table(s, &t, header));
    hf_text_init(s->c->cx, &out);
    hf_status status = hf_table_csv(s->c->cx, &t.table, &out);
    status = status == HF_OK ? cli_put(s->c, &out) : status;
    hf_text_free(&out);
    return status;
}

/* ---- JSON ---- */

void simulate_set_decimal(hf_json *object, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    hf_json_set(object, key, hf_json_text(text));
}

static hf_json *json_delays(const hf_kernel_options *o) {
    hf_json *d = hf_json_object();
    hf_json_set(d, "routing", hf_json_integer(o->routing_delay));
    hf_json_set(d, "crossbar", hf_json_integer(o->crossbar_delay));
    hf_json_set(d, "link", hf_json_integer(o->link_delay));
    hf_json_set(d, "terminal_link", hf_json_integer(o->fly_delay));
    hf_json_set(d, "exit", hf_json_integer(o->exit_delay ? o->exit_delay : o->fly_delay));
    hf_json_set(d, "credit", hf_json_integer(o->credit_delay));
    return d;
}

static hf_json *json_burst(hf_burst burst) {
    if (burst.length == 0) {
        return hf_json_null();
    }
    hf_json *b = hf_json_object();
    hf_json_set(b, "cycles", hf_json_real(burst.length));
    hf_json_set(b, "peak", hf_json_real(burst.peak));
    hf_json_set(b, "together", hf_json_boolean(burst.together));
    return b;
}

hf_json *simulate_json_spec(const simulate *s) {
    const hf_kernel_options *o = &s->s.kernel;
    const char *failed = cli_value(s->c, "failed");
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(s->net.topo->spec));
    hf_json_set(spec, "routing", hf_json_text(s->net.rule.spec));
    hf_json_set(spec, "traffic", s->traffic ? hf_json_text(s->traffic->spec) : hf_json_null());
    hf_json_set(spec, "burst", json_burst(s->s.burst));
    hf_json_set(spec, "failed", failed ? hf_json_text(failed) : hf_json_null());
    hf_json_set(spec, "switching", hf_json_text(hf_kernel_switching_name(o)));
    hf_json_set(spec, "backoff", hf_json_text(hf_backoff_name(o->backoff)));
    hf_json_set(spec, "outstanding", hf_json_integer(o->outstanding));
    hf_json_set(spec, "backoff_cycles", hf_json_integer(o->backoff_cycles));
    hf_json_set(spec, "flow", hf_json_text(o->bubble ? "bubble" : "credit"));
    hf_json_set(spec, "router", hf_json_text(cli_value_or(s->c, "router", "usual")));
    hf_json_set(spec, "packet_length", hf_json_integer(o->packet_length));
    hf_json_set(spec, "buffer", hf_json_integer(o->buffer));
    hf_json_set(spec, "output_queue", hf_json_integer(o->output_queue));
    hf_json_set(spec, "speedup", hf_json_integer(o->speedup));
    hf_json_set(spec, "transit_priority", hf_json_boolean(o->transit_first));
    hf_json_set(spec, "injection_room", hf_json_integer(o->injection_room));
    hf_json_set(spec, "reuse", hf_json_text(o->reuse_early ? "tail" : "empty"));
    hf_json_set(spec, "reorder", hf_json_integer(o->reorder));
    hf_json_set(spec, "selection", hf_json_text(hf_selection_name(o->selection)));
    hf_json_set(spec, "choose", hf_json_text(o->choose_once ? "once" : "always"));
    hf_json_set(spec, "routing_unit", hf_json_text(o->one_routing_unit ? "switch" : "buffer"));
    hf_json_set(spec, "delays", json_delays(o));
    simulate_set_decimal(spec, "seed", s->s.seed);
    hf_json_set(spec, "window", hf_json_integer((int64_t)s->s.window));
    hf_json_set(spec, "batches", hf_json_integer(s->s.batches));
    hf_json_set(spec, "warm_up_most", hf_json_integer(s->s.warm_up_most));
    return spec;
}

static void set_mean(hf_json *o, const char *key, hf_batch_mean m) {
    char half[40], steady[40];
    snprintf(half, sizeof half, "%s_half", key);
    snprintf(steady, sizeof steady, "%s_steady", key);
    hf_json_set(o, key, hf_json_real(m.mean));
    hf_json_set(o, half, hf_json_real(m.half));
    hf_json_set(o, steady, hf_json_boolean(hf_batch_is_steady(m)));
}

hf_json *simulate_json_histogram(const uint64_t *histogram) {
    hf_json *list = hf_json_array();
    for (unsigned i = 0; i < 65; i++) {
        if (histogram[i]) {
            hf_json *bin = hf_json_object();
            simulate_set_decimal(bin, "from", i ? UINT64_C(1) << (i - 1) : 0);
            simulate_set_decimal(bin, "packets", histogram[i]);
            hf_json_push(list, bin);
        }
    }
    return list;
}

static hf_json *json_deadlock(const simulate *s, const hf_point *p) {
    if (p->n_blocked == 0) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    simulate_set_decimal(o, "cycle", p->deadlock_cycle);
    hf_json_set(o, "blocked", hf_blocked_json(s->net.topo, s->plan.n_vc, p->blocked, p->n_blocked));
    return o;
}

static hf_json *json_point(const simulate *s, const hf_point *p) {
    hf_json *o = hf_json_object();
    hf_json_set(o, "load", hf_json_real(p->load));
    hf_json_set(o, "offered", hf_json_real(p->offered));
    set_mean(o, "accepted", p->accepted);
    set_mean(o, "latency", p->latency);
    set_mean(o, "network_latency", p->network_latency);
    simulate_set_decimal(o, "network_latency_max", p->network_latency_max);
    hf_json_set(o, "steady", hf_json_boolean(p->is_steady));
    hf_json_set(o, "saturated", hf_json_boolean(p->is_saturated));
    simulate_set_decimal(o, "warm_up_cycles", p->warm_up);
    simulate_set_decimal(o, "cycles", p->cycles);
    simulate_set_decimal(o, "packets", p->packets);
    simulate_set_decimal(o, "lost", p->lost);
    simulate_set_decimal(o, "refused", p->refused);
    simulate_set_decimal(o, "reordered", p->reordered);
    simulate_set_decimal(o, "retries", p->retries);
    simulate_set_decimal(o, "flit_hops", p->flit_hops);
    hf_json_set(o, "latency_histogram", simulate_json_histogram(p->histogram));
    hf_json_set(o, "deadlock", json_deadlock(s, p));
    return o;
}

hf_status simulate_print_json(const simulate *s) {
    hf_json *root = cli_json(s->c), *rows = hf_json_array();
    hf_json_set(root, "spec", simulate_json_spec(s));
    for (uint32_t i = 0; i < s->n_point; i++) {
        hf_json *row = json_point(s, &s->point[i]);
        if (cli_has(s->c, "saturation")) {
            hf_json_set(row, "best", hf_json_boolean(i == s->best));
        }
        hf_json_push(rows, row);
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(s->c, root);
}

/* ---- nothing to simulate ---- */

hf_status simulate_print_uncovered(const simulate *s) {
    static const char why[] = "not covered: the routing keeps no terminal in service under these faults, so nothing is simulated";
    if (cli_has(s->c, "json")) {
        hf_json *root = cli_json(s->c);
        hf_json_set(root, "spec", simulate_json_spec(s));
        hf_json_set(root, "not_covered", hf_json_boolean(true));
        hf_json_set(root, "rows", hf_json_array());
        return cli_put_json(s->c, root);
    }
    hf_text out;
    hf_text_init(s->c->cx, &out);
    hf_text_print(&out, "%s, %s, failed: %s\n%s\n", s->net.topo->spec, s->net.rule.spec, cli_value_or(s->c, "failed", ""), why);
    const hf_status status = cli_put(s->c, &out);
    hf_text_free(&out);
    return status;
}

/* ---- the deadlock ---- */

hf_status simulate_save_blocked(const simulate *s, const hf_blocked *blocked, uint32_t n, const hf_fault_set *faults,
                                const char *path) {
    const hf_kernel_options *o = &s->s.kernel;
    const hf_deadlock found = {.answer = HF_DEADLOCK_FOUND,
                               .method = HF_METHOD_NONE,
                               .n_vc = s->plan.n_vc,
                               .n_blocked = n,
                               .blocked = (hf_blocked *)blocked};
    const hf_claim claim = {.command = s->c->command->name,
                            .faults = faults,
                            .topology = s->net.topo->spec,
                            .routing = s->net.rule.spec,
                            .topo = s->net.topo,
                            .switching = o->switching,
                            .bubble = o->bubble,
                            .choose_once = o->choose_once,
                            .timing = HF_TIMING_ANY,
                            .method = hf_method_simulation,
                            .found = &found};
    return cli_save_claim(s->c, &claim, path);
}

hf_status simulate_write_certificate(const simulate *s, const char *path) {
    const hf_point *p = NULL;
    for (uint32_t i = 0; i < s->n_point && !p; i++) {
        p = s->point[i].n_blocked ? &s->point[i] : NULL;
    }
    return p ? simulate_save_blocked(s, p->blocked, p->n_blocked, &s->faults, path) : HF_OK;
}

/* ---- the replay ---- */

static hf_status print_replay_json(const simulate *s, const simulate_replay *r) {
    hf_json *root = cli_json(s->c), *rows = hf_json_array(), *row = hf_json_object();
    hf_json_set(root, "spec", simulate_json_spec(s));
    hf_json_set(row, "packets", hf_json_integer(r->packets));
    simulate_set_decimal(row, "cycles", r->cycles);
    simulate_set_decimal(row, "flit_hops", r->flit_hops);
    hf_json_set(row, "blocked", hf_json_integer(r->blocked));
    hf_json_set(row, "moved", hf_json_boolean(r->flit_hops > 0));
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(s->c, root);
}

hf_status simulate_print_replay(const simulate *s, const simulate_replay *r) {
    if (cli_has(s->c, "json")) {
        return print_replay_json(s, r);
    }
    hf_text out;
    hf_text_init(s->c->cx, &out);
    hf_text_print(&out, "%s, %s, %s\n%" PRIu32 " packet%s put in place, %" PRIu64 " cycle%s: ", s->net.topo->spec,
                  s->net.rule.spec, hf_switching_name(s->s.kernel.switching), r->packets, hf_plural(r->packets), r->cycles,
                  hf_plural(r->cycles));
    if (r->flit_hops == 0) {
        hf_text_print(&out, "no flit moved\n");
    } else {
        hf_text_print(&out, "%" PRIu64 " flit%s moved\n", r->flit_hops, hf_plural(r->flit_hops));
    }
    const hf_status status = cli_put(s->c, &out);
    hf_text_free(&out);
    return status;
}
