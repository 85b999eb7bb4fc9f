/** \file
 *  What comes with the program, as bytes: studies, templates of reports, and the documents that reports quote.
 *  cmake/Embed.cmake makes the definitions from studies/, report/ and docs/. */
#ifndef HOLDFAST_SRC_STUDY_EMBEDDED_H
#define HOLDFAST_SRC_STUDY_EMBEDDED_H

#include <stddef.h>

typedef struct hf_embedded_file {
    const char *name; /**< of a study without `.yaml`, as in `holdfast study run NAME` */
    const char *data; /**< the file's bytes, then a zero byte */
    size_t size;      /**< bytes, without the zero byte */
} hf_embedded_file;

/** Sorted by name, each with as many entries as its count says. */
extern const hf_embedded_file hf_embedded_studies[], hf_embedded_texts[];
extern const size_t hf_embedded_studies_count, hf_embedded_texts_count;

#endif
