/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading an exploration: constraints, and designs with grids in braces. */
#include "src/core/number.h"
#include "src/study/explore.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20, DESIGNS_MAX = 10000, TEXT_MAX = 1024, FAULTS_DEFAULT = 3, SETS_DEFAULT = 100 };

typedef hf_study_reader reader;

/* ---- braces ---- */

/* before + middle + after, expanded further. */
static hf_status splice(hf_context *cx, const char *before, size_t n_before, const char *middle, size_t n_middle,
                        const char *after, hf_status (*take)(hf_context *cx, void *user, const char *text), void *user) {
    char *text;
    HF_TRY(hf_scratch_print(cx, &text, "%.*s%.*s%s", (int)n_before, before, (int)n_middle, middle, after));
    return hf_explore_expand(cx, text, take, user);
}

/* "2..5" in braces. \return false if it is no such range */
static bool read_range(const char *text, size_t size, uint64_t *low, uint64_t *high) {
    hf_slice at = {text, size};
    return hf_take_number(&at, low) && hf_take_text(&at, "..") && hf_take_number(&at, high) && at.size == 0;
}

static hf_status expand_range(hf_context *cx, const char *text, const char *open, const char *close, uint64_t low, uint64_t high,
                              hf_status (*take)(hf_context *cx, void *user, const char *text), void *user) {
    if (low > high || high - low >= DESIGNS_MAX) {
        HF_FAIL(cx, HF_EINVAL,
                "\"%s\": {%" PRIu64 "..%" PRIu64 "} is not right; need a range that ascends, of at most %d numbers", text, low,
                high, DESIGNS_MAX);
    }
    for (uint64_t i = low; i <= high; i++) {
        char number[24];
        const int n = snprintf(number, sizeof number, "%" PRIu64, i);
        HF_TRY(splice(cx, text, (size_t)(open - text), number, (size_t)n, close + 1, take, user));
    }
    return HF_OK;
}

hf_status hf_explore_expand(hf_context *cx, const char *text, hf_status (*take)(hf_context *cx, void *user, const char *text),
                            void *user) {
    const char *open = strchr(text, '{'), *close = strchr(text, '}');
    uint64_t low, high;
    if (!open && !close) {
        return take(cx, user, text);
    }
    if (!open || !close || close < open || memchr(open + 1, '{', (size_t)(close - open - 1)) || strlen(text) > TEXT_MAX) {
        HF_FAIL(cx, HF_EINVAL, "\"%.80s\" is not right; need braces that close and do not nest, as in {a|b} or {2..5}", text);
    }
    const char *at = open + 1;
    if (read_range(at, (size_t)(close - at), &low, &high)) {
        return expand_range(cx, text, open, close, low, high, take, user);
    }
    for (;;) {
        const size_t left = (size_t)(close - at);
        const char *bar = memchr(at, '|', left);
        const size_t size = bar ? (size_t)(bar - at) : left;
        if (size == 0) {
            HF_FAIL(cx, HF_EINVAL, "\"%s\" is not right; an alternative in braces is empty", text);
        }
        HF_TRY(splice(cx, text, (size_t)(open - text), at, size, close + 1, take, user));
        if (!bar) {
            return HF_OK;
        }
        at = bar + 1;
    }
}

/* ---- designs ---- */

typedef struct crossing {
    hf_exploration *e;
    uint32_t line;
    const char *topology, *routings;
} crossing;

static hf_status add_design(hf_context *cx, void *user, const char *routing) {
    const crossing *x = user;
    hf_exploration *e = x->e;
    if (e->n_planned == DESIGNS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "more than %d designs", DESIGNS_MAX);
    }
    HF_TRY(hf_resize(cx, e->n_planned + 1, sizeof *e->planned, (void **)&e->planned));
    hf_planned *p = &e->planned[e->n_planned++];
    *p = (hf_planned){.line = x->line};
    HF_TRY(hf_duplicate(cx, x->topology, &p->topology));
    return hf_duplicate(cx, routing, &p->routing);
}

