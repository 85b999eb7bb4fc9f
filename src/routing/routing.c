/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Registry of the routings, rules with their arguments, and the making of plans. */
#include <holdfast/routing.h>

#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/format.h>

#include "src/core/registry.h"

#define X(name) extern const hf_routing hf_routing_##name;
#include "src/routing/list.def"
#undef X

static const void *const entries[] = {
#define X(name) &hf_routing_##name,
#include "src/routing/list.def"
#undef X
};
static const hf_registry registry = HF_REGISTRY("routing", entries);
static const char words_before_flows[] = " for ", words_before_classes[] = " with ",
                  letters_of_classes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=>,";

const char *const hf_control_order_names[] = {"first", "newest", NULL};

const hf_likeness hf_no_likeness = {0};
const hf_routing_drawing hf_no_drawing = {0};
const hf_routing_measures hf_no_measures = {0};

hf_symmetric hf_always_symmetric(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    (void)args;
    return (hf_symmetric){.of = HF_SYMMETRIC_TOLERANCE | HF_SYMMETRIC_BUBBLES | HF_SYMMETRIC_RELATION, .f_most = UINT32_MAX};
}

bool hf_routing_never_chooses(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    (void)args;
    return false;
}

uint32_t hf_arrival_any(const hf_plan *plan, hf_hop in) {
    (void)plan, (void)in;
    return 0;
}

size_t hf_routing_count(void) { return registry.n; }
const hf_routing *hf_routing_at(size_t i) { return hf_registry_at(&registry, i); }
const hf_routing *hf_routing_find(const char *name, size_t size) { return hf_registry_find(&registry, (hf_slice){name, size}); }

static hf_status finish_rule(hf_context *cx, const hf_topology *topo, hf_rule *rule) {
    if (topo && rule->routing->accepts) {
        HF_TRY(rule->routing->accepts(cx, topo, &rule->args));
    }
    if (topo && rule->routing->open) {
        HF_TRY(rule->routing->open(cx, topo, &rule->args, &rule->data));
    }
    if (topo && rule->routing->flows) {
        HF_TRY(rule->routing->flows(cx, rule->data, &rule->flows));
    }
    return hf_args_canonical(cx, rule->routing->name, &rule->args, &rule->spec);
}

/* ---- flows ---- */

/* What only a relation of all pairs has. */
static unsigned without_flows(unsigned traits, bool has_flows) {
    return has_flows ? traits & ~(unsigned)(HF_ROUTING_ALL_MINIMAL | HF_ROUTING_SHORTEST) : traits;
}

unsigned hf_rule_traits(const hf_rule *rule) {
    const hf_routing *routing = rule->routing;
    return without_flows(routing->traits | (routing->claims ? routing->claims(&rule->args) : 0), rule->flows);
}

unsigned hf_plan_traits(const hf_plan *plan) {
    const hf_routing *routing = plan->routing;
    const unsigned more = plan->traits | (routing->claims && plan->args ? routing->claims(plan->args) : 0);
    return without_flows(routing->traits | more, plan->flows);
}

/* Cut a text before its last `word`, if only `letters` follow (NULL: any). \return what stood behind; NULL: the word is not
 * there */
static const char *cut_at(char *text, const char *word, const char *letters) {
    char *last = NULL;
    for (char *at = text; (at = strstr(at, word)) != NULL; at++) {
        last = at;
    }
    const char *rest = last ? last + strlen(word) : NULL;
    if (!last || (letters && rest[strspn(rest, letters)])) {
        return NULL;
    }
    *last = '\0';
    return rest;
}

/* Put what a rule goes with behind its spec. */
static hf_status extend_spec(hf_context *cx, const char *word, const char *more, hf_rule *rule) {
    char *spec = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_text_print(&text, "%s%s%s", rule->spec, word, more);
    hf_status status = hf_text_check(cx, &text);
    status = status == HF_OK ? hf_duplicate(cx, text.data, &spec) : status;
    hf_text_free(&text);
    HF_TRY(status);
    hf_release(&rule->args.allocator, rule->spec);
    rule->spec = spec;
    return HF_OK;
}

/* The rule has been made; add flows to it. */
static hf_status add_flows(hf_context *cx, const hf_topology *topo, const char *path, hf_rule *rule) {
    if (topo) {
        hf_flow_list_free(rule->flows); /* the rule's own */
        rule->flows = NULL;
        HF_TRY(hf_flow_list_new(cx, topo, path, &rule->flows));
        path = rule->flows->named;
    }
    return extend_spec(cx, words_before_flows, path, rule);
}

/* Classes stand before the flows in the spec, and are made of them. */
static hf_status add_more(hf_context *cx, const hf_topology *topo, const char *classes, const char *flows, hf_rule *rule) {
    HF_TRY(classes ? extend_spec(cx, words_before_classes, classes, rule) : HF_OK);
    HF_TRY(flows ? add_flows(cx, topo, flows, rule) : HF_OK);
    return classes ? hf_classes_new(cx, classes, rule->flows, &rule->classes) : HF_OK;
}

