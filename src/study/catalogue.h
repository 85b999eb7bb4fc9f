/** \file
 *  Parts of the catalogue that the command line shows in its own way. */
#ifndef HOLDFAST_SRC_STUDY_CATALOGUE_H
#define HOLDFAST_SRC_STUDY_CATALOGUE_H

#include <holdfast/study/catalogue.h>

#include "src/bridge/json.h"

/** A row of `holdfast list --json`. Free with hf_json_free(), or put into another. */
hf_json *hf_entry_json(const hf_entry *entry, hf_section section);
/** Sections from .. to - 1 are the one of that name; NULL: all. \return HF_ENOENT with the nearest name */
hf_status hf_section_find(hf_context *cx, const char *name, hf_section *from, hf_section *to);
/** What the ratio of a measure is taken over. */
const char *hf_measure_over(const hf_routing_measures *measures, const hf_extra_note *note);

#endif
