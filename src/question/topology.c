/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Figures of a network and where each switch stands, the paths of a pair of terminals, what a wiring promises; drawings. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <holdfast/format.h>
#include <holdfast/question.h>

#include "src/core/number.h"
#include "src/question/topology_checks.h"

typedef struct topology_args {
    const char *pair, *faults, *against;
    bool coordinates, check;
} topology_args;

typedef struct asking {
    hf_context *cx;
    const hf_asked *asked;
    const topology_args *args;
    const hf_topology *topo;
    hf_rule minimal; /* of a pair where no rule is said */
    hf_fault_set faults;
    uint32_t source, destination;
    hf_pair_paths paths;
    hf_marks marks;
    hf_report *answer;
} asking;

static void put(const asking *a, hf_cell cell) { hf_report_cell(a->answer, cell); }
static hf_cell number(uint32_t value) { return value == HF_NONE ? hf_cell_none() : hf_cell_count(value); }

/* ---- figures ---- */

static const hf_column columns[] = {{"terminals", "terminals", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"switches", "switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"links", "links", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"switch_links", "links between switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"channels", "channels", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"bidirectional", "two channels a link", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"degree_min", "ports in use a switch, least", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"degree_max", "ports in use a switch, most", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"parts", "parts that no link joins", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"strongly_connected", "every pair has a path", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"pairs_apart", "ordered pairs without", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                    {"diameter", "diameter, channels", "channels", HF_COLUMN_COUNT, 6, HF_COLUMN_TOLD},
                                    {"mean_distance", "mean distance, channels", "channels", HF_COLUMN_REAL, 6, HF_COLUMN_TOLD},
                                    {"coordinates", "coordinates", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_TOLD},
                                    {"self_loops", "links of a node with itself, left out", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"format", "read as", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"header", "header", NULL, HF_COLUMN_WORD, 6, 0},
                                    {0}};
static const hf_column places[] = {{"switch", "switch", NULL, HF_COLUMN_WORD, 6, 0}};

static hf_status names_of(const asking *a, char **out) {
    *out = NULL;
    for (uint32_t i = 0; i < a->topo->n_coord; i++) {
        HF_TRY(hf_scratch_print(a->cx, out, "%s%s%s", *out ? *out : "", *out ? " " : "", a->topo->coord_name[i]));
    }
    return *out ? HF_OK : hf_scratch_print(a->cx, out, "%s", "");
}

/* Links that are left out, and parts. */
static hf_status add_warnings(const asking *a, const hf_topology_figures *f, char **text) {
    const hf_topology *topo = a->topo;
    if (topo->n_self_loop) {
        HF_TRY(hf_scratch_print(a->cx, text, "%s\nLinks of a node with itself are left out: %" PRIu32, *text, topo->n_self_loop));
        HF_TRY(topo->self_loop ? hf_scratch_print(a->cx, text, "%s, the first on line %" PRIu32 ".", *text, topo->self_loop)
                               : hf_scratch_print(a->cx, text, "%s.", *text));
    }
    if (f->n_part > 1) {
        HF_TRY(hf_scratch_print(a->cx, text, "%s\nThe network is not connected: it has %" PRIu32 " parts.", *text, f->n_part));
    } else if (!f->is_strongly_connected) {
        HF_TRY(hf_scratch_print(a->cx, text, "%s\nNot every terminal has a path to every other.", *text));
    }
    return HF_OK;
}

/* What the numbers are of, and what the switches have besides coordinates. */
static hf_status add_note(const asking *a, const hf_topology_figures *f) {
    const hf_topology *topo = a->topo;
    char *text = NULL;
    HF_TRY(hf_scratch_print(a->cx, &text, "Distances go from terminal to terminal.%s",
                            topo->header ? "\nThe header names columns (with header=no it is a link)." : ""));
    HF_TRY(add_warnings(a, f, &text));
    for (size_t i = 0; i < topo->n_attribute; i++) {
        HF_TRY(hf_scratch_print(a->cx, &text, "%s\nAttribute %s: %s.", text, topo->attribute[i].name, topo->attribute[i].help));
    }
    hf_report_note(a->answer, text);
    return HF_OK;
}

static hf_status node_name(const asking *a, uint32_t node, char **out) {
    char name[HF_NAME_SIZE];
    hf_topology_node_name(a->topo, node, name, sizeof name);
    return hf_scratch_print(a->cx, out, "%s", name);
}

static hf_status put_name(const asking *a, uint32_t node) {
    char *name;
    HF_TRY(node_name(a, node, &name));
    put(a, hf_cell_word(name));
    return HF_OK;
}

/* Of a network that a file names: the number and the addresses. */
static hf_status put_addresses(const asking *a, uint32_t node) {
    const hf_topology *topo = a->topo;
    char *text;
    if (topo->naming) {
        HF_TRY(node < topo->n_switch ? hf_scratch_print(a->cx, &text, "s%" PRIu32, node)
                                     : hf_scratch_print(a->cx, &text, "t%" PRIu32, node - topo->n_switch));
        put(a, hf_cell_word(text));
    }
    if (topo->port_guid) {
        HF_TRY(hf_scratch_print(a->cx, &text, "0x%" PRIx64, topo->port_guid[node]));
        put(a, hf_cell_word(text));
        put(a, hf_cell_count(topo->lid_base[node]));
    }
    return HF_OK;
}

static void add_address_columns(const asking *a) {
    if (a->topo->naming) {
        hf_report_add_column(a->answer, (hf_column){"number", "number", NULL, HF_COLUMN_WORD, 6, 0});
    }
    if (a->topo->port_guid) {
        hf_report_add_column(a->answer, (hf_column){"guid", "GUID", NULL, HF_COLUMN_WORD, 6, 0});
        hf_report_add_column(a->answer, (hf_column){"lid", "LID", NULL, HF_COLUMN_COUNT, 6, 0});
    }
}

/* A row a terminal that a file names. */
static hf_status add_terminals(const asking *a) {
    static const hf_column of_terminals[] = {{"terminal", "terminal", NULL, HF_COLUMN_WORD, 6, 0},
                                             {"switch", "switch", NULL, HF_COLUMN_WORD, 6, 0}};
    hf_report_table_begin(a->answer, "terminals", of_terminals, 2);
    add_address_columns(a);
    for (uint32_t t = 0; t < a->topo->n_terminal; t++) {
        HF_TRY(put_name(a, a->topo->n_switch + t));
        HF_TRY(put_name(a, a->topo->terminal_switch[t]));
        HF_TRY(put_addresses(a, a->topo->n_switch + t));
    }
    return HF_OK;
}

/* A row a switch: its attributes and its digits. */
static hf_status add_places(const asking *a) {
    const hf_topology *topo = a->topo;
    hf_report_table_begin(a->answer, "coordinates", places, 1);
    add_address_columns(a);
    for (size_t i = 0; i < topo->n_attribute; i++) {
        const char *name = topo->attribute[i].name;
        hf_report_add_column(a->answer, (hf_column){name, name, NULL, HF_COLUMN_COUNT, 6, 0});
    }
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        hf_report_add_column(a->answer, (hf_column){topo->coord_name[i], topo->coord_name[i], NULL, HF_COLUMN_COUNT, 6, 0});
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        HF_TRY(put_name(a, v));
        HF_TRY(put_addresses(a, v));
        for (size_t i = 0; i < topo->n_attribute; i++) {
            put(a, number(topo->attribute[i].of_switch[v]));
        }
        for (uint32_t i = 0; i < topo->n_coord; i++) {
            put(a, hf_cell_count(topo->coord[(size_t)v * topo->n_coord + i]));
        }
    }
    return topo->naming ? add_terminals(a) : HF_OK;
}