static hf_status add_topology(hf_context *cx, void *user, const char *topology) {
    crossing *x = user;
    x->topology = topology;
    return hf_explore_expand(cx, x->routings, add_design, x);
}

static hf_status read_design(const reader *r, hf_exploration *e) {
    crossing x = {.e = e, .line = r->texts->at};
    const char *topologies;
    HF_TRY(hf_study_need(r, HF_KEY_TOPOLOGY, &topologies));
    HF_TRY(hf_study_need(r, HF_KEY_ROUTING, &x.routings));
    const hf_mark mark = hf_scratch_mark(r->cx);
    const hf_status status = hf_explore_expand(r->cx, topologies, add_topology, &x);
    hf_scratch_reset(r->cx, mark);
    if (status != HF_OK) {
        hf_context_prefix(r->cx, "%s, line %" PRIu32 ": ", e->frame.file, x.line);
    }
    return status;
}

/* ---- constraints ---- */

/* "1024" is at least so many, "1000..1100" a range. */
static hf_status read_terminals(const reader *r, hf_exploration *e) {
    const char *text = r->texts->value[HF_KEY_TERMINALS];
    uint64_t low = 2, high = HF_NONE;
    if (text && !read_range(text, strlen(text), &low, &high)) {
        HF_TRY(hf_study_read_number(r, HF_KEY_TERMINALS, 2, HF_NONE - 1, 2, &low));
    }
    if (low < 2 || low > high || high > HF_NONE) {
        HF_STUDY_FAIL_AT(r, HF_KEY_TERMINALS, "\"%s\" is not right; need at least 2, or a range such as 1000..1100", text);
    }
    e->terminals_least = (uint32_t)low;
    e->terminals_most = (uint32_t)high;
    return HF_OK;
}

static hf_status read_cost(const reader *r, hf_exploration *e) {
    const char *text = r->texts->value[HF_KEY_COST];
    hf_published number;
    e->cost_most = HUGE_VAL;
    if (!text) {
        return HF_OK;
    }
    HF_TRY(hf_study_at_key(r, HF_KEY_COST, hf_published_parse(r->cx, text, &number)));
    if (number.digits == 0 || number.is_percent) {
        HF_STUDY_FAIL_AT(r, HF_KEY_COST, "\"%s\" is not right; need a number above 0, 1 being the cost of the reference", text);
    }
    e->cost_most = hf_published_value(&number);
    return HF_OK;
}

/* Cost 1: a terminal of the reference. */
static hf_status read_reference(const reader *r, hf_exploration *e) {
    hf_topology *topo;
    hf_cost cost;
    HF_TRY(hf_study_need(r, HF_KEY_REFERENCE, &e->reference));
    HF_TRY(hf_study_at_key(r, HF_KEY_REFERENCE, hf_topology_new(r->cx, e->reference, &topo)));
    hf_cost_defaults(&e->costs);
    const hf_status status = hf_cost_find(r->cx, &e->costs, HF_COST_DETERMINISTIC, topo, topo, &cost);
    e->reference_cost = status == HF_OK ? (double)cost.total.p / (double)cost.total.q / topo->n_terminal : 0;
    hf_topology_free(topo);
    return hf_study_at_key(r, HF_KEY_REFERENCE, status);
}

/* Which designs are kept: those proved free of deadlock, or any. */
static hf_status read_deadlock(const reader *r, hf_exploration *e) {
    const char *text = r->texts->value[HF_KEY_DEADLOCK];
    e->allows_deadlocks = text && strcmp(text, "any") == 0;
    if (text && !e->allows_deadlocks && strcmp(text, "free") != 0) {
        HF_STUDY_FAIL_AT(r, HF_KEY_DEADLOCK, "\"%s\" is not right; need free (only designs proved free of deadlock) or any",
                         text);
    }
    return HF_OK;
}

