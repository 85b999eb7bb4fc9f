/** \file
 *  Inside of `holdfast protocol`. */
#ifndef HOLDFAST_SRC_CLI_PROTOCOL_H
#define HOLDFAST_SRC_CLI_PROTOCOL_H

#include "src/cli/cli.h"

enum { PROTOCOL_BENCHMARKS = HF_BENCHMARK_NBODY + 1, PROTOCOL_NETWORKS = HF_NETWORK_FAT_TREE + 1 };

/** What runs where. */
typedef struct protocol_request {
    const cli *c;
    hf_messaging messaging; /**< its network's kind is open */
    uint64_t nodes;         /**< 0: as published */
    const char *file;       /**< of a trace, instead of benchmarks; or NULL */
    uint32_t request_size, reply_size, work;
    bool has_benchmark[PROTOCOL_BENCHMARKS], has_network[PROTOCOL_NETWORKS];
} protocol_request;
/** From the options; `c` is set. */
hf_status protocol_read_request(protocol_request *r);
hf_benchmark_options protocol_program(const protocol_request *r, hf_benchmark benchmark);
/** The request as JSON. */
hf_json *protocol_json_spec(const protocol_request *r);

/** Tables, backoff and safeguards from the options; `otherwise` where one is not given, numbers up to those of `most`. */
hf_status protocol_read(const cli *c, hf_protocol otherwise, hf_protocol most, hf_protocol *out);
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
