/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast-check FILE...: confirm certificates. */
#include <stdio.h>
#include <string.h>

#include "src/check/check.h"

enum { FILE_LIMIT = 1 << 30 };

static hf_status check_file(check *c) {
    hf_text text;
    hf_text_init(c->cx, &text);
    hf_status status = hf_text_load(c->cx, c->file, FILE_LIMIT, &text);
    status = status == HF_OK ? check_certificate(c, text.data, text.size) : status;
    if (status == HF_OK) {
        printf("%s: %s%s\n", c->file, c->refuted ? "refuted: " : "confirmed: ", c->refuted ? c->why : c->verdict);
    } else {
        fprintf(stderr, "holdfast-check: %s\n", hf_context_message(c->cx));
    }
    hf_text_free(&text);
    return status;
}

int main(int argc, char **argv) {
    int worst = 0;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        FILE *out = argc < 2 ? stderr : stdout;
        fprintf(out, "Usage: holdfast-check FILE...\n\nConfirm what `holdfast verify --certificate FILE` wrote, from the routing "
                     "relation alone.\nStatus 0: confirmed, 1: refuted, 2: bad usage or input.\n");
        return argc < 2 ? 2 : 0;
    }
    for (int i = 1; i < argc; i++) {
        check c = {.cx = hf_context_new(NULL), .file = argv[i]};
        if (!c.cx) {
            fprintf(stderr, "holdfast-check: out of memory\n");
            return 2;
        }
        const hf_status status = check_file(&c);
        const int mine = status != HF_OK ? 2 : c.refuted ? 1 : 0;
        worst = mine > worst ? mine : worst;
        hf_context_free(c.cx);
    }
    return worst;
}
