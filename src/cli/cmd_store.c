/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast store: what the results store holds, whether it is sound, and joining several. */
#include <inttypes.h>
#include <stdio.h>

#include "src/cli/commands.h"
#include "src/cli/keep.h"
#include "src/core/registry.h"

typedef struct listing {
    const cli *c;
    cli_table table;
    hf_json *rows;
    size_t n;
} listing;

static const char *const header[] = {
    "topology", "routing", "universe",   "criterion",     "method",      "samples",     "seed",           "order",
    "f",        "sets",    "population", "not_tolerated", "victims_sum", "victims_max", "lost_paths_sum", "complete",
    "witness",  "version", "commit",     "compiler",      "threads",     "wall_s",      "finished",       "code"};
enum { LIST, EXPORT, VERIFY, MERGE };
enum { N_COLUMN = sizeof header / sizeof *header };

static hf_status count_row(hf_context *cx, void *user, const hf_store_row *row) {
    (void)cx;
    (void)row;
    ((listing *)user)->n++;
    return HF_OK;
}

static hf_status add_cells(hf_context *cx, void *user, const hf_store_row *r) {
    cli_table *t = &((listing *)user)->table;
    HF_TRY(cli_table_cell(cx, t, "%s", r->topology));
    HF_TRY(cli_table_cell(cx, t, "%s", r->routing));
    HF_TRY(cli_table_cell(cx, t, "%s", r->universe));
    HF_TRY(cli_table_cell(cx, t, "%s", r->criterion));
    HF_TRY(cli_table_cell(cx, t, "%s", r->method));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, r->samples));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu64, r->seed));
    HF_TRY(cli_table_cell(cx, t, "%s", r->order));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, r->f));
    HF_TRY(cli_table_cell(cx, t, "%s", r->sets));
    HF_TRY(cli_table_cell(cx, t, "%s", r->population));
    HF_TRY(cli_table_cell(cx, t, "%s", r->not_tolerated));
    HF_TRY(cli_table_cell(cx, t, "%s", r->victims_sum));
    HF_TRY(*r->victims_sum ? cli_table_cell(cx, t, "%" PRIu64, r->victims_max) : cli_table_cell(cx, t, "%s", ""));
    HF_TRY(cli_table_cell(cx, t, "%s", r->lost_paths_sum));
    HF_TRY(cli_table_cell(cx, t, "%s", r->is_complete ? "yes" : "no"));
    HF_TRY(cli_table_cell(cx, t, "%s", r->witness));
    HF_TRY(cli_table_cell(cx, t, "%s", r->version));
    HF_TRY(cli_table_cell(cx, t, "%s", r->commit));
    HF_TRY(cli_table_cell(cx, t, "%s", r->compiler));
    HF_TRY(cli_table_cell(cx, t, "%" PRIu32, r->threads));
    HF_TRY(cli_table_cell(cx, t, "%.3f", r->wall_s));
    HF_TRY(cli_table_cell(cx, t, "%s", r->finished));
    return cli_table_cell(cx, t, "%s", r->code);
}

/* The stored rows as JSON objects with the column names as keys. */
static void json_rows(listing *l) {
    l->rows = hf_json_array();
    for (size_t r = 0; r < l->n; r++) {
        hf_json *o = hf_json_object();
        for (size_t i = 0; i < N_COLUMN; i++) {
            hf_json_set(o, header[i], hf_json_text(l->table.cell[r * N_COLUMN + i]));
        }
        hf_json_push(l->rows, o);
    }
}

static hf_status read_rows(const cli *c, hf_store *store, listing *l) {
    static const bool is_number[N_COLUMN] = {[5] = true,  [6] = true,  [8] = true,  [9] = true,  [10] = true, [11] = true,
                                             [12] = true, [13] = true, [14] = true, [20] = true, [21] = true};
    *l = (listing){.c = c};
    HF_TRY(hf_store_each(c->cx, store, count_row, l));
    HF_TRY(cli_table_start(c->cx, &l->table, header, is_number, N_COLUMN, l->n));
    return hf_store_each(c->cx, store, add_cells, l);
}

