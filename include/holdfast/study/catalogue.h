/** \file
 *  The catalogue: one view of all that goes by a name, for lists, completion and other languages. */
#ifndef HOLDFAST_STUDY_CATALOGUE_H
#define HOLDFAST_STUDY_CATALOGUE_H

#include <holdfast/question.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of names. */
typedef enum hf_section {
    HF_SECTION_TOPOLOGIES,
    HF_SECTION_ROUTINGS,
    HF_SECTION_UNIVERSES,
    HF_SECTION_CRITERIA,
    HF_SECTION_TRAFFIC,
    HF_SECTION_STUDIES,
    HF_SECTION_QUESTIONS,
    HF_SECTIONS
} hf_section;

/** One name of a section. */
typedef struct hf_entry {
    const char *name, *summary, *source, *claims; /**< the last two may be NULL */
    const hf_param *params;                       /**< NULL: none */
    const hf_routing *routing;                    /**< of that section, else NULL */
    const hf_question *question;                  /**< of that section, else NULL */
} hf_entry;

/** A trait of routings in words. */
typedef struct hf_trait {
    unsigned bit; /**< HF_ROUTING_* */
    const char *name, *meaning;
} hf_trait;
/** All that a routing can claim; ends with {0}. */
extern const hf_trait hf_traits[];

/** "topologies", "routings", "universes", "criteria", "traffic", "studies", "questions"; ends with NULL. */
extern const char *const hf_section_names[HF_SECTIONS + 1];
size_t hf_section_count(hf_section section);
/** Texts are static. Studies have no summary and questions no parameters: hf_section_whole() has them. */
hf_entry hf_section_entry(hf_section section, size_t i);
/** With the title of a study, for which its file is read, and the parameters of a question with the defaults of its scene, in the
 * arena. \return HF_ENOMEM */
hf_status hf_section_whole(hf_context *cx, hf_section section, size_t i, hf_entry *out);
/** What values a parameter can have, in words. Truncated at `size` bytes. */
void hf_param_range(const hf_param *param, char *text, size_t size);

/** The section as the JSON of `holdfast list SECTION --json` (docs/json.md): how another language learns what there is.
 * \param[in] name of a section; NULL: all  \return HF_ENOENT with the nearest name */
hf_status hf_catalogue_print(hf_context *cx, const char *name, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
