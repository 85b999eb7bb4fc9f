/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holdfast verify prints, writes and draws. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/deadlock/blocked.h"
#include "src/cli/campaign.h"
#include "src/cli/verify.h"

const char *verify_verdict(const verify_row *row) {
    hf_deadlock_answer answer = row->deadlock ? row->deadlock->answer : HF_DEADLOCK_FREE;
    if (row->campaign) {
        const uint64_t *sets = row->campaign->tally.outcome;
        answer = sets[HF_OUTCOME_DEADLOCK]                                    ? HF_DEADLOCK_FOUND
                 : sets[HF_OUTCOME_UNKNOWN] + sets[HF_OUTCOME_TIME_LIMIT] > 0 ? HF_DEADLOCK_UNKNOWN
                                                                              : HF_DEADLOCK_FREE;
    }
    return hf_deadlock_answer_name(answer);
}

bool verify_connected(const verify_row *row) {
    return row->campaign ? row->campaign->tally.outcome[HF_OUTCOME_DISCONNECTED] == 0 : row->deadlock->is_connected;
}

uint64_t verify_counts(const verify_row *row, uint64_t *sets) {
    memset(sets, 0, HF_OUTCOME_COUNT * sizeof *sets);
    if (row->campaign) {
        memcpy(sets, row->campaign->tally.outcome, HF_OUTCOME_COUNT * sizeof *sets);
        return row->campaign->tally.sets;
    }
    sets[hf_plan_is_empty(row->plan) ? HF_OUTCOME_NOT_COVERED : hf_deadlock_outcome(row->deadlock)] = 1;
    return 1;
}

static const char *method_of(const verify_row *row) {
    return row->deadlock ? hf_deadlock_method_name(row->deadlock->method) : "all fault sets";
}

/* ---- text ---- */

static hf_status print_conditions(const verify *v, const verify_row *row, hf_text *out) {
    hf_condition condition[HF_CONDITIONS];
    if (row->deadlock->method != HF_METHOD_BUBBLE_ESCAPE) {
        return HF_OK;
    }
    HF_TRY(hf_deadlock_conditions(v->c->cx, row->plan, condition));
    for (size_t i = 0; i < HF_CONDITIONS; i++) {
        hf_text_print(out, "  (%zu) %s\n", i + 1, condition[i].text);
    }
    return HF_OK;
}

static void print_resources(const verify *v, uint32_t n_vc, const uint32_t *resource, uint32_t count, hf_text *out) {
    for (uint32_t i = 0; i < count; i++) {
        char name[96];
        hf_resource_name(v->net.topo, n_vc, resource[i], name, sizeof name);
        hf_text_print(out, "%s%s", i ? ", " : "", name);
    }
}

static void print_deadlock(const verify *v, const hf_deadlock *d, hf_text *out) {
    if (d->n_blocked == 0) {
        return;
    }
    hf_text_print(out, "the deadlock: %" PRIu32 " packet%s, %s\n", d->n_blocked, hf_plural(d->n_blocked),
                  d->is_smallest ? "no deadlock holds fewer channels" : "not proved to be the smallest");
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        const hf_blocked *b = &d->blocked[i];
        hf_text_print(out, "  t%" PRIu32 " to t%" PRIu32 " holds ", b->source, b->destination);
        print_resources(v, d->n_vc, b->hold, b->n_hold, out);
        hf_text_print(out, " and waits for ");
        print_resources(v, d->n_vc, b->wait, b->n_wait, out);
        hf_text_print(out, "\n");
    }
}

static void print_reason(const hf_plan *plan, const hf_deadlock *d, hf_text *out) {
    if (hf_plan_is_empty(plan)) {
        hf_text_print(out, "not covered: the routing keeps no terminal in service under these faults\n");
        return;
    }
    hf_text_print(out, "%s: %s", hf_deadlock_answer_name(d->answer), hf_deadlock_method_name(d->method));
    if (d->escape.is_declared) {
        hf_text_print(out, ", declared by the routing");
    } else if (d->method == HF_METHOD_ESCAPE) {
        hf_text_print(out, " on virtual channels");
        for (uint32_t vc = 0; vc < 64; vc++) {
            if (d->escape.vcs >> vc & 1) {
                hf_text_print(out, " %" PRIu32, vc);
            }
        }
    }
    hf_text_print(out, "\n%" PRIu64 " of %" PRIu32 " virtual channels in use, %" PRIu64 " dependencies\n", d->n_used,
                  d->n_resource, d->n_dependency);
    if (d->is_connected) {
        hf_text_print(out, "connected: every packet can arrive\n");
    } else if (d->lost_source != HF_NONE) {
        hf_text_print(out, "not connected: t%" PRIu32 " cannot send to t%" PRIu32 "\n", d->lost_source, d->lost_destination);
    } else {
        hf_text_print(out, "not connected: packets for t%" PRIu32 " can get where they cannot go on from\n", d->lost_destination);
    }
}

