/** \file
 *  Parts of the question what happens flit by flit. */
#ifndef HOLDFAST_SRC_QUESTION_SIMULATE_H
#define HOLDFAST_SRC_QUESTION_SIMULATE_H

#include <holdfast/kernel.h>
#include <holdfast/question.h>

#include "src/bridge/json.h"
#include "src/question/tables.h"

typedef struct simulate_args {
    hf_simulation s; /**< seed, kernel and measurement */
    hf_reconfiguration_options reconfiguration;
    const char *load, *burst, *trace, *barrier, *program, *replay, *faults;
    bool sweep, saturation, histogram;
    uint64_t cycles;  /**< 0: not given */
    uint32_t message; /**< flits; 0: a packet */
} simulate_args;

typedef struct simulate {
    hf_context *cx;
    const hf_asked *asked;
    const simulate_args *args;
    const hf_scene *scene;
    hf_simulation s; /**< of the arguments, with plan, traffic and bursts */
    hf_plan plan;    /**< for what has failed */
    double *load;    /**< n_load; a search has those that it comes to */
    size_t n_load;
    hf_report *answer;
} simulate;

/** The first tables, each ends with {0}: of loads, of a series with faults, of work with an end, of a trace that is made, of
 * packets put in place. */
extern const hf_column hf_simulate_loads[], hf_simulate_windows[], hf_simulate_work[], hf_simulate_trace[], hf_simulate_replay[];

/** Run and fill the answer. */
hf_status hf_simulate_ask_loads(simulate *s);
hf_status hf_simulate_ask_faults(simulate *s);
hf_status hf_simulate_ask_work(simulate *s);
hf_status hf_simulate_ask_trace(simulate *s);
hf_status hf_simulate_ask_replay(simulate *s);

/** Title, delays and bursts, of what is simulated: "traffic uniform". */
hf_status hf_simulate_head(simulate *s, const char *work);
/** The note of the first table: what there is to say, or NULL, then what rings want, and the units. */
hf_status hf_simulate_end_note(const simulate *s, char *note);
/** One cell: a value and its interval, half of which people read with so many decimals. Without a value: nothing. */
void hf_simulate_value(hf_report *answer, hf_batch_mean m, int decimals);
/** Three cells, see HF_SIMULATE_MEAN. */
void hf_simulate_mean(hf_report *answer, hf_batch_mean m, int decimals);
/** Columns of hf_simulate_mean(): KEY, which is for people too, KEY_half and KEY_steady. */
#define HF_SIMULATE_MEAN(key, heading, unit, digits)                                                                             \
    {key, heading, unit, HF_COLUMN_ESTIMATE, digits, 0}, {key "_half", heading " +-", unit, HF_COLUMN_REAL, 6, HF_COLUMN_ASKED}, \
    {                                                                                                                            \
        key "_steady", heading " is steady", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_ASKED                                            \
    }
/** A whole number as text. */
hf_json *hf_simulate_decimal(uint64_t value);
/** Latencies by powers of two. \param[in] histogram 65 bins as of hf_kernel_counts */
hf_json *hf_simulate_bins(const uint64_t *histogram);
/** The table of bins, for people and CSV. */
void hf_simulate_begin_histogram(simulate *s);
void hf_simulate_put_histogram(simulate *s, double load, const uint64_t *histogram);
/** The table of packets that wait for each other; people see many only where they ask. \param[in,out] note a line on them */
hf_status hf_simulate_add_blocked(simulate *s, const hf_blocked *blocked, uint32_t n);
/** The deadlock as a certificate, where that is wanted. */
hf_status hf_simulate_attach_deadlock(const simulate *s, const hf_blocked *blocked, uint32_t n, const hf_fault_set *faults);

#endif
