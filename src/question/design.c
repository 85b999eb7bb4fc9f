/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a design, a network with a rule, is worth: what it costs, carries and tolerates, and whether it can deadlock. The figures
 *  are found in the order of what they take, and no further than the limits that are set: what is too dear is not walked for its
 *  faults. */
#include <holdfast/analysis/cost.h>
#include <holdfast/analysis/deadlock.h>
#include <holdfast/question.h>

#include "src/report/limits.h"

typedef struct design_args {
    const char *reference, *limits;
    hf_split split;
    uint32_t faults_most;
    uint64_t samples, seed;
} design_args;

enum {
    TOPOLOGY,
    ROUTING,
    TERMINALS,
    SWITCHES,
    LINKS,
    COST,
    DEADLOCK,
    BUBBLES,
    THROUGHPUT,
    TOLERANCE,
    TOLERANCE_KNOWN_BY,
    TOLERANCE_LEAST,
    TOLERANCE_MOST,
    VERDICT,
    CELLS
};

static const hf_column columns[] = {
    [TOPOLOGY] = {"topology", "topology", NULL, HF_COLUMN_WORD, 6, 0},
    [ROUTING] = {"routing", "routing", NULL, HF_COLUMN_WORD, 6, 0},
    [TERMINALS] = {"terminals", "terminals", NULL, HF_COLUMN_COUNT, 6, 0},
    [SWITCHES] = {"switches", "switches", NULL, HF_COLUMN_COUNT, 6, 0},
    [LINKS] = {"links", "links", NULL, HF_COLUMN_COUNT, 6, 0},
    [COST] = {"cost", "cost", NULL, HF_COLUMN_REAL, 5, 0},
    [DEADLOCK] = {"deadlock", "deadlock", "deadlock-free|deadlock|unknown", HF_COLUMN_WORD, 6, 0},
    [BUBBLES] = {"bubbles", "with bubbles", NULL, HF_COLUMN_FLAG, 6, 0},
    [THROUGHPUT] = {"throughput", "throughput", "flits/cycle/terminal", HF_COLUMN_REAL, 5, 0},
    [TOLERANCE] = {"tolerance", "tolerance", NULL, HF_COLUMN_COUNT, 6, 0},
    [TOLERANCE_KNOWN_BY] = {"tolerance_known_by", "known by", "exact|proved|sampled|unknown", HF_COLUMN_WORD, 6, 0},
    [TOLERANCE_LEAST] = {"tolerance_least", "at least", NULL, HF_COLUMN_COUNT, 6, 0},
    [TOLERANCE_MOST] = {"tolerance_most", "at most", NULL, HF_COLUMN_COUNT, 6, 0},
    [VERDICT] = {"verdict", "verdict", NULL, HF_COLUMN_WORD, 6, 0},
    {0}};

typedef struct asking {
    hf_context *cx;
    const hf_asked *asked;
    const hf_scene *scene;
    const design_args *args;
    hf_topology *reference;
    hf_plan plan; /* without faults, once the cheap figures are within the limits */
    hf_cell cell[CELLS];
} asking;

/* ---- the figures ---- */

static void find_size(asking *a) {
    const hf_topology *topo = a->scene->topo;
    a->cell[TOPOLOGY] = hf_cell_word(topo->spec);
    a->cell[ROUTING] = hf_cell_word(a->scene->rule.spec);
    a->cell[TERMINALS] = hf_cell_count(topo->n_terminal);
    a->cell[SWITCHES] = hf_cell_count(topo->n_switch);
    a->cell[LINKS] = hf_cell_count(topo->n_link);
}

static double of_terminal(hf_fraction cost, const hf_topology *topo) {
    return (double)cost.p / (double)cost.q / topo->n_terminal;
}

