/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates as files: the frame, the spec, numbers and packets. */
#include "src/analysis/deadlock/certificate.h"

#include <stdio.h>
#include <string.h>

enum { PLACE = 512, ANY = HF_METHOD_NONE + 1 };

const char hf_method_simulation[] = "simulation";

static hf_status refuse(const hf_certificate *c, const char *field, const char *value, const char *need) {
    HF_FAIL(c->cx, HF_EINVAL, "%s, %s: \"%.60s\" is not right; need %s", c->file, field, value, need);
}

/* ---- words ---- */

/* The number of a word among `n` names, of which NULL ones are left out. */
static hf_status read_word(const hf_certificate *c, const char *field, const hf_json *value, const char *const *names, unsigned n,
                           unsigned *out) {
    const char *word = hf_json_string(value);
    char *list = "";
    for (unsigned i = 0; i < n; i++) {
        if (names[i] && strcmp(word, names[i]) == 0) {
            *out = i;
            return HF_OK;
        }
        if (names[i]) {
            HF_TRY(hf_scratch_print(c->cx, &list, "%s%s%s", list, *list ? ", " : "", names[i]));
        }
    }
    return refuse(c, field, word, list);
}

static hf_status read_frame(hf_certificate *c, const hf_json *root, const hf_json **spec, const hf_json **certificate) {
    const hf_json *schema, *command, *program, *name, *version;
    static const char *const commands[] = {"verify", "simulate"}, *const names[] = {"holdfast"};
    const hf_json_field of_root[] = {{"schema", HF_JSON_WHOLE, &schema},
                                     {"command", HF_JSON_TEXT, &command},
                                     {"program", HF_JSON_OBJECT, &program},
                                     {"spec", HF_JSON_OBJECT, spec},
                                     {"certificate", HF_JSON_OBJECT, certificate}};
    const hf_json_field of_program[] = {{"name", HF_JSON_TEXT, &name}, {"version", HF_JSON_TEXT, &version}};
    char place[PLACE];
    int64_t number;
    unsigned which;
    HF_TRY(hf_json_read(c->cx, c->file, root, of_root, sizeof of_root / sizeof *of_root));
    snprintf(place, sizeof place, "%s, program", c->file);
    HF_TRY(hf_json_read(c->cx, place, program, of_program, 2));
    if (!hf_json_whole(schema, &number) || number != 1) {
        HF_FAIL(c->cx, HF_EINVAL, "%s: the schema is not right; need 1", c->file);
    }
    HF_TRY(read_word(c, "program.name", name, names, 1, &which));
    HF_TRY(read_word(c, "command", command, commands, 2, &which));
    c->is_simulation = which == 1;
    c->version = hf_json_string(version);
    return HF_OK;
}

static hf_status read_spec(hf_certificate *c, const hf_json *spec) {
    static const char *const choices[] = {"always", "once"};
    const char *switchings[3], *timings[2];
    const hf_json *topology, *routing, *universe, *failed, *switching, *flow, *timing, *choose;
    const hf_json_field fields[] = {{"topology", HF_JSON_TEXT, &topology},
                                    {"routing", HF_JSON_TEXT, &routing},
                                    {"switching", HF_JSON_TEXT, &switching},
                                    {"timing", HF_JSON_TEXT, &timing},
                                    {"flow", HF_JSON_TEXT, &flow},
                                    {"choose", HF_JSON_TEXT, &choose},
                                    {"universe", HF_JSON_TEXT | HF_JSON_NULL, &universe},
                                    {"failed", HF_JSON_TEXT | HF_JSON_NULL, &failed}};
    char place[PLACE];
    unsigned s, t, o;
    for (int i = 0; i < 3; i++) {
        switchings[i] = hf_switching_name((hf_switching)i);
        timings[i % 2] = hf_timing_name((hf_timing)(i % 2));
    }
    snprintf(place, sizeof place, "%s, spec", c->file);
    HF_TRY(hf_json_read(c->cx, place, spec, fields, sizeof fields / sizeof *fields));
    HF_TRY(read_word(c, "spec.switching", switching, switchings, 3, &s));
    HF_TRY(read_word(c, "spec.timing", timing, timings, 2, &t));
    HF_TRY(read_word(c, "spec.choose", choose, choices, 2, &o));
    c->topology = hf_json_string(topology);
    c->routing = hf_json_string(routing);
    c->universe = hf_json_string(universe);
    c->failed = hf_json_string(failed);
    c->switching = (hf_switching)s;
    c->timing = (hf_timing)t;
    c->flow = hf_json_string(flow);
    const bool may_bubble = hf_flow_control_may_bubble(c->flow);
    c->choose_once = o == 1;
    if (c->timing == HF_TIMING_LOCKSTEP && (s != HF_SWITCHING_WORMHOLE || may_bubble || c->is_simulation)) {
        return refuse(c, "spec.timing", hf_timing_name(c->timing), "any, or switching wormhole, flow credit and no simulation");
    }
    if (hf_switching_check(c->cx, c->switching, may_bubble) != HF_OK) {
        return refuse(c, "spec.switching", hf_switching_name(c->switching), "vct or saf with flow bubble");
    }
    if (c->choose_once && !c->is_simulation) {
        return refuse(c, "spec.choose", choices[1], "always, or a simulation");
    }
    return c->universe && !c->failed ? refuse(c, "spec.universe", c->universe, "null where nothing has failed") : HF_OK;
}

