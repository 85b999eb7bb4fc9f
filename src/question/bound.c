/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many faults are always tolerated: by classes, with a certificate that can be checked again, or by the fewest that are
 *  not. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/analysis/tolerance.h>
#include <holdfast/campaign.h>
#include <holdfast/core/build.h>

#include "src/core/print.h"
#include "src/question/campaign.h"
#include "src/question/tables.h"
#include "src/report/tree.h"

enum { FILE_LIMIT = 256 << 20, LIMIT_S = 600 };

typedef struct bound_args {
    bool fewest, enumerate;
} bound_args;

static const hf_column columns[] = {{"tolerated_faults", "tolerated faults", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"components", "components", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"classes", "classes", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"class_runs", "runs of classes", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                    {"witness", "not tolerated", NULL, HF_COLUMN_NAMES, 6, 0},
                                    {"verdict", "certificate", "confirmed|refuted", HF_COLUMN_WORD, 6, 0},
                                    {"reason", "because", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"isolates", "isolates", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                    {"not_tolerated", "not tolerated", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                    {0}};

/* ---- the row of a certificate ---- */

/* \param[in] b NULL: refuted, or of another version, and nothing is known */
static hf_status put_row(hf_context *cx, const hf_universe *universe, const hf_bound *b, const char *verdict, const char *reason,
                         hf_report *out) {
    char *names = NULL;
    if (b) {
        HF_TRY(hf_asked_campaign_names(cx, universe, b->witness, b->n_witness, " ", &names));
    }
    hf_report_cell(out, b ? hf_cell_count(b->n_class - 1) : hf_cell_none());
    hf_report_cell(out, b ? hf_cell_count(b->n_component) : hf_cell_none());
    hf_report_cell(out, b ? hf_cell_count(b->n_class) : hf_cell_none());
    hf_report_tree(out, b ? hf_asked_classes(b) : hf_json_null());
    hf_report_cell(out, hf_cell_word(names));
    hf_report_cell(out, hf_cell_word(verdict));
    hf_report_cell(out, hf_cell_word(reason));
    hf_report_tree(out, hf_json_null());
    hf_report_tree(out, hf_json_null());
    return HF_OK;
}

/* Check a certificate, made or read, and say what came of it. */
static hf_status judge(hf_context *cx, const hf_scene *scene, const hf_bound *b, hf_report *out) {
    char *title, *note, *reason = NULL;
    bool ok;
    HF_TRY(hf_bound_check(cx, scene->universe, &scene->rule, b, &ok));
    if (!ok) {
        HF_TRY(hf_scratch_print(cx, &reason, "%s", hf_context_message(cx)));
        hf_context_clear(cx);
    }
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, faults among %" PRIu32 " %s", b->topology, b->routing, b->n_component,
                            b->universe));
    HF_TRY(hf_scratch_print(cx, &note, "every set of up to %" PRIu32 " fault%s is tolerated, and not every set of %" PRIu32,
                            b->n_class - 1, hf_plural(b->n_class - 1), b->n_class));
    out->title = title;
    out->answer = ok ? HF_ANSWER_YES : HF_ANSWER_NO;
    hf_report_note(out, ok ? note : NULL);
    return put_row(cx, scene->universe, ok ? b : NULL, ok ? "confirmed" : "refuted", reason, out);
}

/* ---- making one ---- */

/* The answer as JSON is the certificate. */
static hf_status print_answer(const void *user, hf_text *out) {
    return hf_report_print(user, &(hf_report_style){.form = HF_FORM_JSON}, out);
}

static hf_status make(hf_context *cx, const hf_asked *asked, hf_report *out) {
    const hf_scene *scene = asked->scene;
    hf_bound *b;
    HF_TRY(hf_bound_make(cx, scene->universe, &scene->rule, &b));
    const hf_status status = judge(cx, scene, b, out);
    hf_bound_free(b);
    HF_TRY(status);
    hf_report_argument(out, "only", NULL); /* the universe has it */
    hf_report_argument(out, "fewest", NULL);
    hf_report_argument(out, "enumerate", NULL);
    hf_report_argument(out, "criterion", NULL);
    return out->answer == HF_ANSWER_YES ? hf_asked_attach(asked, out, "certificate", out, print_answer) : HF_OK;
}

/* ---- checking one again ---- */

/* What a certificate holds, as borrowed JSON. */
typedef struct fields {
    hf_context *cx;
    const char *file;
    const hf_json *version, *topology, *routing, *universe, *tolerated, *components, *classes, *runs, *witness, *verdict;
} fields;

static hf_status refuse(const fields *f, const char *what, const char *need) {
    HF_FAIL(f->cx, HF_EINVAL, "%s, %s is not right; need %s", f->file, what, need);
}

static hf_status read_frame(const hf_json *root, fields *f, const hf_json **spec, const hf_json **row) {
    const hf_json *schema, *command, *program, *name, *rows;
    const hf_json_field of_root[] = {{"schema", HF_JSON_WHOLE, &schema},
                                     {"command", HF_JSON_TEXT, &command},
                                     {"program", HF_JSON_OBJECT, &program},
                                     {"spec", HF_JSON_OBJECT, spec},
                                     {"rows", HF_JSON_ARRAY, &rows}};
    const hf_json_field of_program[] = {{"name", HF_JSON_TEXT, &name}, {"version", HF_JSON_TEXT, &f->version}};
    char *place;
    int64_t number;
    HF_TRY(hf_json_read(f->cx, f->file, root, of_root, sizeof of_root / sizeof *of_root));
    HF_TRY(hf_scratch_print(f->cx, &place, "%s, program", f->file));
    HF_TRY(hf_json_read(f->cx, place, program, of_program, 2));
    if (!hf_json_whole(schema, &number) || number != 1) {
        return refuse(f, "schema", "1");
    }
    if (strcmp(hf_json_string(command), "bound") != 0) {
        return refuse(f, "command", "bound");
    }
    if (strcmp(hf_json_string(name), "holdfast") != 0) {
        return refuse(f, "program.name", "holdfast");
    }
    *row = hf_json_at(rows, 0);
    return hf_json_count(rows) == 1 ? HF_OK : refuse(f, "rows", "one row");
}

static hf_status read_fields(const hf_json *root, fields *f) {
    const hf_json *spec, *row, *null; /* of --fewest or --enumerate, or said by others */
    const hf_json_field of_spec[] = {{"topology", HF_JSON_TEXT, &f->topology}, {"routing", HF_JSON_TEXT, &f->routing},
                                     {"universe", HF_JSON_TEXT, &f->universe}, {"only", HF_JSON_NULL, &null},
                                     {"criterion", HF_JSON_NULL, &null},       {"fewest", HF_JSON_NULL, &null},
                                     {"enumerate", HF_JSON_NULL, &null}};
    const hf_json_field of_row[] = {{"tolerated_faults", HF_JSON_WHOLE, &f->tolerated},
                                    {"components", HF_JSON_WHOLE, &f->components},
                                    {"classes", HF_JSON_WHOLE, &f->classes},
                                    {"class_runs", HF_JSON_ARRAY, &f->runs},
                                    {"witness", HF_JSON_ARRAY, &f->witness},
                                    {"verdict", HF_JSON_TEXT, &f->verdict},
                                    {"reason", HF_JSON_NULL, &null},
                                    {"isolates", HF_JSON_NULL, &null},
                                    {"not_tolerated", HF_JSON_NULL, &null}};
    char *place;
    HF_TRY(read_frame(root, f, &spec, &row));
    HF_TRY(hf_scratch_print(f->cx, &place, "%s, spec", f->file));
    HF_TRY(hf_json_read(f->cx, place, spec, of_spec, sizeof of_spec / sizeof *of_spec));
    HF_TRY(hf_scratch_print(f->cx, &place, "%s, rows[0]", f->file));
    HF_TRY(hf_json_read(f->cx, place, row, of_row, sizeof of_row / sizeof *of_row));
    return strcmp(hf_json_string(f->verdict), "confirmed") == 0 ? HF_OK : refuse(f, "rows[0].verdict", "confirmed");
}

/* Runs of a class and its length, no two of one class in a row. */
static hf_status read_classes(const fields *f, hf_bound *b) {
    const size_t n = hf_json_count(f->runs);
    int64_t last = -1;
    uint32_t at = 0;
    HF_TRY(hf_allocate(f->cx, b->n_component, sizeof *b->class_of, (void **)&b->class_of));
    for (size_t i = 0; i + 1 < n; i += 2) {
        int64_t class_id, length;
        if (!hf_json_whole(hf_json_at(f->runs, i), &class_id) || !hf_json_whole(hf_json_at(f->runs, i + 1), &length) ||
            class_id < 0 || class_id >= b->n_class || class_id == last || length < 1 || length > (int64_t)b->n_component - at) {
            return refuse(f, "rows[0].class_runs", "runs of a class and its length, no two of one class in a row");
        }
        for (int64_t x = 0; x < length; x++) {
            b->class_of[at++] = (uint32_t)class_id;
        }
        last = class_id;
    }
    return at == b->n_component && n % 2 == 0 ? HF_OK : refuse(f, "rows[0].class_runs", "runs that cover every component");
}

/* The component of a name as the program writes it. */
static hf_status read_component(const fields *f, const hf_scene *scene, const hf_json *name, uint32_t *out) {
    const char *text = hf_json_string(name);
    char canonical[HF_NAME_SIZE] = "";
    hf_fault_set faults = {.n_component = 0};
    const hf_status status = text ? hf_fault_set_parse(f->cx, scene->topo, scene->universe, text, &faults) : HF_OK;
    if (status != HF_OK) {
        hf_context_prefix(f->cx, "%s, rows[0].witness: ", f->file);
        return status;
    }
    if (faults.n_component == 1) {
        *out = faults.component[0];
        hf_universe_name(scene->universe, *out, canonical, sizeof canonical);
    }
    return text && strcmp(text, canonical) == 0 ? HF_OK : refuse(f, "rows[0].witness", "names of components, one each");
}

static hf_status read_witness(const fields *f, const hf_scene *scene, hf_bound *b) {
    b->n_witness = (uint32_t)hf_json_count(f->witness);
    HF_TRY(hf_allocate(f->cx, b->n_witness, sizeof *b->witness, (void **)&b->witness));
    for (uint32_t i = 0; i < b->n_witness; i++) {
        HF_TRY(read_component(f, scene, hf_json_at(f->witness, i), &b->witness[i]));
    }
    return HF_OK;
}

static hf_status read_numbers(const fields *f, const hf_scene *scene, hf_bound *b) {
    int64_t tolerated, classes, components;
    (void)hf_json_whole(f->tolerated, &tolerated);
    (void)hf_json_whole(f->classes, &classes);
    (void)hf_json_whole(f->components, &components);
    b->n_component = scene->universe->n_component;
    if (components != b->n_component) {
        return refuse(f, "rows[0].components", "as many as the universe has");
    }
    if (classes < 1 || classes > components) {
        return refuse(f, "rows[0].classes", "1 to as many as there are components");
    }
    b->n_class = (uint32_t)classes;
    return tolerated == classes - 1 ? HF_OK : refuse(f, "rows[0].tolerated_faults", "one less than there are classes");
}

static hf_status read_bound(const fields *f, hf_scene *scene, hf_bound *b) {
    const char *topology = hf_json_string(f->topology), *routing = hf_json_string(f->routing),
               *universe = hf_json_string(f->universe);
    HF_TRY(hf_topology_new(f->cx, topology, &scene->topo));
    HF_TRY(hf_rule_init(f->cx, routing, scene->topo, &scene->rule));
    HF_TRY(hf_universe_new(f->cx, scene->topo, universe, NULL, &scene->universe));
    HF_TRY(read_numbers(f, scene, b));
    HF_TRY(hf_duplicate(f->cx, topology, &b->topology));
    HF_TRY(hf_duplicate(f->cx, routing, &b->routing));
    HF_TRY(hf_duplicate(f->cx, universe, &b->universe));
    HF_TRY(read_classes(f, b));
    return read_witness(f, scene, b);
}

static hf_status check_bound(const fields *f, hf_report *out) {
    hf_scene scene = {0};
    hf_bound *b;
    HF_TRY(hf_allocate(f->cx, 1, sizeof *b, (void **)&b));
    b->allocator = *hf_context_allocator(f->cx);
    hf_status status = read_bound(f, &scene, b);
    if (status == HF_OK) {
        hf_report_argument(out, "topology", scene.topo->spec);
        hf_report_argument(out, "routing", scene.rule.spec);
        hf_report_argument(out, "universe", scene.universe->spec);
        status = judge(f->cx, &scene, b, out);
    }
    hf_bound_free(b);
    hf_scene_close(&scene);
    return status;
}

/* A certificate of another version is about names and numbers of that version. */
static hf_status put_stranger(const fields *f, hf_report *out) {
    char *reason;
    HF_TRY(hf_scratch_print(f->cx, &reason, "version %.40s of the program wrote it; this is %s", hf_json_string(f->version),
                            hf_build_version()));
    out->answer = HF_ANSWER_OPEN;
    return put_row(f->cx, NULL, NULL, "cannot be checked", reason, out);
}

static hf_status check(hf_context *cx, const char *file, hf_report *answer) {
    fields f = {.cx = cx, .file = file};
    hf_json *root = NULL;
    hf_status status;
    hf_text text;
    answer->title = file;
    hf_text_init(cx, &text);
    HF_TRY_DONE(hf_text_load(cx, file, FILE_LIMIT, &text));
    HF_TRY_DONE(hf_json_parse(cx, file, text.data ? text.data : "", text.size, &root));
    HF_TRY_DONE(read_fields(root, &f));
    status = strcmp(hf_json_string(f.version), hf_build_version()) == 0 ? check_bound(&f, answer) : put_stranger(&f, answer);
done:
    hf_json_free(root);
    hf_text_free(&text);
    return status;
}

/* ---- the fewest ---- */

static const hf_column columns_of_fewest[] = {{"loss", "what their loss does", NULL, HF_COLUMN_WORD, 6, 0},
                                              {"fewest", "fewest", NULL, HF_COLUMN_COUNT, 6, 0},
                                              {"figure", "figure", NULL, HF_COLUMN_WORD, 6, 0},
                                              {"set", "components", NULL, HF_COLUMN_NAMES, 6, 0},
                                              {"terminals", "terminals", NULL, HF_COLUMN_WORD, 6, 0}};

/* A second opinion: the judge of campaigns on the set that was found. */
static hf_status confirm(hf_context *cx, const hf_scene *scene, const hf_fewest *f) {
    hf_criterion criterion;
    hf_judge *judge = NULL;
    hf_measure measure = {.tolerated = false};
    hf_status status;
    HF_TRY(hf_criterion_init(cx, "all-pairs", &criterion));
    HF_TRY_DONE(hf_judge_new(cx, scene->universe, &scene->rule, &criterion, &judge));
    for (uint32_t i = 0; i < f->n; i++) {
        HF_TRY_DONE(judge->ops->push(cx, judge, f->component[i]));
    }
    HF_TRY_DONE(judge->ops->read(cx, judge, &measure));
    if (measure.tolerated) {
        status =
            hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__, "the set that was found is tolerated after all: this is a defect");
    }
done:
    hf_judge_free(judge);
    return status;
}

