/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  From the tree of a file to its cells, before anything is known of their kinds. Grids and groups are walked depth first, the
 *  first axis slowest. A text is filled in with the names bound where it stands: those of its own grid and of the grids around
 *  it. */
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/study/grid.h"

enum { CELLS_MOST = 10000, POINTS_MOST = 100000, NUMBERS_MOST = 1000 };

typedef hf_yaml_node node;

/** What a grid repeats: an entry of cells, or the top of the file. */
typedef struct frame {
    const struct frame *around;
    node *said, *cells, *names, *except; /**< said: the mapping whose texts they are; each may be NULL */
    const hf_study_texts *texts;         /**< of what is around it */
    uint32_t first_axis;
} frame;

/* ---- keys ---- */

static hf_status find_key(const hf_expansion *g, const node *said, unsigned where, hf_study_key *out) {
    const hf_status status = hf_study_key_find(g->cx, said->key, where, g->has_grids, out);
    return hf_expansion_at(g, &(node){.line = said->line}, status);
}

static hf_status check_keys(const hf_expansion *g, const node *said) {
    hf_study_key key;
    for (uint32_t i = 0; i < said->n_item; i++) {
        HF_TRY(find_key(g, &said->item[i], HF_IN_CELL, &key));
    }
    return HF_OK;
}

static bool is_of_frame(hf_study_key key) {
    return key == HF_KEY_NAMES || key == HF_KEY_GRID || key == HF_KEY_EXCEPT || key == HF_KEY_CELLS;
}

/* ---- values of a key by the points of a grid ---- */

/* What a list holds for the present point: an item for each point of the axes from `first` on, the last one fastest, or for each
 * of the leading axes, of which each may be a list again. \return NULL if the list does not fit */
static const node *pick(const hf_expansion *g, const node *list, uint32_t first) {
    if (list->type != HF_YAML_LIST) {
        return list;
    }
    uint64_t points = 1, point = 0;
    for (uint32_t a = first;; a++) {
        const node *found = points == list->n_item ? pick(g, &list->item[point], a) : NULL;
        if (found || a == g->n_axis || points > list->n_item) {
            return found;
        }
        points *= g->axis[a].n;
        point = point * g->axis[a].n + g->axis[a].i;
    }
}

/* By the own grid of an entry, or else by it together with those around it. */
static hf_status choose(const hf_expansion *g, const frame *f, const node *said, const node **out) {
    *out = said->type == HF_YAML_LIST ? NULL : said;
    for (const frame *outer = f; outer && !*out; outer = outer->around) {
        *out = pick(g, said, outer->first_axis);
    }
    if (!g->has_grids && said->type != HF_YAML_TEXT) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL, "need a number or a text here");
    }
    if (!*out) {
        const frame *with = f;
        uint64_t points = 1;
        while (with->around && with->first_axis == g->n_axis) {
            with = with->around;
        }
        for (uint32_t a = with->first_axis; a < g->n_axis; a++) {
            points *= g->axis[a].n;
        }
        HF_EXPANSION_FAIL(g, said, HF_EINVAL,
                          "a list of %" PRIu32 " does not fit; need %" PRIu64
                          " texts, one for each point of the grid with the last axis fastest, or lists by axes",
                          said->n_item, points);
    }
    if ((*out)->type != HF_YAML_TEXT) {
        HF_EXPANSION_FAIL(g, *out, HF_EINVAL, "need a number or a text here; a text that begins with a brace stands in quotes");
    }
    return HF_OK;
}

/* The text that stands under a key, or for a name, at the present point. */
static hf_status read_value(hf_expansion *g, const frame *f, const node *said, const char **out, uint32_t *line) {
    const node *value;
    HF_TRY(choose(g, f, said, &value));
    *line = value->line;
    return hf_expansion_fill(g, &(node){.text = value->text, .is_null = value->is_null, .line = value->line, .key = said->key},
                             out);
}

static hf_status set_text(hf_expansion *g, const frame *f, const node *said, hf_study_texts *texts) {
    hf_study_key key;
    HF_TRY(find_key(g, said, HF_IN_CELL, &key));
    if (is_of_frame(key)) {
        return HF_OK;
    }
    texts->level[key] = texts->depth;
    return read_value(g, f, said, &texts->value[key], &texts->line[key]);
}