/* ---- the certificate but its packets and numbers ---- */

static hf_status read_method(hf_certificate *c, const hf_json *verdict, const hf_json *method) {
    const char *names[ANY + 1], *answers[3];
    unsigned which;
    for (int i = 0; i < 3; i++) {
        answers[i] = hf_deadlock_answer_name((hf_deadlock_answer)i);
    }
    HF_TRY(read_word(c, "certificate.verdict", verdict, answers, 3, &which));
    c->answer = (hf_deadlock_answer)which;
    for (unsigned i = 0; i < ANY; i++) {
        names[i] = hf_deadlock_method_name((hf_deadlock_method)i);
        const bool finds = i == HF_METHOD_FIXPOINT || i == HF_METHOD_WORMS || i == HF_METHOD_LOCKSTEP;
        const bool fits = c->answer == HF_DEADLOCK_UNKNOWN ? i == HF_METHOD_NONE
                                                           : i != HF_METHOD_NONE && (finds || c->answer == HF_DEADLOCK_FREE);
        names[i] = fits && !c->is_simulation ? names[i] : NULL;
    }
    names[ANY] = c->is_simulation ? hf_method_simulation : NULL;
    HF_TRY(read_word(c, "certificate.method", method, names, ANY + 1, &which));
    c->method = which == ANY ? HF_METHOD_NONE : (hf_deadlock_method)which;
    return c->is_simulation && c->answer != HF_DEADLOCK_FOUND
               ? refuse(c, "certificate.verdict", hf_json_string(verdict), hf_deadlock_answer_name(HF_DEADLOCK_FOUND))
               : HF_OK;
}

static hf_status read_serves(hf_certificate *c, const hf_json *serves) {
    const char *const names[] = {hf_serves_name(false), hf_serves_name(true)};
    unsigned which;
    c->has_serves = true;
    HF_TRY(read_word(c, "certificate.serves", serves, names, 2, &which));
    c->serves = which == 1;
    return HF_OK;
}

/* "declared", or virtual channels in ascending order. */
static hf_status read_escape(hf_certificate *c, const hf_json *escape) {
    static const char *const declared[] = {"declared"};
    unsigned which;
    int64_t last = -1, vc;
    if (hf_json_string(escape)) {
        c->is_declared = true;
        return read_word(c, "certificate.escape", escape, declared, 1, &which);
    }
    for (size_t i = 0; i < hf_json_count(escape); i++, last = vc) {
        if (!hf_json_whole(hf_json_at(escape, i), &vc) || vc <= last || vc >= 64 || vc >= c->n_vc) {
            HF_FAIL(c->cx, HF_EINVAL,
                    "%s, certificate.escape[%zu] is not right; need virtual channels of the routing below 64, ascending", c->file,
                    i);
        }
        c->escape_vcs |= UINT64_C(1) << vc;
    }
    return last < 0 ? refuse(c, "certificate.escape", "[]", "a virtual channel at least") : HF_OK;
}