static hf_json *tree_of_fewest(const hf_universe *u, const hf_fewest *f) {
    hf_json *o = hf_json_object(), *names = hf_json_array();
    hf_json_set(o, "exact", hf_json_boolean(f->is_exact));
    hf_json_set(o, "possible", f->is_exact || f->is_possible ? hf_json_boolean(f->is_possible) : hf_json_null());
    hf_json_set(o, "components", f->is_possible ? hf_json_integer(f->n) : hf_json_null());
    for (uint32_t i = 0; i < f->n; i++) {
        char name[HF_NAME_SIZE];
        hf_universe_name(u, f->component[i], name, sizeof name);
        hf_json_push(names, hf_json_text(name));
    }
    hf_json_set(o, "witness", names);
    return o;
}

static hf_status put_fewest(hf_context *cx, const hf_universe *u, const char *loss, const hf_fewest *f, hf_report *out) {
    static const char *const figure[2][2] = {{"not decided in time", "no set does"}, {"at most", "exact"}};
    char *names = NULL, *terminals = NULL, from[HF_NAME_SIZE], to[HF_NAME_SIZE];
    if (f->is_possible) {
        HF_TRY(hf_asked_campaign_names(cx, u, f->component, f->n, " ", &names));
    }
    if (f->is_possible && f->source == HF_NONE) {
        HF_TRY(hf_scratch_print(cx, &terminals, "fewer than two stay in service"));
    } else if (f->is_possible && f->source == f->destination) {
        hf_topology_terminal_name(u->topo, f->source, from, sizeof from);
        HF_TRY(hf_scratch_print(cx, &terminals, "%s", from));
    } else if (f->is_possible) {
        hf_topology_terminal_name(u->topo, f->source, from, sizeof from);
        hf_topology_terminal_name(u->topo, f->destination, to, sizeof to);
        HF_TRY(hf_scratch_print(cx, &terminals, "%s to %s", from, to));
    }
    hf_report_cell(out, hf_cell_word(loss));
    hf_report_cell(out, f->is_possible ? hf_cell_count(f->n) : hf_cell_none());
    hf_report_cell(out, hf_cell_word(figure[f->is_possible][f->is_exact]));
    hf_report_cell(out, hf_cell_word(names));
    hf_report_cell(out, hf_cell_word(terminals));
    return HF_OK;
}

