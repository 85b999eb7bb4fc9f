/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a network costs beside a fat-tree, and what a delivered flit costs. */
#include <holdfast/analysis/cost.h>
#include <holdfast/kernel.h>
#include <holdfast/question.h>

#include <inttypes.h>
#include <stdio.h>

enum { FILE_LIMIT = 1 << 20, RESULTS_LIMIT = 64 << 20 };

enum cable { CABLE_BOTH, CABLE_IDEAL, CABLE_WORST, CABLE_ROW, CABLE_SQUARE };
enum memory { MEMORY_OF_RULE, MEMORY_TABLE, MEMORY_ADAPTIVE_TABLE };

typedef struct cost_args {
    const char *reference, *parameters, *results;
    uint32_t cable, memory;
    hf_split split;
    double throughput; /* flits/cycle/terminal; 0: not asked for */
    bool whole_registers;
} cost_args;

typedef struct asking {
    hf_context *cx;
    const hf_scene *scene;
    const cost_args *args;
    const hf_topology *reference;
    hf_topology *own, *ruft; /* that are opened here */
    hf_cost_table table;
    double throughput; /* as above */
    double half;       /* half width of its 95% interval, of a simulation */
    hf_report *answer;
} asking;

static const hf_rule *rule_of(const asking *a) { return a->scene->has & HF_SCENE_ROUTING ? &a->scene->rule : NULL; }

/* ---- the parameters ---- */

static hf_status read_parameters(asking *a) {
    hf_text text;
    hf_cost_defaults(&a->table);
    if (!a->args->parameters) {
        return HF_OK;
    }
    hf_text_init(a->cx, &text);
    hf_status status = hf_text_load(a->cx, a->args->parameters, FILE_LIMIT, &text);
    if (status == HF_OK) {
        status = hf_cost_parse(a->cx, a->args->parameters, text.data ? text.data : "", text.size, &a->table);
    }
    hf_text_free(&text);
    return status;
}

/* The ideal saturation under a pattern. */
static hf_status bound_throughput(asking *a) {
    hf_load *load = NULL;
    hf_fault_set faults;
    hf_plan plan;
    if (!rule_of(a)) {
        HF_FAIL(a->cx, HF_EINVAL, "--traffic needs a --routing, whose load bounds the throughput");
    }
    HF_TRY(hf_fault_set_parse(a->cx, a->scene->topo, NULL, "", &faults));
    HF_TRY(hf_plan_make_plain(a->cx, rule_of(a), &faults, &plan));
    HF_TRY(hf_load_find(a->cx, &plan, a->scene->traffic, a->args->split, &load));
    a->throughput = load->saturation;
    hf_load_free(load);
    return HF_OK;
}

/* The most that a simulation delivered. */
static hf_status measured_throughput(asking *a) {
    const char *path = a->args->results;
    hf_text text;
    if (!rule_of(a)) {
        HF_FAIL(a->cx, HF_EINVAL, "--simulated needs the --routing that was simulated");
    }
    hf_text_init(a->cx, &text);
    hf_status status = hf_text_load(a->cx, path, RESULTS_LIMIT, &text);
    if (status == HF_OK) {
        status = hf_results_throughput(a->cx, path, text.data ? text.data : "", text.size, a->scene->topo->spec, rule_of(a)->spec,
                                       &a->throughput, &a->half);
    }
    hf_text_free(&text);
    return status;
}

static hf_status find_throughput(asking *a) {
    const bool has_traffic = a->scene->has & HF_SCENE_TRAFFIC;
    a->throughput = a->args->throughput;
    if ((a->throughput > 0) + has_traffic + (a->args->results != NULL) > 1) {
        HF_FAIL(a->cx, HF_EINVAL,
                "--throughput gives the throughput, --traffic bounds it and --simulated has measured it; give one of them");
    }
    return a->args->results ? measured_throughput(a) : has_traffic ? bound_throughput(a) : HF_OK;
}

/* ---- the rows ---- */

static const hf_column columns[] = {{"topology", "topology", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"routing", "routing", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"column", "column", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"switches", "switches", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"links", "links", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"cost", "cost", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"relative", "relative", NULL, HF_COLUMN_EXACT, 5, 0},
                                    {"memory_bits", "memory bits", "bits", HF_COLUMN_REAL, 6, 0},
                                    {"throughput", "throughput", "flits/cycle/terminal", HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"throughput_half", "half width", "flits/cycle/terminal", HF_COLUMN_REAL, 6, HF_COLUMN_ASKED},
                                    {"cost_per_flit", "cost per flit", NULL, HF_COLUMN_REAL, 5, 0},
                                    {0}};