/* What is proposed, one line, and the list. */
static void print_proposal(const verify *v, const verify_row *row, const hf_repair *r, hf_text *out) {
    const char *what = r->by_turns ? "turns" : "dependencies";
    if (r->is_impossible) {
        hf_text_print(out, "forbidding %s cannot help: a cycle is left, a pair is cut off or a packet gets stuck\n", what);
    } else if (!r->is_found) {
        hf_text_print(out, "none found in time; at least %" PRIu32 " %s\n", r->lower_bound, what);
    } else {
        hf_text_print(out, "forbid %" PRIu32 " %s, ", r->n_forbidden, what);
        hf_text_print(out, r->is_fewest ? "the fewest that do" : "at least %" PRIu32 " are needed", r->lower_bound);
        hf_text_print(out, "; no cycle is left, no packet gets stuck, all pairs stay connected\n");
    }
    for (uint32_t i = 0; i < r->n_forbidden; i++) {
        const uint32_t pair[] = {r->from[i], r->to[i]};
        hf_text_print(out, r->by_turns ? "  all turns such as " : "  ");
        for (size_t k = 0; k < 2; k++) {
            char name[96];
            hf_resource_name(v->net.topo, row->deadlock->n_vc, pair[k], name, sizeof name);
            hf_text_print(out, "%s%s", k ? " to " : "", name);
        }
        hf_text_print(out, "\n");
    }
}

static void print_repair(const verify *v, const verify_row *row, hf_text *out) {
    const hf_repair *r = row->repair;
    hf_text_print(out, "repair: ");
    print_proposal(v, row, r, out);
    if (r->ahead) {
        hf_text_print(out, "repair, packets look ahead: ");
        print_proposal(v, row, r->ahead, out);
    }
    if (r->ahead && r->ahead->is_found) {
        hf_text_print(out, "  and %" PRIu32 " hops are withheld from packets to whose destination no way is left behind them\n",
                      r->ahead->n_withheld);
    }
}

static void print_layers(const hf_layers *l, hf_text *out) {
    hf_text_print(out, "layers: %" PRIu64 " path%s, at least %" PRIu32 " virtual channel%s, ", l->n_path, hf_plural(l->n_path),
                  l->lower, hf_plural(l->lower));
    if (l->upper == HF_NONE) {
        hf_text_print(out, "more than 64 with the paths taken longest first\n");
    } else {
        hf_text_print(out, "%" PRIu32 " do\n", l->upper);
    }
}

/* Columns that only some answers need: rules that may refuse a fault set; sets of that class. */
static bool has_uncovered(const verify *v) { return v->net.rule.routing->claim != NULL; }

static bool has_class(const verify *v, size_t class) {
    for (size_t i = 0; i < v->n_row; i++) {
        if (v->row[i].campaign->tally.outcome[class]) {
            return true;
        }
    }
    return false;
}

static hf_status set_cell(const verify *v, cli_table *t, uint32_t f, bool has, const uint32_t *set) {
    hf_text names;
    hf_text_init(v->c->cx, &names);
    for (uint32_t i = 0; i < f && has; i++) {
        char name[80];
        hf_universe_name(v->net.universe, set[i], name, sizeof name);
        hf_text_print(&names, "%s%s", i ? " " : "", name);
    }
    const hf_status status = cli_table_cell(v->c->cx, t, "%s", has && names.data ? names.data : "-");
    hf_text_free(&names);
    return status;
}

static hf_status row_cells(const verify *v, cli_table *t, const verify_row *row) {
    hf_context *cx = v->c->cx;
    const hf_tally *tally = &row->campaign->tally;
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, row->f));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->sets));
    for (size_t i = 0; i < HF_OUTCOME_NOT_COVERED; i++) {
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->outcome[i]));
    }
    if (has_class(v, HF_OUTCOME_TIME_LIMIT)) {
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->outcome[HF_OUTCOME_TIME_LIMIT]));
    }
    if (has_uncovered(v)) {
        HF_TRY(cli_table_cell(cx, t, "%" PRIu64, tally->outcome[HF_OUTCOME_NOT_COVERED]));
    }
    HF_TRY(cli_table_cell(cx, t, "%s", row->campaign->is_exact ? "exact" : "sampled"));
    HF_TRY(set_cell(v, t, row->f, tally->has_witness, tally->witness));
    return has_class(v, HF_OUTCOME_DISCONNECTED) ? set_cell(v, t, row->f, tally->has_noted, tally->noted) : HF_OK;
}