/* ---- exceptions ---- */

static hf_status matches(hf_expansion *g, const hf_expansion_name *name, const node *said, bool *out) {
    const node *item = said->type == HF_YAML_LIST ? said->item : said;
    const uint32_t n = said->type == HF_YAML_LIST ? said->n_item : 1;
    *out = false;
    for (uint32_t i = 0; i < n && !*out; i++) {
        const char *value;
        if (item[i].type != HF_YAML_TEXT) {
            HF_EXPANSION_FAIL(g, said, HF_EINVAL, "need a value of the axis \"%s\", or a list of some", said->key);
        }
        HF_TRY(hf_expansion_fill(g, &item[i], &value));
        *out = value && name->value ? strcmp(value, name->value) == 0 : value == name->value;
    }
    return HF_OK;
}

/* Names of axes select points; what else an exception says replaces the texts there. */
static hf_status apply(hf_expansion *g, const frame *f, node *exception, hf_study_texts *texts) {
    bool selects = false, fits = true;
    uint32_t n_other = 0;
    for (uint32_t i = 0; i < exception->n_item; i++) {
        const node *said = &exception->item[i];
        hf_expansion_name *name = hf_expansion_find(g, hf_slice_of(said->key));
        bool is_here = true;
        hf_study_key key;
        HF_TRY(name ? matches(g, name, said, &is_here) : find_key(g, said, HF_IN_CELL, &key));
        if (name) {
            name->said->is_used = true;
        }
        selects |= name != NULL;
        n_other += name == NULL;
        fits &= is_here;
    }
    if (!selects || n_other == 0) {
        HF_EXPANSION_FAIL(g, exception, HF_EINVAL,
                          "an exception needs an axis with a value, and a key of the cell with another text");
    }
    for (uint32_t i = 0; fits && i < exception->n_item; i++) {
        const node *said = &exception->item[i];
        HF_TRY(hf_expansion_find(g, hf_slice_of(said->key)) ? HF_OK : set_text(g, f, said, texts));
    }
    exception->is_used |= fits;
    return HF_OK;
}

static hf_status apply_all(hf_expansion *g, const frame *f, hf_study_texts *texts) {
    for (uint32_t i = 0; f->except && i < f->except->n_item; i++) {
        if (f->except->item[i].type != HF_YAML_MAPPING) {
            HF_EXPANSION_FAIL(g, &f->except->item[i], HF_EINVAL, "need an exception here (\"- {axis: value, remark: ...}\")");
        }
        HF_TRY(apply(g, f, &f->except->item[i], texts));
    }
    return HF_OK;
}

/* ---- axes ---- */

static hf_status read_numbers(hf_expansion *g, hf_expansion_axis *a) {
    const hf_list_form form = {.low = -DBL_MAX, .high = DBL_MAX};
    double list[NUMBERS_MOST];
    const char *text;
    size_t n;
    HF_TRY(hf_expansion_fill(g, a->said, &text));
    if (!text || !hf_read_list(text, &form, NUMBERS_MOST, list, &n)) {
        HF_EXPANSION_FAIL(g, a->said, HF_EINVAL,
                          "\"%.80s\" is not right; need numbers, such as 1,2,4 or 0.1..0.5/0.1, or a list in brackets",
                          a->said->text);
    }
    HF_TRY(hf_scratch(g->cx, n, sizeof *a->number, (void **)&a->number));
    for (a->n = 0; a->n < n; a->n++) {
        HF_TRY(hf_scratch_print(g->cx, &a->number[a->n], "%.15g", list[a->n]));
    }
    return HF_OK;
}

/* The items are texts; or mappings with the same names, which go together. */
static hf_status check_item(const hf_expansion *g, const node *list, const node *item) {
    const node *first = list->item;
    if (item->type == HF_YAML_LIST || item->type != first->type || item->n_item != first->n_item) {
        HF_EXPANSION_FAIL(g, item, HF_EINVAL, "the items of an axis are all texts, or all mappings with the same names");
    }
    for (uint32_t i = 0; i < item->n_item; i++) {
        if (!hf_yaml_find(first, item->item[i].key)) {
            HF_EXPANSION_FAIL(g, &item->item[i], HF_EINVAL, "the first item of the axis, in line %" PRIu32 ", has no such name",
                              first->line);
        }
        if (item->item[i].type != HF_YAML_TEXT) {
            HF_EXPANSION_FAIL(g, &item->item[i], HF_EINVAL, "need a number or a text here");
        }
    }
    return HF_OK;
}