/* Of a terminal, relative to one of the reference; the cables of RUFT to its terminals at their worst. */
static hf_status find_size_and_cost(asking *a) {
    const hf_topology *topo = a->scene->topo;
    hf_cost_table table;
    hf_cost_column column;
    hf_cost base, cost;
    find_size(a);
    hf_cost_defaults(&table);
    HF_TRY(hf_cost_find(a->cx, &table, HF_COST_DETERMINISTIC, a->reference, a->reference, &base));
    HF_TRY(hf_cost_column_of(a->cx, topo, &a->scene->rule, true, &column));
    HF_TRY(hf_cost_find(a->cx, &table, column, topo, a->reference, &cost));
    a->cell[COST] = hf_cell_real(of_terminal(cost.total, topo) / of_terminal(base.total, a->reference));
    return HF_OK;
}

/* Without faults, under wormhole switching; if it can deadlock, with bubbles on the rings that the routing may declare. */
static hf_status find_deadlock(asking *a) {
    hf_deadlock found;
    hf_deadlock_options options = {.threads = a->asked->conduct->threads};
    HF_TRY(hf_deadlock_decide(a->cx, &a->plan, &options, &found));
    hf_deadlock_answer answer = found.answer;
    bool needs_bubbles = false;
    if (answer != HF_DEADLOCK_FREE && hf_plan_has_rings(&a->plan)) {
        options.switching = HF_SWITCHING_VCT;
        options.bubble = true;
        HF_TRY(hf_deadlock_decide(a->cx, &a->plan, &options, &found));
        needs_bubbles = found.answer == HF_DEADLOCK_FREE;
        answer = needs_bubbles ? HF_DEADLOCK_FREE : answer;
    }
    a->cell[DEADLOCK] = hf_cell_word(hf_deadlock_answer_name(answer));
    a->cell[BUBBLES] = hf_cell_flag(needs_bubbles);
    return HF_OK;
}

static hf_status find_throughput(asking *a) {
    hf_load *load;
    HF_TRY(hf_load_find(a->cx, &a->plan, a->scene->traffic, a->args->split, &load));
    a->cell[THROUGHPUT] = hf_cell_real(load->saturation);
    hf_load_free(load);
    return HF_OK;
}

static hf_status find_tolerance(asking *a) {
    const hf_tolerated_request request = {.universe = a->scene->universe,
                                          .rule = &a->scene->rule,
                                          .criterion = &a->scene->criterion,
                                          .faults_most = a->args->faults_most,
                                          .samples = a->args->samples,
                                          .seed = a->args->seed,
                                          .threads = a->asked->conduct->threads,
                                          .progress = a->asked->conduct->progress,
                                          .progress_user = a->asked->conduct->progress_user};
    hf_tolerated tolerated;
    HF_TRY(hf_tolerated_find(a->cx, &request, &tolerated));
    a->cell[TOLERANCE] = hf_cell_count(tolerated.faults);
    a->cell[TOLERANCE_KNOWN_BY] = hf_cell_word(hf_tolerated_proof_name(tolerated.proof));
    a->cell[TOLERANCE_LEAST] = hf_cell_count(tolerated.least);
    a->cell[TOLERANCE_MOST] = hf_cell_count(tolerated.most);
    return HF_OK;
}

/* ---- how far ---- */

/* Columns are found in their order. */
static const struct {
    hf_status (*find)(asking *a);
    size_t end; /* behind the last that it finds */
} steps[] = {
    {find_size_and_cost, DEADLOCK}, {find_deadlock, THROUGHPUT}, {find_throughput, TOLERANCE}, {find_tolerance, VERDICT}};

static hf_status take_step(asking *a, const hf_limits *limits, size_t step, const char **broken) {
    hf_fault_set none;
    if (step == 1) {
        HF_TRY(hf_fault_set_parse(a->cx, a->scene->topo, NULL, "", &none));
        HF_TRY(hf_plan_make_plain(a->cx, &a->scene->rule, &none, &a->plan));
    }
    const hf_mark mark = hf_scratch_mark(a->cx);
    HF_TRY(steps[step].find(a));
    hf_scratch_reset(a->cx, mark);
    for (size_t c = step > 0 ? steps[step - 1].end : 0; c < steps[step].end && !*broken; c++) {
        *broken = hf_limits_keep(limits, &columns[c], &a->cell[c]) ? NULL : columns[c].key;
    }
    return HF_OK;
}