static hf_status read_top(const reader *r, hf_exploration *e) {
    const char *criterion = r->texts->value[HF_KEY_CRITERION], *universe = r->texts->value[HF_KEY_UNIVERSE],
               *traffic = r->texts->value[HF_KEY_TRAFFIC];
    uint64_t number;
    HF_TRY(hf_study_need(r, HF_KEY_NAME, &e->frame.name));
    HF_TRY(hf_study_check_name(r, e->frame.name));
    HF_TRY(hf_study_need(r, HF_KEY_TITLE, &e->frame.title));
    HF_TRY(hf_study_at_key(r, HF_KEY_CRITERION, hf_criterion_init(r->cx, criterion ? criterion : "all-pairs", &e->criterion)));
    e->universe = universe ? universe : "links";
    e->traffic = traffic ? traffic : "uniform";
    HF_TRY(read_terminals(r, e));
    HF_TRY(hf_study_read_number(r, HF_KEY_TOLERANCE, 0, 1000000, 0, &number));
    e->tolerance_least = (uint32_t)number;
    HF_TRY(read_cost(r, e));
    HF_TRY(read_deadlock(r, e));
    HF_TRY(read_reference(r, e));
    HF_TRY(hf_study_read_number(r, HF_KEY_FAULTS, 1, 1000, FAULTS_DEFAULT, &number));
    e->faults_most = (uint32_t)number;
    HF_TRY(hf_study_read_number(r, HF_KEY_SETS, 1, 1000000000, SETS_DEFAULT, &e->sets));
    return hf_study_read_number(r, HF_KEY_SEED, 0, UINT64_MAX, 1, &e->seed);
}

static hf_status check_keys(const reader *r, const hf_exploration *e) {
    const char *text;
    HF_TRY(hf_study_need(r, HF_KEY_SCHEMA, &text));
    if (strcmp(text, "1") != 0) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SCHEMA, "\"%s\" is not known; this program reads schema 1", text);
    }
    HF_TRY(hf_study_check_top(r, HF_IN_EXPLORATION));
    if (e->frame.document.n_design == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: the exploration has no designs", e->frame.file);
    }
    return HF_OK;
}

static hf_status read_all(hf_context *cx, hf_exploration *e) {
    const hf_study_document *d = &e->frame.document;
    reader r = {.cx = cx, .study = &e->frame, .texts = &d->top};
    HF_TRY(check_keys(&r, e));
    HF_TRY(read_top(&r, e));
    for (size_t i = 0; i < d->n_design; i++) {
        r.texts = &d->design[i];
        HF_TRY(read_design(&r, e));
    }
    return HF_OK;
}

hf_status hf_exploration_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_exploration **out) {
    hf_exploration *e;
    hf_status status;
    HF_TRY(hf_allocate(cx, 1, sizeof *e, (void **)&e));
    HF_TRY_DONE(hf_study_frame(cx, file, data, size, &e->frame));
    HF_TRY_DONE(read_all(cx, e));
    *out = e;
    return HF_OK;
done:
    hf_exploration_free(e);
    return status;
}

hf_status hf_exploration_load(hf_context *cx, const char *path, hf_exploration **out) {
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_text_load(cx, path, FILE_BYTES_MAX, &text);
    status = status == HF_OK ? hf_exploration_parse(cx, path, text.data ? text.data : "", text.size, out) : status;
    hf_text_free(&text);
    return status;
}

void hf_exploration_free(hf_exploration *e) {
    if (!e) {
        return;
    }
    const hf_allocator allocator = e->frame.allocator;
    for (size_t i = 0; i < e->n_planned; i++) {
        hf_release(&allocator, e->planned[i].topology);
        hf_release(&allocator, e->planned[i].routing);
    }
    hf_release(&allocator, e->planned);
    hf_study_document_free(&e->frame.document);
    hf_release(&allocator, e->frame.file);
    hf_release(&allocator, e);
}

const char *hf_exploration_name(const hf_exploration *e) { return e->frame.name; }
const char *hf_exploration_title(const hf_exploration *e) { return e->frame.title; }
size_t hf_exploration_count(const hf_exploration *e) { return e->n_planned; }