/* What is there and what is null goes by verdict and method. */
static hf_status check_presence(const hf_certificate *c) {
    const bool is_free = c->answer == HF_DEADLOCK_FREE, is_proved = is_free && c->method < HF_METHOD_WORMS;
    const struct {
        const char *name;
        bool is, must;
    } field[] = {{"escape", c->has_escape, c->method == HF_METHOD_ESCAPE || c->method == HF_METHOD_BUBBLE_ESCAPE},
                 {"conditions", c->conditions, c->method == HF_METHOD_BUBBLE_ESCAPE},
                 {"numbers", c->numbers, is_proved},
                 {"serves", c->has_serves, is_proved}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        if (field[i].is != field[i].must) {
            HF_FAIL(c->cx, HF_EINVAL, "%s, certificate.%s must%s be null with this verdict and method", c->file, field[i].name,
                    field[i].must ? " not" : "");
        }
    }
    if ((hf_json_count(c->blocked) > 0) != (c->answer == HF_DEADLOCK_FOUND)) {
        HF_FAIL(c->cx, HF_EINVAL, "%s, certificate.blocked is not right; need packets for the verdict \"deadlock\" alone",
                c->file);
    }
    return HF_OK;
}

static hf_status read_certificate(hf_certificate *c, const hf_json *certificate) {
    const hf_json *verdict, *method, *serves, *vcs, *escape, *conditions, *numbers;
    const hf_json_field fields[] = {{"verdict", HF_JSON_TEXT, &verdict},
                                    {"method", HF_JSON_TEXT, &method},
                                    {"serves", HF_JSON_TEXT | HF_JSON_NULL, &serves},
                                    {"vcs", HF_JSON_WHOLE, &vcs},
                                    {"escape", HF_JSON_TEXT | HF_JSON_ARRAY | HF_JSON_NULL, &escape},
                                    {"conditions", HF_JSON_ARRAY | HF_JSON_NULL, &conditions},
                                    {"numbers", HF_JSON_ARRAY | HF_JSON_NULL, &numbers},
                                    {"blocked", HF_JSON_ARRAY, &c->blocked}};
    char place[PLACE];
    int64_t n_vc;
    snprintf(place, sizeof place, "%s, certificate", c->file);
    HF_TRY(hf_json_read(c->cx, place, certificate, fields, sizeof fields / sizeof *fields));
    if (!hf_json_whole(vcs, &n_vc) || n_vc < 1 || n_vc > UINT32_MAX) {
        HF_FAIL(c->cx, HF_EINVAL, "%s, certificate.vcs is out of range; need the virtual channels of the routing", c->file);
    }
    c->n_vc = (uint32_t)n_vc;
    c->has_escape = !hf_json_is_null(escape);
    c->conditions = hf_json_is_null(conditions) ? NULL : conditions;
    c->numbers = hf_json_is_null(numbers) ? NULL : numbers;
    HF_TRY(read_method(c, verdict, method));
    HF_TRY(hf_json_is_null(serves) ? HF_OK : read_serves(c, serves));
    HF_TRY(c->has_escape ? read_escape(c, escape) : HF_OK);
    return check_presence(c);
}

hf_status hf_certificate_read(hf_context *cx, const char *file, const hf_json *root, hf_certificate *out) {
    const hf_json *spec, *certificate;
    *out = (hf_certificate){.cx = cx, .file = file};
    HF_TRY(read_frame(out, root, &spec, &certificate));
    HF_TRY(read_spec(out, spec));
    return read_certificate(out, certificate);
}

/* ---- what it is about ---- */