/* What the source of the rule claims, over the covered sets of all rows. */
static void print_claim(const verify *v, hf_text *out) {
    uint64_t covered = 0, good = 0, unknown = 0;
    bool is_exact = true;
    for (size_t i = 0; i < v->n_row; i++) {
        const hf_row *row = v->row[i].campaign;
        covered += row->tally.sets - row->tally.outcome[HF_OUTCOME_NOT_COVERED];
        good += row->tally.outcome[HF_OUTCOME_FREE];
        unknown += row->tally.outcome[HF_OUTCOME_UNKNOWN] + row->tally.outcome[HF_OUTCOME_TIME_LIMIT];
        is_exact &= row->is_exact;
    }
    if (!v->net.rule.routing->claim) {
        return;
    }
    hf_text_print(out, "\n%s: ", v->net.rule.routing->claim);
    if (good + unknown < covered) {
        hf_text_print(out, "refuted by %" PRIu64 " of the %" PRIu64 " covered sets\n", covered - good - unknown, covered);
    } else if (unknown) {
        hf_text_print(out, "not decided for %" PRIu64 " of the %" PRIu64 " covered sets\n", unknown, covered);
    } else {
        hf_text_print(out, "%s for all %" PRIu64 " covered sets\n", is_exact ? "proved" : "holds in the sample,", covered);
    }
}

static hf_status print_rows(const verify *v, hf_text *out) {
    const struct {
        const char *name;
        bool is_shown, is_number;
    } column[] = {{"f", true, true},
                  {"sets", true, true},
                  {"deadlock-free", true, true},
                  {"deadlock", true, true},
                  {"disconnected", true, true},
                  {"unknown", true, true},
                  {"time limit", has_class(v, HF_OUTCOME_TIME_LIMIT), true},
                  {"not covered", has_uncovered(v), true},
                  {"figures", true, false},
                  {"lowest set with a deadlock", true, false},
                  {"lowest disconnected set", has_class(v, HF_OUTCOME_DISCONNECTED), false}};
    const char *header[sizeof column / sizeof *column];
    bool number[sizeof column / sizeof *column];
    size_t n = 0;
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        if (column[i].is_shown) {
            header[n] = column[i].name;
            number[n++] = column[i].is_number;
        }
    }
    cli_table t;
    HF_TRY(cli_table_start(v->c->cx, &t, header, number, n, v->n_row));
    for (size_t i = 0; i < v->n_row; i++) {
        HF_TRY(row_cells(v, &t, &v->row[i]));
    }
    HF_TRY(hf_table_text(v->c->cx, &t.table, out));
    print_claim(v, out);
    for (size_t i = 0; i < v->n_row; i++) {
        if (v->row[i].deadlock && v->row[i].deadlock->n_blocked) {
            hf_text_print(out, "\nf=%" PRIu32 ", ", v->row[i].f);
            print_deadlock(v, v->row[i].deadlock, out);
        }
    }
    return HF_OK;
}

/* What a rule with rings wants, where it is not free of deadlock without. */
static void print_rings(const verify *v, hf_text *out) {
    for (size_t i = 0; i < v->n_row; i++) {
        const hf_deadlock *d = v->row[i].deadlock;
        if (d && d->answer != HF_DEADLOCK_FREE && v->options.timing == HF_TIMING_ANY) {
            cli_put_rings_remark(v->row[i].plan, v->options.bubble, out);
            return;
        }
    }
}

hf_status verify_print_text(const verify *v) {
    hf_text out;
    hf_text_init(v->c->cx, &out);
    hf_text_print(&out, "%s, %s, %s%s%s", v->net.topo->spec, v->net.rule.spec, hf_switching_name(v->options.switching),
                  v->options.bubble ? ", bubble flow control" : "",
                  v->options.timing == HF_TIMING_LOCKSTEP ? ", packets in lockstep" : "");
    hf_status status = HF_OK;
    if (v->is_single) {
        const char *failed = cli_value_or(v->c, "failed", "");
        hf_text_print(&out, "%s%s\n", *failed ? ", failed: " : "", failed);
        print_reason(v->row->plan, v->row->deadlock, &out);
        status = print_conditions(v, v->row, &out);
        verify_print_lockstep(v->row, &out);
        print_deadlock(v, v->row->deadlock, &out);
        if (v->row->repair) {
            print_repair(v, v->row, &out);
        }
        if (v->row->layers) {
            print_layers(v->row->layers, &out);
        }
    } else {
        hf_text_print(&out, ", faults among %" PRIu32 " %s\n\n", v->net.universe->n_component, v->net.universe->spec);
        status = print_rows(v, &out);
    }
    print_rings(v, &out);
    status = status == HF_OK ? cli_put(v->c, &out) : status;
    hf_text_free(&out);
    return status;
}

