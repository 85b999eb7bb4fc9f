/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holdfast reliability prints and draws. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/cli/reliability.h"

static const char *topology_of(const reliability *r) { return r->net.topo ? r->net.topo->spec : r->tally.topology; }
static const char *routing_of(const reliability *r) { return r->net.topo ? r->net.rule.spec : r->tally.routing; }
static const char *universe_of(const reliability *r) { return r->net.universe ? r->net.universe->spec : r->tally.universe; }
static const char *criterion_of(const reliability *r) { return r->net.topo ? r->criterion.spec : r->tally.criterion; }

/* 1 - x, ends turned round. */
static hf_bounded complement(hf_bounded x) { return (hf_bounded){1 - x.high, 1 - x.value, 1 - x.low}; }
bool reliability_is_one(const hf_bounded *b) {
    return isinf(b->low) || (isfinite(b->high) && b->high - b->low <= 1e-12 * fmax(fabs(b->high), 1e-3));
}

/* ---- JSON ---- */

static void json_bounded(hf_json *o, const char *name, hf_bounded b) {
    char key[64];
    hf_json_set(o, name, hf_json_real(b.value)); /* null where nothing bounds it */
    (void)snprintf(key, sizeof key, "%s_low", name);
    hf_json_set(o, key, hf_json_real(b.low));
    (void)snprintf(key, sizeof key, "%s_high", name);
    hf_json_set(o, key, hf_json_real(b.high));
}

static hf_json *json_state(const reliability *r, const hf_reliability_state *s, const char *good, const char *bad) {
    hf_json *o = hf_json_object();
    json_bounded(o, good, complement(s->bad));
    json_bounded(o, bad, s->bad);
    hf_json_set(o, "failed_components", hf_json_real(s->failed));
    if (reliability_terminals(r)) {
        json_bounded(o, "lost_terminals", s->lost);
    }
    hf_json_set(o, "covered", hf_json_real(s->covered));
    return o;
}

static hf_json *json_spec(const reliability *r) {
    const cli *c = r->c;
    hf_json *spec = hf_json_object(), *classes = hf_json_array();
    hf_json_set(spec, "topology", hf_json_text(topology_of(r)));
    hf_json_set(spec, "routing", hf_json_text(routing_of(r)));
    hf_json_set(spec, "universe", hf_json_text(universe_of(r)));
    hf_json_set(spec, "criterion", hf_json_text(criterion_of(r)));
    hf_json_set(spec, "tally", cli_has(c, "tally") ? hf_json_text(cli_value(c, "tally")) : hf_json_null());
    hf_json_set(spec, "faults", cli_has(c, "faults") ? hf_json_text(cli_value(c, "faults")) : hf_json_null());
    if (r->net.topo) {
        cli_campaign_json(c, &r->run.campaign, spec);
    }
    for (size_t i = 0; i < r->n_class; i++) {
        const hf_reliability_class *class = &r->class[i];
        hf_json *o = hf_json_object();
        hf_json_set(o, "components", hf_json_integer(class->n_component));
        hf_json_set(o, "failures_per_hour", hf_json_real(class->rate));
        hf_json_set(o, "repair_hours", r->has_repair ? hf_json_real(class->mttr_h) : hf_json_null());
        hf_json_set(o, "crews", class->crews ? hf_json_integer(class->crews) : hf_json_null());
        hf_json_push(classes, o);
    }
    hf_json_set(spec, "classes", classes);
    return spec;
}

/* How the time to failure follows from the sets. */
static const char *way_of(const reliability *r) { return r->is_monotone ? "monotone" : r->is_walked ? "ways" : "shares"; }

