/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counting the not tolerated sets of all sizes together: which way, and what comes out of it. */
#include "src/campaign/counted.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/campaign/counted_tree.h"
#include "src/core/clock.h"

uint32_t hf_counted_words(uint32_t m, uint32_t f) {
    const double k = f < m / 2 ? f : m / 2; /* C(m, k) is the largest of them */
    const double bits = (lgamma(m + 1.0) - lgamma(k + 1) - lgamma(m - k + 1)) / log(2);
    return (uint32_t)((bits + 2) / 64) + 1;
}

/* Of the tolerated sets of every size, the others. */
static hf_status finish(hf_context *cx, hf_counted *out, const uint64_t *tolerated, uint32_t words) {
    HF_TRY(hf_allocate(cx, (size_t)out->reach + 1, sizeof *out->not_tolerated, (void **)&out->not_tolerated));
    hf_big *good;
    HF_TRY(hf_big_new(cx, &good));
    hf_status status = HF_OK;
    for (uint32_t f = 0; f <= out->reach && status == HF_OK; f++) {
        status = hf_big_new(cx, &out->not_tolerated[f]);
        if (status == HF_OK) {
            hf_big_binomial(out->not_tolerated[f], out->m, f);
            hf_big_set_words(good, tolerated + (size_t)f * words, words);
            hf_big_sub(out->not_tolerated[f], good);
        }
    }
    hf_big_free(good);
    return status;
}

static hf_status count_connected(hf_context *cx, const hf_universe *universe, const hf_criterion *criterion, double memory,
                                 hf_counted *out) {
    const uint32_t words = hf_counted_words(out->m, out->reach);
    hf_counted_net net;
    hf_counted_work work = {0};
    uint32_t *order, f_most = out->reach;
    uint64_t *tolerated;
    HF_TRY(hf_counted_net_make(cx, universe, criterion, &net));
    HF_TRY(hf_scratch(cx, net.n_vertex + 1, sizeof *order, (void **)&order));
    HF_TRY(hf_scratch(cx, ((size_t)f_most + 1) * words, sizeof *tolerated, (void **)&tolerated));
    HF_TRY(hf_counted_order(cx, &net, order, &work.width));
    HF_TRY(hf_counted_frontier(cx, &net, order, f_most, words, memory, tolerated, &work));
    out->reach = work.reach;
    out->states = (double)work.states;
    out->memory_bytes = work.memory_bytes;
    const int size = snprintf(out->how, sizeof out->how,
                              "Counted, not walked: states of a frontier of width %" PRIu32 ", %" PRIu64
                              " in all, at most %" PRIu64 " at once, %.3g MiB.",
                              work.width, work.states, work.most, work.memory_bytes / (1 << 20));
    if (out->reach < f_most) {
        (void)snprintf(out->how + size, sizeof out->how - (size_t)size,
                       " Exact up to f=%" PRIu32 "; beyond that %.3g GiB do not hold the states (--memory).", out->reach,
                       memory / (1 << 30));
    }
    return finish(cx, out, tolerated, words);
}

static hf_status count_tree(hf_context *cx, const hf_universe *universe, hf_counted *out) {
    const uint32_t words = hf_counted_words(out->m, out->m);
    uint64_t *tolerated;
    HF_TRY(hf_scratch(cx, ((size_t)out->m + 1) * words, sizeof *tolerated, (void **)&tolerated));
    HF_TRY(hf_counted_tree(cx, universe, words, tolerated, out->how, sizeof out->how));
    return finish(cx, out, tolerated, words);
}

static hf_status count(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                       double memory, hf_counted *out) {
    const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;
    if (rule->flows && !(criterion->flags & HF_CRITERION_SWITCHES)) {
        HF_FAIL(cx, HF_ENOTSUP, "method counted takes all terminals for senders and receivers; \"%s\" has flows; use exhaustive",
                rule->spec);
    }
    if (criterion->flags & asks_network) {
        return count_connected(cx, universe, criterion, memory, out);
    }
    if (criterion->flags == 0 && (hf_rule_traits(rule) & HF_ROUTING_ALL_MINIMAL)) {
        uint32_t least;
        HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
        return count_tree(cx, universe, out);
    }
    HF_FAIL(
        cx, HF_ENOTSUP,
        "method counted has no way to count \"%s\" under criterion \"%s\"; need criterion connected or switches-connected, or "
        "all-pairs with a rule that keeps every healthy minimal path, such as updown",
        rule->spec, criterion->spec);
}

hf_status hf_counted_run(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                         uint32_t f_most, double memory, hf_counted **out) {
    hf_counted *counted;
    HF_TRY(hf_allocate(cx, 1, sizeof *counted, (void **)&counted));
    *counted = (hf_counted){.m = universe->n_component,
                            .reach = f_most < universe->n_component ? f_most : universe->n_component,
                            .allocator = *hf_context_allocator(cx)};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = count(cx, universe, rule, criterion, memory, counted);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_counted_free(counted);
        return status;
    }
    *out = counted;
    return HF_OK;
}

