/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Message classes of any rule: how they are written, what their packets are, and the rule's plan once for each class, moved to
 *  the virtual channels of the class. */
#include <ctype.h>
#include <string.h>

#include <holdfast/routing.h>

#include "src/core/lines.h"
#include "src/core/number.h"

/* ---- how they are written ---- */

typedef struct reader {
    hf_context *cx;
    const char *text, *at;
    hf_classes *out;
    bool has_set[HF_CLASSES];
} reader;

#define REFUSE(r, ...) return refuse((r), hf_context_fail((r)->cx, HF_EINVAL, __FILE__, __LINE__, __VA_ARGS__))

static hf_status refuse(const reader *r, hf_status status) {
    hf_context_prefix(r->cx, "classes \"%s\": ", r->text);
    return status;
}

static hf_status add_class(reader *r, hf_slice name, uint32_t *which) {
    hf_classes *c = r->out;
    for (*which = 0; *which < c->n; ++*which) {
        if (hf_slice_is(name, c->of[*which].name)) {
            return HF_OK;
        }
    }
    if (c->n == HF_CLASSES) {
        REFUSE(r, "more than %d classes", HF_CLASSES);
    }
    HF_TRY(hf_allocate(r->cx, name.size + 1, 1, (void **)&c->of[c->n].name));
    memcpy(c->of[c->n].name, name.text, name.size);
    c->of[c->n++].set = HF_NONE;
    return HF_OK;
}

/* "=N" behind a name. */
static hf_status read_set(reader *r, uint32_t class) {
    uint64_t set;
    hf_slice rest = hf_slice_of(++r->at);
    if (!isdigit((unsigned char)*r->at) || !hf_take_number(&rest, &set) || set >= HF_CLASSES) {
        REFUSE(r, "the set of virtual channels at \"%.20s\" is no number below %d", r->at, HF_CLASSES);
    }
    if (r->has_set[class] && r->out->of[class].set != set) {
        REFUSE(r, "class %s has two sets of virtual channels, %u and %u", r->out->of[class].name, r->out->of[class].set,
               (uint32_t)set);
    }
    r->at = rest.text;
    r->has_set[class] = true;
    r->out->of[class].set = (uint32_t)set;
    return HF_OK;
}

static hf_status read_name(reader *r, uint32_t *class) {
    const char *begin = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '-' || *r->at == '_') {
        r->at++;
    }
    if (r->at == begin) {
        REFUSE(r, "need the name of a class at \"%.20s\", as in request>reply", begin);
    }
    HF_TRY(add_class(r, (hf_slice){begin, (size_t)(r->at - begin)}, class));
    return *r->at == '=' ? read_set(r, *class) : HF_OK;
}

static hf_status add_answer(reader *r, hf_class_answer answer) {
    hf_classes *c = r->out;
    for (uint32_t i = 0; i < c->n_answer; i++) {
        if (c->answer[i].of == answer.of && c->answer[i].with == answer.with) {
            REFUSE(r, "%s answers %s twice", c->of[answer.with].name, c->of[answer.of].name);
        }
    }
    c->of[answer.with].is_answer = true;
    c->answer[c->n_answer++] = answer;
    return HF_OK;
}

/* A chain: names with > or >> between them. */
static hf_status read_chain(reader *r) {
    uint32_t class = 0, next = 0;
    HF_TRY(read_name(r, &class));
    while (*r->at == '>') {
        const bool to_any = r->at[1] == '>';
        r->at += to_any ? 2 : 1;
        HF_TRY(read_name(r, &next));
        HF_TRY(add_answer(r, (hf_class_answer){class, next, to_any}));
        class = next;
    }
    return HF_OK;
}

/* Classes without a set get the lowest that is left. */
static void give_sets(reader *r) {
    hf_classes *c = r->out;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        taken |= r->has_set[i] ? 1u << c->of[i].set : 0;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (!r->has_set[i]) {
            c->of[i].set = (uint32_t)__builtin_ctz(~taken);
            taken |= 1u << c->of[i].set;
        }
        c->n_set = c->of[i].set >= c->n_set ? c->of[i].set + 1 : c->n_set;
    }
}

/* What a packet brings about comes to an end. */
static hf_status check_ends(const reader *r) {
    const hf_classes *c = r->out;
    uint32_t depth[HF_CLASSES] = {0};
    for (uint32_t round = 0; round <= c->n; round++) {
        for (uint32_t i = 0; i < c->n_answer; i++) {
            const uint32_t below = depth[c->answer[i].of] + 1;
            uint32_t *own = &depth[c->answer[i].with];
            *own = below > *own ? below : *own;
            if (*own > c->n) {
                REFUSE(r, "%s would be answered for ever", c->of[c->answer[i].with].name);
            }
        }
    }
    return HF_OK;
}

