/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Runs over fault sets that are tolerated, each with traffic of its own: means over the sets, and what each run gave. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/random.h>

#include "src/bridge/gsl.h"
#include "src/core/hash.h"
#include "src/core/jobs.h"
#include "src/core/tell.h"
#include "src/question/campaign.h"
#include "src/question/simulate.h"

enum { DRAWS_PER_RUN = 1000 };
static const double confidence = 0.95;
#define OF_TRAFFIC "flits/cycle/terminal"

/* What a run gives: X(NAME, key, heading, unit, digits). */
#define FIGURES(X)                                                                                                               \
    X(ACCEPTED, "accepted", "accepted", OF_TRAFFIC, 4)                                                                           \
    X(LATENCY, "latency", "latency", "cycles", 5)                                                                                \
    X(NETWORK_LATENCY, "network_latency", "network latency", "cycles", 5)                                                        \
    X(SATURATED_AT, "saturated_at", "saturated at", OF_TRAFFIC, 4)                                                               \
    X(SERVED_TO_EACH, "served_to_each", "served to each", OF_TRAFFIC, 4)                                                         \
    X(BEFORE, "before", "before", OF_TRAFFIC, 4)                                                                                 \
    X(DURING, "during", "during", OF_TRAFFIC, 4)                                                                                 \
    X(AFTER, "after", "after", OF_TRAFFIC, 4)                                                                                    \
    X(RECONFIGURATION, "reconfiguration_cycles", "reconfiguration", "cycles", 5)                                                 \
    X(CONTROL, "control_packets", "control packets", NULL, 5)                                                                    \
    X(DEVIATED, "deviated", "onto emergency paths", NULL, 5)                                                                     \
    X(LOST, "lost", "lost", NULL, 5)                                                                                             \
    X(LOST_AFTER, "lost_afterwards", "lost afterwards", NULL, 5)                                                                 \
    X(ASTRAY, "lost_astray", "lost, not broken by the fault", NULL, 5)                                                           \
    X(TASK, "task", "a task", "cycles", 5)                                                                                       \
    X(CYCLES, "cycles", "cycles", "cycles", 5)                                                                                   \
    X(RELAYED, "relayed", "passed on", NULL, 5)
enum figure {
#define FIGURE_ENUM(name, key, heading, unit, digits) name,
    FIGURES(FIGURE_ENUM)
#undef FIGURE_ENUM
        N_FIGURE
};
#define FIGURE_COLUMNS(name, key, heading, unit, digits) HF_SIMULATE_MEAN(key, heading, unit, digits),
#define FIGURE_COLUMN(name, key, heading, unit, digits) {key, heading, unit, HF_COLUMN_REAL, digits, 0},

