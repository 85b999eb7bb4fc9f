/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dependencies of message classes. Packets of each class are followed as if they were alone, on the virtual channels of the
 *  class. At its destination one that has to be answered keeps the last channel until the answer has got one of the virtual
 *  channels that it may be injected on. Which ones these are may depend on whom the answer is for, and so on where the packet
 *  came from: packets of senders whose answers have the same choice are followed together, over the walk of their destination. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/dependency.h"
#include "src/analysis/paths/walk.h"
#include "src/core/grow.h"

/* A packet that waits at its destination. */
typedef struct waiting {
    uint32_t resource, destination, tag, class, asker, answer, answer_to, mask;
} waiting;

/* A choice that answers have, and whom one of them is for. */
typedef struct choice {
    uint32_t mask, target;
} choice;

typedef struct clerk {
    hf_context *cx;
    const hf_plan *plan;
    const hf_dependency *shape;
    waiting *item;
    size_t n, room;
    uint64_t *mask; /* n_mask x words */
    uint32_t n_mask;
    size_t mask_room;
    uint64_t *bits; /* words: a mask that is being made */
    hf_hop *hops;
    /* of one destination */
    hf_walk walk;
    choice *choice; /* of its answers, those of one mask together or not */
    size_t n_choice, choice_room;
    uint32_t first_mask; /* the first of its masks */
    uint32_t *sender;    /* by state: from where it was reached first, HF_NONE: not yet */
    uint32_t *queue, state_room, tail;
    uint64_t *seen; /* resources */
} clerk;

/* ---- answers ---- */

/* The number of a mask, as it was or new; masks of one terminal are few. */
static hf_status find_mask(clerk *k, uint32_t *number) {
    const size_t words = k->shape->words;
    for (*number = k->first_mask; *number < k->n_mask; ++*number) {
        if (memcmp(k->mask + *number * words, k->bits, words * sizeof *k->bits) == 0) {
            return HF_OK;
        }
    }
    for (size_t w = 0, at = k->n_mask * words; w < words; w++, at++) {
        HF_GROW_SCRATCH(k->cx, k->mask, at, k->mask_room);
        k->mask[at] = k->bits[w];
    }
    k->n_mask++;
    return HF_OK;
}

static hf_status add_choice(clerk *k, const hf_hop *hops, size_t n, uint32_t target) {
    uint32_t number;
    memset(k->bits, 0, k->shape->words * sizeof *k->bits);
    for (size_t i = 0; i < n; i++) {
        hf_bit_set(k->bits, hf_dependency_slot(k->shape, hops[i]));
    }
    HF_TRY(find_mask(k, &number));
    HF_GROW_SCRATCH(k->cx, k->choice, k->n_choice, k->choice_room);
    k->choice[k->n_choice++] = (choice){number, target};
    return HF_OK;
}

/* What the answer from one terminal to another may be injected on, over healthy channels; of rules that commit packets each hop
 * is a choice of its own. An answer without a hop is lost, and nobody waits for it. */
static hf_status read_answer(clerk *k, const hf_plan *answer, uint32_t from, uint32_t target) {
    size_t count, n = 0;
    HF_TRY(hf_plan_read(k->cx, answer, answer->topo->n_switch + from, HF_HOP_INJECTION, target, k->hops, &count));
    for (size_t i = 0; i < count; i++) {
        if (!hf_bit_test(answer->faults->channel_set, k->hops[i].channel)) {
            k->hops[n++] = k->hops[i];
        }
    }
    const size_t step = hf_plan_traits(answer) & HF_ROUTING_COMMITS ? 1 : n;
    for (size_t i = 0; i < n; i += step) {
        HF_TRY(add_choice(k, k->hops + i, step, target));
    }
    return HF_OK;
}

static hf_status read_answers(clerk *k, const hf_class_answer *a, uint32_t at) {
    const hf_plan *asked = &k->plan->of_class[a->of], *answer = &k->plan->of_class[a->with];
    k->n_choice = 0;
    k->first_mask = k->n_mask;
    for (uint32_t t = 0; t < k->plan->topo->n_terminal; t++) {
        const bool is_one = a->to_any ? hf_plan_sends(answer, at, t) : hf_plan_sends(asked, t, at);
        HF_TRY(is_one ? read_answer(k, answer, at, t) : HF_OK);
    }
    return HF_OK;
}

/* ---- who comes by which last channel ---- */

static void start_from(clerk *k, const hf_plan *asked, uint32_t source) {
    if (hf_plan_sends(asked, source, k->walk.destination) && k->sender[source] == HF_NONE) {
        k->sender[source] = source;
        k->queue[k->tail++] = source;
    }
}

/* All whose answer has this choice; where it is for any terminal, all. */
static void start_walk(clerk *k, const hf_class_answer *a, uint32_t mask) {
    const hf_plan *asked = &k->plan->of_class[a->of];
    k->tail = 0;
    memset(k->sender, 0xff, k->walk.n_state * sizeof *k->sender); /* HF_NONE */
    memset(k->seen, 0, hf_words(k->shape->n_resource) * sizeof *k->seen);
    for (uint32_t t = 0; a->to_any && t < k->plan->topo->n_terminal; t++) {
        start_from(k, asked, t);
    }
    for (size_t i = 0; !a->to_any && i < k->n_choice; i++) {
        if (k->choice[i].mask == mask) {
            start_from(k, asked, k->choice[i].target);
        }
    }
}