/* The columns that fit a screen. */
static hf_status print_list(const cli *c, const listing *l) {
    static const size_t shown[] = {0, 1, 2, 3, 4, 8, 9, 11, 15, 22};
    enum { N_SHOWN = sizeof shown / sizeof *shown };
    const char *names[N_SHOWN];
    cli_table t;
    for (size_t i = 0; i < N_SHOWN; i++) {
        names[i] = header[shown[i]];
    }
    HF_TRY(cli_table_start(c->cx, &t, names, NULL, N_SHOWN, l->n));
    for (size_t r = 0; r < l->n; r++) {
        for (size_t i = 0; i < N_SHOWN; i++) {
            HF_TRY(cli_table_cell(c->cx, &t, "%s", l->table.cell[r * N_COLUMN + shown[i]]));
        }
    }
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = hf_table_text(c->cx, &t.table, &out);
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status export_rows(const cli *c, listing *l) {
    if (cli_has(c, "json")) {
        hf_json *root = cli_json(c), *spec = hf_json_object();
        hf_json_set(spec, "store", hf_json_text(cli_keep_path(c)));
        hf_json_set(root, "spec", spec);
        json_rows(l);
        hf_json_set(root, "rows", l->rows);
        return cli_put_json(c, root);
    }
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = hf_table_csv(c->cx, &l->table.table, &out);
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

static void tell_problem(void *user, const char *problem) {
    (void)user;
    fprintf(stderr, "holdfast store: %s\n", problem);
}

static hf_status verify(const cli *c, hf_store *store, bool *is_sound) {
    uint64_t problems;
    HF_TRY(hf_store_verify(c->cx, store, &problems, tell_problem, NULL));
    *is_sound = problems == 0;
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_text_print(&out, "%s: %s", cli_keep_path(c), *is_sound ? "sound\n" : "");
    if (!*is_sound) {
        hf_text_print(&out, "%" PRIu64 " problem%s\n", problems, hf_plural(problems));
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

/* ---- joining ---- */

static hf_status print_merged(const cli *c, const char *into, const hf_store_merged *m) {
    hf_text out;
    if (cli_has(c, "json")) {
        hf_json *root = cli_json(c), *spec = hf_json_object(), *rows = hf_json_array(), *o = hf_json_object();
        hf_json_set(spec, "store", hf_json_text(into));
        hf_json_set(root, "spec", spec);
        hf_json_set(o, "stores", hf_json_integer((int64_t)c->n_positional - 1));
        hf_json_set(o, "campaigns", hf_json_integer(m->n_campaign));
        hf_json_set(o, "rows", hf_json_integer(m->n_row));
        hf_json_set(o, "complete", hf_json_integer(m->n_complete));
        hf_json_set(o, "notes", hf_json_integer(m->n_note));
        hf_json_push(rows, o);
        hf_json_set(root, "rows", rows);
        return cli_put_json(c, root);
    }
    hf_text_init(c->cx, &out);
    hf_text_print(&out,
                  "%s: %zu stores joined; campaigns: %" PRId64 "; rows: %" PRId64 ", with all their fault sets: %" PRId64
                  "; notes: %" PRId64 "\n",
                  into, c->n_positional - 1, m->n_campaign, m->n_row, m->n_complete, m->n_note);
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_status merge(const cli *c) {
    const char *into;
    hf_store_merged merged;
    HF_TRY(cli_require(c, "into", &into));
    if (c->n_positional < 3) {
        HF_FAIL(c->cx, HF_EINVAL, "merge joins two stores or more; usage: holdfast store merge STORE STORE... --into FILE");
    }
    cli_catch_signals(c->cx);
    HF_TRY(hf_store_merge(c->cx, c->positional + 1, c->n_positional - 1, cli_value(c, "accept"), into, &merged));
    return print_merged(c, into, &merged);
}

/* ---- the command ---- */

/* Options that only one of the verbs takes. */
static hf_status check_words(const cli *c, bool merges) {
    static const char *const of_merge[] = {"into", "accept"}, *const of_others[] = {"store", "csv"};
    for (size_t i = 0; i < 2; i++) {
        const char *name = (merges ? of_others : of_merge)[i];
        if (cli_has(c, name)) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s means nothing to %s; %s", name, c->positional[0],
                    merges ? "it takes STORE STORE... --into FILE" : "it belongs to merge");
        }
    }
    if (!merges && c->n_positional > 1) {
        HF_FAIL(c->cx, HF_EINVAL, "\"%s\" is one argument too many; %s takes --store", c->positional[1], c->positional[0]);
    }
    return HF_OK;
}

static hf_status look(const cli *c, size_t verb, bool *is_sound) {
    hf_store *store = NULL;
    listing l = {.c = c};
    HF_TRY(hf_store_open(c->cx, cli_keep_path(c), HF_STORE_READ, &store));
    hf_status status = verb == VERIFY ? verify(c, store, is_sound) : read_rows(c, store, &l);
    if (status == HF_OK && verb != VERIFY) {
        status = verb == LIST && !cli_has(c, "json") ? print_list(c, &l) : export_rows(c, &l);
    }
    hf_store_close(store);
    return status;
}

static int run(cli *c) {
    static const char *const verbs[] = {[LIST] = "list", [EXPORT] = "export", [VERIFY] = "verify", [MERGE] = "merge", NULL};
    size_t verb = 0;
    bool is_sound = true;
    hf_status status = hf_words_need(c->cx, "store command", verbs, hf_slice_of(c->positional[0]), &verb);
    status = status == HF_OK ? check_words(c, verb == MERGE) : status;
    status = status != HF_OK ? status : verb == MERGE ? merge(c) : look(c, verb, &is_sound);
    return status != HF_OK ? cli_fail(c, status) : is_sound ? CLI_DONE : CLI_NO;
}

static const cli_option options[] = {
    {"store", "PATH", "results store (default $HOLDFAST_STORE or results/holdfast.sqlite)"},
    {"csv", NULL, "export as CSV (the default)"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write to FILE instead of standard output"},
    {"into", "FILE", "of merge: the new store"},
    {"accept", "CODE", "of merge: programs of these codes may have computed what another computed, too"},
    {0},
};

const cli_command cli_store = {
    .name = "store",
    .summary = "list, export, verify and join results stores",
    .usage = "list|export|verify | merge STORE STORE... --into FILE",
    .about =
        "list shows the rows that are kept, export writes all columns with their provenance, verify checks the file,\n"
        "the checksum of every row, that no ranks are counted twice and that no run was killed at the end of a row (status 1 "
        "and\n"
        "the rows concerned if something is wrong). A damaged store is neither listed nor exported. What is kept is taken over\n"
        "by programs of the same code alone, a hash of the sources that holdfast --version tells, unless --accept names "
        "another.\n\n"
        "merge joins stores that several machines have made, such as the parts of a campaign, in a new file. It refuses what\n"
        "contradicts itself, and alters none of them.\n\n"
        "Example: holdfast store export --csv --output rows.csv\n"
        "Example: holdfast store merge part1.sqlite part2.sqlite --into results/holdfast.sqlite",
    .positional_min = 1,
    .positional_max = CLI_POSITIONAL_MAX,
    .options = options,
    .run = run,
};
