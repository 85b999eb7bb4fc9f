/** \file
 *  The tables of an answer as a text that the store keeps, and back again, to the last bit. */
#ifndef HOLDFAST_SRC_REPORT_NOTE_H
#define HOLDFAST_SRC_REPORT_NOTE_H

#include <holdfast/report.h>

/** One line: names, columns and cells of all tables. Headings, notes, arguments and attachments stay behind. */
hf_status hf_report_to_note(const hf_report *report, hf_text *out);
/** The tables again. \param[out] out in the arena  \param[out] is_whole false: it is no such text, and `out` is not set */
hf_status hf_report_of_note(hf_context *cx, const char *text, hf_report *out, bool *is_whole);

#endif
