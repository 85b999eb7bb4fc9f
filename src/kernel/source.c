/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Sources: what is at the head of their queues, and who sends it; the client that sends a pattern. The packets of a terminal
 *  are a pure function of (seed, terminal), so a queue needs no memory, however long it is. */
#include "src/kernel/kernel.h"

#include "src/core/heap.h"

hf_status hf_kernel_put_at_head(hf_kernel *k, const hf_packet *p) {
    hf_lane *l = &k->lane[k->n_resource + p->source];
    HF_TRY(hf_kernel_packet_new(k, p, &l->packet));
    l->first = 0;
    l->count = p->length;
    k->counts.generated++;
    if (k->circuits || k->heads) {
        return k->heads ? hf_kernel_heads_start(k, p->source) : hf_kernel_circuit_start(k, p->source);
    }
    hf_kernel_header(k, k->n_resource + p->source);
    return HF_OK;
}

hf_status hf_kernel_attach(hf_kernel *k, const hf_client *client, void *user) {
    bool is_idle = !k->client;
    for (uint32_t t = 0; t < k->topo->n_terminal; t++) {
        is_idle = is_idle && k->lane[k->n_resource + t].packet == HF_NONE;
    }
    if (!is_idle) {
        HF_FAIL(k->cx, HF_EINVAL, "traffic is offered once, to a kernel whose sources are idle");
    }
    k->client = client;
    k->user = user;
    return HF_OK;
}

/* ---- what a terminal generates ---- */

static uint32_t draw_from_row(const hf_traffic *t, uint32_t s, uint64_t x) {
    for (uint32_t d = 0; t->matrix && d < t->n_terminal; d++) {
        const uint64_t weight = d == s ? 0 : t->matrix[(size_t)s * t->n_terminal + d];
        if (x < weight) {
            return d;
        }
        x -= weight;
    }
    return HF_NONE;
}

/* A destination for s, HF_NONE where the pattern sends nothing this time. */
static uint32_t draw_destination(const hf_traffic *t, uint32_t s, hf_random *random) {
    const uint64_t base = t->base + (s == t->hot ? t->hot_own : 0);
    uint64_t x = hf_random_below(random, t->denominator);
    if (x < base * (t->n_terminal - 1)) {
        const uint32_t d = (uint32_t)(x / base);
        return d < s ? d : d + 1;
    }
    x -= base * (t->n_terminal - 1);
    if (t->to && x < t->to_weight) {
        return t->to[s] == s ? HF_NONE : t->to[s];
    }
    x -= t->to ? t->to_weight : 0;
    if (t->hot != HF_NONE && x < t->hot_weight) {
        return t->hot == s ? HF_NONE : t->hot;
    }
    return draw_from_row(t, s, x - (t->hot != HF_NONE ? t->hot_weight : 0));
}

void hf_generator_next(const hf_plan *plan, const hf_traffic *traffic, const hf_rhythm *rhythm, uint32_t t, hf_generator *s) {
    do {
        hf_rhythm_next(rhythm, s);
        s->destination = draw_destination(traffic, t, &s->random);
    } while (s->next < HF_NEVER && (s->destination == HF_NONE || !hf_plan_is_live(plan, s->destination)));
}

/* What s sends to live terminals, times the denominator. */
static uint64_t weight_of(const hf_plan *plan, const hf_traffic *traffic, uint32_t s) {
    return hf_plan_is_live(plan, s) ? hf_traffic_row(traffic, s, plan->live) : 0;
}

bool hf_source_start(const hf_plan *plan, const hf_traffic *traffic, const hf_rhythm *rhythm, uint64_t seed, uint64_t now,
                     uint32_t t, hf_generator *s) {
    if (weight_of(plan, traffic, t) == 0) {
        return false;
    }
    hf_random_init(&s->random, seed, HF_PURPOSE_TRAFFIC, t);
    hf_random_init(&s->chain, seed, HF_PURPOSE_TRAFFIC, HF_KERNEL_CHAIN);
    hf_rhythm_start(rhythm, now, s);
    hf_generator_next(plan, traffic, rhythm, t, s);
    return true;
}