void hf_counted_free(hf_counted *counted) {
    if (!counted) {
        return;
    }
    const hf_allocator allocator = counted->allocator;
    for (uint32_t f = 0; counted->not_tolerated && f <= counted->reach; f++) {
        hf_big_free(counted->not_tolerated[f]);
    }
    hf_release(&allocator, counted->not_tolerated);
    hf_release(&allocator, counted);
}

/* ---- what it would take ---- */

typedef struct taken {
    uint32_t f, reach;
    double core_s, states, bytes;
} taken;

static hf_status take_up_to(hf_context *cx, const hf_campaign *c, uint32_t f, double memory, taken *out) {
    hf_counted *counted;
    const double from_s = hf_clock_cpu_s();
    HF_TRY(hf_counted_run(cx, c->universe, c->rule, c->criterion, f, memory, &counted));
    *out = (taken){f, counted->reach, hf_clock_cpu_s() - from_s, counted->states, counted->memory_bytes};
    hf_counted_free(counted);
    return HF_OK;
}

/* What comes behind the last size that was counted. */
typedef struct rest {
    double states;
    uint32_t end; /* the largest size with states of its own */
} rest;

/* States by the fewest faults that lead to them are like a bell, so the logarithm of their number follows a parabola: that
 * through what the last four sizes say, summed up to f. */
static rest rest_of(const taken *t, size_t n, uint32_t f) {
    const uint32_t last = t[n - 1].f;
    double x[3], y[3];
    rest out = {0, last};
    if (n < 4) {
        const double growth = n > 1 ? log2(t[n - 1].states / t[n - 2].states) / log2((double)last / t[n - 2].f) : 0;
        return (rest){t[n - 1].states * (pow((double)f / last, growth) - 1), f};
    }
    for (size_t i = 0; i < 3; i++) {
        const taken *now = &t[n - 3 + i], *before = now - 1;
        x[i] = (now->f + before->f + 1) / 2.;
        y[i] = log((now->states - before->states) / (now->f - before->f));
    }
    const double early = (y[1] - y[0]) / (x[1] - x[0]), late = (y[2] - y[1]) / (x[2] - x[1]);
    const double bend = 2 * (late - early) / (x[2] - x[0]), slope = late + bend * (x[2] - x[1]) / 2;
    while (out.end < f && isfinite(y[2])) {
        const double d = out.end + 1 - x[2], height = y[2] + slope * d + bend * d * d / 2;
        if (height < 0) {
            break;
        }
        out.states += exp(height);
        out.end++;
    }
    return out;
}

/* Seconds that a state takes at size f. Polynomials grow with the size, so it goes on as between the last two sizes, and no
 * faster than the size. \param start_s  what no state takes */
static double state_s(const taken *t, size_t n, uint32_t f, double start_s) {
    const taken *now = &t[n - 1], *before = &t[n > 1 ? n - 2 : 0];
    const double late = fmax(0, now->core_s - start_s) / now->states, early = fmax(0, before->core_s - start_s) / before->states;
    const double slope = now->f > before->f ? (late - early) / (now->f - before->f) : 0;
    return late + fmin(fmax(slope, 0), late / now->f) * (f - now->f);
}

/* 1, 2, 3, 4, 6, 8, 12, ...: behind f. */
static uint32_t next_size(uint32_t f) { return f < 2 ? f + 1 : (f & (f - 1)) ? f / 3 * 4 : f / 2 * 3; }

hf_status hf_counted_forecast(hf_context *cx, const hf_campaign *c, double memory, hf_forecast *forecast) {
    const double until_s = hf_clock_cpu_s() + forecast->seconds / 2;
    uint32_t most = 1;
    taken t[64]; /* sizes double with every second */
    size_t n = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        most = c->f[i] > most ? c->f[i] : most;
    }
    do {
        const uint32_t f = next_size(n ? t[n - 1].f : 0);
        HF_TRY(take_up_to(cx, c, f < most ? f : most, memory, &t[n++]));
    } while (t[n - 1].f < most && t[n - 1].reach == t[n - 1].f && hf_clock_cpu_s() < until_s);
    const taken *now = &t[n - 1];
    const bool has_states = now->states > 0; /* a tree takes the same for every size */
    const rest more = has_states ? rest_of(t, n, most) : (rest){0, now->f};
    const double start_s = has_states ? fmin(t[0].core_s, now->core_s) : 0, states = now->states + more.states;
    const double bytes = now->bytes * (has_states ? states / now->states * more.end / now->f : 1);
    return hf_forecast_add(cx, forecast,
                           (hf_forecast_row){.f = HF_NONE,
                                             .method = HF_METHOD_COUNTED,
                                             .what = "states",
                                             .threads = 1,
                                             .left = round(states),
                                             .looked = now->states,
                                             .start_s = start_s,
                                             .core_s = has_states ? states * state_s(t, n, more.end, start_s) : now->core_s,
                                             .bytes = bytes < memory ? bytes : memory});
}
