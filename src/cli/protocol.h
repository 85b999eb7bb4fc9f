/** \file
 *  Inside of `holdfast protocol`. */
#ifndef HOLDFAST_SRC_CLI_PROTOCOL_H
#define HOLDFAST_SRC_CLI_PROTOCOL_H

#include "src/cli/cli.h"
#include "src/protocol/messaged.h"

enum { PROTOCOL_BENCHMARKS = HF_BENCHMARK_NBODY + 1, PROTOCOL_NETWORKS = HF_NETWORK_FAT_TREE + 1 };

/** What runs where. */
typedef struct protocol_request {
    const cli *c;
    hf_messaged run;  /**< benchmark and kind of network are open */
    const char *file; /**< of a trace, instead of benchmarks; or NULL */
    bool has_benchmark[PROTOCOL_BENCHMARKS], has_network[PROTOCOL_NETWORKS];
} protocol_request;
/** From the options; `c` is set. */
hf_status protocol_read_request(protocol_request *r);
hf_benchmark_options protocol_program(const protocol_request *r, hf_benchmark benchmark);
/** The request as JSON. */
hf_json *protocol_json_spec(const protocol_request *r);

/** Packets that --once names. \param[out] out HF_ONCE_ flags */
hf_status protocol_read_once(const cli *c, unsigned *out);
/** "retention_cycles" and "once" of a spec. */
void protocol_json_safeguards(const hf_protocol *protocol, hf_json *spec);
/** Explore and print. `is_yes`: safe. */
hf_status protocol_check(const cli *c, bool *is_yes);
/** Run programs and print times. `is_yes`: all complete, nothing lost or acted on twice. */
hf_status protocol_run(const cli *c, bool *is_yes);
/** Write a program down as a trace file. */
hf_status protocol_trace(const cli *c);
/** Try backoffs and print how far each is from the best. `is_yes`: some try completes every run. */
hf_status protocol_backoff(const cli *c, bool *is_yes);

#endif