const hf_column hf_simulate_sets[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                      {"load", "load", OF_TRAFFIC, HF_COLUMN_REAL, 6, 0},
                                      {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                      {"looked_at", "looked at", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                      {"exact", "all", NULL, HF_COLUMN_FLAG, 6, 0},
                                      FIGURES(FIGURE_COLUMNS){"deadlocks", "in deadlock", NULL, HF_COLUMN_COUNT, 6, 0},
                                      {"measured_cycles", "measured", "cycles", HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_ASKED},
                                      {0}};
static const hf_column of_run[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                   {"set", "failed", NULL, HF_COLUMN_WORD, 6, 0},
                                   {"load", "load", OF_TRAFFIC, HF_COLUMN_REAL, 6, 0},
                                   FIGURES(FIGURE_COLUMN)};

/* One set under one load. */
typedef struct run {
    const uint32_t *set;
    uint32_t f;
    double load; /* NaN: a search, or work that has none */
    size_t same; /* the run that is made: this one, or an earlier one of the same set, where that was drawn again */
    hf_batch_mean figure[N_FIGURE];
    uint64_t cycles; /* that were measured; 0: it was not measured for a time */
    bool is_blocked;
} run;

/* The sets of one number of faults; each has its loads side by side. */
typedef struct row {
    uint32_t f;
    uint64_t looked;
    bool is_all; /* these are all that there are */
    size_t first, n;
} row;

typedef struct sets {
    simulate *s;
    hf_criterion criterion;
    hf_work work;
    row *row;
    size_t n_row, n_load;
    run *run;
    size_t n_run;
    hf_tell tell;
} sets;

/* ---- which sets ---- */

static hf_status is_tolerated(hf_context *cx, hf_judge *judge, const uint32_t *set, uint32_t f, bool *out) {
    hf_measure measure = {0};
    hf_status status = HF_OK;
    uint32_t pushed = 0;
    while (pushed < f && status == HF_OK) {
        status = judge->ops->push(cx, judge, set[pushed]);
        pushed += status == HF_OK;
    }
    status = status == HF_OK ? judge->ops->read(cx, judge, &measure) : status;
    for (; pushed > 0; pushed--) {
        judge->ops->pop(judge);
    }
    *out = measure.tolerated;
    return status;
}

/* All tolerated sets of f faults, or as many as are asked for. \param[out] found room for them, of f components each */
static hf_status find_sets(const sets *a, hf_judge *judge, uint32_t f, uint32_t *found, row *out) {
    hf_context *cx = a->s->cx;
    const hf_universe *u = a->s->scene->universe;
    const uint64_t runs = a->s->args->runs;
    const hf_sets all = hf_sets_of(u->n_component, f, runs, a->s->s.seed);
    const uint64_t most = all.is_all ? all.n : runs * DRAWS_PER_RUN;
    *out = (row){.f = f, .is_all = all.is_all};
    for (; out->looked < most && (all.is_all || out->n < runs); out->looked++) {
        const hf_mark mark = hf_scratch_mark(cx);
        bool is_good;
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped");
        }
        hf_sets_get(&all, out->looked, found + out->n * f);
        HF_TRY(is_tolerated(cx, judge, found + out->n * f, f, &is_good));
        hf_scratch_reset(cx, mark);
        out->n += is_good;
    }
    return HF_OK;
}

/* The first of the sets found that is set i. */
static size_t find_same(const uint32_t *found, size_t i, uint32_t f) {
    size_t first = 0;
    while (f > 0 && memcmp(found + first * f, found + i * f, f * sizeof *found) != 0) {
        first++;
    }
    return first;
}

/* \param[in] found its sets */
static hf_status add_runs(sets *a, row *r, const uint32_t *found) {
    run *all;
    HF_TRY(hf_scratch(a->s->cx, a->n_run + r->n * a->n_load, sizeof *all, (void **)&all));
    if (a->n_run > 0) {
        memcpy(all, a->run, a->n_run * sizeof *all);
    }
    r->first = a->n_run;
    a->run = all;
    for (size_t i = 0; i < r->n; i++) {
        const size_t first = find_same(found, i, r->f);
        for (size_t l = 0; l < a->n_load; l++) {
            const size_t same = r->first + first * a->n_load + l;
            all[a->n_run++] = (run){.set = found + i * r->f, .f = r->f, .load = a->s->n_load ? a->s->load[l] : NAN, .same = same};
        }
    }
    return HF_OK;
}

static hf_status find_all(sets *a, hf_judge *judge, const uint32_t *f) {
    hf_context *cx = a->s->cx;
    const hf_universe *u = a->s->scene->universe;
    HF_TRY(hf_scratch(cx, a->n_row, sizeof *a->row, (void **)&a->row));
    for (size_t i = 0; i < a->n_row; i++) {
        uint32_t *found;
        if (f[i] > u->n_component) {
            HF_FAIL(cx, HF_EINVAL, "--faults: %" PRIu32 " faults are more than the %" PRIu32 " components of \"%s\"", f[i],
                    u->n_component, u->spec);
        }
        HF_TRY(hf_scratch(cx, (a->s->args->runs + 1) * f[i], sizeof *found, (void **)&found));
        HF_TRY(find_sets(a, judge, f[i], found, &a->row[i]));
        HF_TRY(add_runs(a, &a->row[i], found));
    }
    return HF_OK;
}

/* ---- one run ---- */

/* Sets that were drawn are runs that know nothing of each other: each has traffic of its own, in all questions that draw it the
 * same. */
static uint64_t seed_of(const sets *a, const run *r) {
    hf_random random;
    if (r->f == 0) {
        return a->s->s.seed;
    }
    hf_random_init(&random, a->s->s.seed, HF_PURPOSE_TRAFFIC, hf_hash_bytes(r->set, r->f * sizeof *r->set));
    return hf_random_u64(&random);
}

static void take_point(const hf_point *p, run *r) {
    r->figure[ACCEPTED] = p->accepted;
    r->figure[LATENCY] = p->latency;
    r->figure[NETWORK_LATENCY] = p->network_latency;
    r->cycles = p->cycles;
    r->is_blocked = p->n_blocked > 0;
}

static hf_status search(hf_context *cx, const hf_simulation *s, run *r) {
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    HF_TRY(hf_simulate_saturation(cx, s, points, &best));
    hf_simulate_take_saturation(points, best, &r->figure[SATURATED_AT], &r->figure[SERVED_TO_EACH]);
    r->cycles = best == HF_NONE ? 0 : points[best].cycles;
    return HF_OK;
}

static hf_batch_mean known(double x) { return (hf_batch_mean){x, 0, 1}; }

/* ---- through the failing of the set ---- */

/* A plan for each number of components that have failed, in a random order. */
static hf_status plan_in_turn(hf_context *cx, const sets *a, const run *r, hf_kernel_fault *event) {
    const simulate_args *args = a->s->args;
    uint32_t *order;
    hf_fault_set *failed;
    hf_plan *plan;
    hf_random random;
    HF_TRY(hf_scratch(cx, r->f, sizeof *order, (void **)&order));
    HF_TRY(hf_scratch(cx, r->f, sizeof *failed, (void **)&failed));
    HF_TRY(hf_scratch(cx, r->f, sizeof *plan, (void **)&plan));
    memcpy(order, r->set, r->f * sizeof *order);
    hf_random_init(&random, a->s->s.seed, HF_PURPOSE_ORDER, r->f);
    hf_random_shuffle(&random, order, r->f);
    for (uint32_t i = 0; i < r->f; i++) {
        HF_TRY(hf_fault_set_make(cx, a->s->scene->universe, order, i + 1, &failed[i]));
        HF_TRY(hf_plan_make(cx, &a->s->scene->rule, &failed[i], &plan[i]));
        event[i] = (hf_kernel_fault){.cycle = args->fault_cycle + i * args->fault_every, .faults = &failed[i], .plan = &plan[i]};
    }
    return HF_OK;
}

/* What fails in a run. */
typedef struct course {
    hf_kernel_fault *event;
    uint32_t n;
} course;

/* Cycles from the detection of the first fault to the last change of a table; NaN: it did not end. \return packets lost by the
 * faults themselves */
static double take_reconfiguration(const sets *a, const hf_kernel_reconfiguration *was, const course *c, run *r) {
    const double detected = (double)was[0].cycle + (double)a->s->args->reconfiguration.detection_cycles;
    double last = detected, late = 0, hit = 0, messages = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        last = was[i].is_finished && !isnan(last) ? fmax(last, (double)was[i].finished) : NAN;
        late += (double)was[i].lost_late;
        hit += (double)was[i].hit;
        messages += (double)was[i].messages;
    }
    r->figure[RECONFIGURATION] = known(last - detected);
    r->figure[CONTROL] = known(messages);
    r->figure[LOST_AFTER] = known(late);
    return hit;
}

