/** \file
 *  The simulations that the cells of a study ask for: each is run once, all of them in parallel. */
#ifndef HOLDFAST_SRC_STUDY_RUNS_H
#define HOLDFAST_SRC_STUDY_RUNS_H

#include "src/study/job.h"

#define HF_STUDY_TRACE_BYTES ((size_t)1 << 32) /* of a file with a trace, at most */

/** What a simulation gave. Traffic in flits per cycle and terminal, latencies in cycles. */
typedef struct hf_study_point {
    double load;  /**< offered; of a search: the highest load that is accepted */
    double above; /**< of a search: the lowest load seen that is not */
    hf_batch_mean accepted, latency, network_latency;
    double least_share; /**< of its packets that the terminal served worst got off */
    double
        work[HF_SHOW_RELAYED - HF_SHOW_TASK_CYCLES + 1]; /**< of work with an end: what each show prints; NaN: it did not end */
    double task_half;                                    /**< half of the 95% interval of a task; NaN: there is none */
    double cycles;                                       /**< that were measured; 0: work, reconfigurations */
    hf_batch_mean phase[2];                              /**< of a reconfiguration: accepted before and after it */
    double lost;                                         /**< messages */
    double reconfiguration[HF_SHOW_MESSAGES - HF_SHOW_BEFORE +
                           1]; /**< of a reconfiguration: what each show prints; NaN: not known */
    uint32_t is_saturated, is_blocked;
} hf_study_point;
/** One line of text that hf_study_point_parse() turns into the same point again, to the last bit. */
hf_status hf_study_point_print(hf_context *cx, const hf_study_point *point, char **out);
bool hf_study_point_parse(const char *text, hf_study_point *out);
/** The figure that a cell shows of a point; half of its interval NaN where it has none. What is no figure of a steady state, such
 *  as the cycles of a task, counts as steady. */
hf_batch_mean hf_study_figure(hf_study_show show, const hf_study_point *point);

typedef struct hf_study_sim {
    char *key;
    size_t cell;          /**< the first that asks for it */
    double load;          /**< 0: the search for saturation */
    uint32_t *set, n_set; /**< failed components of the cell's universe */
    char *source;         /**< of a trace out of a file: "PATH#hash"; else NULL */
    hf_study_point point;
    bool is_done, from_store, is_accepted;
} hf_study_sim;

/** That a cell wants a run. */
typedef struct hf_study_ask {
    size_t run;
    uint32_t f;      /**< index in the cell's list of numbers of faults */
    uint64_t looked; /**< sets that were looked at for this number of faults */
    bool is_all;     /**< these are all that there are */
} hf_study_ask;

typedef struct hf_study_runs {
    hf_study_sim *run;
    size_t n_run;
    hf_study_ask *ask; /**< of cell c: ask[first[c]] to ask[first[c + 1] - 1], set after set, in each load after load */
    size_t n_ask, *first;
} hf_study_runs;

/** Note what a cell asks for. */
hf_status hf_study_runs_plan(hf_study_job *job, const hf_study_scene *scene);
/** Simulate one run in `cx`: of work with an end; of any. */
hf_status hf_study_run_work(hf_context *cx, const hf_study_scene *scene, const hf_play *play, const hf_traffic *traffic,
                            const hf_study_sim *run, hf_study_point *out);
/** A run through the failing of `faults`, one after the other where the cell says so. */
hf_status hf_study_run_reconfiguration(hf_context *cx, const hf_study_scene *scene, const hf_simulation *s,
                                       const hf_fault_set *faults, const hf_study_sim *run, hf_history *out);
/** What each show of a reconfiguration prints. */
void hf_study_take_reconfiguration(const hf_history *h, hf_study_point *out);
hf_status hf_study_run_point(hf_context *cx, const hf_study_cell *cell, hf_study_sim *run);

#endif