static hf_status add_axis(hf_expansion *g, node *said) {
    if (g->n_axis == HF_EXPANSION_AXES) {
        HF_EXPANSION_FAIL(g, said, HF_ERANGE, "more than %d axes go together here", HF_EXPANSION_AXES);
    }
    hf_expansion_axis *a = &g->axis[g->n_axis];
    *a = (hf_expansion_axis){.said = said, .n = said->n_item};
    HF_TRY(said->type == HF_YAML_TEXT ? read_numbers(g, a) : HF_OK);
    if (said->type == HF_YAML_MAPPING || a->n == 0) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL,
                          "an axis is a list that is not empty, such as [4, 8] or [{k: 4, n: 2}, {k: 8, n: 3}]");
    }
    for (uint32_t i = 0; i < said->n_item; i++) {
        HF_TRY(check_item(g, said, &said->item[i]));
    }
    g->n_axis++;
    return HF_OK;
}

/* The names of an axis at its present point. Values may hold names that were bound before. */
static hf_status bind(hf_expansion *g, hf_expansion_axis *a) {
    a->name = g->n_name;
    if (a->number) {
        return hf_expansion_bind(g, a->said, a->number[a->i]);
    }
    const node *item = &a->said->item[a->i];
    const char *value;
    if (item->type == HF_YAML_TEXT) {
        HF_TRY(hf_expansion_fill(g, item, &value));
        return hf_expansion_bind(g, a->said, value);
    }
    for (uint32_t i = 0; i < item->n_item; i++) {
        HF_TRY(hf_expansion_fill(g, &item->item[i], &value));
        HF_TRY(hf_expansion_bind(g, hf_yaml_find(a->said->item, item->item[i].key), value));
    }
    return HF_OK;
}

/* The names that an entry gives beside its grid. */
static hf_status bind_names(hf_expansion *g, const frame *f) {
    for (uint32_t i = 0; f->names && i < f->names->n_item; i++) {
        const char *value;
        uint32_t line;
        HF_TRY(read_value(g, f, &f->names->item[i], &value, &line));
        HF_TRY(hf_expansion_bind(g, &f->names->item[i], value));
    }
    return HF_OK;
}

/* ---- cells ---- */

static hf_status expand_cells(hf_expansion *g, const frame *f, node *cells, const hf_study_texts *texts);

/* "k=4, rule=destro"; of names that go together the first. */
static hf_status name_point(hf_expansion *g, const frame *f, hf_study_texts *texts) {
    for (uint32_t a = f->first_axis; a < g->n_axis; a++) {
        const hf_expansion_name *name = &g->name[g->axis[a].name];
        char *point;
        HF_TRY(hf_scratch_print(g->cx, &point, "%s%s%s=%.40s", texts->point, *texts->point ? ", " : "", name->said->key,
                                name->value ? name->value : "~"));
        texts->point = point;
    }
    return HF_OK;
}

/* Those that the frame binds, for who asks for them by name. */
static hf_status note_variables(hf_expansion *g, uint32_t from, hf_study_texts *texts) {
    for (; from < g->n_name; from++) {
        hf_study_variable *v;
        HF_TRY(hf_scratch(g->cx, 1, sizeof *v, (void **)&v));
        *v = (hf_study_variable){g->name[from].said->key, g->name[from].value, texts->variable};
        texts->variable = v;
    }
    return HF_OK;
}

static hf_status is_skipped(const hf_expansion *g, hf_study_texts *texts, bool *out) {
    const char *skip = texts->value[HF_KEY_SKIP];
    *out = skip && strcmp(skip, "yes") == 0;
    if (skip && !*out && strcmp(skip, "no") != 0) {
        HF_EXPANSION_FAIL(g, (&(node){.line = texts->line[HF_KEY_SKIP], .key = "skip"}), HF_EINVAL,
                          "\"%.80s\" is not right; need yes or no", skip);
    }
    texts->value[HF_KEY_SKIP] = NULL;
    return HF_OK;
}