static hf_status arrive(clerk *k, const hf_class_answer *a, const choice *c, uint32_t edge, uint32_t sender) {
    const hf_hop hop = k->walk.hops[edge];
    const uint32_t r = hf_dependency_resource(k->shape, hop);
    if (hf_bit_test(k->seen, r)) {
        return HF_OK;
    }
    hf_bit_set(k->seen, r);
    HF_GROW_SCRATCH(k->cx, k->item, k->n, k->room);
    k->item[k->n++] = (waiting){r, k->walk.destination, hop.tag, a->of, sender, a->with, a->to_any ? c->target : sender, c->mask};
    return HF_OK;
}

static hf_status walk_on(clerk *k, const hf_class_answer *a, const choice *c) {
    start_walk(k, a, c->mask);
    for (uint32_t head = 0; head < k->tail; head++) {
        const uint32_t from = k->queue[head];
        for (uint32_t e = k->walk.edge_begin[from]; e < k->walk.edge_begin[from + 1]; e++) {
            const uint32_t to = k->walk.edge[e];
            if (to == HF_WALK_DELIVERED) {
                HF_TRY(arrive(k, a, c, e, k->sender[from]));
            } else if (to != HF_WALK_FAULT && k->sender[to] == HF_NONE) {
                k->sender[to] = k->sender[from];
                k->queue[k->tail++] = to;
            }
        }
    }
    return HF_OK;
}

static hf_status make_room(clerk *k) {
    if (k->state_room < k->walk.n_state) {
        k->state_room = k->walk.state_room;
        HF_TRY(hf_scratch(k->cx, k->state_room, sizeof *k->sender, (void **)&k->sender));
        HF_TRY(hf_scratch(k->cx, k->state_room, sizeof *k->queue, (void **)&k->queue));
    }
    return HF_OK;
}

/* Packets of a class that wait at one terminal to be answered. */
static hf_status wait_at(clerk *k, const hf_class_answer *a, uint32_t at) {
    HF_TRY(read_answers(k, a, at));
    if (k->n_choice == 0) {
        return HF_OK;
    }
    HF_TRY(hf_walk_explore(k->cx, &k->walk, &k->plan->of_class[a->of], at));
    HF_TRY(make_room(k));
    for (uint32_t mask = k->first_mask; mask < k->n_mask; mask++) {
        size_t i = 0;
        while (k->choice[i].mask != mask) {
            i++;
        }
        HF_TRY(walk_on(k, a, &k->choice[i]));
    }
    return HF_OK;
}

static hf_status wait_everywhere(clerk *k) {
    const hf_topology *topo = k->plan->topo;
    HF_TRY(hf_scratch(k->cx, hf_plan_room(k->plan), sizeof *k->hops, (void **)&k->hops));
    HF_TRY(hf_scratch(k->cx, k->shape->words, sizeof *k->bits, (void **)&k->bits));
    HF_TRY(hf_scratch(k->cx, hf_words(k->shape->n_resource), sizeof *k->seen, (void **)&k->seen));
    HF_TRY(hf_walk_init(k->cx, topo, &k->walk));
    for (uint32_t i = 0; i < k->plan->classes->n_answer; i++) {
        for (uint32_t t = 0; t < topo->n_terminal; t++) {
            if (hf_context_stopped(k->cx)) {
                HF_FAIL(k->cx, HF_ESTOP, "stopped while following answers");
            }
            HF_TRY(hf_plan_is_live(k->plan, t) ? wait_at(k, &k->plan->classes->answer[i], t) : HF_OK);
        }
    }
    return HF_OK;
}

/* ---- all classes together ---- */

typedef struct whole {
    hf_context *cx;
    const hf_dependency *of; /* by class */
    const clerk *k;
    hf_dependency *out;
    size_t *first_mask; /* by class, and of those that wait */
} whole;

static hf_status open_whole(whole *w, uint32_t n_class) {
    hf_dependency *d = w->out;
    uint64_t n = w->k->n;
    size_t masks = 0;
    HF_TRY(hf_scratch(w->cx, n_class + 1, sizeof *w->first_mask, (void **)&w->first_mask));
    for (uint32_t c = 0; c < n_class; c++) {
        uint32_t last = 0;
        for (uint32_t i = 0; i < w->of[c].n_situation; i++) {
            last = w->of[c].mask_of[i] >= last ? w->of[c].mask_of[i] + 1 : last;
        }
        w->first_mask[c] = masks;
        masks += last;
        n += w->of[c].n_situation;
    }
    w->first_mask[n_class] = masks;
    if (n >= HF_NONE || masks + w->k->n_mask >= HF_NONE) {
        HF_FAIL(w->cx, HF_ERANGE, "%llu situations of packets are too many", (unsigned long long)n);
    }
    uint32_t **const array[] = {&d->resource, &d->destination, &d->tag,    &d->mask_of,
                                &d->class_of, &d->asker,       &d->answer, &d->answer_to};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        HF_TRY(hf_scratch(w->cx, n, sizeof **array[i], (void **)array[i]));
    }
    HF_TRY(hf_scratch(w->cx, (masks + w->k->n_mask) * d->words, sizeof *d->mask, (void **)&d->mask));
    HF_TRY(hf_scratch(w->cx, (size_t)d->n_resource + 1, sizeof *d->begin, (void **)&d->begin));
    HF_TRY(hf_scratch(w->cx, (size_t)d->n_resource * d->words, sizeof *d->all, (void **)&d->all));
    return hf_scratch(w->cx, hf_words(d->n_resource), sizeof *d->used, (void **)&d->used);
}

