/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting the not tolerated sets of all sizes together: which way, and what comes out of it. */
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

/* Growth of the states from the last size to f. Those that can be met at all are like a bell over the components that they take,
 * so their logarithm goes up ever less, then stays: a parabola through the last three sizes, up to its top. */
static double growth(const taken *t, size_t n, uint32_t f) {
    const taken *now = &t[n - 1], *before = &t[n > 1 ? n - 2 : 0], *first = &t[n > 2 ? n - 3 : 0];
    if (n < 3 || now->f >= f || now->states <= before->states) {
        return n > 1 && now->f < f && before->states > 0 ? pow(now->states / before->states, log2((double)f / now->f)) : 1;
    }
    const double late = log(now->states / before->states) / (now->f - before->f);
    const double early = log(before->states / first->states) / (before->f - first->f);
    const double bend = 2 * (late - early) / (now->f - first->f), slope = late + bend * (now->f - before->f) / 2;
    const double steps = bend < 0 ? fmin(f - now->f, fmax(0, -slope / bend)) : f - now->f;
    return exp(slope * steps + bend * steps * steps / 2);
}

hf_status hf_counted_forecast(hf_context *cx, const hf_campaign *c, double memory, hf_forecast *forecast) {
    const double until_s = hf_clock_cpu_s() + forecast->seconds / 2;
    uint32_t most = 1;
    taken t[34]; /* sizes double */
    size_t n = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        most = c->f[i] > most ? c->f[i] : most;
    }
    do {
        const uint32_t f = n == 0 ? 1 : most / 2 < t[n - 1].f ? most : 2 * t[n - 1].f;
        HF_TRY(take_up_to(cx, c, f, memory, &t[n++]));
    } while (t[n - 1].f < most && t[n - 1].reach == t[n - 1].f && hf_clock_cpu_s() < until_s);
    const taken *now = &t[n - 1];
    const double more = growth(t, n, most), bytes = more * now->bytes;
    return hf_forecast_add(cx, forecast,
                           (hf_forecast_row){.f = HF_NONE,
                                             .method = HF_METHOD_COUNTED,
                                             .what = "states",
                                             .threads = 1,
                                             .left = round(more * now->states),
                                             .looked = now->states,
                                             .core_s = more * now->core_s,
                                             .bytes = bytes < memory ? bytes : memory});
}
