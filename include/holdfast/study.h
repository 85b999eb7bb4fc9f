/** \file
 *  Studies: YAML files that list analyses with the published value of each cell beside them. */
#ifndef HOLDFAST_STUDY_H
#define HOLDFAST_STUDY_H

#include <holdfast/format.h>
#include <holdfast/report.h>
#include <holdfast/store.h>
#include <holdfast/study/catalogue.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_study hf_study;

/** Parse a study. \param[in] file for messages. \return HF_EINVAL with file, line and key; HF_ENOMEM. Free with
 * hf_study_free(). */
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
/** What the study is of, such as the key of a paper; "": the study does not say. */
const char *hf_study_source(const hf_study *study);
/** Does it explore designs, with a front? */
bool hf_study_has_front(const hf_study *study);
size_t hf_study_cell_count(const hf_study *study);
/** Turn its lines as its pivot says: rows, across, cell and where of a style, as far as they are NULL. \return HF_EINVAL: it
 * names no pivot */
hf_status hf_study_turn(hf_context *cx, const hf_study *study, hf_report_style *style);
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
    /** Called when a cell is computed, at its start and while it runs; progress NULL at the start. Several may run beside each
     * other. */
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
/** What became of a design of the front. */
typedef struct hf_study_design {
    size_t cell;                  /**< of the study */
    char *note;                   /**< its answer, as the store keeps it; NULL: it is not computable, and the remark tells why */
    char *remark;                 /**< "" if none */
    bool from_store, is_accepted; /**< as of lines */
} hf_study_design;
typedef struct hf_study_outcome {
    size_t n_line;
    hf_study_line *line;
    size_t n_design;
    hf_study_design *design;
    size_t reproduced, differing, not_computable;
    size_t holding, not_holding, open; /**< claims */
    size_t not_steady;                 /**< of those open */
    hf_allocator allocator;
} hf_study_outcome;
/** Run all cells. \return HF_OK; HF_ESTOP with *out holding what was done; others as the parts fail. Free with
 * hf_study_outcome_free(). */
hf_status hf_study_run(hf_context *cx, const hf_study *study, const hf_study_options *options, hf_study_outcome **out);
/** The comparison as a report. Of a study with a front its first table is `designs`: a row for each, in the order of the file,
 * with design, front (no design that is kept beats it), verdict (kept, or the column whose limit it breaks or that has no value),
 * the columns of its answer, and remark; `lines` follows where there are any. Else, or in `lines`, it has a row for each line:
 * cell, f, published, computed, value, value_low, value_high, method, verdict, remark, citation; shares are fractions in the
 * values, and percent in the texts. Only where they are named: deviation, the computed value over the published one less one, in
 * percent; and every key and name that a cell has, as topology, routing, k. \param[in] outcome NULL: as it is known before the
 * study runs */
hf_status hf_study_outcome_report(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out);
/** The same with the front alone of the designs, ascending by what is least first. */
hf_status hf_study_outcome_report_short(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_report *out);
/** Read what a study gave back from the CSV of the first table of that report. \param[in] file for messages \return HF_EINVAL
 * with file and line: no such columns, a value that is none, a line or design that is not the study's, a verdict on a design that
 * is not that of its limits. Free with hf_study_outcome_free() */
hf_status hf_study_outcome_read(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                                hf_study_outcome **out);
/** Add the lines of a study with a front from the CSV of their table. \return as hf_study_outcome_read() */
hf_status hf_study_outcome_read_lines(hf_context *cx, const hf_study *study, const char *file, const char *data, size_t size,
                                      hf_study_outcome *outcome);
/** Has the study lines: cells that are no designs? */
bool hf_study_has_lines(const hf_study *study);
/** How many plots it has: of a study with a front one, where two columns are least or most; else those that it describes by
 * `plot`; else that of the curves that cells name, or of the shares among the lines over the number of faults, cells of one label
 * on one curve. */
size_t hf_study_plot_count(const hf_study *study);
/** Plot `which`, from 0. Published values stand beside computed ones in hollow marks.  \param[out] any false: there is none, or
 * no line is on it; nothing is written. \return HF_EINVAL: the plot names a key that no cell has */
hf_status hf_study_outcome_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, size_t which,
                                hf_plot_form form, bool *any, hf_text *out);
void hf_study_outcome_free(hf_study_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
