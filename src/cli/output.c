/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands share: failures, standard output, the JSON frame, tables, networks, progress, signals. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/cli/cli.h"
#include "src/core/clock.h"

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

hf_status cli_put(const cli *c, const hf_text *text) {
    HF_TRY(hf_text_check(c->cx, text));
    const char *path = cli_value(c, "output");
    if (path) {
        return hf_text_save(c->cx, text, path);
    }
    if (fwrite(text->data ? text->data : "", 1, text->size, stdout) != text->size || fflush(stdout) != 0) {
        HF_FAIL(c->cx, HF_EIO, "standard output cannot be written: %s", strerror(errno));
    }
    return HF_OK;
}

hf_status cli_save_svg(const cli *c, const hf_topology *topo, const hf_marks *marks, const char *path) {
    hf_text out;
    hf_text_init(c->cx, &out);
    hf_status status = hf_format_svg(c->cx, topo, marks, &out);
    status = status == HF_OK ? hf_text_save(c->cx, &out, path) : status;
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

/* ---- progress ---- */

enum { BAR = 30 };
static const double line_every_s = 5.0;

void cli_meter_init(cli_meter *m, bool quiet, const char *label) {
    *m = (cli_meter){.is_quiet = quiet, .is_terminal = isatty(STDERR_FILENO) != 0, .label = label};
}

/* Seconds as 42 s, 3 min 20 s, 5 h 10 min. */
static void print_time(double seconds, char *text, size_t size) {
    if (seconds < 60) {
        snprintf(text, size, "%.0f s", seconds);
    } else if (seconds < 3600) {
        snprintf(text, size, "%ld min %02ld s", (long)seconds / 60, (long)seconds % 60);
    } else if (seconds < 1e9) {
        const long minutes = (long)(seconds / 60);
        snprintf(text, size, "%ld h %02ld min", minutes / 60, minutes % 60);
    } else {
        snprintf(text, size, "very long");
    }
}

void cli_meter_show(void *meter, const hf_progress *p) {
    cli_meter *m = meter;
    if (m->is_quiet || (!m->is_terminal && p->elapsed_s - m->last_s < line_every_s && p->elapsed_s >= m->last_s)) {
        return;
    }
    m->last_s = p->elapsed_s;
    char left[48];
    const double rest = p->sets_per_s > 0 ? (double)(p->total - p->done) / p->sets_per_s : 0;
    print_time(rest, left, sizeof left);
    const double part = p->total ? (double)p->done / (double)p->total : 1;
    const char *what = p->what ? p->what : "sets", *comma = *m->label ? ", " : "";
    char row[16] = "";
    if (!p->what) {
        snprintf(row, sizeof row, "f=%" PRIu32 "%s", p->f, m->is_terminal ? " " : ": ");
    }
    if (!m->is_terminal) {
        fprintf(stderr, "%s%s%s%.1f%% of %.6g %s, %.3g %s/s, %s left\n", m->label, comma, row, 100 * part, (double)p->total, what,
                p->sets_per_s, what, left);
        return;
    }
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++) {
        bar[i] = i < (int)(part * BAR) ? '#' : '.';
    }
    bar[BAR] = 0;
    fprintf(stderr, "\r\033[K%s%s%s[%s] %5.1f%% %.3g %s/s, %s left", m->label, comma, row, bar, 100 * part, p->sets_per_s, what,
            left);
    fflush(stderr);
    m->is_dirty = true;
}

void cli_meter_end(cli_meter *m) {
    if (m->is_dirty) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
        m->is_dirty = false;
    }
}

/* ---- signals ---- */

/* The mutable objects of the program: signal handlers can reach nothing else. */
static volatile sig_atomic_t stop_flag;
static double stopped_at; /* when the first signal came, s */

static const double same_wish_s = 0.5;

/* One wish to stop may come as several signals: timeout(1) and batch systems signal the program and its group. So only a
 * signal that comes well after the first one, as a second Ctrl-C does, ends the program at once. */
static void raise_flag(int number) {
    const double now = hf_clock_s();
    if (!__atomic_load_n(&stop_flag, __ATOMIC_ACQUIRE)) {
        stopped_at = now;
        __atomic_store_n(&stop_flag, 1, __ATOMIC_RELEASE);
    } else if (now - stopped_at >= same_wish_s) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void cli_catch_signals(hf_context *cx) {
    struct sigaction action = {.sa_handler = raise_flag};
    sigfillset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    hf_context_set_stop(cx, &stop_flag);
}
