/** \file
 *  Studies: YAML files that list analyses with the published value of each cell beside them. */
#ifndef HOLDFAST_STUDY_H
#define HOLDFAST_STUDY_H

#include <holdfast/analysis/cost.h>
#include <holdfast/analysis/deadlock.h>
#include <holdfast/report.h>
#include <holdfast/store.h>
#include <holdfast/study/catalogue.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_study hf_study;

/** Parse a study. \param[in] file for messages. \return HF_EINVAL with file, line and key; HF_ENOMEM. Free with hf_study_free().
 */
hf_status hf_study_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_study **out);
hf_status hf_study_load(hf_context *cx, const char *path, hf_study **out);
/** Open by path (it contains "/" or ends in ".yaml") or by the name of an embedded study. \return HF_ENOENT with the nearest
 * name. */
hf_status hf_study_open(hf_context *cx, const char *name_or_path, hf_study **out);
/** The studies that are built into the library, in order of name. */
size_t hf_study_embedded_count(void);
const char *hf_study_embedded_name(size_t i);
void hf_study_free(hf_study *study);
const char *hf_study_name(const hf_study *study);
const char *hf_study_title(const hf_study *study);
size_t hf_study_cell_count(const hf_study *study);
/** The cells that its grids and defaults come to, in order: the line of the entry and the point of the grid, and every key with
 * its text. A line ends each. */
void hf_study_cells_print(const hf_study *study, hf_text *out);

/** What became of a published value or a claim. */
typedef enum hf_study_verdict {
    HF_STUDY_REPRODUCED,
    HF_STUDY_DIFFERS,
    HF_STUDY_NOT_COMPUTABLE,
    HF_STUDY_NO_PUBLISHED,
    HF_STUDY_HOLDS,         /**< a claim: the whole interval is as claimed */
    HF_STUDY_DOES_NOT_HOLD, /**< none of it is */
    HF_STUDY_OPEN,          /**< part of it is */
    HF_STUDY_NOT_STEADY /**< a claim or published value: open, as a run behind it is not steady, or the sides not equally long */
} hf_study_verdict;
/** The word that tables print, such as "reproduced"; a static string. */
const char *hf_study_verdict_name(hf_study_verdict verdict);

/** How a study is run; none of it changes a value. */
typedef struct hf_study_options {
    hf_store *store;  /**< NULL: none */
    uint32_t threads; /**< 0: all cores */
    bool again;       /**< compute also what the store holds */
    /** Called when a cell starts and while it runs; progress NULL at the start. */
    void (*tell)(void *user, size_t cell, size_t n_cell, const char *label, const hf_progress *progress);
    void *tell_user;
} hf_study_options;

/** One line of the comparison; strings owned by the outcome. */
typedef struct hf_study_line {
    char *label;      /**< the cell in words */
    char *published;  /**< as printed in the source; "" if none */
    char *computed;   /**< as we print it */
    char *low, *high; /**< 95% interval, "" when exact */
    char *method;     /**< exhaustive, sampled 1000000, certified, closed form, ... */
    char *citation;   /**< key and place */
    char *remark;
    hf_study_verdict verdict;
    bool from_store;
    bool is_accepted;             /**< some of it a program of other code computed: hf_store_accept(); the remark says so */
    uint32_t f;                   /**< number of faults; HF_NONE: the cell takes none */
    bool is_percent;              /**< what is shown is a share */
    bool is_exact;                /**< value, and no interval is needed */
    bool is_unsteady;             /**< a run behind it is not steady, or the two sides are not equally long */
    double cycles;                /**< measured in each run behind it; 0: it rests on none of such a length */
    size_t cell;                  /**< of the study */
    double x;                     /**< on the cell's curve; NaN: it is on none */
    double value;                 /**< what is computed; a share as a fraction; not a number where nothing is */
    double value_low, value_high; /**< its interval; both `value` when exact */
} hf_study_line;
typedef struct hf_study_outcome {
    size_t n_line;
    hf_study_line *line;
    size_t reproduced, differing, not_computable;
    size_t holding, not_holding, open; /**< claims */
    size_t not_steady;                 /**< of those open */
    hf_allocator allocator;
} hf_study_outcome;
/** Run all cells. \return HF_OK; HF_ESTOP with *out holding what was done; others as the parts fail. Free with
 * hf_study_outcome_free(). */
hf_status hf_study_run(hf_context *cx, const hf_study *study, const hf_study_options *options, hf_study_outcome **out);
/** The comparison as a report. Its first table has a row for each line: cell, f, published, computed, value, value_low,
 * value_high, method, verdict, remark, citation; shares are fractions in the values, and percent in the texts. \param[in] outcome
 * NULL: as it is known before the study runs */
hf_status hf_study_outcome_report(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out);
/** Read what a study gave back from the CSV of that report. \param[in] file for messages \return HF_EINVAL with file and line: no
 *  such columns, a value that is none, a line that is not the study's. Free with hf_study_outcome_free() */