/* The program writes canonical names, so others are no names of it. */
static hf_status check_names(const hf_certificate *c, const hf_certificate_net *net) {
    hf_text names;
    hf_text_init(c->cx, &names);
    hf_fault_set_names(&net->faults, &names);
    hf_status status = hf_text_check(c->cx, &names);
    const struct {
        const char *field, *is, *need;
    } name[] = {{"spec.topology", c->topology, net->topo->spec},
                {"spec.routing", c->routing, net->rule.spec},
                {"spec.flow", c->flow, net->control.spec},
                {"spec.universe", c->universe ? c->universe : "", net->universe ? net->universe->spec : ""},
                {"spec.failed", c->failed ? c->failed : "", names.size ? names.data : ""}};
    for (size_t i = 0; i < sizeof name / sizeof *name && status == HF_OK; i++) {
        if (strcmp(name[i].is, name[i].need) != 0 || (i == 4 && c->failed && !*c->failed)) {
            status = hf_context_fail(c->cx, HF_EINVAL, __FILE__, __LINE__, "%s, %s: \"%.200s\" is not right; need %s%s%s",
                                     c->file, name[i].field, name[i].is, *name[i].need ? "\"" : "null", name[i].need,
                                     *name[i].need ? "\"" : "");
        }
    }
    hf_text_free(&names);
    return status;
}

static hf_status read_control(const hf_certificate *c, hf_certificate_net *net) {
    if (hf_flow_control_read(c->cx, net->topo, c->flow, &net->control) != HF_OK) {
        return refuse(c, "spec.flow", c->flow, "flow control of this network, such as credit or bubble");
    }
    return HF_OK;
}

hf_status hf_certificate_open(const hf_certificate *c, hf_certificate_net *net) {
    HF_TRY(hf_topology_new(c->cx, c->topology, &net->topo));
    HF_TRY(hf_rule_init(c->cx, c->routing, net->topo, &net->rule));
    net->has_rule = true;
    if (c->universe) {
        HF_TRY(hf_universe_new(c->cx, net->topo, c->universe, NULL, &net->universe));
    }
    HF_TRY(hf_fault_set_parse(c->cx, net->topo, net->universe, c->failed ? c->failed : "", &net->faults));
    HF_TRY(read_control(c, net));
    HF_TRY(check_names(c, net));
    HF_TRY(hf_plan_make(c->cx, &net->rule, &net->faults, &net->plan));
    if (net->plan.classes && (c->is_simulation || net->control.bubble || c->timing == HF_TIMING_LOCKSTEP)) {
        return refuse(c, "spec.routing", c->routing, "packets of one kind in a simulation, with bubbles or in lockstep");
    }
    if (c->n_vc != net->plan.n_vc) {
        HF_FAIL(c->cx, HF_EINVAL, "%s, certificate.vcs: %u is not right; the routing has %u", c->file, c->n_vc, net->plan.n_vc);
    }
    if (c->is_declared && !net->plan.routing->escape) {
        return refuse(c, "certificate.escape", "declared", "virtual channels, as the routing declares no escape");
    }
    return net->control.bubble && !hf_plan_has_rings(&net->plan)
               ? refuse(c, "spec.flow", c->flow, "credit, as the routing declares no rings here")
               : HF_OK;
}

void hf_certificate_net_free(hf_certificate_net *net) {
    hf_universe_free(net->universe);
    if (net->has_rule) {
        hf_rule_free(&net->rule);
    }
    hf_topology_free(net->topo);
    *net = (hf_certificate_net){0};
}

/* ---- numbers ---- */

hf_status hf_certificate_numbers(const hf_certificate *c, const hf_certificate_net *net, int64_t **number) {
    const uint32_t n_resource = net->topo->n_channel * net->plan.n_vc;
    const size_t n = hf_json_count(c->numbers);
    uint32_t at = 0;
    int64_t last = -2;
    HF_TRY(hf_scratch(c->cx, n_resource, sizeof **number, (void **)number));
    for (size_t i = 0; i + 1 < n; i += 2) {
        int64_t value, length;
        if (!hf_json_whole(hf_json_at(c->numbers, i), &value) || !hf_json_whole(hf_json_at(c->numbers, i + 1), &length) ||
            value < -1 || value >= n_resource || value == last || length < 1 || length > (int64_t)n_resource - at) {
            HF_FAIL(c->cx, HF_EINVAL,
                    "%s, certificate.numbers[%zu] is not right; need runs of a number, -1 to %u, and its length, no two of one "
                    "number in a row",
                    c->file, i, n_resource - 1);
        }
        for (int64_t k = 0; k < length; k++) {
            (*number)[at++] = value;
        }
        last = value;
    }
    if (at != n_resource || n % 2) {
        HF_FAIL(c->cx, HF_EINVAL, "%s, certificate.numbers cover %u virtual channels; need %u", c->file, at, n_resource);
    }
    return HF_OK;
}