/* ---- the client ---- */

typedef struct pattern {
    const hf_traffic *traffic;
    hf_rhythm rhythm;
    hf_generator *source;   /* by terminal */
    uint32_t *heap, n_heap; /* idle sources by their next packet */
} pattern;

static bool is_before(const hf_generator *source, const uint32_t *a, const uint32_t *b) {
    const uint64_t x = source[*a].next, y = source[*b].next;
    return x != y ? x < y : *a < *b;
}

HF_HEAP_DEFINE(heap, uint32_t, const hf_generator *, is_before);

static void push(pattern *p, uint32_t t) { heap_push(p->source, p->heap, p->n_heap++, t); }

/* Idle sources of a part. */
static hf_status share(hf_kernel *k, void *user, uint32_t part, void **out) {
    pattern *p = user, *own;
    uint32_t n = 0;
    HF_TRY(hf_scratch(k->cx, 1, sizeof *own, (void **)&own));
    *own = *p;
    HF_TRY(hf_scratch(k->cx, k->topo->n_terminal, sizeof *own->heap, (void **)&own->heap));
    own->n_heap = 0;
    for (uint32_t i = 0; i < p->n_heap; i++) {
        if (k->part_of[k->topo->n_switch + p->heap[i]] == part) {
            push(own, p->heap[i]);
        } else {
            p->heap[n++] = p->heap[i];
        }
    }
    p->n_heap = n;
    *out = own;
    return HF_OK;
}

static hf_status start(hf_kernel *k, const pattern *p, uint32_t t) {
    const hf_generator *s = &p->source[t];
    return hf_kernel_put_at_head(
        k, &(hf_packet){.source = t, .destination = s->destination, .length = k->o.packet_length, .generated = s->next});
}

static hf_status begin(hf_kernel *k, void *user) {
    pattern *p = user;
    while (p->n_heap > 0 && p->source[p->heap[0]].next <= k->counts.cycle) {
        HF_TRY(start(k, p, heap_pop(p->source, p->heap, p->n_heap--)));
    }
    return HF_OK;
}

static hf_status go_on(hf_kernel *k, void *user, uint32_t t) {
    pattern *p = user;
    hf_generator_next(k->plan, p->traffic, &p->rhythm, t, &p->source[t]);
    if (p->source[t].next <= k->counts.cycle) {
        return start(k, p, t);
    }
    push(p, t);
    return HF_OK;
}

void hf_kernel_bursts(hf_kernel *k, hf_burst burst) { k->burst = burst; }

hf_status hf_kernel_offer(hf_kernel *k, const hf_traffic *traffic, double load, uint64_t seed) {
    static const hf_client client = {.begin = begin, .idle = go_on, .share = share};
    const uint32_t n = k->topo->n_terminal;
    pattern *p;
    HF_TRY(hf_scratch(k->cx, 1, sizeof *p, (void **)&p));
    p->traffic = traffic;
    HF_TRY(hf_rhythm_make(k->cx, load, k->burst, k->o.packet_length, &p->rhythm));
    HF_TRY(hf_scratch(k->cx, n, sizeof *p->source, (void **)&p->source));
    HF_TRY(hf_scratch(k->cx, n, sizeof *p->heap, (void **)&p->heap));
    HF_TRY(hf_kernel_attach(k, &client, p));
    k->seed = seed;
    if (k->circuits) {
        hf_kernel_circuit_seed(k, seed);
    }
    double sum = 0;
    for (uint32_t t = 0; t < n; t++) {
        if (hf_source_start(k->plan, traffic, &p->rhythm, seed, k->counts.cycle, t, &p->source[t])) {
            sum += (double)weight_of(k->plan, traffic, t);
            push(p, t);
        }
    }
    k->offered = load * sum / (double)traffic->denominator;
    return HF_OK;
}

double hf_kernel_offered(const hf_kernel *k) { return k->offered; }
