/** \file
 *  One run of a study: the networks of a cell, campaigns shared between cells, values on their way to lines. */
#ifndef HOLDFAST_SRC_STUDY_JOB_H
#define HOLDFAST_SRC_STUDY_JOB_H

#include "src/study/study.h"

/** A scene that questions share: opened by the first that needs it, closed behind the last. Questions that are asked beside
 * others and those that walk have one each. */
typedef struct hf_study_scene {
    char *key;          /**< hf_scene_key(), and whether they walk */
    size_t n_left;      /**< answers that need it still */
    hf_context *memory; /**< in whose arena it lives; NULL: it is not open */
    hf_scene scene;
    hf_text files; /**< that it was made of */
} hf_study_scene;

/** An answer that cells share. */
typedef struct hf_study_answer {
    size_t cell;      /**< the first that asks for it */
    size_t scene;     /**< of the job's, once what the store has is known */
    char *key, *note; /**< hf_report_to_note(); NULL: not known yet */
    char *why;        /**< it is not computable here; NULL: it is */
    bool from_store, is_accepted;
} hf_study_answer;

struct hf_study_value;

typedef struct hf_study_job {
    hf_context *cx;
    const hf_study *study;
    const hf_study_options *options;
    hf_study_outcome *outcome;
    size_t cell;                 /**< index of the cell at work */
    hf_study_answer *answer;     /**< n_answer */
    size_t n_answer, *answer_of; /**< by cell that asks */
    hf_study_scene *scene;       /**< n_scene */
    size_t n_scene;
    size_t *open, n_open;        /**< answers that are not known: those that are asked beside others first, each lot by scene */
    struct hf_study_value *told; /**< by cell: its value, for claims */
    uint8_t *n_told;             /**< by cell: lines so far, at most 2 */
} hf_study_job;

/** A computed value num/den and how it came about. */
typedef struct hf_study_value {
    hf_u128 num, den;
    bool is_exact;
    bool is_real; /**< `real` stands for num/den */
    double real;
    const char *word;             /**< what a column without numbers says, or a flag; NULL: a number. In the arena */
    char what[48];                /**< goes behind the label, "" if nothing */
    double low, high;             /**< 95% interval of num/den unless exact */
    bool from_store, is_accepted; /**< some of it was computed before; by a program of other code */
    bool is_unsteady;             /**< a run behind it is not steady, or the two sides are not equally long */
    double cycles;                /**< measured in each run behind it; 0: what it rests on has no such length */
    char method[128];
} hf_study_value;
static inline hf_study_value hf_study_exact(hf_u128 num, hf_u128 den) {
    return (hf_study_value){.num = num, .den = den, .is_exact = true};
}

/** Note that a value is made of another: who computed that had a part in it. */
static inline void hf_study_come_from(hf_study_value *v, const hf_study_value *other) {
    v->from_store |= other->from_store;
    v->is_accepted |= other->is_accepted;
}
/** Note that it rests on the other, too: it is no steadier, and lengths must be equal. */
static inline void hf_study_rest_on(hf_study_value *v, const hf_study_value *other) {
    v->is_unsteady |= other->is_unsteady || (v->cycles > 0 && other->cycles > 0 && v->cycles != other->cycles);
    v->cycles = other->cycles > 0 ? other->cycles : v->cycles;
    hf_study_come_from(v, other);
}

/** num/den as a number. */
static inline double hf_study_number(const hf_study_value *v) { return v->is_real ? v->real : (double)v->num / (double)v->den; }

/** A value as lines print it: a share in percent. */
enum { HF_STUDY_NUMBER_SIZE = 64 };
void hf_study_print_real(const hf_study_cell *cell, double value, char text[HF_STUDY_NUMBER_SIZE]);
/** How an exact number would be judged. */
hf_study_verdict hf_study_judge_exact(const hf_study_cell *cell, double value);
/** What people read of a line: its value and interval, as tables have them. Texts are in the arena. \param[out] interval NULL:
 * there is none */
hf_status hf_study_say(hf_context *cx, const hf_study_cell *cell, const hf_study_line *line, char **computed, char **interval);
/** Where a line is on its curve; NaN: nowhere. */
double hf_study_place(const hf_study_cell *cell, uint32_t f);
/** Add the design of the cell at work. */
hf_status hf_study_add_design(hf_study_job *job);
/** A remark, and of what was taken over from programs of other code that it was. \param[out] out heap */
hf_status hf_study_remark(hf_context *cx, const hf_store *store, const char *remark, bool is_accepted, char **out);
/** One more line of that verdict. */
void hf_study_count(hf_study_outcome *outcome, hf_study_verdict verdict);
/** Can a line of that label be the cell's? */
bool hf_study_is_line_of(const hf_study_cell *cell, const char *label);
/** How many lines a cell has, as far as it says. */
size_t hf_study_lines_of(const hf_study_cell *cell);

