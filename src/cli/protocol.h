/** \file
 *  Inside of `holdfast protocol`. */
#ifndef HOLDFAST_SRC_CLI_PROTOCOL_H
#define HOLDFAST_SRC_CLI_PROTOCOL_H

#include "src/cli/cli.h"

/** Tables, backoff and ids from the options; `otherwise` where one is not given. */
hf_status protocol_read(const cli *c, hf_protocol otherwise, hf_protocol *out);
/** Explore and print. `is_yes`: safe. */
hf_status protocol_check(const cli *c, bool *is_yes);
/** Run programs and print times. `is_yes`: all complete, and nothing acted on twice. */
hf_status protocol_run(const cli *c, bool *is_yes);

#endif
