/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tasks with barriers. Source: [chong1992, 5]. Waits are geometric and forget, so a terminal that was stalled draws anew. */
#include <math.h>
#include <stdlib.h>

#include <holdfast/core/spec.h>

#include "src/kernel/measure.h"
#include "src/kernel/player.h"

typedef struct worker {
    hf_generator source; /**< random numbers; `next` serves the waits */
    uint32_t left;       /**< messages of this task not yet posted */
    uint32_t under_way;
    bool is_posted; /**< one waits for its cycle */
} worker;

typedef struct team {
    const hf_barrier *barrier;
    const hf_traffic *traffic;
    const hf_plan *plan;
    hf_rhythm rhythm;
    uint32_t n, task;
    uint64_t begin, open; /**< cycle at which the task began; messages not yet over */
    worker *worker;       /**< n */
    double *task_cycles;
} team;

hf_barrier hf_barrier_usual(void) {
    return (hf_barrier){.messages = 400, .flits = 24, .interval = 25, .outstanding = 4, .tasks = 10, .redistribute = true};
}

static const hf_param params[] = {
    {.name = "messages",
     .type = HF_PARAM_UINT,
     .fallback = "400",
     .low = 1,
     .high = 100000000,
     .flags = HF_PARAM_SHOWN,
     .help = "of a terminal"},
    {.name = "flits",
     .type = HF_PARAM_UINT,
     .fallback = "24",
     .low = 1,
     .high = 1000000000,
     .flags = HF_PARAM_SHOWN,
     .help = "of a message"},
    {.name = "interval",
     .type = HF_PARAM_UINT,
     .fallback = "25",
     .low = 1,
     .high = 1000000000,
     .flags = HF_PARAM_SHOWN,
     .help = "mean active cycles to the next message"},
    {.name = "outstanding",
     .type = HF_PARAM_UINT,
     .fallback = "4",
     .low = 1,
     .high = 100000000,
     .flags = HF_PARAM_SHOWN,
     .help = "messages of a terminal under way at most"},
    {.name = "tasks",
     .type = HF_PARAM_UINT,
     .fallback = "10",
     .low = 1,
     .high = 1000000,
     .flags = HF_PARAM_SHOWN,
     .help = "one after the other"},
    {.name = "redistribute",
     .type = HF_PARAM_BOOL,
     .fallback = "yes",
     .flags = HF_PARAM_SHOWN,
     .help = "live terminals do the work of the others"},
    {0},
};

hf_status hf_barrier_parse(hf_context *cx, const char *text, hf_barrier *out, char **canonical) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, "task", "barrier", params, text, &args));
    *out = (hf_barrier){.messages = (uint32_t)hf_args_get(&args, "messages")->number,
                        .flits = (uint32_t)hf_args_get(&args, "flits")->number,
                        .interval = (uint32_t)hf_args_get(&args, "interval")->number,
                        .outstanding = (uint32_t)hf_args_get(&args, "outstanding")->number,
                        .tasks = (uint32_t)hf_args_get(&args, "tasks")->number,
                        .redistribute = hf_args_get(&args, "redistribute")->number != 0};
    const hf_status status = hf_args_canonical(cx, "barrier", &args, canonical);
    hf_args_free(&args);
    return status;
}

/* An active terminal has its next message after some cycles, from the present one on. */
static hf_status go_on(hf_player *p, team *g, uint32_t t) {
    worker *w = &g->worker[t];
    if (w->left == 0 || w->is_posted || w->under_way == g->barrier->outstanding) {
        return HF_OK;
    }
    w->source.next = p->k->counts.cycle;
    hf_generator_next(g->plan, g->traffic, &g->rhythm, t, &w->source);
    w->is_posted = true;
    w->left--;
    return hf_player_post(p, &(hf_message){w->source.next, t, w->source.destination, g->barrier->flits}, t);
}

