/** \file
 *  Things that go by a name: descriptors in a registry, words in a list. What is not there is refused with the nearest name, or
 *  with the list where it is short. */
#ifndef HOLDFAST_SRC_CORE_REGISTRY_H
#define HOLDFAST_SRC_CORE_REGISTRY_H

#include "src/core/lines.h"

/** Descriptors in the order in which they are listed; each begins with its name, a `const char *`. */
typedef struct hf_registry {
    const char *what; /**< what they are, for messages: "routing" */
    const void *const *entry;
    size_t n;
} hf_registry;

/** The registry of an array of `const void *`. */
#define HF_REGISTRY(what, entries)                                                                                               \
    { (what), (entries), sizeof(entries) / sizeof *(entries) }

/** \return NULL behind the last one */
const void *hf_registry_at(const hf_registry *registry, size_t i);
/** \return NULL if none has that name */
const void *hf_registry_find(const hf_registry *registry, hf_slice name);
/** The same, but that NULL stands for HF_ENOENT, with a message. */
const void *hf_registry_need(hf_context *cx, const hf_registry *registry, hf_slice name);
/** The one that a spec names, as hf_registry_need(). \param[out] rest what stands behind the name */
const void *hf_registry_of_spec(hf_context *cx, const hf_registry *registry, const char *spec, const char **rest);

/** Place of a word in a list that ends with NULL; that of the NULL if it is not there. */
size_t hf_words_find(const char *const *words, hf_slice word);
/** \param[in] what for the message. \return HF_ENOENT if it is not there */
hf_status hf_words_need(hf_context *cx, const char *what, const char *const *words, hf_slice word, size_t *out);

#endif
