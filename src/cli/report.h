/** \file
 *  Printing reports: the options that every question shares, and what they ask for. */
#ifndef HOLDFAST_SRC_CLI_REPORT_H
#define HOLDFAST_SRC_CLI_REPORT_H

#include <holdfast/report.h>

#include "src/cli/cli.h"

#define CLI_REPORT_OPTIONS                                                                                                       \
    {"format", "NAME",                                                                                                           \
     "text (default), csv, json, jsonl, markdown, latex, html, or alone what goes to a file, such as svg; else as --output "     \
     "ends"},                                                                                                                    \
        {"columns", "LIST", "columns by key, such as f,sets, and arguments, such as topology; see docs/formats.md"},             \
        {"rows", "LIST", "turn the table: columns or arguments whose values stand down, with --across and --cell"},              \
        {"across", "LIST", "those whose values stand across"},                                                                   \
        {"cell", "LIST", "the columns that stand in each place; with / between them below each other"},                          \
        {"table", "NAME", "the table to print where the answer has several (csv: the first)"},                                   \
        {"digits", "N", "significant digits of numbers that are not whole, 1 to 17"},                                            \
        {"label", "NAME", "latex, html: the table is tab:NAME (default: of the question or study)"},                             \
        {"quiet", NULL, "no progress on standard error"}, {"json", NULL, "the same as --format json"},                           \
        {"csv", "[FILE]", "the same as --format csv; with a FILE, CSV goes there beside what is printed"}, {                     \
        "output", "FILE", "write the result to FILE instead of standard output"                                                  \
    }

/** The attachment that --format names, or a flag of its own, which is printed alone; NULL: tables are printed. */
const char *cli_report_alone(const cli *c);
/** What --format, --json or the ending of --output ask for; text without them. \return HF_EINVAL: two that contradict */
hf_status cli_report_style(const cli *c, hf_report_style *out);
/** Print by the style to standard output or --output, or an attachment alone; and what --csv=FILE asks for.
 *  \param brief  what people read instead of the report, who can ask for it; NULL: none */
hf_status cli_report_put(const cli *c, const hf_report *report, const hf_report *brief, const hf_report_style *style);
/** Would it print? Asked before long work: an empty report with its tables. \return HF_EINVAL that names what is not there */
hf_status cli_report_check(const hf_report *report, const hf_report_style *style);

#endif