static hf_status put_minima(hf_context *cx, const hf_universe *u, const hf_fewest *isolate, const hf_fewest *broken,
                            hf_report *out) {
    const bool is_known = broken->is_possible && broken->is_exact && broken->n > 0;
    hf_report_cell(out, is_known ? hf_cell_count(broken->n - 1) : hf_cell_none());
    hf_report_cell(out, hf_cell_count(u->n_component));
    hf_report_cell(out, hf_cell_none());
    hf_report_tree(out, hf_json_null());
    for (int i = 0; i < 3; i++) {
        hf_report_cell(out, hf_cell_none());
    }
    hf_report_tree(out, tree_of_fewest(u, isolate));
    hf_report_tree(out, tree_of_fewest(u, broken));
    hf_report_table_begin(out, "fewest", columns_of_fewest, sizeof columns_of_fewest / sizeof *columns_of_fewest);
    hf_report_flatten(out);
    HF_TRY(put_fewest(cx, u, "isolates a terminal", isolate, out));
    return put_fewest(cx, u, "is not tolerated", broken, out);
}

static hf_status find_fewest(hf_context *cx, const hf_asked *asked, hf_report *out) {
    const hf_scene *scene = asked->scene;
    hf_fewest isolate, broken;
    char *title;
    if (hf_asked_wants(asked, "certificate")) {
        HF_FAIL(cx, HF_EINVAL, "--fewest writes no certificate; leave --certificate out");
    }
    HF_TRY(hf_fewest_break(cx, scene->universe, &scene->rule, LIMIT_S, &broken));
    HF_TRY(hf_fewest_isolate(cx, scene->universe, &isolate));
    if (broken.is_possible) {
        HF_TRY(confirm(cx, scene, &broken));
    }
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, faults among %" PRIu32 " %s", scene->topo->spec, scene->rule.spec,
                            scene->universe->n_component, scene->universe->spec));
    out->title = title;
    return put_minima(cx, scene->universe, &isolate, &broken, out);
}

