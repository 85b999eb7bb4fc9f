/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explorations: refused with the file's name, or with a name, a title and designs without braces. No design is built. */
#include "src/study/explore.h"

#include "tests/fuzz/yaml.h"

/* A reference of its own would be built: large ones take long, and specs have a target of their own. */
static int is_small(const char *data, size_t size) {
    const char *at = NULL;
    for (size_t i = 0; i + 10 < size && !at; i++) {
        at = memcmp(data + i, "reference:", 10) == 0 ? data + i + 10 : NULL;
    }
    static const char tree[] = " kary-tree:k=2,n=2\n";
    return !at || ((size_t)(data + size - at) >= sizeof tree - 1 && memcmp(at, tree, sizeof tree - 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_exploration *e = NULL;
    if (!cx) {
        abort();
    }
    if (!is_small((const char *)data, size)) {
        hf_context_free(cx);
        return 0;
    }
    if (hf_exploration_parse(cx, "input", (const char *)data, size, &e) == HF_OK) {
        expect(*hf_exploration_name(e) && *hf_exploration_title(e), "an exploration has name and title");
        expect(hf_exploration_count(e) > 0, "an exploration has designs");
        for (size_t i = 0; i < e->n_planned; i++) {
            expect(!strpbrk(e->planned[i].topology, "{}") && !strpbrk(e->planned[i].routing, "{}"), "braces are gone");
        }
    } else {
        expect_refusal(cx);
        expect(strncmp(hf_context_message(cx), "input", 5) == 0, "first");
    }
    hf_exploration_free(e);
    hf_context_free(cx);
    return 0;
}