static hf_status read_text(reader *r) {
    do {
        r->at += r->at > r->text ? 1 : 0;
        HF_TRY(read_chain(r));
    } while (*r->at == ',');
    if (*r->at) {
        REFUSE(r, "\"%.20s\" is not right; need > or >> before an answer, or a comma", r->at);
    }
    give_sets(r);
    return check_ends(r);
}

/* ---- flows ---- */

typedef struct pairs {
    uint32_t *source, *destination, n, room;
} pairs;

static hf_status add_pair(hf_context *cx, pairs *p, uint32_t source, uint32_t destination) {
    if (p->n == p->room) {
        p->room = 2 * p->room + 64;
        HF_TRY(hf_resize(cx, p->room, sizeof *p->source, (void **)&p->source));
        HF_TRY(hf_resize(cx, p->room, sizeof *p->destination, (void **)&p->destination));
    }
    p->source[p->n] = source;
    p->destination[p->n++] = destination;
    return HF_OK;
}

static hf_status add_list(hf_context *cx, pairs *p, const hf_flow_list *flows, bool is_turned) {
    for (uint32_t d = 0; d < flows->n_terminal; d++) {
        for (uint32_t i = flows->begin[d]; i < flows->begin[d + 1]; i++) {
            HF_TRY(add_pair(cx, p, is_turned ? d : flows->source[i], is_turned ? flows->source[i] : d));
        }
    }
    return HF_OK;
}

/* From all that take what `flows` has to all others. */
static hf_status add_onward(hf_context *cx, pairs *p, const hf_flow_list *flows) {
    for (uint32_t t = 0; t < flows->n_terminal; t++) {
        for (uint32_t d = 0; flows->begin[t] < flows->begin[t + 1] && d < flows->n_terminal; d++) {
            HF_TRY(d == t ? HF_OK : add_pair(cx, p, t, d));
        }
    }
    return HF_OK;
}

/* The pairs that a file gives a class: with its name; of one that is no answer, those without any. */
static const hf_flow_list *given(const hf_classes *c, uint32_t class, const hf_flow_list *flows) {
    for (uint32_t i = 0; i < flows->n_class; i++) {
        if (strcmp(flows->class_name[i], c->of[class].name) == 0) {
            return flows->of_class[i];
        }
    }
    return flows->n_class || c->of[class].is_answer ? NULL : flows;
}

static hf_status check_names(const reader *r, const hf_flow_list *flows) {
    const hf_classes *c = r->out;
    for (uint32_t i = 0; i < flows->n_class; i++) {
        uint32_t k = 0, to_sender = 0;
        while (k < c->n && strcmp(flows->class_name[i], c->of[k].name) != 0) {
            k++;
        }
        if (k == c->n) {
            REFUSE(r, "%s has flows of class %s, which is none of them", flows->named ? flows->named : "the file",
                   flows->class_name[i]);
        }
        for (uint32_t a = 0; a < c->n_answer; a++) {
            to_sender |= c->answer[a].with == k && !c->answer[a].to_any;
        }
        if (to_sender) {
            REFUSE(r, "flows of class %s follow from what it answers; leave them out of %s", c->of[k].name,
                   flows->named ? flows->named : "the file");
        }
    }
    return HF_OK;
}

/* The flows of a class, all that it answers having theirs. */
static hf_status make_flows(hf_context *cx, hf_classes *c, uint32_t class, const hf_flow_list *flows, pairs *p) {
    const hf_flow_list *own = given(c, class, flows);
    HF_TRY(own ? add_list(cx, p, own, false) : HF_OK);
    for (uint32_t i = 0; i < c->n_answer; i++) {
        const hf_class_answer *a = &c->answer[i];
        if (a->with != class || (a->to_any && own)) {
            continue;
        }
        const hf_flow_list *before = c->of[a->of].flows;
        HF_TRY(a->to_any ? add_onward(cx, p, before) : add_list(cx, p, before, true));
    }
    return hf_flow_list_of(cx, flows->n_terminal, p->source, p->destination, p->n, &c->of[class].flows);
}

static bool is_ready(const hf_classes *c, uint32_t class) {
    bool ready = !c->of[class].flows;
    for (uint32_t i = 0; i < c->n_answer; i++) {
        ready &= c->answer[i].with != class || c->of[c->answer[i].of].flows;
    }
    return ready;
}

static hf_status give_flows(reader *r, const hf_flow_list *flows) {
    hf_classes *c = r->out;
    HF_TRY(check_names(r, flows));
    for (uint32_t done = 0; done < c->n; done++) {
        uint32_t class = 0;
        pairs p = {0};
        while (!is_ready(c, class)) {
            class ++;
        }
        const hf_status status = make_flows(r->cx, c, class, flows, &p);
        hf_release(&c->allocator, p.source);
        hf_release(&c->allocator, p.destination);
        HF_TRY(status);
    }
    return HF_OK;
}

