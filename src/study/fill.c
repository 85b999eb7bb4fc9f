/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Names in the braces of texts. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/spec.h>

#include "src/study/grid.h"

enum { TEXTS_MOST = 16 << 20 };

hf_status hf_expansion_at(const hf_expansion *g, const hf_yaml_node *said, hf_status status) {
    if (status != HF_OK && said->key) {
        hf_context_prefix(g->cx, "%s, line %" PRIu32 ", key \"%s\": ", g->file, said->line, said->key);
    } else if (status != HF_OK) {
        hf_context_prefix(g->cx, "%s, line %" PRIu32 ": ", g->file, said->line);
    }
    return status;
}

hf_expansion_name *hf_expansion_find(hf_expansion *g, hf_slice name) {
    uint32_t i = 0;
    while (i < g->n_name && !hf_slice_is(name, g->name[i].said->key)) {
        i++;
    }
    return i < g->n_name ? &g->name[i] : NULL;
}

static hf_status need_name(hf_expansion *g, const hf_yaml_node *text, hf_slice name, const hf_expansion_name **out) {
    const char *near[HF_EXPANSION_NAMES + 1];
    hf_expansion_name *found = hf_expansion_find(g, name);
    if (found) {
        found->said->is_used = true;
        *out = found;
        return HF_OK;
    }
    for (uint32_t i = 0; i < g->n_name; i++) {
        near[i] = g->name[i].said->key;
    }
    near[g->n_name] = NULL;
    const char *meant = hf_spec_nearest(name.text, name.size, near);
    if (meant) {
        HF_EXPANSION_FAIL(g, text, HF_EINVAL, "no grid here has the name \"%.*s\"; did you mean \"%s\"?", HF_SLICE(name), meant);
    }
    HF_EXPANSION_FAIL(g, text, HF_EINVAL, "no grid here has the name \"%.*s\"; a brace that is meant is doubled", HF_SLICE(name));
}

/* What the text stands for up to the next brace, or the brace; moves on behind it. `out` may be without text: a name for none. */
static hf_status take_part(hf_expansion *g, const hf_yaml_node *said, const char **text, hf_slice *out) {
    const char *here = *text, *close = strchr(here, '}');
    const size_t plain = strcspn(here, "{}");
    const hf_expansion_name *name = NULL;
    if (plain > 0 || here[0] == here[1]) {
        *out = (hf_slice){here, plain > 0 ? plain : 1};
        *text += plain > 0 ? plain : 2;
        return HF_OK;
    }
    if (*here == '}' || !close) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL,
                          "\"%.80s\" is not right; a name stands in two braces, and a brace that is meant is doubled",
                          said->text);
    }
    HF_TRY(need_name(g, said, (hf_slice){here + 1, (size_t)(close - here - 1)}, &name));
    *out = name && name->value ? hf_slice_of(name->value) : (hf_slice){NULL, 0};
    *text = close + 1;
    return HF_OK;
}

/* A text with its names filled in. \param[out] out NULL: none, as ~ stands there, or nothing but a name for none */
hf_status hf_expansion_fill(hf_expansion *g, const hf_yaml_node *said, const char **out) {
    *out = said->is_null && g->has_grids ? NULL : said->text;
    if (!*out || !g->has_grids || !strpbrk(*out, "{}")) {
        return HF_OK;
    }
    char *copy = NULL;
    size_t size = 0;
    hf_slice part = {NULL, 0};
    for (int writes = 0; writes < 2; writes++) {
        if (writes && (g->n_byte += size + 64) > TEXTS_MOST) {
            HF_EXPANSION_FAIL(g, said, HF_ERANGE, "the grids of this file make more than %d MiB of texts", TEXTS_MOST >> 20);
        }
        HF_TRY(writes ? hf_scratch(g->cx, size + 1, 1, (void **)&copy) : HF_OK);
        size = 0;
        for (const char *text = said->text; *text; size += part.size) {
            HF_TRY(take_part(g, said, &text, &part));
            if (writes && part.size > 0) {
                memcpy(copy + size, part.text, part.size);
            }
            if (!part.text && !*text && size == 0) {
                *out = NULL;
                return HF_OK;
            }
        }
    }
    *out = copy;
    return HF_OK;
}

hf_status hf_expansion_bind(hf_expansion *g, hf_yaml_node *said, const char *value) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const hf_expansion_name *other = hf_expansion_find(g, hf_slice_of(said->key));
    if (other) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL, "the name is that of an axis or a name in line %" PRIu32 " too", other->said->line);
    }
    if (!*said->key || said->key[strspn(said->key, letters)]) {
        HF_EXPANSION_FAIL(g, said, HF_EINVAL, "a name has letters, digits, - and _ only");
    }
    if (g->n_name == HF_EXPANSION_NAMES) {
        HF_EXPANSION_FAIL(g, said, HF_ERANGE, "more than %d names of grids go together here", HF_EXPANSION_NAMES);
    }
    g->name[g->n_name++] = (hf_expansion_name){said, value};
    return HF_OK;
}
