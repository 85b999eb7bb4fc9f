/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast-check FILE...: confirm certificates. */
#include <stdio.h>
#include <string.h>

#include "src/check/check.h"

enum { FILE_LIMIT = 1 << 30 };

/* Exit statuses, in the order in which several files count. */
enum { CONFIRMED = 0, OPEN = 3, REFUTED = 1, BAD = 2 };

static int check_file(check *c) {
    static const char *const words[] = {"confirmed", "refuted", "cannot be checked"};
    static const int statuses[] = {CONFIRMED, REFUTED, OPEN};
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_status status = hf_text_load(c->cx, c->file, FILE_LIMIT, &text);
    status = status == HF_OK ? check_certificate(c, text.data ? text.data : "", text.size) : status;
    hf_text_free(&text);
    if (status != HF_OK) {
        fprintf(stderr, "holdfast-check: %s\n", hf_context_message(c->cx));
        return BAD;
    }
    printf("%s: %s: %s\n", c->file, words[c->outcome],
           c->outcome == CHECK_CONFIRMED ? hf_deadlock_answer_name(c->is.answer) : c->why);
    return statuses[c->outcome];
}

static int worse(int a, int b) {
    static const int order[] = {BAD, REFUTED, OPEN};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return CONFIRMED;
}

static const char help[] =
    "Usage: holdfast-check FILE...\n\n"
    "Confirm what `holdfast verify --certificate FILE` or `holdfast simulate --certificate FILE` wrote, from the routing\n"
    "relation alone. Every field is checked, and unknown ones are refused.\n\n"
    "Status 0: confirmed. 1: refuted, something in it is not so. 2: bad usage, or no certificate. 3: cannot be checked,\n"
    "as it holds no proof that can be followed (an unknown verdict, freedom by a search, a lockstep deadlock whose\n"
    "packets cannot come about alone, another version's file). Of several files the worst counts: 2, 1, 3, 0.\n";

int main(int argc, char **argv) {
    int worst = CONFIRMED;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(help, argc < 2 ? stderr : stdout);
        return argc < 2 ? BAD : CONFIRMED;
    }
    for (int i = 1; i < argc; i++) {
        check c = {.cx = hf_context_new(NULL), .file = argv[i]};
        if (!c.cx) {
            fprintf(stderr, "holdfast-check: out of memory\n");
            return BAD;
        }
        worst = worse(worst, check_file(&c));
        hf_context_free(c.cx);
    }
    return worst;
}