/* ---- by enumeration ---- */

static const hf_column columns_of_walk[] = {{"tolerated_faults", "tolerated faults", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"components", "components", NULL, HF_COLUMN_COUNT, 6, 0},
                                            {"sets", "sets looked at", NULL, HF_COLUMN_BIG_COUNT, 6, 0},
                                            {"witness", "not tolerated", NULL, HF_COLUMN_NAMES, 6, 0},
                                            {0}};

/* Row after row until one has a set that is not tolerated. */
typedef struct walk {
    hf_context *cx;
    const hf_asked *asked;
    hf_criterion criterion;
    hf_bound *bound; /* NULL: there are no classes */
    uint32_t f, *witness;
    bool found;
    uint64_t sets;
} walk;

/* Is the set that no class is without tolerated? Then its row need not be walked. */
static hf_status judge_witness(walk *w) {
    const hf_scene *scene = w->asked->scene;
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict = {0};
    if (!w->bound || w->bound->n_witness != w->f) {
        return HF_OK;
    }
    HF_TRY(hf_fault_set_make(w->cx, scene->universe, w->bound->witness, w->f, &set));
    HF_TRY(hf_plan_make_plain(w->cx, &scene->rule, &set, &plan));
    HF_TRY(hf_tolerance_judge(w->cx, &plan, &w->criterion, false, &verdict));
    w->found = !verdict.tolerated;
    memcpy(w->witness, w->bound->witness, w->f * sizeof *w->witness);
    w->sets += w->found;
    return HF_OK;
}