static void take_history(const sets *a, const hf_history *h, const course *c, run *r) {
    const double hit = take_reconfiguration(a, h->reconfiguration, c, r);
    r->figure[BEFORE] = h->accepted[0];
    r->figure[DURING] = known(h->accepted[1].mean);
    r->figure[AFTER] = h->accepted[2];
    r->figure[DEVIATED] = known((double)h->deviated);
    r->figure[LOST] = known((double)h->lost);
    r->figure[ASTRAY] = known((double)h->lost - hit);
    r->is_blocked = h->n_blocked > 0;
}

/* One event for each component in turn, or one for all. */
static hf_status make_events(hf_context *cx, const sets *a, const run *r, const hf_fault_set *faults, const hf_plan *after,
                             course *out) {
    const simulate_args *args = a->s->args;
    const bool is_in_turn = args->fault_every > 0;
    out->n = is_in_turn ? r->f : 1;
    HF_TRY(hf_scratch(cx, out->n, sizeof *out->event, (void **)&out->event));
    *out->event = (hf_kernel_fault){.cycle = args->fault_cycle, .faults = faults, .plan = after};
    return is_in_turn ? plan_in_turn(cx, a, r, out->event) : HF_OK;
}

static hf_status run_through(hf_context *cx, const sets *a, const hf_simulation *s, const course *c, run *r) {
    const simulate_args *args = a->s->args;
    hf_history h = {.simulation = s,
                    .load = r->load,
                    .fault = c->event,
                    .n_fault = c->n,
                    .options = args->reconfiguration,
                    .cycles = args->cycles};
    HF_TRY(hf_history_run(cx, &h));
    take_history(a, &h, c, r);
    return HF_OK;
}

/* ---- work with an end ---- */