/* A drawing alone goes without what takes time to measure. */
static hf_status answer_figures(const asking *a, bool is_measured) {
    const hf_topology *topo = a->topo;
    const uint32_t count[] = {topo->n_terminal, topo->n_switch, topo->n_link, topo->n_switch_link, topo->n_channel};
    enum { COUNTS = sizeof count / sizeof *count };
    hf_topology_figures f = {0};
    char *names;
    for (size_t i = 0; i < COUNTS; i++) {
        put(a, hf_cell_count(count[i]));
    }
    for (size_t i = COUNTS; !is_measured && columns[i].key; i++) {
        put(a, hf_cell_none());
    }
    if (!is_measured) {
        return HF_OK;
    }
    HF_TRY(hf_topology_measure(a->cx, topo, &f));
    HF_TRY(names_of(a, &names));
    put(a, hf_cell_flag(f.is_bidirectional));
    put(a, hf_cell_count(f.degree_min));
    put(a, hf_cell_count(f.degree_max));
    put(a, hf_cell_count(f.n_part));
    put(a, hf_cell_flag(f.is_strongly_connected));
    put(a, hf_cell_count(f.n_pair_apart));
    put(a, f.is_strongly_connected ? hf_cell_count(f.diameter) : hf_cell_none());
    put(a, hf_cell_real(f.mean_distance)); /* none where it is not a number */
    put(a, hf_cell_word(names));
    put(a, topo->n_self_loop ? hf_cell_count(topo->n_self_loop) : hf_cell_none());
    put(a, hf_cell_word(topo->format));
    put(a, hf_cell_word(topo->header));
    hf_report_upright(a->answer);
    HF_TRY(add_note(a, &f));
    return a->args->coordinates ? add_places(a) : HF_OK;
}

