/** \file
 *  The studies that come with the program, as bytes. cmake/EmbedStudies.cmake makes the definition from studies/. */
#ifndef HOLDFAST_SRC_STUDY_EMBEDDED_H
#define HOLDFAST_SRC_STUDY_EMBEDDED_H

#include <stddef.h>

typedef struct hf_embedded_study {
    const char *name; /**< file name without `.yaml`, as in `holdfast study run NAME` */
    const char *data; /**< the file's bytes, then a zero byte */
    size_t size;      /**< bytes, without the zero byte */
} hf_embedded_study;

/** Sorted by name; hf_embedded_study_count entries. */
extern const hf_embedded_study hf_embedded_studies[];
extern const size_t hf_embedded_study_count;

#endif
