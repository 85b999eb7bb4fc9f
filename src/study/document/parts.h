/** \file
 *  What the report says of one study, part by part. */
#ifndef HOLDFAST_SRC_STUDY_DOCUMENT_PARTS_H
#define HOLDFAST_SRC_STUDY_DOCUMENT_PARTS_H

#include "src/study/document/document.h"

/** What it asks, of what: the values of keys that its cells have. */
hf_status hf_part_setup(const hf_writer *w, const hf_study *study);
/** "10 reproduced, 2 differ; 3 claims hold", in words. */
void hf_part_verdicts(const hf_writer *w, const hf_document_tally *t);
/** The table that its pivot makes; nothing where it names none. */
hf_status hf_part_pivot(const hf_writer *w, const hf_document_study *s);
/** Lines that differ or do not hold, each with its remark; nothing where there are none. */
hf_status hf_part_differences(const hf_writer *w, const hf_document_study *s);
/** All lines. */
hf_status hf_part_lines(const hf_writer *w, const hf_document_study *s);
/** Sections of findings that name it; in a document for LaTeX whole where the first study is named, elsewhere by section and
 * page. */
void hf_part_findings(const hf_writer *w, const hf_document *document, const char *name);

#endif