/* ---- JSON ---- */

/* The channels that are held, in the order of waiting. */
static hf_json *json_cycle(const verify *v, const hf_deadlock *d) {
    if (!d || d->n_blocked == 0) {
        return hf_json_null();
    }
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        for (uint32_t k = 0; k < d->blocked[i].n_hold; k++) {
            hf_json_push(list, hf_resource_json(v->net.topo, d->n_vc, d->blocked[i].hold[k]));
        }
    }
    return list;
}

static void set_counts(hf_json *o, const verify_row *row) {
    uint64_t sets[HF_OUTCOME_COUNT];
    cli_json_decimal(o, "sets", verify_counts(row, sets));
    cli_json_decimal(o, "deadlock_free", sets[HF_OUTCOME_FREE]);
    cli_json_decimal(o, "deadlock", sets[HF_OUTCOME_DEADLOCK]);
    cli_json_decimal(o, "disconnected", sets[HF_OUTCOME_DISCONNECTED]);
    cli_json_decimal(o, "unknown", sets[HF_OUTCOME_UNKNOWN]);
    cli_json_decimal(o, "time_limit", sets[HF_OUTCOME_TIME_LIMIT]);
    cli_json_decimal(o, "not_covered", sets[HF_OUTCOME_NOT_COVERED]);
    hf_json_set(o, "exact", hf_json_boolean(!row->campaign || row->campaign->is_exact));
}

static hf_json *json_set(const verify *v, uint32_t f, bool has, const uint32_t *set) {
    if (!has) {
        return hf_json_null();
    }
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < f; i++) {
        char name[80];
        hf_universe_name(v->net.universe, set[i], name, sizeof name);
        hf_json_push(list, hf_json_text(name));
    }
    return list;
}

static hf_json *json_withheld(const verify *v, const verify_row *row, const hf_repair *r) {
    hf_json *list = hf_json_array();
    for (uint32_t i = 0; i < r->n_withheld; i++) {
        const hf_withheld *w = &r->withheld[i];
        hf_json *o = hf_json_object();
        hf_json_set(o, "from", w->from == HF_NONE ? hf_json_null() : hf_resource_json(v->net.topo, row->deadlock->n_vc, w->from));
        hf_json_set(o, "to", hf_resource_json(v->net.topo, row->deadlock->n_vc, w->to));
        hf_json_set(o, "destination", hf_terminal_json(w->destination));
        hf_json_push(list, o);
    }
    return list;
}

static hf_json *json_proposal(const verify *v, const verify_row *row, const hf_repair *r) {
    hf_json *o = hf_json_object(), *list = hf_json_array();
    hf_json_set(o, "kind", hf_json_text(r->by_turns ? "turns" : "dependencies"));
    hf_json_set(o, "found", hf_json_boolean(r->is_found));
    hf_json_set(o, "fewest", hf_json_boolean(r->is_fewest));
    hf_json_set(o, "impossible", hf_json_boolean(r->is_impossible));
    hf_json_set(o, "lower_bound", hf_json_integer(r->lower_bound));
    for (uint32_t i = 0; i < r->n_forbidden; i++) {
        hf_json *pair = hf_json_object();
        hf_json_set(pair, "from", hf_resource_json(v->net.topo, row->deadlock->n_vc, r->from[i]));
        hf_json_set(pair, "to", hf_resource_json(v->net.topo, row->deadlock->n_vc, r->to[i]));
        hf_json_push(list, pair);
    }
    hf_json_set(o, "forbidden", list);
    hf_json_set(o, "withheld", json_withheld(v, row, r));
    return o;
}

static hf_json *json_repair(const verify *v, const verify_row *row) {
    const hf_repair *r = row->repair;
    if (!r) {
        return hf_json_null();
    }
    hf_json *o = json_proposal(v, row, r);
    hf_json_set(o, "look_ahead", r->ahead ? json_proposal(v, row, r->ahead) : hf_json_null());
    return o;
}

