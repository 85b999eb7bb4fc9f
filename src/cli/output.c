/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What commands share: failures, standard output, the JSON frame, tables, networks. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/cli/cli.h"

int cli_fail(const cli *c, hf_status status) {
    const char *message = hf_context_message(c->cx);
    fprintf(stderr, "holdfast%s%s: %s\n", c->command ? " " : "", c->command ? c->command->name : "",
            *message ? message : hf_status_text(status));
    return status == HF_ESTOP ? CLI_STOPPED : CLI_BAD;
}

int cli_exit(const cli *c, hf_status status, bool is_yes) {
    if (status == HF_ESTOP) {
        return CLI_STOPPED;
    }
    return status != HF_OK ? cli_fail(c, status) : is_yes ? CLI_DONE : CLI_NO;
}

hf_status cli_print(const cli *c, const hf_text *text) {
    HF_TRY(hf_text_check(c->cx, text));
    const bool is_written = fwrite(text->data ? text->data : "", 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    if (!is_written && errno != EPIPE) {
        HF_FAIL(c->cx, HF_EIO, "standard output cannot be written: %s", strerror(errno));
    }
    return HF_OK;
}

hf_status cli_save(const cli *c, const hf_text *text, const char *path) {
    return strcmp(path, "-") == 0 ? cli_print(c, text) : hf_text_save(c->cx, text, path);
}

hf_status cli_put(const cli *c, const hf_text *text) { return cli_save(c, text, cli_value_or(c, "output", "-")); }

hf_status cli_save_svg(const cli *c, const hf_topology *topo, const hf_marks *marks, const char *path) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = hf_format_svg(c->cx, topo, marks, &out);
    status = status == HF_OK ? cli_save(c, &out, path) : status;
    hf_text_free(&out);
    return status;
}

/* ---- JSON ---- */

hf_json *cli_json(const cli *c) { return hf_json_frame(c->command->name); }

hf_status cli_put_json(const cli *c, hf_json *root) {
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_status status = hf_json_print(c->cx, root, &text);
    if (status == HF_OK) {
        status = cli_put(c, &text);
    }
    hf_text_free(&text);
    hf_json_free(root);
    return status;
}

/* ---- networks ---- */

hf_status cli_network_open(const cli *c, const char *topology, const char *routing, const char *universe, const char *only,
                           cli_network *out) {
    *out = (cli_network){0};
    hf_status status;
    HF_TRY_DONE(hf_topology_new(c->cx, topology, &out->topo));
    if (routing) {
        HF_TRY_DONE(hf_rule_init(c->cx, routing, out->topo, &out->rule));
        out->has_rule = true;
    }
    if (universe) {
        HF_TRY_DONE(hf_universe_new(c->cx, out->topo, universe, only, &out->universe));
    }
    return HF_OK;
done:
    cli_network_free(out);
    return status;
}

void cli_network_free(cli_network *n) {
    hf_universe_free(n->universe);
    if (n->has_rule) {
        hf_rule_free(&n->rule);
    }
    hf_topology_free(n->topo);
    *n = (cli_network){0};
}

/* ---- tables ---- */

hf_status cli_table_start(hf_context *cx, cli_table *t, const char *const *header, const bool *is_number, size_t n_column,
                          size_t n_row) {
    *t = (cli_table){.table = {.n_column = n_column, .header = header, .is_number = is_number}};
    HF_TRY(hf_scratch(cx, n_column * n_row, sizeof *t->cell, (void **)&t->cell));
    t->table.cell = t->cell;
    t->capacity = n_column * n_row;
    return HF_OK;
}

hf_status cli_table_cell(hf_context *cx, cli_table *t, const char *format, ...) {
    if (t->filled == t->capacity) {
        HF_FAIL(cx, HF_ERANGE, "a table of %zu cells is full", t->capacity);
    }
    char *text = NULL;
    va_list list;
    va_start(list, format);
    const hf_status status = hf_scratch_print_list(cx, &text, format, list);
    va_end(list);
    if (status == HF_OK) {
        t->cell[t->filled++] = text;
        t->table.n_row = t->filled / t->table.n_column;
    }
    return status;
}