/* The memory that the dissertation counts for the rule, bits; none where it does not. */
static hf_cell memory_of(const asking *a, const hf_topology *topo, hf_cost_column column) {
    hf_kary_tree tree;
    const hf_rule *rule = rule_of(a);
    if (topo != a->scene->topo || !hf_kary_tree_shape(topo, &tree)) {
        return hf_cell_none();
    }
    const bool is_adaptive =
        a->args->memory == MEMORY_OF_RULE ? column == HF_COST_ADAPTIVE : a->args->memory == MEMORY_ADAPTIVE_TABLE;
    const hf_memory_kind kinds[] = {[HF_SWITCH_TABLE] = is_adaptive ? HF_MEMORY_ADAPTIVE_TABLE : HF_MEMORY_TABLE,
                                    [HF_SWITCH_INTERVALS] = HF_MEMORY_FT2EI,
                                    [HF_SWITCH_FIR] = HF_MEMORY_FIR};
    const hf_switch_memory memory = rule && rule->routing->memory && a->args->memory == MEMORY_OF_RULE
                                        ? rule->routing->memory(&rule->args)
                                        : (hf_switch_memory){HF_SWITCH_TABLE, 0};
    return memory.intervals == HF_UNLIMITED ? hf_cell_none()
                                            : hf_cell_real(hf_memory_bits(kinds[memory.kind], topo->n_terminal, tree.k,
                                                                          (uint32_t)memory.intervals, a->args->whole_registers));
}

static double real(hf_fraction x) { return (double)x.p / (double)x.q; }

static hf_status add_row(asking *a, const hf_topology *topo, const hf_rule *rule, hf_cost_column column) {
    hf_cost base, cost;
    char exact[80];
    hf_report *out = a->answer;
    HF_TRY(hf_cost_find(a->cx, &a->table, HF_COST_DETERMINISTIC, a->reference, a->reference, &base));
    HF_TRY(hf_cost_find(a->cx, &a->table, column, topo, a->reference, &cost));
    if (!base.total.p) {
        HF_FAIL(a->cx, HF_EINVAL, "the parameters make \"%s\" free of cost; nothing can be compared with it", a->reference->spec);
    }
    hf_fraction relative;
    HF_TRY(hf_fraction_ratio(a->cx, cost.total, base.total, &relative));
    hf_fraction_print(relative, exact);
    hf_report_cell(out, hf_cell_word(topo->spec));
    hf_report_cell(out, hf_cell_word(rule ? rule->spec : NULL));
    hf_report_cell(out, hf_cell_word(hf_cost_column_name(column)));
    hf_report_cell(out, hf_cell_real(real(cost.switches)));
    hf_report_cell(out, hf_cell_real(real(cost.links)));
    hf_report_cell(out, hf_cell_real(real(cost.total)));
    hf_report_cell(out, hf_cell_exact(real(relative), exact));
    hf_report_cell(out, memory_of(a, topo, column));
    hf_report_cell(out, a->throughput > 0 ? hf_cell_real(a->throughput) : hf_cell_none());
    hf_report_cell(out, a->half > 0 ? hf_cell_real(a->half) : hf_cell_none());
    hf_report_cell(out, a->throughput > 0 ? hf_cell_real(real(relative) / a->throughput) : hf_cell_none());
    return HF_OK;
}

/* Both cables to the terminals, or the one asked for. */
static hf_status add_ruft(asking *a, const hf_topology *topo, const hf_rule *rule) {
    if (a->args->cable >= CABLE_ROW) {
        const uint32_t k = (uint32_t)hf_args_get(&topo->args, "k")->number, n = (uint32_t)hf_args_get(&topo->args, "n")->number;
        HF_TRY(hf_cost_place(a->cx, k, n, a->args->cable == CABLE_ROW ? HF_COST_ROW : HF_COST_SQUARE, &a->table.placed));
        return add_row(a, topo, rule, HF_COST_RUFT_PLACED);
    }
    if (a->args->cable != CABLE_WORST) {
        HF_TRY(add_row(a, topo, rule, HF_COST_RUFT_IDEAL));
    }
    return a->args->cable != CABLE_IDEAL ? add_row(a, topo, rule, HF_COST_RUFT_WORST) : HF_OK;
}

/* A row for the network; without a routing, the row of table 5.3 for a tree. */
static hf_status add_rows(asking *a) {
    const hf_topology *topo = a->scene->topo;
    hf_kary_tree tree;
    char *spec;
    if (topo->kind->is_reduced_tree) {
        return add_ruft(a, topo, rule_of(a));
    }
    if (rule_of(a)) {
        hf_cost_column column;
        HF_TRY(hf_cost_column_of(a->cx, topo, rule_of(a), false, &column));
        return add_row(a, topo, rule_of(a), column);
    }
    if (!hf_kary_tree_shape(topo, &tree)) {
        HF_FAIL(a->cx, HF_EINVAL, "option --routing is missing; only the cost of a kary-tree or ruft is known without it");
    }
    HF_TRY(add_row(a, topo, NULL, HF_COST_ADAPTIVE));
    HF_TRY(add_row(a, topo, NULL, HF_COST_DETERMINISTIC));
    HF_TRY(hf_scratch_print(a->cx, &spec, "ruft:k=%" PRIu32 ",n=%" PRIu32, tree.k, tree.n));
    HF_TRY(hf_topology_outline(a->cx, spec, &a->ruft));
    return add_ruft(a, a->ruft, NULL);
}