/** The kinds of cells. Each adds its lines. */
/** The range of a claim as a study gives it: "0%<..5%". */
enum { HF_STUDY_RANGE_SIZE = 48 };
void hf_study_print_range(const hf_study_cell *cell, char *text, size_t size);
/** How two cells of a claim or combination were compared. */
typedef struct hf_study_comparison {
    bool are_equal; /**< the kernel did the same for both, to the last bit of every figure and interval, whatever their specs are
                     */
    size_t n;       /**< pairs that they were compared by, one by one; 0: none, and their intervals are independent */
    const char *of; /**< "sets" or "windows" */
} hf_study_comparison;
/** Are they equal runs, which differ by nothing that an interval could widen, or else over what fault sets or windows can they be
 *  compared, which both have? \param[out] out set where by->n is not 0 */
hf_status hf_study_compare(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out,
                           hf_study_comparison *by);
hf_status hf_study_do_line(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_combination(hf_study_job *job, const hf_study_cell *cell);
hf_status hf_study_do_ask(hf_study_job *job, const hf_study_cell *cell);
/** What a cell says to its question: behind its name, and by keys that are parameters. Texts are in the arena. \param[out] out
 * room for HF_STUDY_ARGUMENTS */
enum { HF_STUDY_ARGUMENTS = 64 + HF_KEY_COUNT };
hf_status hf_study_arguments(hf_context *cx, const hf_study_cell *cell, hf_argument *out, size_t *n);
/** Ask what the cells ask, each question with the same arguments once, before the first line is written; those that have no
 * threads of their own in parallel. What the store holds is not asked again. \return HF_ESTOP: what is done is in the store; else
 * as a question fails, with the cell named */
hf_status hf_study_ask_all(hf_study_job *job);
void hf_study_answers_free(hf_study_job *job);
/** A column is shown, or an end of what it ranges over: KEY_low, KEY_high, as in CSV. */
typedef enum hf_study_end { HF_STUDY_WHOLE, HF_STUDY_LOW, HF_STUDY_HIGH } hf_study_end;
/** The column of that name, or the one whose end is called so. \return NULL: there is none */
const hf_column *hf_study_find_column(const hf_column *column, size_t n, const char *name, hf_study_end *end);
/** Does its question walk over fault sets? It has threads and writes to the store itself. */
static inline bool hf_study_walks(const hf_study_job *job, const hf_study_answer *answer) {
    return job->study->cell[answer->cell].question->walks;
}
/** Find the answers that are not known and their scenes, in an order by scene: few are open at once. */
hf_status hf_study_scenes_plan(hf_study_job *job);
/** The scene of an answer, for any thread. \param[out] out NULL: nobody else needs it, so the question may open it \param[in,out]
 * files the files that it was made of are added. Release each with hf_study_scene_release(). \return as hf_scene_open() */
hf_status hf_study_scene_take(hf_context *cx, hf_study_job *job, const hf_study_answer *answer, const hf_argument *arguments,
                              size_t n, hf_text *files, const hf_scene **out);
void hf_study_scene_release(hf_study_job *job, const hf_study_answer *answer);
void hf_study_scenes_free(hf_study_job *job);
/** The answer that a cell asked for, in the arena. \param[out] out NULL: it asks nothing, or its question is not computable */
hf_status hf_study_answer_of(hf_study_job *job, size_t cell, const hf_report **out);
/** A table of an answer. \param[in] answer may be NULL  \param[in] name NULL: the first  \return NULL: there is no such table */
const hf_report_table *hf_study_table(const hf_report *answer, const char *name);
/** The cell of a row by the key of its column. \return NULL: there is no such column, or it says nothing there */
const hf_cell *hf_study_table_value(const hf_report_table *table, size_t row, const char *key);

/** Add a line of the cell at work. \param[in] f HF_NONE, or named in the label  \param[in] value NULL: not computable, `why`
 * tells */
hf_status hf_study_add_line(hf_study_job *job, uint32_t f, const hf_study_value *value, const char *why);

#endif