/* One point of a grid: a cell, or what is in the group. */
static hf_status expand_point(hf_expansion *g, const frame *f) {
    hf_study_texts texts = *f->texts;
    bool skips;
    if (++g->n_point > POINTS_MOST) {
        HF_FAIL(g->cx, HF_ERANGE, "%s: its grids have more than %d points", g->file, POINTS_MOST);
    }
    texts.depth++;
    texts.at = f->said ? f->said->line : 0;
    HF_TRY(name_point(g, f, &texts));
    const uint32_t from = f->first_axis < g->n_axis ? g->axis[f->first_axis].name : g->n_name;
    HF_TRY(bind_names(g, f));
    HF_TRY(note_variables(g, from, &texts));
    for (uint32_t i = 0; f->said && i < f->said->n_item; i++) {
        HF_TRY(set_text(g, f, &f->said->item[i], &texts));
    }
    HF_TRY(apply_all(g, f, &texts));
    HF_TRY(is_skipped(g, &texts, &skips));
    if (skips || f->cells) {
        return skips ? HF_OK : expand_cells(g, f, f->cells, &texts);
    }
    if (*g->n_list == CELLS_MOST) {
        HF_EXPANSION_FAIL(g, f->said, HF_ERANGE, "more than %d cells in one file", CELLS_MOST);
    }
    HF_GROW_SCRATCH(g->cx, *g->list, *g->n_list, g->room);
    (*g->list)[(*g->n_list)++] = texts;
    return HF_OK;
}

static hf_status expand_axes(hf_expansion *g, const frame *f, uint32_t a) {
    const uint32_t n = g->n_name;
    if (a == g->n_axis) {
        HF_TRY(expand_point(g, f));
        g->n_name = n;
        return HF_OK;
    }
    for (g->axis[a].i = 0; g->axis[a].i < g->axis[a].n; g->axis[a].i++) {
        HF_TRY(bind(g, &g->axis[a]));
        HF_TRY(expand_axes(g, f, a + 1));
        g->n_name = n;
    }
    return HF_OK;
}

static hf_status need_type(const hf_expansion *g, const node *said, hf_yaml_type type, const char *what) {
    if (said && said->type != type) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL, "need %s here", what);
    }
    return HF_OK;
}

/* All points of the grid, if there is one. */
static hf_status expand_frame(hf_expansion *g, frame *f, node *grid) {
    HF_TRY(need_type(g, grid, HF_YAML_MAPPING, "a mapping of names to lists, {k: [4, 8], f: 1..3}"));
    HF_TRY(need_type(g, f->names, HF_YAML_MAPPING, "a mapping of names to texts, {base: \"switching=vct\"}"));
    HF_TRY(need_type(g, f->except, HF_YAML_LIST, "a list of exceptions"));
    f->first_axis = g->n_axis;
    for (uint32_t i = 0; grid && i < grid->n_item; i++) {
        HF_TRY(add_axis(g, &grid->item[i]));
    }
    HF_TRY(expand_axes(g, f, f->first_axis));
    g->n_axis = f->first_axis;
    return HF_OK;
}

static hf_status expand_cells(hf_expansion *g, const frame *around, node *cells, const hf_study_texts *texts) {
    HF_TRY(need_type(g, cells, HF_YAML_LIST, "a list of cells"));
    if (cells->n_item == 0 && around->around) {
        HF_EXPANSION_FAIL(g, cells, HF_EINVAL, "the group has no cells");
    }
    for (uint32_t i = 0; i < cells->n_item; i++) {
        node *said = &cells->item[i];
        if (said->type != HF_YAML_MAPPING) {
            HF_EXPANSION_FAIL(g, said, HF_EINVAL, "need a cell here (\"- label: ...\")");
        }
        frame f = {.around = around, .said = said, .texts = texts};
        f.cells = hf_yaml_find(said, "cells");
        f.names = hf_yaml_find(said, "names");
        f.except = hf_yaml_find(said, "except");
        HF_TRY(check_keys(g, said));
        HF_TRY(expand_frame(g, &f, hf_yaml_find(said, "grid")));
    }
    return HF_OK;
}

