/** \file
 *  Where a command keeps its work: --store, --again and --accept, the same for all that keep any. */
#ifndef HOLDFAST_SRC_CLI_KEEP_H
#define HOLDFAST_SRC_CLI_KEEP_H

#include "src/cli/cli.h"

/** The lines of these options for a command's table. \param what begins their help, such as "of --faults: " */
#define CLI_KEEP_OPTIONS(what)                                                                                                   \
    {"store", "PATH", what "results store (default $HOLDFAST_STORE or results/holdfast.sqlite), or none"},                       \
        {"again", NULL, what "compute also what the store already holds"}, {                                                     \
        "accept", "CODE", what "take over what programs of these codes have kept, too"                                           \
    }

typedef struct cli_keep {
    const char *path;
    hf_store *store;     /**< NULL: nothing is kept */
    hf_journal *journal; /**< NULL: none */
    hf_journal no_load;
} cli_keep;

/** The store that the user named: --store, HOLDFAST_STORE, or the usual one. */
const char *cli_keep_path(const cli *c);
/** Open the store. Where nobody named one and the usual one is read-only, says so and keeps nothing. */
hf_status cli_keep_open(const cli *c, cli_keep *out);
/** The same unless it is open, and a journal for `campaign`, which takes the place of that of the campaign before. */
hf_status cli_keep_campaign(const cli *c, hf_campaign *campaign, cli_keep *out);
/** Tell whether work goes on from here when the command was stopped. */
void cli_keep_stopped(const cli *c, const cli_keep *k);
/** Close; says what was taken over from programs of other code. */
void cli_keep_close(const cli *c, cli_keep *k);

#endif