/* \param[in] c what fails meanwhile: none, where the set has failed before */
static hf_status play(hf_context *cx, const sets *a, const hf_plan *plan, const course *c, run *r) {
    hf_play how = hf_work_play(&a->work, plan);
    hf_played played;
    how.fault = c->event;
    how.n_fault = c->n;
    HF_TRY(hf_work_run(cx, &a->work, &how, r->load, &played));
    const hf_play_result *p = &played.result;
    const double missing = p->is_complete ? 0 : NAN, half = hf_simulate_is_given_work(a->s) ? 0 : NAN;
    const double terminals = a->s->scene->topo->n_terminal;
    r->figure[ACCEPTED] =
        (hf_batch_mean){p->cycles > 0 ? (double)p->flits / (double)p->cycles / terminals + missing : NAN, half, 1};
    r->figure[LATENCY] = (hf_batch_mean){p->latency + missing, half, 1};
    r->figure[NETWORK_LATENCY] = (hf_batch_mean){p->network_latency + missing, half, 1};
    r->figure[TASK] = (hf_batch_mean){played.task.mean + missing, played.task.half, 1};
    r->figure[CYCLES] = (hf_batch_mean){(double)p->cycles + missing, half, 1};
    r->figure[RELAYED] = (hf_batch_mean){(double)p->relayed + missing, half, 1};
    r->figure[LOST] = (hf_batch_mean){(double)p->lost, half, 1};
    if (c->n > 0) {
        take_reconfiguration(a, p->reconfiguration, c, r);
    }
    r->is_blocked = p->n_blocked > 0;
    return HF_OK;
}

/* ---- all runs ---- */

static hf_status run_set(hf_context *cx, const sets *a, run *r) {
    hf_simulation s = a->s->s;
    hf_fault_set faults;
    hf_plan plan;
    hf_point point;
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped");
    }
    HF_TRY(hf_fault_set_make(cx, a->s->scene->universe, r->set, r->f, &faults));
    HF_TRY(hf_plan_make(cx, &a->s->scene->rule, &faults, &plan));
    for (size_t k = 0; k < N_FIGURE; k++) {
        r->figure[k] = (hf_batch_mean){NAN, NAN, 1};
    }
    s.seed = seed_of(a, r);
    s.threads = 1;
    s.progress = NULL;
    course c = {0};
    HF_TRY(a->s->args->fault_cycle ? make_events(cx, a, r, &faults, &plan, &c) : HF_OK);
    s.plan = c.n ? &a->s->plan : &plan;
    if (hf_simulate_plays(a->s)) {
        return play(cx, a, s.plan, &c, r);
    }
    if (c.n) {
        return run_through(cx, a, &s, &c, r);
    }
    if (a->s->args->saturation) {
        return search(cx, &s, r);
    }
    HF_TRY(hf_simulate(cx, &s, &r->load, 1, &point));
    take_point(&point, r);
    return HF_OK;
}

static hf_status run_one(hf_context *cx, void *user, size_t i) {
    sets *a = user;
    HF_TRY(a->run[i].same == i ? run_set(cx, a, &a->run[i]) : HF_OK);
    hf_tell_add(&a->tell, 1);
    return HF_OK;
}

/* ---- means ---- */

/* Has a run an interval of its own, for how far its figure may be off? A search tells where it stopped, a count what was seen. */
static bool has_own_interval(enum figure k, const sets *a) {
    return k == BEFORE || k == AFTER || (k <= NETWORK_LATENCY && !hf_simulate_plays(a->s));
}

/* Is the interval what the runs leave open, and not what the sets do? */
static bool is_of_runs(const sets *a, const row *r, enum figure k) { return r->n == 1 || (r->is_all && has_own_interval(k, a)); }

/* Half of the interval of the mean. Of sets that were drawn by Student's t over them. All sets that there are stand for
 * themselves: only what their runs leave open is left, and each has traffic of its own. */
static double half_of(const sets *a, const row *r, const run *const *of, enum figure k, double mean) {
    double own = 0, squares = 0;
    for (size_t i = 0; i < r->n; i++) {
        const hf_batch_mean m = of[i]->figure[k];
        own += m.half * m.half;
        squares += (m.mean - mean) * (m.mean - mean);
    }
    if (is_of_runs(a, r, k)) {
        return sqrt(own) / (double)r->n;
    }
    const double freedom = (double)(r->n - 1);
    return hf_gsl_t_quantile(0.5 + confidence / 2, freedom) * sqrt(squares / freedom / (double)r->n);
}

/* Each of the runs that it rests on is steady at its share of the level [Bonferroni]. */
static double steadiness(const run *all, size_t n, size_t step, enum figure k) {
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, all[i * step].figure[k].steady);
    }
    return least * (double)n;
}