/* Messages of each live terminal: its own, and its share of those of the others. */
static uint32_t share(const team *g, uint32_t live, uint32_t rank) {
    const uint64_t all = (uint64_t)g->barrier->messages * (g->barrier->redistribute ? g->n : live);
    return (uint32_t)(all / live + (rank < all % live));
}

static bool takes_part(const team *g, uint32_t t) { return g->worker[t].source.destination != HF_NONE; }

static hf_status begin_task(hf_player *p, team *g) {
    uint32_t live = 0, rank = 0;
    for (uint32_t t = 0; t < g->n; t++) {
        live += takes_part(g, t);
    }
    g->begin = p->k->counts.cycle;
    for (uint32_t t = 0; t < g->n; t++) {
        if (takes_part(g, t)) {
            g->worker[t].left = share(g, live, rank++);
            g->open += g->worker[t].left;
            HF_TRY(go_on(p, g, t));
        }
    }
    return HF_OK;
}

static hf_status happens(hf_player *p, void *driver, uint32_t t, hf_post_end end) {
    team *g = driver;
    worker *w = &g->worker[t];
    if (end == HF_POST_STARTED) {
        w->is_posted = false;
        w->under_way++;
        return go_on(p, g, t);
    }
    w->under_way--;
    if (--g->open > 0) {
        return go_on(p, g, t);
    }
    g->task_cycles[g->task++] = (double)(p->k->counts.cycle - g->begin);
    return g->task < g->barrier->tasks ? begin_task(p, g) : HF_OK;
}

static hf_status check(hf_context *cx, const hf_barrier *b) {
    if (!b->messages || !b->flits || !b->interval || !b->outstanding || !b->tasks) {
        HF_FAIL(cx, HF_EINVAL, "a barrier task needs messages, flits, interval, outstanding and tasks of at least 1");
    }
    if (b->messages > 100000000 || b->flits > 1000000000 || b->tasks > 1000000) {
        HF_FAIL(cx, HF_EINVAL, "%u tasks of %u messages of %u flits are too many; need at most 1000000, 100000000, 1000000000",
                b->tasks, b->messages, b->flits);
    }
    return HF_OK;
}

static hf_status gather(hf_context *cx, team *g, uint64_t seed) {
    bool is_some = false;
    HF_TRY(hf_scratch(cx, g->n, sizeof *g->worker, (void **)&g->worker));
    HF_TRY(hf_rhythm_make(cx, 1, (hf_burst){0, 0, false}, g->barrier->interval, &g->rhythm));
    for (uint32_t t = 0; t < g->n; t++) {
        hf_generator *s = &g->worker[t].source;
        const bool sends = hf_source_start(g->plan, g->traffic, &g->rhythm, seed, 0, t, s);
        s->destination = sends ? s->destination : HF_NONE;
        is_some |= sends;
    }
    for (uint32_t i = 0; i < g->barrier->tasks; i++) {
        g->task_cycles[i] = NAN;
    }
    if (!is_some) {
        HF_FAIL(cx, HF_EINVAL, "traffic \"%s\": no live terminal sends to a live one", g->traffic->spec);
    }
    return HF_OK;
}

hf_status hf_play_barrier(hf_context *cx, const hf_play *play, const hf_traffic *traffic, const hf_barrier *barrier,
                          uint64_t seed, hf_play_result *out, double *task_cycles, hf_batch_mean *task) {
    team g = {.barrier = barrier, .traffic = traffic, .plan = play->plan, .n = traffic->n_terminal, .task_cycles = task_cycles};
    hf_player *p;
    HF_TRY(check(cx, barrier));
    HF_TRY(gather(cx, &g, seed));
    HF_TRY(hf_player_new(cx, play, out, &p));
    p->happens = happens;
    p->driver = &g;
    HF_TRY(begin_task(p, &g));
    HF_TRY(hf_player_run(p));
    *task = hf_batch_summarize(task_cycles, barrier->tasks, 1);
    return HF_OK;
}
