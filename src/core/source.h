/** \file
 *  Files that a spec names: read whole or line by line, and known by the hash of their content, as in "PATH#0123456789abcdef". */
#ifndef HOLDFAST_SRC_CORE_SOURCE_H
#define HOLDFAST_SRC_CORE_SOURCE_H

#include <holdfast/core/spec.h>
#include <holdfast/core/text.h>

#include "src/core/lines.h"

/** The parameter of what is read from a file. */
#define HF_SOURCE_PARAM                                                                                                          \
    { .name = "path", .type = HF_PARAM_TEXT, .flags = HF_PARAM_POSITIONAL, .help = "the file; PATH#HASH asks for a content" }

/** A file that was read. */
typedef struct hf_source {
    hf_text text;
    char *path;  /**< without hash */
    char *named; /**< "PATH#hash" */
} hf_source;

/** Read the file of `name`, "PATH" or "PATH#hash". Release with hf_source_free() after success.
 *  \param[in] limit bytes that are too many
 *  \return HF_EINVAL if the content has another hash; HF_ENOENT, HF_EIO, HF_ERANGE of hf_text_load(); HF_ENOMEM */
hf_status hf_source_load(hf_context *cx, const char *name, size_t limit, hf_source *out);
void hf_source_free(hf_source *source);

/** Reads all lines, or fails; messages take lines->cx and lines->file. */
typedef hf_status hf_lines_reader(hf_lines *lines, void *user);
/** Read the lines of the file of `name` as they come, in pieces that stay in the cache: no byte of it is held longer. A map would
 * be faster by the copy out of the system's memory (a twentieth of a second for 130 MB), but the program would end where another
 * one cuts the file short, and the hash would not be of what was read where another one writes to it. \param[out] named
 * "PATH#hash"; released with hf_release() after success \return what `read` returns, once all of the file is read; before that
 * the failures of hf_source_load() */
hf_status hf_source_read(hf_context *cx, const char *name, size_t limit, hf_lines_reader *read, void *user, char **named);

#endif
