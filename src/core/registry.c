/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lookups by name, and what to say where there is none. */
#include "src/core/registry.h"

#include <stdio.h>
#include <string.h>

#include <holdfast/core/spec.h>

enum { NAME_MAX_SIZE = 64, LIST_SHORT = 8 };

static const char *name_of(const void *entry) { return *(const char *const *)entry; }

/* The names of a registry or of a list of words. */
typedef struct names {
    const hf_registry *registry; /* NULL: of words */
    const char *const *words;
} names;

/* NULL behind the last one. */
static const char *name_at(const names *list, size_t i) {
    if (!list->registry) {
        return list->words[i];
    }
    const void *entry = hf_registry_at(list->registry, i);
    return entry ? name_of(entry) : NULL;
}

/* ---- did you mean ---- */

/* Edit distance of two short texts, NAME_MAX_SIZE if either is longer. */
static size_t distance(hf_slice a, hf_slice b) {
    size_t row[NAME_MAX_SIZE + 1];
    if (a.size >= NAME_MAX_SIZE || b.size >= NAME_MAX_SIZE) {
        return NAME_MAX_SIZE;
    }
    for (size_t j = 0; j <= b.size; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size; j++) {
            const size_t swap = diagonal + (a.text[i - 1] != b.text[j - 1]);
            diagonal = row[j];
            size_t best = swap < row[j] + 1 ? swap : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[b.size];
}

static const char *nearest(hf_slice wrong, const names *list) {
    const char *best = NULL, *name;
    size_t best_distance = wrong.size / 3 + 2; /* further away is no typing error */
    for (size_t i = 0; (name = name_at(list, i)) != NULL; i++) {
        const size_t size = strlen(name);
        const bool begins = wrong.size >= 2 && size > wrong.size && memcmp(name, wrong.text, wrong.size) == 0;
        const size_t d = begins ? 1 : distance(wrong, hf_slice_of(name));
        const bool is_alike = d < (wrong.size > size ? wrong.size : size); /* some letter stayed */
        if (is_alike && d < best_distance) {
            best = name;
            best_distance = d;
        }
    }
    return best;
}

/* "are: a, b, c". \return whether there are more */
static bool print_names(const names *list, char *text, size_t size) {
    size_t used = 0, n = 0;
    for (; name_at(list, n) && n < LIST_SHORT && used < size; n++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 n                  ? ", "
                                 : name_at(list, 1) ? "are: "
                                                    : "is: ",
                                 name_at(list, n));
    }
    return name_at(list, n) != NULL;
}

/* Is it rather the name of a file? */
static bool is_path(hf_slice text) { return memchr(text.text, '.', text.size) || memchr(text.text, '/', text.size); }

static hf_status unknown(hf_context *cx, const char *what, hf_slice wrong, const names *list) {
    const char *near = nearest(wrong, list);
    if (list->registry && is_path(wrong)) {
        HF_FAIL(cx, HF_ENOENT, "no %s is called \"%.*s\"; a file stands behind what reads it, as in file:NETWORK or lua:RULE",
                what, HF_SLICE(wrong));
    }
    if (near) {
        HF_FAIL(cx, HF_ENOENT, "no %s is called \"%.*s\"; did you mean \"%s\"?", what, HF_SLICE(wrong), near);
    }
    char text[256] = "are none";
    const bool has_more = print_names(list, text, sizeof text);
    HF_FAIL(cx, HF_ENOENT, "no %s is called \"%.*s\"; there %s%s", what, HF_SLICE(wrong), text, has_more ? ", ..." : "");
}

const char *hf_spec_nearest(const char *wrong, size_t size, const char *const *words) {
    return nearest((hf_slice){wrong, size}, &(names){.words = words});
}

hf_status hf_spec_unknown(hf_context *cx, const char *what, const char *wrong, size_t size, const char *const *words) {
    return unknown(cx, what, (hf_slice){wrong, size}, &(names){.words = words});
}

/* ---- lookups ---- */

const char *hf_spec_split(const char *spec, size_t *name_size) {
    const char *colon = strchr(spec, ':');
    *name_size = colon ? (size_t)(colon - spec) : strlen(spec);
    return colon ? colon + 1 : "";
}

const void *hf_registry_at(const hf_registry *registry, size_t i) { return i < registry->n ? registry->entry[i] : NULL; }

const void *hf_registry_find(const hf_registry *registry, hf_slice name) {
    size_t i = 0;
    while (i < registry->n && !hf_slice_is(name, name_of(registry->entry[i]))) {
        i++;
    }
    return hf_registry_at(registry, i);
}

const void *hf_registry_need(hf_context *cx, const hf_registry *registry, hf_slice name) {
    const void *found = hf_registry_find(registry, name);
    if (!found) {
        (void)unknown(cx, registry->what, name, &(names){.registry = registry});
    }
    return found;
}

const void *hf_registry_of_spec(hf_context *cx, const hf_registry *registry, const char *spec, const char **rest) {
    hf_slice name = {.text = spec};
    *rest = hf_spec_split(spec, &name.size);
    return hf_registry_need(cx, registry, name);
}

size_t hf_words_find(const char *const *words, hf_slice word) {
    size_t i = 0;
    while (words[i] && !hf_slice_is(word, words[i])) {
        i++;
    }
    return i;
}

hf_status hf_words_need(hf_context *cx, const char *what, const char *const *words, hf_slice word, size_t *out) {
    *out = hf_words_find(words, word);
    return words[*out] ? HF_OK : unknown(cx, what, word, &(names){.words = words});
}
