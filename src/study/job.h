/** \file
 *  One run of a study: the networks of a cell, campaigns shared between cells, values on their way to lines. */
#ifndef HOLDFAST_SRC_STUDY_JOB_H
#define HOLDFAST_SRC_STUDY_JOB_H

#include "src/study/study.h"

/** A campaign that has been run, for later cells that ask the same. */
typedef struct hf_study_cached {
    char *key;
    hf_result *result;
} hf_study_cached;

struct hf_study_runs;
struct hf_study_messaged;
struct hf_study_value;

typedef struct hf_study_job {
    hf_context *cx;
    const hf_study *study;
    const hf_study_options *options;
    hf_study_outcome *outcome;
    size_t cell; /**< index of the cell at work */
    hf_study_cached *cached;
    size_t n_cached;
    struct hf_study_runs *runs;         /**< simulations; NULL: none */
    struct hf_study_messaged *messaged; /**< programs that have been run; n_messaged */
    size_t n_messaged;
    struct hf_study_value *told; /**< by cell: its value, for claims */
    uint8_t *n_told;             /**< by cell: lines so far, at most 2 */
} hf_study_job;

/** What a cell is about; universe NULL for path counts. */
typedef struct hf_study_scene {
    const hf_study_cell *cell;
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
} hf_study_scene;
hf_status hf_study_scene_open(hf_context *cx, const hf_study_cell *cell, hf_study_scene *out);
void hf_study_scene_close(hf_study_scene *scene);

/** A computed value num/den and how it came about. */
typedef struct hf_study_value {
    hf_u128 num, den;
    bool is_exact;
    bool is_real; /**< `real` stands for num/den */
    double real;
    char what[48];                /**< goes behind the label, "" if nothing */
    double low, high;             /**< 95% interval of num/den unless exact */
    bool from_store, is_accepted; /**< some of it was computed by a program of other code */
    bool is_unsteady;             /**< a run behind it is not steady, or the two sides are not equally long */
    double cycles;                /**< measured in each run behind it; 0: what it rests on has no such length */
    char method[128];
} hf_study_value;
static inline hf_study_value hf_study_exact(hf_u128 num, hf_u128 den) {
    return (hf_study_value){.num = num, .den = den, .is_exact = true};
}

/** Note that a value rests on another: it is no steadier, and lengths must be equal. */
static inline void hf_study_rest_on(hf_study_value *v, bool is_unsteady, double cycles) {
    v->is_unsteady |= is_unsteady || (v->cycles > 0 && cycles > 0 && v->cycles != cycles);
    v->cycles = cycles > 0 ? cycles : v->cycles;
}

/** num/den as a number. */
static inline double hf_study_number(const hf_study_value *v) { return v->is_real ? v->real : (double)v->num / (double)v->den; }

/** A value as lines print it: a share in percent. */
enum { HF_STUDY_NUMBER_SIZE = 64 };
void hf_study_print_real(hf_study_show show, double value, char text[HF_STUDY_NUMBER_SIZE]);
/** Where a line is on its curve; NaN: nowhere. */
double hf_study_place(const hf_study_cell *cell, uint32_t f);
/** One more line of that verdict. */
void hf_study_count(hf_study_outcome *outcome, hf_study_verdict verdict);
/** Can a line of that label be the cell's? */
bool hf_study_is_line_of(const hf_study_cell *cell, const char *label);
/** How many lines a cell has, as far as it says. */
size_t hf_study_lines_of(const hf_study_cell *cell);

/** Run the campaign of a cell for `f`, or take it from an earlier cell. \param[out] out borrowed from the job */
hf_status hf_study_campaign(hf_study_job *job, const hf_study_scene *scene, hf_method method, const uint32_t *f, size_t n_f,
                            const hf_result **out);

/** The kinds of cells. Each adds its lines. */
hf_status hf_study_do_tolerance(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_tolerated_faults(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_paths(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_lost_paths(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_cost(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_memory(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_load(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_effort(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_limit(hf_study_job *job, const hf_study_scene *scene);
hf_status hf_study_do_simulate(hf_study_job *job, const hf_study_scene *scene);
/** The range of a claim as a study gives it: "0%<..5%". */
enum { HF_STUDY_RANGE_SIZE = 48 };
void hf_study_print_range(const hf_study_cell *cell, char *text, size_t size);
/** Compare the two cells of a claim or combination over the fault sets that both have, where they drew from the same ones.
 *  \param[out] n sets; 0: they are not of that kind, and `out` is not set */
hf_status hf_study_compare_sets(hf_study_job *job, const hf_study_cell *cell, hf_study_value *out, size_t *n);
hf_status hf_study_do_line(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_combination(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_availability(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_ask(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_protocol(hf_study_job *job, const hf_study_cell *cell);
/** The program of a cell for the i-th value that it goes over. \param[out] spec in the arena, NULL behind the last one
 *  \param[out] what "constant=4", or "" */
hf_status hf_study_program(hf_context *cx, const hf_study_cell *cell, size_t i, char **spec, char **what);
void hf_study_messaged_free(hf_study_job *job);

/** Run the simulations of all cells, in parallel, before the first line is written. What the store holds is not run again.
 *  \return HF_ESTOP: what is done is in the store; else as a simulation fails, with the cell named */
hf_status hf_study_simulate_all(hf_study_job *job);
void hf_study_runs_free(hf_study_job *job);

/** Add a line of the cell at work. \param[in] f HF_NONE, or named in the label  \param[in] value NULL: not computable, `why`
 * tells */
hf_status hf_study_add_line(hf_study_job *job, uint32_t f, const hf_study_value *value, const char *why);

#endif