static bool has_word(const char *text, const char *word) {
    const size_t size = strlen(word);
    static const char ends[] = " ,={}.";
    for (const char *at = text; at && (at = strstr(at, word)); at += size) {
        if ((at == text || strchr(ends, at[-1])) && (!at[size] || strchr(ends, at[size]))) {
            return true;
        }
    }
    return false;
}

/* Does the pivot or a plot name it? */
static bool is_shown(const hf_expansion *g, const char *name) {
    static const hf_study_key of_pivot[] = {HF_KEY_ROWS, HF_KEY_ACROSS, HF_KEY_FIGURES, HF_KEY_WHERE},
                              of_plot[] = {HF_KEY_CURVE_X, HF_KEY_PLOT_Y, HF_KEY_SERIES, HF_KEY_PANEL};
    bool found = false;
    for (size_t k = 0; k < sizeof of_pivot / sizeof *of_pivot; k++) {
        found |= has_word(g->document->top.value[of_pivot[k]], name);
    }
    for (size_t i = 0; i < g->document->n_plot; i++) {
        for (size_t k = 0; k < sizeof of_plot / sizeof *of_plot; k++) {
            found |= has_word(g->document->plot[i].value[of_plot[k]], name);
        }
    }
    return found;
}

static hf_status check_names(const hf_expansion *g, const node *names) {
    for (uint32_t i = 0; names && i < names->n_item; i++) {
        if (!names->item[i].is_used && !is_shown(g, names->item[i].key)) {
            HF_EXPANSION_FAIL(g, &names->item[i], HF_EINVAL, "no text uses this name; need {%s} in one", names->item[i].key);
        }
    }
    return HF_OK;
}

/* What was written and changes nothing is a mistake. */
static hf_status check_used(const hf_expansion *g, const node *said) {
    const node *grid = hf_yaml_find(said, "grid"), *names = hf_yaml_find(said, "names"), *except = hf_yaml_find(said, "except"),
               *cells = hf_yaml_find(said, "cells");
    HF_TRY(check_names(g, names));
    for (uint32_t i = 0; grid && i < grid->n_item; i++) {
        const node *list = &grid->item[i], *first = list->n_item > 0 ? list->item : NULL;
        HF_TRY(check_names(g, first && first->type == HF_YAML_MAPPING ? first : &(node){.item = (node *)list, .n_item = 1}));
    }
    for (uint32_t i = 0; except && i < except->n_item; i++) {
        if (!except->item[i].is_used) {
            HF_EXPANSION_FAIL(g, &except->item[i], HF_EINVAL,
                              "this exception selects no point of the grid; need values that its axes have");
        }
    }
    for (uint32_t i = 0; cells && i < cells->n_item; i++) {
        HF_TRY(check_used(g, &cells->item[i]));
    }
    return HF_OK;
}

/* ---- the file ---- */

/* A text, a list of texts, or texts by name, as one text: "a, b" or "a=1, b=2". */
static hf_status join_texts(hf_expansion *g, const node *said, const char **out) {
    char *text = NULL;
    *out = said->text;
    for (uint32_t i = 0; i < said->n_item; i++) {
        const node *item = &said->item[i];
        const bool is_named = said->type == HF_YAML_MAPPING;
        HF_TRY(need_type(g, item, HF_YAML_TEXT, "a number or a text"));
        HF_TRY(hf_scratch_print(g->cx, &text, "%s%s%s%s%s", text ? text : "", text ? ", " : "", is_named ? item->key : "",
                                is_named ? "=" : "", item->text));
        *out = text;
    }
    return HF_OK;
}

/* The front, the pivot or a plot. */
static hf_status read_part(hf_expansion *g, const node *part, unsigned where, hf_study_texts *top) {
    HF_TRY(need_type(g, part, HF_YAML_MAPPING,
                     where == HF_IN_FRONT  ? "what is least or most, and limits ({least: cost, most: throughput})"
                     : where == HF_IN_PLOT ? "keys ({x: f, series: routing, panel: topology}), or a list of such"
                                           : "columns ({rows: topology, across: f, cell: computed})"));
    for (uint32_t i = 0; i < part->n_item; i++) {
        hf_study_key key;
        HF_TRY(find_key(g, &part->item[i], where, &key));
        top->line[key] = part->item[i].line;
        HF_TRY(join_texts(g, &part->item[i], &top->value[key]));
    }
    return HF_OK;
}