static hf_status walk_row(walk *w) {
    const hf_conduct *conduct = w->asked->conduct;
    hf_campaign campaign = {.universe = w->asked->scene->universe,
                            .rule = &w->asked->scene->rule,
                            .criterion = &w->criterion,
                            .f = &w->f,
                            .n_f = 1,
                            .method = HF_METHOD_EXHAUSTIVE,
                            .threads = conduct->threads,
                            .verdicts = true,
                            .progress = conduct->progress,
                            .progress_user = conduct->progress_user};
    hf_result *result = NULL;
    HF_TRY(conduct->keep ? conduct->keep(w->cx, conduct->keep_user, &campaign) : HF_OK);
    const hf_status status = hf_campaign_run(w->cx, &campaign, &result);
    if (status == HF_OK) {
        const hf_tally *t = &result->row[0].tally;
        w->found = t->not_tolerated > 0;
        w->sets += t->sets;
        if (w->found) {
            memcpy(w->witness, t->witness, w->f * sizeof *w->witness);
        }
    }
    hf_result_free(result); /* there too when stopped */
    return status;
}

static hf_status walk_rows(walk *w) {
    const uint32_t n = w->asked->scene->universe->n_component;
    HF_TRY(hf_scratch(w->cx, (size_t)n + 1, sizeof *w->witness, (void **)&w->witness));
    for (w->f = 0; w->f <= n; w->f++) {
        const hf_mark mark = hf_scratch_mark(w->cx);
        hf_status status = judge_witness(w);
        status = status == HF_OK && !w->found ? walk_row(w) : status;
        hf_scratch_reset(w->cx, mark);
        HF_TRY(status);
        if (w->found) {
            break;
        }
    }
    if (w->found && w->f == 0) {
        HF_FAIL(w->cx, HF_EINVAL, "even without faults not every pair is served");
    }
    return HF_OK;
}

