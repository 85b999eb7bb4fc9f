/** \file
 *  A study once its texts have been read, and the parts of running one. */
#ifndef HOLDFAST_SRC_STUDY_STUDY_H
#define HOLDFAST_SRC_STUDY_STUDY_H

#include <holdfast/format.h>
#include <holdfast/question.h>
#include <holdfast/study.h>

#include "src/report/limits.h"
#include "src/study/keys.h"
#include "src/study/published.h"

typedef enum hf_study_kind { HF_STUDY_CLAIM, HF_STUDY_COMBINE, HF_STUDY_LINE, HF_STUDY_ASK, HF_STUDY_KIND_COUNT } hf_study_kind;

typedef enum hf_study_show {
    HF_SHOW_GAIN,
    HF_SHOW_RATIO,
    HF_SHOW_DIFFERENCE,
    HF_SHOW_PRODUCT,
    HF_SHOW_LOSS,
    HF_SHOW_VALUE,
    HF_SHOW_DEVIATION,
    HF_SHOW_SLOPE,
    HF_SHOW_ASKED, /**< a column of a question's answer */
    HF_SHOW_ASKED_PERCENT,
    HF_SHOW_COUNT
} hf_study_show;
static inline bool hf_study_show_is_percent(hf_study_show show) {
    return show == HF_SHOW_GAIN || show == HF_SHOW_LOSS || show == HF_SHOW_DEVIATION || show == HF_SHOW_ASKED_PERCENT;
}

/** What is taken of the values of a group. */
typedef enum hf_study_take {
    HF_TAKE_NONE, /**< it is no group */
    HF_TAKE_LEAST,
    HF_TAKE_MOST,
    HF_TAKE_MEAN,
    HF_TAKE_SUM
} hf_study_take;

/** Two cells that are combined; the same one where a value stands alone. */
typedef struct hf_study_pair {
    size_t of, against;
} hf_study_pair;

/** What a claim says: the value shown lies between low and high. */
typedef struct hf_study_claim {
    double low, high;                 /**< may be infinite */
    bool excludes_low, excludes_high; /**< the end itself is not claimed: more than low, less than high */
    bool is_made;                     /**< the cell has a verdict by low and high */
} hf_study_claim;

/** Is it made of two cells before it? */
static inline bool hf_study_is_of_cells(hf_study_kind kind) {
    return kind == HF_STUDY_CLAIM || kind == HF_STUDY_COMBINE || kind == HF_STUDY_LINE;
}

/** A cell; the texts are borrowed from the document, or static. */
typedef struct hf_study_cell {
    uint32_t line; /**< where it stands in the file */
    const char *label;
    const char *id; /**< by which claims name the cell, or NULL */
    hf_study_claim claim;
    const hf_study_pair *pair;   /**< n_pair, of a claim or combination but a line; in the document */
    size_t n_pair;               /**< 1, or those of a group */
    hf_study_take take;          /**< of the pairs of a group */
    const char *group;           /**< which cells stand first in its pairs, by id: "best-*"; else NULL */
    const char *fitted;          /**< of a line: the curve, else NULL */
    const char *ask, *column;    /**< "cost traffic=uniform"; what is shown, NULL: it is a design of the front */
    const char *limits;          /**< of a design, which its question is told; NULL: none */
    const char *table, *row;     /**< of which table, NULL: the first; of which row, "f=2", NULL: all, a line each */
    const hf_question *question; /**< of a cell that asks, else NULL */
    size_t n_line;               /**< lines of such a cell, as far as it says */
    const hf_column *shown;      /**< of such a cell: its column; NULL: only the answer has it */
    const hf_study_texts *texts; /**< of such a cell: its keys, of which some are arguments of the question */
    hf_study_kind kind;
    hf_study_show show;
    int digits;            /**< significant digits of its numbers, 6 or more */
    const char *curve;     /**< of the drawing that the cell belongs to, or NULL */
    double x;              /**< where on it; NaN: at the number of faults */
    const char *published; /**< "" if none */
    hf_published printed;  /**< the same as a number */
    const char *citation, *remark;
    const char *not_computable; /**< NULL: it is */
} hf_study_cell;

/** Does the first row of its answer stand in the front? */
static inline bool hf_study_is_design(const hf_study_cell *cell) {
    return cell->kind == HF_STUDY_ASK && cell->ask && !cell->column;
}

/** What is least or most on a front: the place of a column. */
typedef struct hf_front_axis {
    size_t column;
    bool is_most;
} hf_front_axis;
enum { HF_FRONT_AXES = 8 };
/** The front of a study: which designs no other beats. */
typedef struct hf_study_front {
    bool is_there;
    hf_front_axis axis[HF_FRONT_AXES]; /**< n_axis, those that are least first */
    size_t n_axis;
    hf_limits limits;
    const hf_column *column; /**< n_column, of the answers of all designs; static */
    size_t n_column;
} hf_study_front;

/** A drawing of a study's lines, see docs/studies.md. */
typedef struct hf_study_plot {
    const char *title;          /**< NULL: the study's */
    const char *x, *y;          /**< a key, or conditions KEY=VALUE that lines fit whose values it is; y NULL: all that ask */
    const char *series, *panel; /**< keys with commas; NULL: none */
    const char *x_label, *y_label;
    double x_of, y_of;                /**< of what the axis is a share, in per cent; 0: it is none */
    bool is_log_x, is_log_y, is_free; /**< free: as the values ask */
} hf_study_plot;

struct hf_study {
    hf_allocator allocator;
    char *file; /**< for messages */
    const char *name, *title, *source;
    const char *about;   /**< NULL: it says nothing of itself */
    hf_study_plot *plot; /**< n_plot; in the document */
    size_t n_plot;
    hf_study_front front;
    hf_study_cell *cell;
    size_t n_cell;
    hf_study_document document;
};

/** Decide what the texts of `study->document` mean: fills name to n_cell. */
hf_status hf_study_read(hf_context *cx, hf_study *study);

/** Which of n points does no other that is kept beat? One beats another that is nowhere better, and somewhere worse.
 * \param[in] value n x n_axis, less is better. Time O(n^2 n_axis) */
void hf_front_mark(const double *value, size_t n, size_t n_axis, const bool *is_kept, bool *on_front);
/** The verdict on a design that is not computable. */
extern const char hf_front_no_verdict[];
/** The designs as the next table of a report, in the order of the file. \param[in] outcome NULL: no rows  \param[in] is_short
 * only the front, by its first axis */
hf_status hf_study_front_table(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, bool is_short,
                               hf_report *out);
/** The first axis against the second, the front by the third, what is beaten in grey. Lives in the arena. */
hf_status hf_study_front_plot(hf_context *cx, const hf_study *study, const hf_study_outcome *outcome, hf_plot *out);
/** A title as a caption of LaTeX, which numbers tables and figures itself: "Table 3.5: paths lost" of gomez2010 is "Paths lost
 * (table 3.5 of gomez2010)". \param[in] more behind what is shown \param[out] out in the arena */
hf_status hf_study_caption(hf_context *cx, const hf_study *study, const char *title, const char *more, char **out);

#endif