hf_status hf_classes_new(hf_context *cx, const char *text, const hf_flow_list *flows, hf_classes **out) {
    hf_classes *c;
    HF_TRY(hf_allocate(cx, 1, sizeof *c, (void **)&c));
    c->allocator = *hf_context_allocator(cx);
    reader r = {.cx = cx, .text = text, .at = text, .out = c};
    hf_status status = read_text(&r);
    status = status == HF_OK ? hf_duplicate(cx, text, &c->spec) : status;
    status = status == HF_OK && flows ? give_flows(&r, flows) : status;
    if (status != HF_OK) {
        hf_classes_free(c);
        return status;
    }
    *out = c;
    return HF_OK;
}

void hf_classes_free(hf_classes *classes) {
    if (classes) {
        const hf_allocator allocator = classes->allocator;
        for (uint32_t i = 0; i < classes->n; i++) {
            hf_release(&allocator, classes->of[i].name);
            hf_flow_list_free(classes->of[i].flows);
        }
        hf_release(&allocator, classes->spec);
        hf_release(&allocator, classes);
    }
}

/* ---- the plan of a class ---- */

/* The rule's own plan, and where the virtual channels of the class begin. */
typedef struct moved {
    hf_plan own;
    uint32_t first;
    hf_routing routing;
    hf_likeness like;
} moved;

static hf_hop to_own(const moved *m, hf_hop hop) {
    return hop.channel == HF_NONE ? hop : (hf_hop){hop.channel, hop.vc - m->first, hop.tag};
}

/* A hop out of the rule's range stays out of range. */
static size_t move(const hf_plan *plan, hf_hop *hops, size_t n) {
    const moved *m = plan->state;
    for (size_t i = 0; i < n && i < hf_plan_room(plan); i++) {
        hops[i].vc = hops[i].vc < m->own.n_vc ? hops[i].vc + m->first : HF_NONE;
    }
    return n;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const moved *m = plan->state;
    return move(plan, hops, hf_plan_route(&m->own, at, to_own(m, in), destination, hops));
}

static size_t escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const moved *m = plan->state;
    const hf_hop came = to_own(m, in);
    const size_t n = m->own.routing->escape(hf_plan_own(&m->own), at, hf_lanes_own_hop(&m->own, came), destination, hops);
    return move(plan, hops, hf_lanes_spread(&m->own, came, hops, n));
}

static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    const moved *m = plan->state;
    return hf_plan_arrival(&m->own, to_own(m, in));
}

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const moved *m = plan->state;
    return hf_plan_run(&m->own, at, to_own(m, in), destination);
}

/* What asks the plan about itself and knows nothing of classes is left out. */
static void move_routing(moved *m) {
    const hf_routing *own = m->own.routing;
    const hf_likeness *like = hf_likeness_of(&m->own);
    m->like =
        (hf_likeness){.by_switch = like->by_switch, .arrival = like->arrival ? arrival : NULL, .run = like->run ? run : NULL};
    m->routing = (hf_routing){.name = own->name,
                              .summary = own->summary,
                              .source = own->source,
                              .traits = own->traits,
                              .params = own->params,
                              .claims = own->claims,
                              .claim = own->claim,
                              .route = route,
                              .escape = own->escape ? escape : NULL,
                              .likeness = &m->like};
}

static hf_status move_plan(hf_context *cx, const hf_classes *classes, uint32_t class, const hf_plan *own, hf_plan *out) {
    moved *m;
    HF_TRY(hf_scratch(cx, 1, sizeof *m, (void **)&m));
    m->own = *own;
    m->first = classes->of[class].set * own->n_vc;
    move_routing(m);
    *out = *own;
    out->routing = &m->routing;
    out->state = m;
    out->runs = NULL;
    out->distance = NULL;
    out->lanes = NULL;
    out->likeness = NULL;
    out->n_vc = classes->n_set * own->n_vc;
    out->flows = classes->of[class].flows;
    return HF_OK;
}

hf_status hf_classes_plan(hf_context *cx, const hf_classes *classes, hf_plan *plan) {
    hf_plan *of_class;
    HF_TRY(hf_scratch(cx, classes->n, sizeof *of_class, (void **)&of_class));
    if ((uint64_t)classes->n_set * plan->n_vc * plan->topo->n_channel >= HF_NONE) {
        HF_FAIL(cx, HF_ERANGE, "classes \"%s\": %u sets of %u virtual channels are too many", classes->spec, classes->n_set,
                plan->n_vc);
    }
    for (uint32_t i = 0; i < classes->n; i++) {
        HF_TRY(move_plan(cx, classes, i, plan, &of_class[i]));
    }
    *plan = of_class[0];
    plan->classes = classes;
    plan->of_class = of_class;
    return HF_OK;
}
