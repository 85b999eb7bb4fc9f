/** \file
 *  Parts of holdfast simulate. */
#ifndef HOLDFAST_SRC_CLI_SIMULATE_H
#define HOLDFAST_SRC_CLI_SIMULATE_H

#include <holdfast/bitset.h>
#include <holdfast/protocol.h>

#include "src/cli/commands.h"

typedef struct simulate {
    const cli *c;
    cli_network net;
    hf_fault_set faults;
    hf_plan plan;
    hf_traffic *traffic;
    hf_simulation s;
    uint32_t n_point;
    double *load;    /**< n_point; NULL: search for saturation */
    hf_point *point; /**< n_point */
    uint32_t best;   /**< of the search */
} simulate;

/** Do the options go together? */
hf_status simulate_check(const cli *c);

/** What the replay of a witness gave. */
typedef struct simulate_replay {
    uint32_t packets; /**< put in place */
    uint64_t cycles, flit_hops;
    uint32_t blocked; /**< found to be in deadlock afterwards */
} simulate_replay;

/** Faults at given cycles. */
typedef struct simulate_event {
    uint64_t cycle;
    const char *names;   /**< of what fails then */
    hf_fault_set faults; /**< all that has failed by then */
    hf_plan plan;
} simulate_event;
typedef struct simulate_faults {
    uint32_t n;
    simulate_event *event;
    hf_kernel_fault *fault;
    hf_history history;
} simulate_faults;
/** Read --fault-at and what belongs to it, and run. */
hf_status simulate_run_faults(simulate *s, simulate_faults *f);
hf_status simulate_print_faults(const simulate *s, const simulate_faults *f);
hf_status simulate_print_faults_json(const simulate *s, const simulate_faults *f);
/** Write the deadlock at the end, if there is one and its packets got there by the plan for all faults, as verify writes it. */
hf_status simulate_write_faults_certificate(const simulate *s, const simulate_faults *f, const char *path);
/** Two lines that say what is simulated, and an empty one. */
void simulate_print_head(const simulate *s, hf_text *out);
hf_json *simulate_json_spec(const simulate *s);

/** The plan keeps no terminal in service: say so. */
hf_status simulate_print_uncovered(const simulate *s);
hf_status simulate_print_text(const simulate *s);
hf_status simulate_print_json(const simulate *s);
hf_status simulate_print_csv(const simulate *s);
/** Latency against accepted traffic, as characters. */
hf_status simulate_plot_text(const simulate *s, hf_text *out);
/** The same as SVG into a file. */
hf_status simulate_plot_svg(const simulate *s, const char *path);
/** Packets or messages by latency, a bin a line. \param[in] histogram 65 bins by powers of 2 */
void simulate_print_histogram(const uint64_t *histogram, hf_text *out);
/** Those of all loads. */
void simulate_print_histograms(const simulate *s, hf_text *out);
/** Topology, rule, `work` and options of the kernel, above a result. */
void simulate_print_work(const simulate *s, const char *work, hf_text *out);
/** Packets that wait for each other, one a line. */
void simulate_print_blocked(const simulate *s, const hf_blocked *blocked, uint32_t n, hf_text *out);
/** \param[in] histogram 65 bins by powers of 2 */
hf_json *simulate_json_histogram(const uint64_t *histogram);
void simulate_set_decimal(hf_json *object, const char *key, uint64_t value);
/** Is there work with an end: --trace, --barrier or --program? */
bool simulate_plays(const cli *c);
/** Do it and print what came of it. */
hf_status simulate_play(const simulate *s, bool *is_good);
/** Write what --load generates as a trace. */
hf_status simulate_write_trace(const simulate *s);
/** Write the first deadlock, if there is one, as verify writes it. */
hf_status simulate_write_certificate(const simulate *s, const char *path);
/** Packets of a deadlock under the plan for `faults` as a certificate. */
hf_status simulate_save_blocked(const simulate *s, const hf_blocked *blocked, uint32_t n, const hf_fault_set *faults,
                                const char *path);
/** Read the file of --replay, put its packets in place and run. Topology, rule and plan come from it. */
hf_status simulate_read_and_replay(simulate *s, simulate_replay *out);
hf_status simulate_print_replay(const simulate *s, const simulate_replay *r);

#endif