/* ---- packets ---- */

typedef struct reader {
    const hf_certificate *c;
    const hf_certificate_net *net;
    char place[PLACE];
} reader;

/* Is `value` what the program would write? */
static hf_status expect_name(const reader *r, const char *field, const hf_json *value, const char *need) {
    if (strcmp(hf_json_string(value), need) != 0) {
        HF_FAIL(r->c->cx, HF_EINVAL, "%s, %s: \"%.60s\" is not right; need \"%s\"", r->place, field, hf_json_string(value), need);
    }
    return HF_OK;
}

static hf_status read_name(const reader *r, const char *field, const hf_json *value, char type, uint32_t *out) {
    const char *name = hf_json_string(value);
    char found, canonical[HF_NAME_SIZE];
    const hf_status status = hf_topology_parse_name(r->c->cx, r->net->topo, name, strlen(name), &found, out);
    if (status != HF_OK) {
        hf_context_prefix(r->c->cx, "%s, %s: ", r->place, field);
        return status;
    }
    if (found != type) {
        HF_FAIL(r->c->cx, HF_EINVAL, "%s, %s: \"%.60s\" is not right; need a %s", r->place, field, name,
                type == 't' ? "terminal" : "channel");
    }
    if (type == 't') {
        hf_topology_node_name(r->net->topo, r->net->topo->n_switch + *out, canonical, sizeof canonical);
    } else {
        hf_topology_channel_name(r->net->topo, *out, canonical, sizeof canonical);
    }
    return expect_name(r, field, value, canonical);
}

static hf_status read_whole(const reader *r, const char *field, const hf_json *value, int64_t end, uint32_t *out) {
    int64_t number = -1;
    if (!hf_json_whole(value, &number) || number < 0 || number >= end) {
        HF_FAIL(r->c->cx, HF_EINVAL, "%s, %s: %lld is out of range; need 0 to %lld", r->place, field, (long long)number,
                (long long)end - 1);
    }
    *out = (uint32_t)number;
    return HF_OK;
}

/* {channel, from, to, vc}, and a tag on a path. */
static hf_status read_hop(const reader *r, const hf_json *value, bool has_tag, hf_hop *out) {
    const hf_topology *topo = r->net->topo;
    const hf_json *channel, *from, *to, *vc, *tag = NULL;
    const hf_json_field fields[] = {{"channel", HF_JSON_TEXT, &channel},
                                    {"from", HF_JSON_TEXT, &from},
                                    {"to", HF_JSON_TEXT, &to},
                                    {"vc", HF_JSON_WHOLE, &vc},
                                    {"tag", HF_JSON_WHOLE, &tag}};
    char name[HF_NAME_SIZE];
    out->tag = 0;
    HF_TRY(hf_json_read(r->c->cx, r->place, value, fields, has_tag ? 5 : 4));
    HF_TRY(read_name(r, "channel", channel, 'c', &out->channel));
    hf_topology_node_name(topo, topo->from[out->channel], name, sizeof name);
    HF_TRY(expect_name(r, "from", from, name));
    hf_topology_node_name(topo, topo->to[out->channel], name, sizeof name);
    HF_TRY(expect_name(r, "to", to, name));
    HF_TRY(read_whole(r, "vc", vc, r->net->plan.n_vc, &out->vc));
    return has_tag ? read_whole(r, "tag", tag, (int64_t)UINT32_MAX + 1, &out->tag) : HF_OK;
}