/* One plot, or a list of them. */
static hf_status read_plots(hf_expansion *g, const node *said, hf_study_document *out) {
    const bool is_list = said->type == HF_YAML_LIST;
    out->n_plot = is_list ? said->n_item : 1;
    HF_TRY(hf_scratch(g->cx, out->n_plot + 1, sizeof *out->plot, (void **)&out->plot));
    for (size_t i = 0; i < out->n_plot; i++) {
        const node *part = is_list ? &said->item[i] : said;
        out->plot[i] = (hf_study_texts){.at = part->line, .point = ""};
        HF_TRY(read_part(g, part, HF_IN_PLOT, &out->plot[i]));
    }
    return HF_OK;
}

static hf_status read_top(hf_expansion *g, const node *root, hf_study_document *out) {
    hf_study_texts *top = &out->top;
    for (uint32_t i = 0; i < root->n_item; i++) {
        const node *said = &root->item[i];
        hf_study_key key;
        HF_TRY(find_key(g, said, HF_IN_STUDY, &key));
        top->line[key] = said->line;
        if (key == HF_KEY_FRONT || key == HF_KEY_PIVOT) {
            HF_TRY(read_part(g, said, key == HF_KEY_FRONT ? HF_IN_FRONT : HF_IN_PIVOT, top));
        } else if (key == HF_KEY_PLOT) {
            HF_TRY(read_plots(g, said, out));
        } else if (key != HF_KEY_DEFAULTS && !is_of_frame(key)) {
            HF_TRY(need_type(g, said, HF_YAML_TEXT, "a number or a text"));
            top->value[key] = said->text;
        }
    }
    return HF_OK;
}

static hf_status expand_all(hf_expansion *g, node *root) {
    const hf_study_texts none = {.point = ""};
    frame top = {.said = hf_yaml_find(root, "defaults"),
                 .cells = hf_yaml_find(root, "cells"),
                 .names = hf_yaml_find(root, "names"),
                 .texts = &none};
    HF_TRY(need_type(g, top.said, HF_YAML_MAPPING, "keys with values"));
    for (size_t i = 0; top.said && i < top.said->n_item; i++) {
        hf_study_key key;
        HF_TRY(find_key(g, &top.said->item[i], HF_IN_CELL, &key));
        if (is_of_frame(key) || key == HF_KEY_SKIP) {
            HF_EXPANSION_FAIL(g, &top.said->item[i], HF_EINVAL, "it belongs to a cell or a group of cells, not to defaults");
        }
    }
    return top.cells ? expand_frame(g, &top, NULL) : HF_OK;
}

static hf_status read_file(hf_expansion *g, const char *data, size_t size, hf_study_document *out) {
    node root;
    HF_TRY(hf_yaml_read(g->cx, g->file, data, size, &root));
    if (root.type != HF_YAML_MAPPING) {
        HF_FAIL(g->cx, HF_EINVAL, "%s, line %" PRIu32 ": a study is a mapping that starts with \"schema: 2\"", g->file,
                root.line ? root.line : 1);
    }
    const node *schema = hf_yaml_find(&root, "schema");
    g->has_grids = schema && schema->type == HF_YAML_TEXT && strcmp(schema->text, "2") == 0;
    out->top = (hf_study_texts){.at = root.line, .point = ""};
    HF_TRY(read_top(g, &root, out));
    g->list = &out->cell;
    g->n_list = &out->n_cell;
    HF_TRY(expand_all(g, &root));
    return check_used(g, &root);
}

hf_status hf_study_document_read(hf_context *cx, const char *file, const char *data, size_t size, hf_study_document *out) {
    *out = (hf_study_document){.memory = hf_context_new(hf_context_allocator(cx))};
    if (!out->memory) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while reading %s", file);
    }
    hf_expansion *g;
    hf_status status = hf_scratch(out->memory, 1, sizeof *g, (void **)&g);
    if (status == HF_OK) {
        *g = (hf_expansion){.cx = out->memory, .file = file, .document = out};
        status = read_file(g, data, size, out);
    }
    if (status != HF_OK) {
        hf_context_copy_failure(cx, out->memory);
    }
    return status;
}

void hf_study_document_free(hf_study_document *document) {
    hf_context_free(document->memory);
    document->memory = NULL;
}