static void copy_masks(const whole *w, uint32_t n_class) {
    const size_t words = w->out->words;
    for (uint32_t c = 0; c <= n_class; c++) {
        const size_t n = c < n_class ? w->first_mask[c + 1] - w->first_mask[c] : w->k->n_mask;
        if (n) {
            memcpy(w->out->mask + w->first_mask[c] * words, c < n_class ? w->of[c].mask : w->k->mask,
                   n * words * sizeof *w->out->mask);
        }
    }
}

static void put(const whole *w, const waiting *item) {
    hf_dependency *d = w->out;
    const uint32_t i = d->n_situation++;
    d->resource[i] = item->resource;
    d->destination[i] = item->destination;
    d->tag[i] = item->tag;
    d->mask_of[i] = item->mask;
    d->class_of[i] = item->class;
    d->asker[i] = item->asker;
    d->answer[i] = item->answer;
    d->answer_to[i] = item->answer_to;
    (void)hf_bits_or(d->all + (size_t)item->resource * d->words, hf_dependency_mask(d, i), d->words);
}

/* The situations of a resource: class by class, then packets that wait to be answered, who come in the order of `by_resource`. */
static void put_all(const whole *w, uint32_t n_class, const hf_rows *by_resource) {
    hf_dependency *d = w->out;
    for (uint32_t r = 0; r < d->n_resource; r++) {
        d->begin[r] = d->n_situation;
        for (uint32_t c = 0; c < n_class; c++) {
            const hf_dependency *of = &w->of[c];
            for (uint32_t i = of->begin[r]; i < of->begin[r + 1]; i++) {
                const uint32_t mask = (uint32_t)(w->first_mask[c] + of->mask_of[i]);
                put(w, &(waiting){r, of->destination[i], of->tag[i], c, HF_NONE, HF_NONE, HF_NONE, mask});
            }
        }
        for (uint32_t j = by_resource->begin[r]; j < by_resource->begin[r + 1]; j++) {
            waiting item = w->k->item[by_resource->item[j]];
            item.mask += (uint32_t)w->first_mask[n_class];
            put(w, &item);
        }
    }
    d->begin[d->n_resource] = d->n_situation;
}

static void mark_used_and_stuck(const whole *w, uint32_t n_class) {
    hf_dependency *d = w->out;
    d->stuck.source = d->stuck.destination = HF_NONE;
    for (uint32_t c = 0; c < n_class; c++) {
        const hf_dependency *of = &w->of[c];
        (void)hf_bits_or(d->used, of->used, hf_words(d->n_resource));
        if (of->is_stuck && of->stuck.destination < d->stuck.destination) {
            d->stuck.source = of->stuck.source;
            d->stuck.destination = of->stuck.destination;
        }
        d->is_stuck |= of->is_stuck;
    }
}

static hf_status put_together(whole *w, uint32_t n_class) {
    uint32_t *resource;
    hf_rows by_resource;
    HF_TRY(open_whole(w, n_class));
    HF_TRY(hf_scratch(w->cx, w->k->n, sizeof *resource, (void **)&resource));
    for (size_t i = 0; i < w->k->n; i++) {
        resource[i] = w->k->item[i].resource;
    }
    HF_TRY(hf_rows_of(w->cx, w->out->n_resource, NULL, (uint32_t)w->k->n, resource, &by_resource));
    copy_masks(w, n_class);
    put_all(w, n_class, &by_resource);
    mark_used_and_stuck(w, n_class);
    return HF_OK;
}

hf_status hf_dependency_of_classes(hf_context *cx, const hf_plan *plan, uint32_t threads, hf_dependency *out) {
    const uint32_t n_class = plan->classes->n;
    clerk k = {.cx = cx, .plan = plan, .shape = out};
    hf_dependency *of;
    HF_TRY(hf_dependency_shape(cx, plan, out));
    HF_TRY(hf_scratch(cx, n_class, sizeof *of, (void **)&of));
    for (uint32_t c = 0; c < n_class; c++) {
        HF_TRY(hf_dependency_make(cx, &plan->of_class[c], threads, &of[c]));
    }
    HF_TRY(wait_everywhere(&k));
    whole w = {.cx = cx, .of = of, .k = &k, .out = out};
    return put_together(&w, n_class);
}
