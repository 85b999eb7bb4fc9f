/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast-check FILE...: confirm certificates. */
#include <stdio.h>
#include <string.h>

#include "src/check/check.h"

static int worse(int a, int b) {
    static const int order[] = {CHECK_EXIT_BAD, CHECK_EXIT_REFUTED, CHECK_EXIT_OPEN};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return CHECK_EXIT_CONFIRMED;
}

static const char help[] =
    "Usage: holdfast-check FILE...\n\n"
    "Confirm what `holdfast verify`, `simulate` or `weakest` wrote with --certificate FILE, from the routing relation alone.\n"
    "Every field is checked, and unknown ones are refused.\n\n"
    "Status 0: confirmed. 1: refuted, something in it is not so. 2: bad usage, or no certificate. 3: cannot be checked,\n"
    "as it holds no proof that can be followed (an unknown verdict, freedom by a search, a lockstep deadlock whose\n"
    "packets cannot come about alone, more smaller sets than can be looked at again, another version's file). Of several files "
    "the worst counts: 2, 1, 3, 0.\n";

int main(int argc, char **argv) {
    int worst = CHECK_EXIT_CONFIRMED;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(help, argc < 2 ? stderr : stdout);
        return argc < 2 ? CHECK_EXIT_BAD : CHECK_EXIT_CONFIRMED;
    }
    for (int i = 1; i < argc; i++) {
        check c = {.cx = hf_context_new(NULL), .file = argv[i]};
        if (!c.cx) {
            fprintf(stderr, "holdfast-check: out of memory\n");
            return CHECK_EXIT_BAD;
        }
        worst = worse(worst, check_file(&c));
        hf_context_free(c.cx);
    }
    return worst;
}