static hf_status print_json(const reliability *r) {
    hf_json *root = cli_json(r->c), *rows = hf_json_array(), *totals = hf_json_object();
    hf_json_set(root, "spec", json_spec(r));
    json_bounded(totals, "mttf_hours", r->mttf);
    hf_json_set(totals, "mttf_infinite", hf_json_boolean(isinf(r->mttf.low)));
    hf_json_set(totals, "mttf_by", hf_json_text(way_of(r)));
    hf_json_set(totals, "ways_to", r->is_walked ? hf_json_integer(r->f_walked) : hf_json_null());
    json_bounded(totals, "integral_hours", r->integral);
    hf_json_set(totals, "integral_infinite", hf_json_boolean(isinf(r->integral.low)));
    hf_json_set(totals, "monotone", hf_json_boolean(r->is_monotone));
    hf_json_set(totals, "sampled_rows", hf_json_integer((int64_t)r->n_sampled));
    hf_json_set(totals, "steady", r->has_repair ? json_state(r, &r->steady, "availability", "unavailability") : hf_json_null());
    hf_json_set(root, "totals", totals);
    for (size_t i = 0; i < r->n_time; i++) {
        hf_json *row = json_state(r, &r->at[i], "reliability", "failure");
        hf_json_set(row, "hours", hf_json_real(r->hours[i]));
        hf_json_push(rows, row);
    }
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

/* ---- tables ---- */

/* Both ends, and how they came about. */
static hf_status range_cells(const reliability *r, cli_table *t, const hf_bounded *b) {
    hf_context *cx = r->c->cx;
    HF_TRY(cli_table_cell(cx, t, "%.9g", b->low));
    return cli_table_cell(cx, t, "%.9g", b->high);
}

static hf_status table_row(const reliability *r, cli_table *t, size_t i) {
    hf_context *cx = r->c->cx;
    const hf_reliability_state *s = &r->at[i];
    const hf_bounded good = complement(s->bad);
    HF_TRY(cli_table_cell(cx, t, "%.6g", r->hours[i]));
    HF_TRY(range_cells(r, t, &good));
    HF_TRY(cli_table_cell(cx, t, "%.4e", s->bad.low));
    HF_TRY(cli_table_cell(cx, t, "%.4e", s->bad.high));
    HF_TRY(cli_table_cell(cx, t, "%s", reliability_is_one(&s->bad) ? "exact" : r->n_sampled ? "95%" : "bounds"));
    HF_TRY(cli_table_cell(cx, t, "%.6g", s->failed));
    if (reliability_terminals(r)) {
        HF_TRY(range_cells(r, t, &s->lost));
    }
    return cli_table_cell(cx, t, "%.6g", 100 * s->covered);
}

static hf_status make_table(const reliability *r, cli_table *t) {
    static const char *const header[] = {"hours",
                                         "R least",
                                         "R most",
                                         "1-R least",
                                         "1-R most",
                                         "figures",
                                         "failed components",
                                         "lost terminals least",
                                         "lost terminals most",
                                         "covered %"};
    static const bool is_number[] = {true, true, true, true, true, false, true, true, true, true};
    const char **shown; /* the table borrows them */
    bool *number;
    size_t n = 0;
    HF_TRY(hf_scratch(r->c->cx, sizeof header / sizeof *header, sizeof *shown, (void **)&shown));
    HF_TRY(hf_scratch(r->c->cx, sizeof header / sizeof *header, sizeof *number, (void **)&number));
    for (size_t i = 0; i < 10; i++) {
        if (reliability_terminals(r) || i < 7 || i > 8) {
            shown[n] = header[i];
            number[n++] = is_number[i];
        }
    }
    HF_TRY(cli_table_start(r->c->cx, t, shown, number, n, r->n_time));
    for (size_t i = 0; i < r->n_time; i++) {
        HF_TRY(table_row(r, t, i));
    }
    return HF_OK;
}

static void say_range(hf_text *out, const char *what, const hf_bounded *b, const char *unit) {
    hf_text_print(out, "%s", what);
    if (isinf(b->low)) {
        hf_text_print(out, "infinite\n");
    } else if (reliability_is_one(b)) {
        hf_text_print(out, "%.9g%s\n", b->value, unit);
    } else if (isinf(b->high)) {
        hf_text_print(out, "at least %.9g%s; nothing counted bounds it above\n", b->low, unit);
    } else {
        hf_text_print(out, "%.9g to %.9g%s\n", b->low, b->high, unit);
    }
}

static void say_totals(const reliability *r, hf_text *out) {
    const hf_bounded availability = complement(r->steady.bad);
    hf_text_print(out, "%s, %s, faults among %s, criterion %s\n", topology_of(r), routing_of(r), universe_of(r), criterion_of(r));
    for (size_t i = 0; i < r->n_class; i++) {
        const hf_reliability_class *class = &r->class[i];
        hf_text_print(out, "%" PRIu32 " component%s with %.6g FIT", class->n_component, hf_plural(class->n_component),
                      class->rate * 1e9);
        if (r->has_repair) {
            hf_text_print(out, ", repaired in %.6g h", class->mttr_h);
        }
        if (r->has_repair && class->crews) {
            hf_text_print(out, " by %" PRIu32 " crew%s", class->crews, hf_plural(class->crews));
        }
        hf_text_print(out, "\n");
    }
    say_range(out, "mean time to failure  ", &r->mttf, " h to the first set that is not tolerated, without repair");
    say_range(out, "integral of R         ", &r->integral, " h in tolerated sets, without repair");
    if (r->has_repair) {
        say_range(out, "availability          ", &availability, "");
        hf_text_print(out, "unavailability        %.4e to %.4e, with %.6g components failed on average\n", r->steady.bad.low,
                      r->steady.bad.high, r->steady.failed);
    }
    if (r->has_repair && reliability_terminals(r)) {
        say_range(out, "lost terminals        ", &r->steady.lost, " on average");
    }
    hf_text_print(out, "\n");
}

static const char *note_of(const reliability *r) {
    static const char bounds[] =
        "Numbers of faults that were not counted are bounded; covered: probability that the number was counted.";
    static const char sampled[] =
        "Sampled rows carry intervals that hold together with 95%; numbers of faults that were not counted are "
        "bounded.";
    static const char point[] =
        "A set may be tolerated again when more fails, as nothing claims that it may not: R is that of the set failed "
        "at that time, and tells nothing of the way to it.";
    return !r->is_monotone ? point : r->n_sampled ? sampled : bounds;
}

static hf_status print_text(const reliability *r, const hf_table *table) {
    hf_table noted = *table;
    hf_text out;
    noted.note = note_of(r);
    hf_text_init(r->c->cx, &out);
    say_totals(r, &out);
    hf_status status = hf_table_text(r->c->cx, &noted, &out);
    status = status == HF_OK ? cli_put(r->c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status save_csv(const reliability *r, const hf_table *table) {
    hf_text out;
    hf_text_init(r->c->cx, &out);
    hf_status status = hf_table_csv(r->c->cx, table, &out);
    status = status == HF_OK ? hf_text_save(r->c->cx, &out, cli_value(r->c, "csv")) : status;
    hf_text_free(&out);
    return status;
}

/* ---- the drawing ---- */

static hf_status save_svg(const reliability *r) {
    hf_context *cx = r->c->cx;
    hf_plot_point *low, *high;
    char *title;
    hf_text out;
    HF_TRY(hf_scratch(cx, r->n_time, sizeof *low, (void **)&low));
    HF_TRY(hf_scratch(cx, r->n_time, sizeof *high, (void **)&high));
    HF_TRY(hf_scratch_print(cx, &title, "Reliability of %s, %s, faults among %s", topology_of(r), routing_of(r), universe_of(r)));
    bool is_one = true;
    for (size_t i = 0; i < r->n_time; i++) {
        const hf_bounded good = complement(r->at[i].bad);
        low[i] = (hf_plot_point){.x = r->hours[i], .y = good.low};
        high[i] = (hf_plot_point){.x = r->hours[i], .y = good.high};
        is_one &= reliability_is_one(&r->at[i].bad);
    }
    const hf_plot_series series[] = {{.name = is_one ? NULL : "at least", .point = low, .n_point = r->n_time, .is_joined = true},
                                     {.name = "at most", .point = high, .n_point = r->n_time, .is_joined = true}};
    const hf_plot plot = {.title = title,
                          .x = {.label = "time without repair (hours)", .has_zero = true},
                          .y = {.label = "R, probability that the failed set is tolerated"},
                          .series = series,
                          .n_series = is_one ? 1 : 2};
    hf_text_init(cx, &out);
    hf_status status = hf_format_plot(cx, &plot, &out);
    status = status == HF_OK ? hf_text_save(cx, &out, cli_value(r->c, "svg")) : status;
    hf_text_free(&out);
    return status;
}

hf_status reliability_print(const reliability *r) {
    cli_table t;
    HF_TRY(make_table(r, &t));
    if (cli_has(r->c, "csv")) {
        HF_TRY(save_csv(r, &t.table));
    }
    if (cli_has(r->c, "svg")) {
        HF_TRY(save_svg(r));
    }
    return cli_has(r->c, "json") ? print_json(r) : print_text(r, &t.table);
}