static hf_status enumerate(hf_context *cx, const hf_asked *asked, hf_report *out) {
    const hf_scene *scene = asked->scene;
    walk w = {.cx = cx, .asked = asked};
    char *title, *names = NULL;
    HF_TRY(scene->has & HF_SCENE_CRITERION ? HF_OK : hf_criterion_init(cx, "all-pairs", &w.criterion));
    w.criterion = scene->has & HF_SCENE_CRITERION ? scene->criterion : w.criterion;
    hf_status status = hf_bound_make(cx, scene->universe, &scene->rule, &w.bound);
    if (status == HF_ENOTSUP) {
        hf_context_clear(cx);
        status = HF_OK;
    }
    status = status == HF_OK ? walk_rows(&w) : status;
    hf_bound_free(w.bound);
    HF_TRY(status);
    HF_TRY(hf_asked_campaign_names(cx, scene->universe, w.witness, w.found ? w.f : 0, " ", &names));
    HF_TRY(hf_scratch_print(cx, &title, "%s, %s, faults among %" PRIu32 " %s, criterion %s", scene->topo->spec, scene->rule.spec,
                            scene->universe->n_component, scene->universe->spec, w.criterion.spec));
    out->title = title;
    hf_report_cell(out, hf_cell_count(w.f - 1));
    hf_report_cell(out, hf_cell_count(scene->universe->n_component));
    hf_report_cell(out, hf_cell_count(w.sets));
    hf_report_cell(out, hf_cell_word(w.found ? names : NULL));
    return HF_OK;
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const bound_args *args = asked->args;
    if (args->fewest && args->enumerate) {
        HF_FAIL(cx, HF_EINVAL, "--fewest and --enumerate contradict each other; need one of them");
    }
    if (args->enumerate) {
        return enumerate(cx, asked, answer);
    }
    if (asked->scene->has & HF_SCENE_CRITERION && asked->scene->criterion.flags != 0) {
        HF_FAIL(cx, HF_EINVAL, "classes and --fewest are of criterion \"all-pairs\", not \"%s\"; need --enumerate with it",
                asked->scene->criterion.spec);
    }
    return args->fewest ? find_fewest(cx, asked, answer) : make(cx, asked, answer);
}