static hf_json *json_layers(const hf_layers *l) {
    if (!l) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    hf_json_set(o, "paths", hf_json_integer((int64_t)l->n_path));
    hf_json_set(o, "lower", hf_json_integer(l->lower));
    hf_json_set(o, "upper", l->upper == HF_NONE ? hf_json_null() : hf_json_integer(l->upper));
    return o;
}

static hf_json *json_row(const verify *v, const verify_row *row) {
    hf_json *o = hf_json_object();
    const hf_deadlock *d = row->deadlock;
    hf_json_set(o, "f", hf_json_integer(row->f));
    hf_json_set(o, "verdict", hf_json_text(verify_verdict(row)));
    hf_json_set(o, "method", hf_json_text(method_of(row)));
    hf_json_set(o, "connected", hf_json_boolean(verify_connected(row)));
    hf_json_set(o, "cycle", json_cycle(v, d));
    set_counts(o, row);
    const hf_tally *tally = row->campaign ? &row->campaign->tally : NULL;
    hf_json_set(o, "witness", json_set(v, row->f, tally && tally->has_witness, tally ? tally->witness : NULL));
    hf_json_set(o, "lowest_disconnected", json_set(v, row->f, tally && tally->has_noted, tally ? tally->noted : NULL));
    hf_json_set(o, "smallest", d && d->n_blocked ? hf_json_boolean(d->is_smallest) : hf_json_null());
    hf_json_set(o, "blocked", d ? hf_blocked_json(v->net.topo, d->n_vc, d->blocked, d->n_blocked) : hf_json_array());
    if (d && !row->campaign) {
        hf_json_set(o, "lockstep", verify_json_lockstep(row));
        hf_json_set(o, "repair", json_repair(v, row));
        hf_json_set(o, "layers", json_layers(row->layers));
        hf_json_set(o, "virtual_channels", hf_json_integer(d->n_resource));
        hf_json_set(o, "used", hf_json_integer((int64_t)d->n_used));
        hf_json_set(o, "dependencies", hf_json_integer((int64_t)d->n_dependency));
    }
    return o;
}

static hf_json *json_spec(const verify *v) {
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "topology", hf_json_text(v->net.topo->spec));
    hf_json_set(spec, "routing", hf_json_text(v->net.rule.spec));
    hf_json_set(spec, "switching", hf_json_text(hf_switching_name(v->options.switching)));
    hf_json_set(spec, "timing", hf_json_text(hf_timing_name(v->options.timing)));
    hf_json_set(spec, "flow", hf_json_text(v->options.bubble ? "bubble" : "credit"));
    hf_json_set(spec, "universe", v->net.universe ? hf_json_text(v->net.universe->spec) : hf_json_null());
    hf_json_set(spec, "failed", cli_has(v->c, "failed") ? hf_json_text(cli_value(v->c, "failed")) : hf_json_null());
    hf_json_set(spec, "method", hf_json_text(hf_method_name(v->campaign.method)));
    hf_json_set(spec, "samples",
                v->campaign.method == HF_METHOD_SAMPLED ? hf_json_integer((int64_t)v->campaign.samples) : hf_json_null());
    cli_json_decimal(spec, "seed", v->campaign.seed);
    hf_json_set(spec, "part", cli_has(v->c, "part") ? hf_json_text(cli_value(v->c, "part")) : hf_json_null());
    return spec;
}

hf_status verify_print_json(const verify *v) {
    hf_json *root = cli_json(v->c), *rows = hf_json_array();
    hf_json_set(root, "spec", json_spec(v));
    for (size_t i = 0; i < v->n_row; i++) {
        hf_json_push(rows, json_row(v, &v->row[i]));
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(v->c, root);
}

/* ---- drawing ---- */

hf_status verify_draw(const verify *v, const verify_row *row, const char *path) {
    hf_context *cx = v->c->cx;
    const hf_deadlock *d = row->deadlock;
    uint64_t *held;
    char *title;
    HF_TRY(hf_scratch(cx, hf_words(v->net.topo->n_channel), sizeof *held, (void **)&held));
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        for (uint32_t k = 0; k < d->blocked[i].n_hold; k++) {
            hf_bit_set(held, d->blocked[i].hold[k] / d->n_vc);
        }
    }
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s: %s", v->net.topo->spec, v->net.rule.spec, hf_deadlock_answer_name(d->answer)));
    const hf_marks marks = {.faults = row->faults, .title = title, .held = held};
    return cli_save_svg(v->c, v->net.topo, &marks, path);
}