static hf_status init_plainly(hf_context *cx, const char *spec, const hf_topology *topo, hf_rule *out) {
    const char *text;
    hf_rule rule = {.routing = hf_registry_of_spec(cx, &registry, spec, &text)};
    if (!rule.routing) {
        return HF_ENOENT;
    }
    HF_TRY(hf_args_parse(cx, "routing", rule.routing->name, rule.routing->params, text, &rule.args));
    hf_status status = finish_rule(cx, topo, &rule);
    if (status != HF_OK) {
        hf_rule_free(&rule);
        return status;
    }
    *out = rule;
    return HF_OK;
}

hf_status hf_rule_init(hf_context *cx, const char *spec, const hf_topology *topo, hf_rule *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    char *plain;
    HF_TRY(hf_scratch_print(cx, &plain, "%s", spec));
    const char *flows = cut_at(plain, words_before_flows, NULL),
               *classes = cut_at(plain, words_before_classes, letters_of_classes);
    hf_rule rule = {0};
    hf_status status = init_plainly(cx, plain, topo, &rule);
    status = status == HF_OK ? add_more(cx, topo, classes, flows, &rule) : status;
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_rule_free(&rule);
        return status;
    }
    *out = rule;
    return HF_OK;
}

void hf_rule_free(hf_rule *rule) {
    if (!rule || !rule->routing) {
        return;
    }
    hf_release(&rule->args.allocator, rule->spec);
    if (rule->data) {
        rule->routing->close(rule->data);
    }
    hf_flow_list_free(rule->flows);
    hf_classes_free(rule->classes);
    hf_args_free(&rule->args);
    *rule = (hf_rule){0};
}

/* What every reader counts on before the first hop. */
static hf_status check_plan(hf_context *cx, const hf_plan *plan) {
    if (plan->n_vc == 0 || (uint64_t)plan->topo->n_channel * plan->n_vc >= HF_NONE) {
        HF_FAIL(cx, plan->n_vc ? HF_ERANGE : HF_EINVAL,
                "routing \"%s\", plan(): n_vc = %u for %u channels is out of range; need 1 to %u", plan->routing->name,
                plan->n_vc, plan->topo->n_channel, plan->topo->n_channel ? (HF_NONE - 1) / plan->topo->n_channel : HF_NONE);
    }
    if (plan->max_hops == 0) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\", plan(): max_hops = 0 is out of range; need at least 1", plan->routing->name);
    }
    return HF_OK;
}

hf_status hf_plan_make(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, hf_plan *plan) {
    *plan = (hf_plan){.routing = rule->routing,
                      .topo = faults->topo,
                      .faults = faults,
                      .args = &rule->args,
                      .data = rule->data,
                      .flows = rule->flows,
                      .n_vc = 1,
                      .max_hops = 1};
    if (rule->routing->open && !rule->data) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" was not opened for a topology; give one to hf_rule_init()", rule->spec);
    }
    HF_TRY(rule->routing->plan(cx, plan));
    HF_TRY(check_plan(cx, plan));
    return rule->classes ? hf_classes_plan(cx, rule->classes, plan) : HF_OK;
}

hf_status hf_plan_is_blind(hf_context *cx, const hf_plan *plan, bool *out) {
    *out = hf_plan_traits(plan) & HF_ROUTING_BLIND;
    return plan->routing->is_blind ? plan->routing->is_blind(cx, plan, out) : HF_OK;
}

bool hf_plan_has_rings(const hf_plan *plan) {
    const hf_routing *routing = plan->routing;
    return routing->ring && (!routing->has_rings || routing->has_rings(plan->topo, plan->args));
}

hf_status hf_plan_need_rings(hf_context *cx, const hf_plan *plan) {
    if (!hf_plan_has_rings(plan)) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\"%s declares no rings on \"%s\"; bubble flow control needs them",
                plan->routing->name, plan->routing->ring ? " with these parameters" : "", plan->topo->spec);
    }
    return HF_OK;
}

hf_status hf_plan_mark(hf_context *cx, const hf_plan *plan, hf_marks *marks) {
    const hf_routing_drawing *drawing = hf_drawing_of(plan->routing);
    marks->is_north_first = drawing->is_north_first;
    return drawing->mark ? drawing->mark(cx, plan, marks) : HF_OK;
}

static bool has_healthy(const uint64_t *failed, const uint32_t *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!hf_bit_test(failed, list[i])) {
            return true;
        }
    }
    return false;
}

uint32_t hf_plan_live(const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    const uint64_t *failed = plan->faults->channel_set;
    uint32_t live = 0;
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        live += hf_plan_is_live(plan, v - topo->n_switch) &&
                (has_healthy(failed, topo->out_list + out, topo->out_begin[v + 1] - out) ||
                 has_healthy(failed, topo->in_list + in, topo->in_begin[v + 1] - in));
    }
    return live;
}

bool hf_plan_is_empty(const hf_plan *plan) {
    const size_t n = plan->topo->n_terminal;
    return plan->live && hf_bits_next(plan->live, n, 0) == n;
}
