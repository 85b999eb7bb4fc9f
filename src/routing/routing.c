/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Registry of the routings, and rules with their arguments. */
#include <holdfast/routing.h>

#include <string.h>

#include "src/core/registry.h"
#include "src/routing/lanes.h"

#define X(name) extern const hf_routing hf_routing_##name;
#include "src/routing/list.def"
#undef X

static const void *const entries[] = {
#define X(name) &hf_routing_##name,
#include "src/routing/list.def"
#undef X
};
static const hf_registry registry = HF_REGISTRY("routing", entries);
static const char words_before_flows[] = " for ", words_before_classes[] = " with ";

size_t hf_routing_count(void) { return registry.n; }
const hf_routing *hf_routing_at(size_t i) { return hf_registry_at(&registry, i); }
const hf_routing *hf_routing_find(const char *name, size_t size) { return hf_registry_find(&registry, (hf_slice){name, size}); }

/* Refuse one whose plan without faults has not as many virtual channels as it asks for. Others were looked at by accepts(). */
static hf_status check_lanes(hf_context *cx, const hf_rule *rule, const hf_topology *topo) {
    uint32_t vcs;
    hf_fault_set none;
    hf_plan plan;
    const hf_param *param = hf_lanes_parameter(&rule->args, &vcs);
    if (!param || param->low > 0 || vcs == 0 || hf_topology_is_outline(topo)) {
        return HF_OK;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = hf_no_faults(cx, topo, &none);
    status = status == HF_OK ? hf_plan_make(cx, rule, &none, &plan) : status;
    hf_scratch_reset(cx, mark);
    return status;
}

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
    HF_TRY(topo ? check_lanes(cx, rule, topo) : HF_OK);
    rule->claims = hf_routing_claims(rule->routing, topo, &rule->args);
    return hf_args_canonical(cx, rule->routing->name, &rule->args, &rule->spec);
}

/* ---- flows ---- */

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
               *classes = cut_at(plain, words_before_classes, HF_CLASSES_LETTERS);
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
