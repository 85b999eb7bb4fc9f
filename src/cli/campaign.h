/** \file
 *  The options that commands over campaigns share: faults, method, samples, seed, threads, part, order, judge, store, again. A
 * command that has no option of such a name gets its default. */
#ifndef HOLDFAST_SRC_CLI_CAMPAIGN_H
#define HOLDFAST_SRC_CLI_CAMPAIGN_H

#include "src/cli/keep.h"

typedef struct cli_campaign {
    hf_campaign campaign;
    uint32_t *f;
    cli_keep keep;
} cli_campaign;

/** Read the options but for --faults and the store. */
hf_status cli_campaign_read(const cli *c, cli_campaign *out);
/** Read --faults against the network, check everything and open the store. Criterion or inquiry are set before.
 *  \param[in] net stays where it is until cli_campaign_close() */
hf_status cli_campaign_open(const cli *c, const cli_network *net, cli_campaign *out);
void cli_campaign_close(const cli *c, cli_campaign *k);
/** Run with a meter on standard error; says how to go on when stopped. \param[out] result also when stopped */
hf_status cli_campaign_run(const cli *c, cli_campaign *k, hf_result **result);
/** Fields of JSON's spec: method, samples, seed, part; accept where it was given. */
void cli_campaign_json(const cli *c, const hf_campaign *campaign, hf_json *spec);
/** A decimal string under `key`. */
void cli_json_decimal(hf_json *object, const char *key, hf_u128 value);

#endif