static hf_status find_all(asking *a, const hf_limits *limits) {
    const char *broken = NULL;
    a->cell[BUBBLES] = hf_cell_flag(false);
    a->cell[TOLERANCE_KNOWN_BY] = hf_cell_word("unknown");
    for (size_t step = 0; step < sizeof steps / sizeof *steps && !broken; step++) {
        HF_TRY(take_step(a, limits, step, &broken));
    }
    a->cell[VERDICT] = hf_cell_word(broken ? broken : "kept");
    return HF_OK;
}

static hf_status answer_all(asking *a, hf_report *answer) {
    const hf_scene *scene = a->scene;
    hf_limits limits;
    char *title;
    HF_TRY(hf_limits_read(a->cx, a->args->limits, &limits));
    HF_TRY(hf_limits_check(a->cx, &limits, columns, VERDICT));
    HF_TRY(a->args->reference ? hf_topology_outline(a->cx, a->args->reference, &a->reference)
                              : hf_cost_reference(a->cx, scene->topo, &a->reference));
    HF_TRY(find_all(a, &limits));
    HF_TRY(hf_scratch_print(
        a->cx, &title,
        "%s, %s: cost of a terminal relative to %s, throughput under %s in flits/cycle/terminal, tolerated faults among %u %s",
        scene->topo->spec, scene->rule.spec, a->reference->spec, scene->traffic->spec, (unsigned)scene->universe->n_component,
        scene->universe->spec));
    answer->title = title;
    hf_report_argument(answer, "reference", a->reference->spec);
    for (size_t c = 0; c < CELLS; c++) {
        hf_report_cell(answer, a->cell[c]);
    }
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    asking a = {.cx = cx, .asked = asked, .scene = asked->scene, .args = asked->args};
    const hf_status status = answer_all(&a, answer);
    hf_topology_free(a.reference);
    return status;
}

static const hf_param params[] = {
    {.name = "reference",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "spec",
     .help = "the tree whose terminal costs 1, with deterministic routing (default: of the same k and n)",
     HF_FIELD(design_args, reference)},
    {.name = "faults-most",
     .type = HF_PARAM_UINT,
     .fallback = "3",
     .low = 1,
     .high = 1000,
     .unit = "n",
     .help = "numbers of faults above this are not looked at",
     HF_FIELD(design_args, faults_most)},
    {.name = "sets",
     .type = HF_PARAM_UINT,
     .fallback = "100",
     .low = 1,
     .high = 1000000000,
     .unit = "n",
     .help = "fault sets of a size that are judged slowly, from the relation; all where there are no more",
     HF_FIELD(design_args, samples)},
    {.name = "seed",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = UINT64_MAX - 1,
     .unit = "n",
     .help = "seed of the samples",
     HF_FIELD(design_args, seed)},
    {.name = "limits",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "list",
     .help = "columns and what they must be, such as terminals=1000..1100,cost=..2; a design beyond one is not looked at further",
     HF_FIELD(design_args, limits)},
    {0}};
static const hf_group group = {.name = "design", .params = params};
static const hf_question_part parts[] = {{.group = &hf_split_group, .at = offsetof(design_args, split)}, {.group = &group}, {0}};

const hf_question hf_question_design = {
    .name = "design",
    .summary = "what a design is worth: cost, throughput, tolerance, deadlock",
    .about = "Terminals, switches and links; the cost of a terminal relative to that of a tree, as of `holdfast cost`; deadlock\n"
             "without faults, as of `holdfast verify`, with bubbles where it needs them; the rate at which the busiest channel\n"
             "is full, as of `holdfast load`; and the largest number of faults of which every set is tolerated, with how that\n"
             "is known: exact, proved (at least), or sampled. Cheap figures come first; --limits ends a design that is out.\n\n"
             "Example: holdfast design --topology torus:dims=8x8 --routing updown-graph --reference kary-tree:k=4,n=3",
    .source = "gomez2010, section 5.4",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_UNIVERSE | HF_SCENE_CRITERION | HF_SCENE_TRAFFIC,
    .universe = "links",
    .traffic = "uniform",
    .parts = parts,
    .args_size = sizeof(design_args),
    .table = "design",
    .columns = columns,
    .threads = true,
    .ask = ask,
};