/* A tree stands for itself. */
static hf_status find_reference(asking *a) {
    hf_kary_tree tree;
    if (!a->args->reference && hf_kary_tree_shape(a->scene->topo, &tree)) {
        a->reference = a->scene->topo;
        return HF_OK;
    }
    HF_TRY(a->args->reference ? hf_topology_outline(a->cx, a->args->reference, &a->own)
                              : hf_cost_reference(a->cx, a->scene->topo, &a->own));
    a->reference = a->own;
    return HF_OK;
}

static hf_status answer_all(asking *a) {
    char *title;
    HF_TRY(read_parameters(a));
    HF_TRY(find_reference(a));
    HF_TRY(find_throughput(a));
    HF_TRY(hf_scratch_print(a->cx, &title, "cost relative to %s with deterministic routing", a->reference->spec));
    a->answer->title = title;
    hf_report_argument(a->answer, "reference", a->reference->spec);
    return add_rows(a);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .scene = asked->scene, .args = asked->args, .answer = answer};
    const hf_status status = answer_all(&a);
    hf_topology_free(a.own);
    hf_topology_free(a.ruft);
    return status;
}

static const char *const cables[] = {"both", "ideal", "worst", "row", "square", NULL};

static const char *const memories[] = {"rule", "table", "adaptive-table", NULL};

static const hf_param params[] = {
    {.name = "reference",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "spec",
     .help = "the tree to compare with (default: of the same k and n)",
     HF_FIELD(cost_args, reference)},
    {.name = "cable",
     .type = HF_PARAM_WORD,
     .fallback = "both",
     .words = cables,
     .unit = "how",
     .help = "RUFT's cables to the terminals: both (default), ideal or worst; or all by place, racks in a row or a square",
     HF_FIELD(cost_args, cable)},
    {.name = "switch-memory",
     .was = "memory",
     .key = "memory",
     .type = HF_PARAM_WORD,
     .fallback = "rule",
     .words = memories,
     .unit = "how",
     .help = "memory of a switch: what the rule needs (default), or a forwarding table of one or several ports",
     HF_FIELD(cost_args, memory)},
    {.name = "parameters",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "lines COLUMN PARAMETER VALUE that replace those of table 5.1",
     HF_FIELD(cost_args, parameters)},
    {.name = "throughput",
     .type = HF_PARAM_REAL,
     .high = 1000000,
     .flags = HF_PARAM_ABOVE | HF_PARAM_OPTIONAL,
     .unit = "x",
     .help = "cost per flit at this throughput, flits/cycle/terminal",
     HF_FIELD(cost_args, throughput)},
    {.name = "simulated",
     .was = "results",
     .key = "results",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "file",
     .help = "cost per flit at the most that `holdfast simulate --json` saw accepted",
     HF_FIELD(cost_args, results)},
    {.name = "whole-registers",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "round logarithms up in the memory of a switch",
     HF_FIELD(cost_args, whole_registers)},
    {0}};
static const hf_group group = {.name = "cost", .params = params};
static const hf_question_part parts[] = {{.group = &hf_split_group, .at = offsetof(cost_args, split)}, {.group = &group}, {0}};

const hf_question hf_question_cost = {
    .name = "cost",
    .summary = "compare the cost of a network with that of a fat-tree",
    .about = "Cost of a switch, n_p (c_b + c_cr + c_po) + c_r + c_sf + c_clo, and of the links, n_l c_cn + l_l c_ml; the second\n"
             "is 2 for the reference tree. Relative cost 1 is the reference with deterministic routing. Without --routing all\n"
             "columns of a tree are shown. Memory is what a switch needs for its routing. With --traffic, the throughput that\n"
             "the load allows gives the cost per flit.\n\n"
             "Example: holdfast cost --topology kary-tree:k=4,n=2",
    .source = "gomez2010, section 5.4",
    .scene = HF_SCENE_TOPOLOGY,
    .scene_maybe = HF_SCENE_ROUTING | HF_SCENE_TRAFFIC,
    .parts = parts,
    .args_size = sizeof(cost_args),
    .outlines = true,
    .table = "costs",
    .columns = columns,
    .ask = ask,
};