/* In the place of a mean that no run has: KEY, KEY_half and KEY_steady. */
static void put_nothing(hf_report *out) {
    for (int i = 0; i < 3; i++) {
        hf_report_cell(out, hf_cell_none());
    }
}

static void put_means(const sets *a, const row *r, size_t load, const run *const *of) {
    const bool is_peak = a->s->args->peak;
    const size_t step = is_peak ? 1 : a->n_load;
    for (enum figure k = 0; k < N_FIGURE; k++) {
        double sum = 0;
        for (size_t i = 0; i < r->n; i++) {
            sum += of[i]->figure[k].mean;
        }
        hf_batch_mean m = {.mean = r->n ? sum / (double)r->n : NAN};
        if (isnan(m.mean)) {
            put_nothing(a->s->answer);
            continue;
        }
        m.half = half_of(a, r, of, k, m.mean);
        m.steady = steadiness(a->run + r->first + (is_peak ? 0 : load), is_peak ? r->n * a->n_load : r->n, step, k);
        hf_simulate_mean(a->s->answer, m, is_of_runs(a, r, k) ? HF_INTERVAL_BATCHES : HF_INTERVAL_RUNS);
    }
}

static const run *highest(const run *of_set, size_t n) {
    const run *best = of_set;
    for (size_t i = 1; i < n; i++) {
        best = of_set[i].figure[ACCEPTED].mean > best->figure[ACCEPTED].mean ? &of_set[i] : best;
    }
    return best;
}

/* One load of one number of faults; with a peak of each set the load that counts. */
static hf_status put_row(const sets *a, const row *r, size_t load) {
    hf_report *out = a->s->answer;
    const run **of;
    uint64_t deadlocks = 0, cycles = 0;
    bool are_alike = r->n > 0;
    HF_TRY(hf_scratch(a->s->cx, r->n, sizeof *of, (void **)&of));
    for (size_t i = 0; i < r->n; i++) {
        const run *of_set = a->run + r->first + i * a->n_load;
        of[i] = a->s->args->peak ? highest(of_set, a->n_load) : of_set + load;
        deadlocks += of[i]->is_blocked;
        are_alike &= i == 0 || of[i]->cycles == cycles;
        cycles = of[i]->cycles;
    }
    hf_report_cell(out, hf_cell_count(r->f));
    hf_report_cell(out, hf_cell_real(a->s->args->peak || !a->s->n_load ? NAN : a->s->load[load]));
    hf_report_cell(out, hf_cell_count(r->n));
    hf_report_cell(out, hf_cell_count(r->looked));
    hf_report_cell(out, hf_cell_flag(r->is_all));
    put_means(a, r, load, of);
    hf_report_cell(out, hf_cell_count(deadlocks));
    hf_report_cell(out, are_alike && cycles ? hf_cell_count(cycles) : hf_cell_none());
    a->s->answer->answer = deadlocks ? HF_ANSWER_NO : a->s->answer->answer;
    return HF_OK;
}

static bool is_any(const sets *a, enum figure k) {
    bool found = false;
    for (size_t i = 0; i < a->n_run; i++) {
        found |= !isnan(a->run[i].figure[k].mean);
    }
    return found;
}

static hf_status add_runs_table(const sets *a) {
    hf_report *out = a->s->answer;
    HF_BEGIN(out, "runs", of_run);
    hf_report_await(out);
    for (size_t i = 0; i < a->n_run; i++) {
        const run *r = &a->run[i];
        char *names;
        HF_TRY(hf_asked_campaign_names(a->s->cx, a->s->scene->universe, r->set, r->f, ",", &names));
        hf_report_cell(out, hf_cell_count(r->f));
        hf_report_cell(out, hf_cell_word(names));
        hf_report_cell(out, hf_cell_real(r->load));
        for (enum figure k = 0; k < N_FIGURE; k++) {
            hf_report_cell(out, hf_cell_real(r->figure[k].mean));
        }
    }
    return HF_OK;
}

/* Of figures that no run has there is no column. */
static void hide_unknown(const sets *a) {
#define FIGURE_KEYS(name, key, heading, unit, digits) {key, key "_half", key "_steady"},
    static const char *const keys[N_FIGURE][3] = {FIGURES(FIGURE_KEYS)};
#undef FIGURE_KEYS
    for (enum figure k = 0; k < N_FIGURE; k++) {
        for (size_t i = 0; i < 3 && !is_any(a, k); i++) {
            hf_report_hide(a->s->answer, keys[k][i]);
        }
    }
}

