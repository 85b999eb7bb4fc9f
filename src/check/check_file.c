/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A file checked, and what came of it in one line. */
#include <stdio.h>

#include "src/check/check.h"

enum { FILE_LIMIT = 1 << 30 };

int check_file(check *c) {
    static const char *const words[] = {"confirmed", "refuted", "cannot be checked"};
    static const int statuses[] = {CHECK_EXIT_CONFIRMED, CHECK_EXIT_REFUTED, CHECK_EXIT_OPEN};
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_status status = hf_text_load(c->cx, c->file, FILE_LIMIT, &text);
    status = status == HF_OK ? check_certificate(c, text.data ? text.data : "", text.size) : status;
    hf_text_free(&text);
    if (status != HF_OK) {
        fprintf(stderr, "holdfast-check: %s\n", hf_context_message(c->cx));
        return CHECK_EXIT_BAD;
    }
    printf("%s: %s: %s\n", c->file, words[c->outcome], c->outcome == CHECK_CONFIRMED ? c->said : c->why);
    return statuses[c->outcome];
}
