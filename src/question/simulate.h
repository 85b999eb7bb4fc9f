/** \file
 *  Parts of the question what happens flit by flit. */
#ifndef HOLDFAST_SRC_QUESTION_SIMULATE_H
#define HOLDFAST_SRC_QUESTION_SIMULATE_H

#include <holdfast/format.h>
#include <holdfast/kernel.h>
#include <holdfast/protocol.h>
#include <holdfast/question.h>

#include "src/bridge/json.h"
#include "src/question/tables.h"

/** What is drawn of a series of windows. */
enum { HF_SIMULATE_DRAW_ACCEPTED, HF_SIMULATE_DRAW_LATENCY };

typedef struct simulate_args {
    hf_simulation s; /**< seed, kernel and measurement */
    hf_reconfiguration_options reconfiguration;
    const char *load, *burst, *trace, *barrier, *program, *replay, *events, *faults;
    bool sweep, saturation, histogram, peak;
    uint64_t runs;                     /**< fault sets for each number of faults */
    uint64_t generate;                 /**< cycles that a load generates for; 0: without end */
    uint64_t fault_cycle, fault_every; /**< of sets that fail while packets flow; 0: before, all at once */
    uint64_t cycles;                   /**< 0: not given */
    uint32_t message;                  /**< flits; 0: a packet */
    uint32_t draw;                     /**< HF_SIMULATE_DRAW_* */
    uint64_t resend;                   /**< of hf_play */
    uint64_t series;                   /**< cycles of a window; 0: there is none */
} simulate_args;

typedef struct simulate {
    hf_context *cx;
    const hf_asked *asked;
    const simulate_args *args;
    const hf_scene *scene;
    hf_simulation s; /**< of the arguments, with plan, traffic and bursts */
    hf_plan plan;    /**< for what has failed */
    hf_flow_control control;
    double *load; /**< n_load; a search has those that it comes to */
    size_t n_load;
    hf_report *answer;
} simulate;

/** The first tables, each ends with {0}: of loads, of a series with faults, of work with an end, of a trace that is made, of
 * packets put in place, of means over fault sets. */
extern const hf_column hf_simulate_loads[], hf_simulate_windows[], hf_simulate_work[], hf_simulate_trace[], hf_simulate_replay[],
    hf_simulate_sets[];

/** Run and fill the answer. */
hf_status hf_simulate_ask_loads(simulate *s);
hf_status hf_simulate_ask_faults(simulate *s);
hf_status hf_simulate_ask_work(simulate *s);
hf_status hf_simulate_ask_trace(simulate *s);
hf_status hf_simulate_ask_replay(simulate *s);
hf_status hf_simulate_ask_sets(simulate *s);
/** Can a series through faults be so long? \return HF_ERANGE with what it can be */
hf_status hf_simulate_check_cycles(const simulate *s, uint64_t cycles);

/** What fails at given cycles. */
typedef struct hf_simulate_event {
    uint64_t cycle;
    const char *names;   /**< of what fails then */
    hf_fault_set faults; /**< all that has failed by then */
    hf_plan plan;
} hf_simulate_event;
typedef struct hf_simulate_events {
    uint32_t n;
    hf_simulate_event *event;
    hf_kernel_fault *fault; /**< the same for the kernel */
} hf_simulate_events;
/** Those of --fault-at, in the arena. Without it there are none. */
hf_status hf_simulate_read_events(const simulate *s, hf_simulate_events *out);
/** The table of what became of them. \param[in] was a report for each */
hf_status hf_simulate_add_faults(const simulate *s, const hf_simulate_events *events, const hf_kernel_reconfiguration *was);
/** The table `windows`, shown where it is asked for. \param[in] by_load each row names its load */
void hf_simulate_begin_windows(hf_report *answer, bool by_load);
/** \param[in] load NULL: rows have none */
void hf_simulate_put_windows(hf_report *answer, const double *load, const hf_kernel_window *w, size_t n);

/** A series of windows, through faults perhaps, for its picture. */
typedef struct hf_simulate_series {
    const char *what; /**< traffic and load, or work */
    size_t n_window;
    const hf_kernel_window *window; /**< n_window */
    const hf_simulate_events *events;
    const hf_kernel_reconfiguration *reconfiguration; /**< of each event */
} hf_simulate_series;
/** Draw it over time where a picture is asked for. */
hf_status hf_simulate_draw_series(simulate *s, const hf_simulate_series *series);
/** Print a plot with characters below the tables. */
hf_status hf_simulate_add_plot(simulate *s, const hf_plot *plot);

/** Work with an end, read: a trace, tasks with barriers or a program; or what a load generates for some cycles. */
typedef struct hf_work {
    simulate *s;
    hf_messages messages;
    hf_program program;
    hf_barrier barrier;
    char *what; /**< in words */
} hf_work;
/** What came of it. */
typedef struct hf_played {
    hf_play_result result;
    double *task_cycles; /**< barrier.tasks, in the arena; NULL: there are no tasks */
    hf_batch_mean task;  /**< of those that ended; `mean` NaN: none */
} hf_played;
/** Read it. Release with hf_work_close(), after a failure too. */
hf_status hf_work_open(simulate *s, hf_work *out);
/** How it is played by a plan: without faults to come. */
hf_play hf_work_play(const hf_work *work, const hf_plan *plan);
/** Play it. \param[in] cx of the thread  \param[in] load of what is generated */
hf_status hf_work_run(hf_context *cx, const hf_work *work, const hf_play *play, double load, hf_played *out);
void hf_work_close(hf_work *work);
/** Is there such work? */
static inline bool hf_simulate_plays(const simulate *s) {
    return s->args->trace || s->args->barrier || s->args->program || s->args->generate;
}
/** Is it the same whatever the seed of who asks? */
static inline bool hf_simulate_is_given_work(const simulate *s) { return hf_simulate_plays(s) && !s->args->barrier; }

/** Title, delays and bursts, of what is simulated: "traffic uniform". */
hf_status hf_simulate_head(simulate *s, const char *work);
/** What a search found: its highest load that is accepted, with the lowest seen that is not as the other end; and what the
 * terminal gets off there that is served worst. NaN where every load is saturated. \param[in] point HF_SATURATION_POINTS
 * \param[in] best HF_NONE: every load is */
void hf_simulate_take_saturation(const hf_point *point, uint32_t best, hf_batch_mean *at, hf_batch_mean *to_each);
/** The note of the first table: what there is to say, or NULL, then what rings want, and the units. */
hf_status hf_simulate_end_note(const simulate *s, char *note);
/** One cell: a value and its interval, of which people read half. Without a value: nothing. */
void hf_simulate_value(hf_report *answer, hf_batch_mean m, hf_interval_method by);
/** Three cells, see HF_SIMULATE_MEAN. */
void hf_simulate_mean(hf_report *answer, hf_batch_mean m, hf_interval_method by);
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
