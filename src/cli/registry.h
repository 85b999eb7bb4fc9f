/** \file
 *  One view of all descriptors, for list, describe and completion. */
#ifndef HOLDFAST_SRC_CLI_REGISTRY_H
#define HOLDFAST_SRC_CLI_REGISTRY_H

#include "src/cli/cli.h"

typedef enum cli_section {
    CLI_TOPOLOGIES,
    CLI_ROUTINGS,
    CLI_UNIVERSES,
    CLI_CRITERIA,
    CLI_TRAFFIC,
    CLI_STUDIES,
    CLI_QUESTIONS,
    CLI_SECTIONS
} cli_section;

typedef struct cli_entry {
    const char *name, *summary, *source, *claims;
    const hf_param *params; /**< may be NULL */
    unsigned traits;
} cli_entry;

const char *cli_section_name(cli_section section);
size_t cli_section_count(cli_section section);
/** Texts are static. Studies have no summary: their files would have to be read. */
cli_entry cli_section_entry(cli_section section, size_t i);

#endif