/* ---- the paths of a pair ---- */

enum { PAIR_HEAD = 8 };

static const hf_column columns_of_pair[] = {{"source", "from", NULL, HF_COLUMN_WORD, 6, 0},
                                            {"destination", "to", NULL, HF_COLUMN_WORD, 6, 0},
                                            {"paths", "paths", NULL, HF_COLUMN_BIG_COUNT, 6, HF_COLUMN_TOLD},
                                            {"n_switch", "over switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"n_channel", "and channels", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"switches_by_stage", "switches by stage", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                            {"switches", "switches", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
                                            {"channels", "channels", NULL, HF_COLUMN_NAMES, 6, HF_COLUMN_ASKED},
                                            {"stage", "stage", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"count", "switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"names", "which", NULL, HF_COLUMN_NAMES, 6, 0},
                                            {0}};

typedef struct place {
    uint32_t terminal;
    bool is_number;
} place;

static hf_status refuse(const asking *a) {
    HF_FAIL(a->cx, HF_EINVAL,
            "--pair=%s is not right; need two terminals of \"%s\", from t0 to t%" PRIu32 ", such as t0,t%" PRIu32 "%s",
            a->args->pair, a->topo->spec, a->topo->n_terminal - 1, a->topo->n_terminal - 1,
            a->topo->naming ? ", or names of its file" : "");
}

/* "16", "t16", or the label that a file gives, which goes before a number. */
static hf_status read_place(const asking *a, const char *text, size_t size, place *out) {
    hf_slice at = {text, size};
    uint64_t value;
    uint32_t first;
    bool fits;
    *out = (place){.is_number = false};
    if (hf_topology_find_label(a->topo, text, size, &first) == 1) {
        out->terminal = a->topo->by_label[first] - a->topo->n_switch;
        return hf_topology_is_terminal(a->topo, a->topo->by_label[first]) ? HF_OK : refuse(a);
    }
    *out = (place){.is_number = hf_take_digits(&at, 10, &value, &fits) && at.size == 0};
    if (out->is_number) {
        out->terminal = (uint32_t)value;
        return value <= a->topo->n_terminal ? HF_OK : refuse(a);
    }
    char type = 0;
    const hf_status status = size ? hf_topology_parse_name(a->cx, a->topo, text, size, &type, &out->terminal) : HF_EINVAL;
    return status == HF_OK && type == 't' ? HF_OK : refuse(a);
}

/* Numbers of which one is the number of terminals count from 1. */
static hf_status read_pair(asking *a) {
    const uint32_t n = a->topo->n_terminal;
    hf_slice name[2], more;
    hf_lines r;
    place from, to;
    hf_lines_start(a->cx, "", a->args->pair, strlen(a->args->pair), &r);
    if (!hf_lines_next(&r) || !hf_lines_name(&r, ',', &name[0]) || !hf_lines_name(&r, ',', &name[1]) ||
        hf_lines_name(&r, ',', &more)) {
        return refuse(a);
    }
    HF_TRY(read_place(a, name[0].text, name[0].size, &from));
    HF_TRY(read_place(a, name[1].text, name[1].size, &to));
    const bool from_one = from.is_number && to.is_number && (from.terminal == n || to.terminal == n);
    if (from_one && from.terminal > 0 && to.terminal > 0) {
        from.terminal--;
        to.terminal--;
    }
    if (from.terminal >= n || to.terminal >= n || from.terminal == to.terminal) {
        return refuse(a);
    }
    a->source = from.terminal;
    a->destination = to.terminal;
    return HF_OK;
}

static hf_status find_paths(asking *a) {
    const hf_scene *scene = a->asked->scene;
    const hf_rule *rule = &scene->rule;
    hf_plan plan;
    char *title, *from, *to;
    HF_TRY(read_pair(a));
    if (!(scene->has & HF_SCENE_ROUTING)) {
        HF_TRY(hf_rule_init(a->cx, "minimal", a->topo, &a->minimal));
        rule = &a->minimal;
    }
    HF_TRY(hf_plan_make_plain(a->cx, rule, &a->faults, &plan));
    HF_TRY(hf_paths_of_pair(a->cx, &plan, a->source, a->destination, &a->paths));
    HF_TRY(node_name(a, a->topo->n_switch + a->source, &from));
    HF_TRY(node_name(a, a->topo->n_switch + a->destination, &to));
    HF_TRY(hf_scratch_print(a->cx, &title, "%s, %s, %s to %s", a->topo->spec, rule->spec, from, to));
    HF_TRY(hf_plan_mark(a->cx, &plan, &a->marks));
    a->marks.title = a->answer->title = title;
    a->marks.path_channel = a->paths.channel_set;
    a->marks.path_node = a->paths.node_set;
    hf_report_argument(a->answer, "routing", rule->spec);
    hf_report_argument(a->answer, "failed", a->args->faults);
    return HF_OK;
}

/* Nodes, of one stage or all switches, or channels that the paths go over. */
static hf_status name_all(const asking *a, bool is_channel, const uint32_t *stage, uint32_t wanted, uint32_t *n, hf_cell *out) {
    const uint64_t *set = is_channel ? a->paths.channel_set : a->paths.node_set;
    char name[HF_NAME_SIZE], *names = NULL;
    hf_text text;
    *n = 0;
    hf_text_init(a->cx, &text);
    for (uint32_t i = 0; i < (is_channel ? a->topo->n_channel : a->topo->n_switch); i++) {
        if (hf_bit_test(set, i) && (!stage || stage[i] == wanted)) {
            (is_channel ? hf_topology_channel_name : hf_topology_node_name)(a->topo, i, name, sizeof name);
            hf_text_print(&text, "%s%s", (*n)++ ? " " : "", name);
        }
    }
    hf_status status = hf_text_check(a->cx, &text);
    status = status == HF_OK ? hf_scratch_print(a->cx, &names, "%s", text.data ? text.data : "") : status;
    hf_text_free(&text);
    *out = hf_cell_word(names);
    return status;
}

static uint32_t stages_of(const hf_topology *topo, const uint32_t *stage) {
    uint32_t n = stage ? 0 : 1;
    for (uint32_t v = 0; stage && v < topo->n_switch; v++) {
        n = stage[v] != HF_NONE && stage[v] >= n ? stage[v] + 1 : n;
    }
    return n;
}

/* What all rows share. \param[in] stages how many */
static hf_status make_head(const asking *a, const uint32_t *stage, uint32_t stages, hf_cell *head) {
    const hf_pair_paths *p = &a->paths;
    char *from, *to, *by_stage = NULL;
    hf_cell names;
    uint32_t n;
    for (uint32_t s = 0; stage && s < stages; s++) {
        HF_TRY(name_all(a, false, stage, s, &n, &names));
        HF_TRY(hf_scratch_print(a->cx, &by_stage, "%s%s%" PRIu32 "%s", s ? by_stage : "[", s ? ", " : "", n,
                                s + 1 < stages ? "" : "]"));
    }
    HF_TRY(node_name(a, a->topo->n_switch + a->source, &from));
    HF_TRY(node_name(a, a->topo->n_switch + a->destination, &to));
    *head++ = hf_cell_word(from);
    *head++ = hf_cell_word(to);
    *head++ = p->is_counted ? hf_cell_count(p->n_path) : hf_cell_none();
    *head++ = hf_cell_count(p->n_switch);
    *head++ = hf_cell_count(p->n_channel);
    *head++ = hf_cell_word(by_stage);
    HF_TRY(name_all(a, false, NULL, 0, &n, head++));
    return name_all(a, true, NULL, 0, &n, head);
}

static hf_status answer_pair(const asking *a) {
    const hf_attribute *attribute = hf_topology_attribute(a->topo, "stage");
    const uint32_t *stage = attribute ? attribute->of_switch : NULL, stages = stages_of(a->topo, stage);
    hf_cell head[PAIR_HEAD], names;
    uint32_t n;
    HF_TRY(make_head(a, stage, stages, head));
    hf_report_group(a->answer, PAIR_HEAD, "stages");
    for (uint32_t s = 0; s < stages; s++) {
        HF_TRY(name_all(a, false, stage, s, &n, &names));
        for (size_t i = 0; i < PAIR_HEAD; i++) {
            put(a, head[i]);
        }
        put(a, stage ? hf_cell_count(s) : hf_cell_none());
        put(a, hf_cell_count(n));
        put(a, names);
    }
    return HF_OK;
}

/* ---- drawings ---- */

static bool is_marked(const char *name) { return strcmp(name, "svg") == 0 || strcmp(name, "dot") == 0; }

static hf_status draw(const asking *a, const char *name) {
    const hf_marks *marks = a->args->pair || a->args->faults ? &a->marks : NULL;
    hf_text out;
    hf_text_init(a->cx, &out);
    const bool is_svg = strcmp(name, "svg") == 0;
    const hf_status status = is_marked(name) ? (is_svg ? hf_format_svg : hf_format_dot_marked)(a->cx, a->topo, marks, &out)
                                             : hf_format_network(a->cx, a->topo, name, &out);
    if (status == HF_OK) {
        hf_report_attach(a->answer, name, out.data);
    }
    hf_text_free(&out);
    return status;
}

/* ---- the question ---- */

/* Given, or wanted. */
static bool is_said(const asking *a, const char *name) {
    return hf_asked_given(a->asked, name) || hf_asked_wants(a->asked, name) ||
           (strcmp(name, "routing") == 0 && (a->asked->scene->has & HF_SCENE_ROUTING));
}

static hf_status refuse_both(const asking *a, const char *one, const char *other) {
    HF_FAIL(a->cx, HF_EINVAL, "--%s and --%s contradict each other; need one of them", one, other);
}

/* What stands beside a drawing, or a format of networks, in which nothing is marked. */
static hf_status check_drawing(const asking *a, const char *name) {
    static const char *const alone[] = {"connectivity", "coordinates", NULL}, *const marks[] = {"pair", "failed", NULL};
    for (const char *const *other = alone; *other; other++) {
        HF_TRY(is_said(a, *other) ? refuse_both(a, *other, name) : HF_OK);
    }
    for (const char *const *other = marks; *other && !is_marked(name); other++) {
        HF_TRY(is_said(a, *other) ? refuse_both(a, name, *other) : HF_OK);
    }
    return HF_OK;
}

static hf_status check_company(const asking *a) {
    static const struct {
        const char *name, *others[5];
    } apart[] = {{"against", {"pair", "failed", "coordinates", "connectivity"}},
                 {"connectivity", {"pair", "failed", "coordinates"}},
                 {"coordinates", {"pair", "failed"}}};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        for (const char *const *other = apart[i].others; *other && is_said(a, apart[i].name); other++) {
            HF_TRY(is_said(a, *other) ? refuse_both(a, apart[i].name, *other) : HF_OK);
        }
    }
    for (const hf_param *p = a->asked->question->attachments; p->name; p++) {
        HF_TRY(hf_asked_wants(a->asked, p->name) ? check_drawing(a, p->name) : HF_OK);
    }
    if (is_said(a, "routing") && !a->args->pair) {
        HF_FAIL(a->cx, HF_EINVAL, "--routing says which paths of a pair are meant; it needs --pair A,B");
    }
    if (a->args->faults && !a->args->pair && !is_said(a, "svg") && !is_said(a, "dot")) {
        HF_FAIL(a->cx, HF_EINVAL, "--failed needs --pair, --svg or --dot; `holdfast show` tells what a fault set does");
    }
    return HF_OK;
}

static hf_status answer_all(asking *a) {
    const hf_topology *topo = a->topo;
    char *names, *title;
    HF_TRY(check_company(a));
    HF_TRY(hf_scratch_print(a->cx, &title, "%s: %s", topo->spec, topo->kind->summary));
    a->answer->title = title;
    HF_TRY(hf_fault_names_load(a->cx, a->args->faults ? a->args->faults : "", &names));
    HF_TRY(hf_fault_set_parse(a->cx, topo, NULL, names, &a->faults));
    a->marks.faults = &a->faults;
    HF_TRY(a->args->pair ? find_paths(a) : HF_OK);
    for (const hf_param *p = a->asked->question->attachments; p->name; p++) {
        if (hf_asked_wants(a->asked, p->name)) {
            HF_TRY(draw(a, p->name));
        }
    }
    return a->args->against ? hf_topology_answer_against(a->cx, topo, a->args->against, a->answer)
           : a->args->pair  ? answer_pair(a)
           : a->args->check ? hf_topology_answer_check(a->cx, topo, a->answer)
                            : answer_figures(a, !a->asked->conduct->are_alone);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .asked = asked, .args = asked->args, .topo = asked->scene->topo, .answer = answer};
    const hf_status status = answer_all(&a);
    hf_rule_free(&a.minimal);
    return status;
}

