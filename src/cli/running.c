/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What commands that run long share: progress and signals. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "src/cli/cli.h"
#include "src/core/clock.h"

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