static hf_status read_list(reader *r, size_t packet, const char *field, const hf_json *list, bool has_tag, uint32_t *n,
                           hf_hop **hop) {
    *n = (uint32_t)hf_json_count(list);
    if (*n == 0) {
        HF_FAIL(r->c->cx, HF_EINVAL, "%s, certificate.blocked[%zu].%s is empty; need a hop at least", r->c->file, packet, field);
    }
    HF_TRY(hf_scratch(r->c->cx, *n, sizeof **hop, (void **)hop));
    for (uint32_t i = 0; i < *n; i++) {
        snprintf(r->place, sizeof r->place, "%s, certificate.blocked[%zu].%s[%u]", r->c->file, packet, field, i);
        HF_TRY(read_hop(r, hf_json_at(list, i), has_tag, &(*hop)[i]));
    }
    return HF_OK;
}

static hf_status to_resources(const reader *r, uint32_t n, const hf_hop *hop, uint32_t **out) {
    HF_TRY(hf_scratch(r->c->cx, n, sizeof **out, (void **)out));
    for (uint32_t i = 0; i < n; i++) {
        (*out)[i] = hop[i].channel * r->net->plan.n_vc + hop[i].vc;
    }
    return HF_OK;
}

static hf_status read_class(const reader *r, const char *field, const hf_json *value, uint32_t *class) {
    const hf_classes *classes = r->net->plan.classes;
    const char *names[HF_CLASSES];
    unsigned which;
    for (uint32_t i = 0; i < classes->n; i++) {
        names[i] = classes->of[i].name;
    }
    HF_TRY(read_word(r->c, field, value, names, classes->n, &which));
    *class = which;
    return HF_OK;
}

static hf_status read_answer(const reader *r, const hf_json *answer, hf_blocked *out) {
    const hf_json *class, *destination;
    const hf_json_field fields[] = {{"class", HF_JSON_TEXT, &class}, {"destination", HF_JSON_TEXT, &destination}};
    HF_TRY(hf_json_read(r->c->cx, r->place, answer, fields, 2));
    HF_TRY(read_class(r, "answer.class", class, &out->answer));
    return read_name(r, "answer.destination", destination, 't', &out->answer_to);
}

hf_status hf_certificate_packet(const hf_certificate *c, const hf_certificate_net *net, size_t i, hf_blocked *out) {
    reader r = {.c = c, .net = net};
    const hf_json *source, *destination, *holds, *waits, *path, *class, *answer;
    const hf_json_field fields[] = {{"source", HF_JSON_TEXT, &source},
                                    {"destination", HF_JSON_TEXT, &destination},
                                    {"holds", HF_JSON_ARRAY, &holds},
                                    {"waits_for", HF_JSON_ARRAY, &waits},
                                    {"path", HF_JSON_ARRAY, &path},
                                    {"class", HF_JSON_TEXT, &class},
                                    {"answer", HF_JSON_OBJECT | HF_JSON_NULL, &answer}};
    const size_t n_field = sizeof fields / sizeof *fields - (net->plan.classes ? 0 : 2);
    hf_hop *hold, *wait;
    *out = (hf_blocked){.answer = HF_NONE, .answer_to = HF_NONE};
    snprintf(r.place, sizeof r.place, "%s, certificate.blocked[%zu]", c->file, i);
    HF_TRY(hf_json_read(c->cx, r.place, hf_json_at(c->blocked, i), fields, n_field));
    HF_TRY(net->plan.classes ? read_class(&r, "class", class, &out->class) : HF_OK);
    HF_TRY(net->plan.classes && !hf_json_is_null(answer) ? read_answer(&r, answer, out) : HF_OK);
    HF_TRY(read_name(&r, "source", source, 't', &out->source));
    HF_TRY(read_name(&r, "destination", destination, 't', &out->destination));
    HF_TRY(read_list(&r, i, "holds", holds, false, &out->n_hold, &hold));
    HF_TRY(read_list(&r, i, "waits_for", waits, false, &out->n_wait, &wait));
    HF_TRY(read_list(&r, i, "path", path, true, &out->n_path, &out->path));
    HF_TRY(to_resources(&r, out->n_hold, hold, &out->hold));
    return to_resources(&r, out->n_wait, wait, &out->wait);
}