static hf_status add_tables(sets *a) {
    simulate *s = a->s;
    char *note = NULL;
    s->answer->answer = HF_ANSWER_YES;
    for (size_t i = 0; i < a->n_row; i++) {
        for (size_t l = 0; l < (s->args->peak ? 1 : a->n_load); l++) {
            HF_TRY(put_row(a, &a->row[i], l));
        }
    }
    hide_unknown(a);
    HF_TRY(hf_asked_note(s->cx, &note, "means over tolerated sets of %s, %s%s", s->scene->universe->spec, a->criterion.spec,
                         hf_simulate_plays(s) ? "" : ", each with traffic of its own"));
    HF_TRY(hf_simulate_end_note(s, note));
    hf_report_argument(s->answer, "criterion", a->criterion.spec);
    HF_TRY(hf_simulate_head(s, a->work.what));
    return add_runs_table(a);
}

/* ---- the question ---- */

static hf_status check_turns(const simulate *s, const uint32_t *f, size_t n) {
    const simulate_args *args = s->args;
    const uint64_t end = args->cycles ? args->cycles : UINT64_MAX;
    for (size_t i = 0; i < n && args->fault_cycle; i++) {
        const uint64_t last = args->fault_cycle + (f[i] ? f[i] - UINT64_C(1) : 0) * args->fault_every;
        if (f[i] == 0 || last >= end) {
            HF_FAIL(s->cx, HF_EINVAL,
                    "--faults=%" PRIu32 ", the first in cycle %" PRIu64 " and one every %" PRIu64
                    " cycles, do not fit before the end, cycle %" PRIu64,
                    f[i], args->fault_cycle, args->fault_every, end);
        }
    }
    return HF_OK;
}

static hf_status check(const simulate *s) {
    if (s->scene->failed.n_channel > 0) {
        HF_FAIL(s->cx, HF_EINVAL, "--failed and --faults contradict each other; need one of them");
    }
    const bool plays = hf_simulate_plays(s);
    if (s->args->fault_cycle && s->n_load != 1 && (!plays || s->args->generate)) {
        HF_FAIL(s->cx, HF_EINVAL, "--fault-cycle needs --load with one load");
    }
    if (plays && s->args->fault_cycle) {
        return HF_OK;
    }
    if (s->args->fault_cycle && !s->args->cycles) {
        HF_FAIL(s->cx, HF_EINVAL, "--fault-cycle needs --cycles, the end of the run");
    }
    return s->args->fault_cycle ? hf_simulate_check_cycles(s, s->args->cycles) : HF_OK;
}

static hf_status judge_and_run(sets *a, const uint32_t *f) {
    simulate *s = a->s;
    hf_judge *judge;
    size_t failed;
    HF_TRY(hf_judge_new(s->cx, s->scene->universe, &s->scene->rule, &a->criterion, &judge));
    const hf_status status = find_all(a, judge, f);
    hf_judge_free(judge);
    HF_TRY(status);
    a->tell = (hf_tell){.show = s->s.progress, .user = s->s.progress_user};
    hf_tell_begin(&a->tell, "runs", a->n_run);
    HF_TRY(hf_jobs_do(s->cx, a->n_run, s->s.threads, run_one, a, &failed));
    for (size_t i = 0; i < a->n_run; i++) {
        a->run[i] = a->run[a->run[i].same];
    }
    return add_tables(a);
}

static hf_status run_sets(sets *a) {
    simulate *s = a->s;
    uint32_t *f;
    HF_TRY(hf_simulate_plays(s) ? hf_work_open(s, &a->work) : HF_OK);
    HF_TRY(hf_campaign_parse_shares(s->cx, s->args->faults, s->scene->universe->n_component, &f, &a->n_row));
    hf_status status = check_turns(s, f, a->n_row);
    status = status == HF_OK ? judge_and_run(a, f) : status;
    hf_release(hf_context_allocator(s->cx), f);
    return status;
}

hf_status hf_simulate_ask_sets(simulate *s) {
    sets a = {.s = s, .n_load = s->n_load ? s->n_load : 1};
    HF_TRY(check(s));
    a.criterion = s->scene->criterion;
    HF_TRY(s->scene->has & HF_SCENE_CRITERION ? HF_OK : hf_criterion_init(s->cx, "all-pairs", &a.criterion));
    const hf_status status = run_sets(&a);
    hf_work_close(&a.work);
    return status;
}