hf_status hf_study_outcome_read(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                                hf_study_outcome **out);
/** The curves that the study names, with published values in grey; of a study without axes the shares among the lines as curves
 * over the number of faults, cells of one label on one curve, as SVG. \param[out] any false: no cell shows a share for several
 * numbers of faults; nothing is written. */
hf_status hf_study_outcome_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool *any, hf_text *out);
void hf_study_outcome_free(hf_study_outcome *outcome);

/* ---- exploring designs ---- */

typedef struct hf_exploration hf_exploration;

/** Read an exploration (docs/explore.md): constraints, and designs with grids. \param[in] file for messages
 *  \return HF_EINVAL with file, line and key. Free with hf_exploration_free(). */
hf_status hf_exploration_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_exploration **out);
hf_status hf_exploration_load(hf_context *cx, const char *path, hf_exploration **out);
void hf_exploration_free(hf_exploration *e);
const char *hf_exploration_name(const hf_exploration *e);
const char *hf_exploration_title(const hf_exploration *e);
/** Designs that the grids make, 1 or more. */
size_t hf_exploration_count(const hf_exploration *e);

/** Why a design is out. */
typedef enum hf_design_verdict {
    HF_DESIGN_KEPT,
    HF_DESIGN_TERMINALS, /**< too few or too many terminals */
    HF_DESIGN_COST,      /**< costs too much; tolerance and throughput were not looked at */
    HF_DESIGN_TOLERANCE, /**< tolerates too few faults */
    HF_DESIGN_DEADLOCK   /**< not proved free of deadlock; tolerance and throughput were not looked at */
} hf_design_verdict;
const char *hf_design_verdict_name(hf_design_verdict verdict);

/** How the tolerance is known. */
typedef enum hf_tolerance_proof {
    HF_TOLERANCE_EXACT,   /**< every set up to it was looked at, or a certificate says so; and some larger set is not tolerated */
    HF_TOLERANCE_PROVED,  /**< at least: every set up to it was looked at, or a certificate says so */
    HF_TOLERANCE_SAMPLED, /**< none of the sampled sets up to it was lost; `least` is proved, `most` too */
    HF_TOLERANCE_UNKNOWN  /**< not looked at */
} hf_tolerance_proof;
const char *hf_tolerance_proof_name(hf_tolerance_proof proof);

/** One network under one rule, with the figures that decide whether it is kept. */
typedef struct hf_design {
    char *topology, *routing; /**< canonical, owned */
    uint32_t n_terminal, n_switch, n_link;
    double cost;       /**< a terminal, relative to one of the reference with deterministic routing */
    double throughput; /**< ideal saturation, flits per cycle and terminal */
    uint32_t tolerance, least,
        most; /**< faults of which every set is tolerated: what was seen, and proved bounds; most HF_NONE: none */
    hf_tolerance_proof proof;
    hf_deadlock_answer deadlock; /**< without faults; UNKNOWN where it was not looked at, too */
    bool needs_bubbles;          /**< free of deadlock with bubble flow control, not under wormhole switching */
    hf_design_verdict verdict;
    bool on_front; /**< kept, and no kept design is as good in cost, throughput and tolerance and better in one */
    bool from_store;
    bool is_accepted; /**< a program of other code evaluated it (hf_store_accept()) */
} hf_design;

/** How an exploration is run; none of it changes a figure. */
typedef struct hf_exploration_options {
    hf_store *store;  /**< NULL: none */
    uint32_t threads; /**< 0: all cores; the result does not depend on it */
    bool again;       /**< evaluate also what the store holds */
    /** Called, one thread at a time, when a design has been evaluated. */
    void (*tell)(void *user, size_t done, size_t count, const hf_design *design);
    void *tell_user;
} hf_exploration_options;

/** All designs of an exploration. Free with hf_designs_free(). */
typedef struct hf_designs {
    size_t n;
    hf_design *design; /**< in the order of the file */
    hf_allocator allocator;
} hf_designs;
/** Evaluate all designs. \return HF_EINVAL with file and line for a design that cannot be built; HF_ESTOP: what is done is in the
 * store. Free with hf_designs_free(). */
hf_status hf_exploration_run(hf_context *cx, const hf_exploration *e, const hf_exploration_options *options, hf_designs **out);
void hf_designs_free(hf_designs *designs);
/** Mark the front among designs. Time O(n^2). */
void hf_designs_mark_front(hf_design *design, size_t n);
/** The front by ascending cost, or all designs. Cells live in the arena. */
hf_status hf_designs_table(hf_context *cx, const hf_exploration *e, const hf_designs *designs, bool all, hf_table *out);
/** Cost against throughput, the front by tolerance, what is beaten in grey. */
hf_status hf_designs_plot(hf_context *cx, const hf_exploration *e, const hf_designs *designs, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