static const hf_question_form forms[] = {{"enumerate", "enumeration", columns_of_walk}, {0}};

static const hf_param params[] = {
    {.name = "fewest",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "multipath networks: the fewest components that isolate a terminal, and that the policy does not tolerate",
     HF_FIELD(bound_args, fewest)},
    {.name = "enumerate",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "walk all sets of 0, 1, 2, ... faults until one is not tolerated, for any rule and criterion",
     HF_FIELD(bound_args, enumerate)},
    {0}};
static const hf_group group = {.name = "bound", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};
static const hf_argument universes[] = {{"fewest", "routers"}, {0}};
static const hf_param attachments[] = {
    {.name = "certificate", .unit = "file", .help = "write the certificate to a file (JSON, docs/json.md)"}, {0}};
static const char *const tables[] = {"fewest", NULL};

const hf_question hf_question_bound = {
    .name = "bound",
    .summary = "certify how many faults are always tolerated",
    .about =
        "Parts the components into classes such that a class without a fault serves every pair alone, whatever fails\n"
        "elsewhere. With c classes every c-1 faults are tolerated; a set of c faults that is not tolerated shows that\n"
        "no more can be promised. Works where the sets are too many to walk.\n\n"
        "--fewest is of criterion all-pairs and takes no other: its programs cut a pair of terminals that the policy keeps in\n"
        "service; routers fail unless --universe says otherwise. --enumerate walks the sets of 0, 1, 2, ... faults, under any\n"
        "criterion; finished rows are kept in the store.\n\n"
        "Example: holdfast bound --topology kary-tree:k=8,n=5 --routing ft2ei:intervals=1 --certificate bound.json\n"
        "Example: holdfast bound --fewest --topology maximal-fanout:radix=2,stages=4 --routing multipath:live=multi-hop",
    .source = "gomez2010, section 3.4.2, by classes; chong1992",
    .scene = HF_SCENE_TOPOLOGY | HF_SCENE_ROUTING | HF_SCENE_UNIVERSE,
    .scene_maybe = HF_SCENE_CRITERION,
    .forms = forms,
    .walks = true,
    .universes = universes,
    .parts = parts,
    .args_size = sizeof(bound_args),
    .tables = tables,
    .attachments = attachments,
    .table = "bound",
    .columns = columns,
    .ask = ask,
    .check = check,
};