static const hf_param params[] = {
    {.name = "coordinates",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "list every switch with its coordinates",
     HF_FIELD(topology_args, coordinates)},
    {.name = "pair",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "a,b",
     .help = "the paths from terminal A to terminal B, such as 6,16 or t6,t16, of --routing or all shortest; bold in a drawing",
     HF_FIELD(topology_args, pair)},
    {.name = "failed",
     .was = "faults",
     .key = "faults",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "names",
     .help = "components that have failed, such as s8:3-s18:0,s5, or @FILE as written by --witness; marked in drawings",
     HF_FIELD(topology_args, faults)},
    {.name = "connectivity",
     .was = "check",
     .key = "check",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "is every pair connected; of multipath networks fanout and expansion of small sets; status 1 if a pair is not",
     HF_FIELD(topology_args, check)},
    {.name = "against",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "topology",
     .help = "which links are missing or too many beside this network, by the names of nodes; status 1 if any",
     HF_FIELD(topology_args, against)},
    {0}};
static const hf_group group = {.name = "topology", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};
static const hf_param attachments[] = {{.name = "svg", .type = HF_PARAM_BOOL, .help = "draw the network"},
                                       {.name = "dot", .type = HF_PARAM_BOOL, .help = "print the network for Graphviz"},
#define X(function, text, form, optional, says) {.name = text, .type = HF_PARAM_BOOL, .flags = optional, .help = says},
#include "src/format/networks.def"
#undef X
                                       {0}};
static const char *const tables[] = {"coordinates", "terminals", "differences", NULL};
static const hf_question_form forms[] = {{"pair", "pair", columns_of_pair},
                                         {"connectivity", "check", hf_topology_check},
                                         {"against", "against", hf_topology_against},
                                         {0}};

const hf_question hf_question_topology = {
    .name = "topology",
    .summary = "figures and drawings of a network",
    .about =
        "Prints counts, degree, diameter, mean distance and coordinates, or the network as a drawing or for a simulator.\n"
        "Terminals count from 0. A pair that names the number of terminals itself, 6,16 of 16, counts from 1, as the figures\n"
        "of chong1992 do.\n\n"
        "Example: holdfast topology kary-tree:k=4,n=3 --svg --output tree.svg\n"
        "Example: holdfast topology multibutterfly:radix=2,dilation=2,stages=4 --pair 6,16 --svg --output figure-1.svg",
    .scene = HF_SCENE_TOPOLOGY,
    .scene_maybe = HF_SCENE_ROUTING,
    .word = "topology",
    .parts = parts,
    .args_size = sizeof(topology_args),
    .table = "figures",
    .columns = columns,
    .forms = forms,
    .tables = tables,
    .attachments = attachments,
    .ask = ask,
};
