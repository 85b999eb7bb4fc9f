/** \file
 *  Answers as reports: tables of typed cells, printed in any format. A report knows nothing of text or JSON. Columns, names and
 *  titles are borrowed until it is printed; values, of arguments too, are its own. */
#ifndef HOLDFAST_REPORT_H
#define HOLDFAST_REPORT_H

#include <math.h>

#include <holdfast/core/big.h>
#include <holdfast/core/context.h>
#include <holdfast/core/stats.h>
#include <holdfast/core/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table of text cells, for the writers. Cells are borrowed. */
typedef struct hf_table {
    const char *title;
    size_t n_column, n_row;
    const char *const *header; /**< n_column */
    const char *const *cell;   /**< n_row x n_column; NULL prints as nothing */
    const bool *is_number;     /**< n_column: right-aligned */
    const char *note;          /**< below the table, or NULL */
    const char *label;         /**< of LaTeX and HTML, to refer to the table by, or NULL */
    size_t widest;             /**< characters: a table of one row that is wider stands upright, a line a column; 0: none does */
} hf_table;
/** Plain text with aligned columns. */
hf_status hf_table_text(hf_context *cx, const hf_table *table, hf_text *out);
/** RFC 4180 with a header line. */
hf_status hf_table_csv(hf_context *cx, const hf_table *table, hf_text *out);
hf_status hf_table_markdown(hf_context *cx, const hf_table *table, hf_text *out);
/** A table of HTML with caption and id; numbers are of class "number", the note is a paragraph of class "note". */
hf_status hf_table_html(hf_context *cx, const hf_table *table, hf_text *out);
/** A table for LaTeX, for an article of one or two columns (booktabs, array): it fits one column where it can, else both. Columns
 *  without a cell are left out, text is broken where it must be, special characters are escaped; at most 40 rows each, as no
 *  table of LaTeX goes on over columns. One row that is wider than both stands upright. */
hf_status hf_table_latex(hf_context *cx, const hf_table *table, hf_text *out);

/** What the cells of a column hold. */
typedef enum hf_column_kind {
    HF_COLUMN_WORD,      /**< a word, a spec */
    HF_COLUMN_NAMES,     /**< names with blanks between; a list in JSON */
    HF_COLUMN_TREE,      /**< a structured value, as the text of its JSON; itself in JSON */
    HF_COLUMN_FLAG,      /**< yes or no; true or false in JSON */
    HF_COLUMN_COUNT,     /**< a whole number */
    HF_COLUMN_BIG_COUNT, /**< one that can pass 2^53: in JSON a decimal string */
    HF_COLUMN_REAL,      /**< a number */
    HF_COLUMN_EXACT, /**< a number that is also known as a fraction p/q: two columns in tables for programs, KEY and KEY_exact */
    HF_COLUMN_ESTIMATE, /**< a number and its 95% interval: two columns in tables for people, four in those for programs */
    HF_COLUMN_RANGE /**< a number between sound bounds: for people both bounds, for programs KEY, KEY_low and KEY_high. Infinite
                       bounds are nothing there */
} hf_column_kind;
/** Flags of a column. */
enum {
    HF_COLUMN_ASKED = 1,  /**< left out of tables for people unless asked for */
    HF_COLUMN_JSON = 2,   /**< in JSON only: what other columns say too, by a name that stays */
    HF_COLUMN_PEOPLE = 4, /**< in tables for people only: what other columns say too */
    HF_COLUMN_TOLD = 16,  /**< people see it without a value too: "none" */
    HF_COLUMN_MUTE = 64,  /**< says nothing in this answer: people see it where it is named only */
    HF_COLUMN_NAMED = 32, /**< shown where it is named only, in no format else */
    HF_COLUMN_RIGHT = 8   /**< words that are numbers as somebody prints them: they stand at the right */
};
typedef struct hf_column {
    const char *key;     /**< in CSV, JSON Lines and --columns: a-z, 0-9, _ */
    const char *heading; /**< in tables for people */
    const char *unit;    /**< "%", "h", "cycles"; of a word those that there can be, with | between; NULL: none, any */
    hf_column_kind kind;
    int digits; /**< significant digits in tables for people, of numbers without a 95% interval */
    unsigned flags;
} hf_column;

/** What people read of a word that is a number: the word, the number, its interval; of an estimate half of its interval. */
typedef enum hf_said { HF_SAID_AS_IT_IS, HF_SAID_VALUE, HF_SAID_INTERVAL, HF_SAID_HALF } hf_said;
/** A value, or that there is none: what nobody measured is null. */
typedef struct hf_cell {
    bool is_known;
    hf_said said;  /**< of a word or an estimate */
    int digits;    /**< of a word that is a number: significant digits where no interval says how many */
    hf_u128 count; /**< of a flag 0 or 1 */
    double value, low, high;
    const char *by;   /**< of an estimate: how its interval came about, such as "exact" or "wilson" */
    const char *word; /**< of an estimate: what people read in place of its bounds, such as "exact, part 2 of 4"; NULL: those.
                         Of an exact number "p/q"; NULL: not known as one. Of a big count that passes 128 bits its digits, with
                         its size in `value`; else NULL */
} hf_cell;
static inline hf_cell hf_cell_none(void) { return (hf_cell){.is_known = false}; }
static inline hf_cell hf_cell_count(hf_u128 n) { return (hf_cell){.is_known = true, .count = n}; }
/** Of a big count of any size. \param[in] digits NULL: `n` says it; else the decimal digits of what passes 128 bits, about x */
static inline hf_cell hf_cell_big(hf_u128 n, const char *digits, double x) {
    return (hf_cell){.is_known = true, .count = digits ? ~(hf_u128)0 : n, .value = x, .word = digits};
}
/** \param[in] x NaN: none */
static inline hf_cell hf_cell_real(double x) { return (hf_cell){.is_known = !isnan(x), .value = x}; }
static inline hf_cell hf_cell_flag(bool is_yes) { return (hf_cell){.is_known = true, .count = is_yes}; }
/** \param[in] fraction "p/q", NULL: not known */
static inline hf_cell hf_cell_exact(double x, const char *fraction) {
    return (hf_cell){.is_known = !isnan(x), .value = x, .word = fraction};
}
/** Of a range. */
static inline hf_cell hf_cell_range(double low, double value, double high) {
    return (hf_cell){.is_known = !isnan(value), .value = value, .low = low, .high = high};
}
/** Names too. \param[in] word NULL: none */
static inline hf_cell hf_cell_word(const char *word) { return (hf_cell){.is_known = word != NULL, .word = word}; }
/** A word that is a number, such as "9.52381%": programs read the word, people as many digits as an interval or what is published
 * supports. \param[in] value in the unit of the word  \param[in] low, high its interval, both `value`: it is exact  \param[in]
 * digits significant digits of an exact one */
static inline hf_cell hf_cell_said(const char *word, double value, double low, double high, int digits) {
    return (hf_cell){.is_known = word != NULL,
                     .said = HF_SAID_VALUE,
                     .digits = digits,
                     .value = value,
                     .low = low,
                     .high = high,
                     .word = word};
}
/** The interval of such a number. */
static inline hf_cell hf_cell_said_interval(const char *word, double value, double low, double high, int digits) {
    hf_cell cell = hf_cell_said(word, value, low, high, digits);
    cell.said = HF_SAID_INTERVAL;
    return cell;
}
/** \param[in] method name of the interval  \param[in] word see hf_cell */
static inline hf_cell hf_cell_estimate(double value, double low, double high, hf_interval_method method, const char *word) {
    return (hf_cell){
        .is_known = true, .value = value, .low = low, .high = high, .by = hf_interval_method_name(method), .word = word};
}
/** An estimate in the middle of its interval. \param[in] half of it, NaN: not known */
static inline hf_cell hf_cell_around(double value, double half, hf_interval_method method) {
    hf_cell cell = hf_cell_estimate(value, value - half, value + half, method, NULL);
    cell.said = HF_SAID_HALF;
    return cell;
}

/** One table of a report. */
typedef struct hf_report_table {
    const char *name; /**< "main", or what --table asks for */
    const char *note; /**< below it, or NULL */
    bool is_nested; /**< its rows belong to the row of the first table with the same first cell; in JSON they stand there, without
                       that cell; people see them where --table asks for them */
    bool is_asked;  /**< people see it where --table asks for it */
    const char *within; /**< in JSON it is an entry of that object, such as spec, or an earlier table of one row; NULL: of all;
                           "": its one row is no object of its own, what it says are entries of all */
    bool is_single;     /**< one row: in JSON an object and no list, null without it */
    const char *list;   /**< in JSON, neighbouring rows with the same first cell are one row, whose columns from `n_head` on stand
                           in   a list of that name, an entry each that says something; NULL: a row is a row */
    size_t n_head;
    const hf_column *column;
    size_t n_column;
    bool is_upright; /**< one row: it stands upright, a line a column, however wide */
    bool is_flat;    /**< its rows say flat what structured values of the first table say; it is left out of JSON */
    hf_cell *cell;
    size_t n_cell, room;
} hf_report_table;
/** What was asked, as a name and a value: `topology`, `kary-tree:k=4,n=3`. NULL: it was not given. */
typedef struct hf_argument {
    const char *name, *value;
} hf_argument;
/** What an answer comes to, where it is one of yes or no; the exit status of a command. */
typedef enum hf_answer { HF_ANSWER_YES = 0, HF_ANSWER_NO = 1, HF_ANSWER_OPEN = 3 } hf_answer;
/** What an answer gives besides tables: a witness, a certificate, a drawing, for a file of its own. */
typedef struct hf_attachment {
    const char *name, *text;
} hf_attachment;
enum { HF_REPORT_TABLES = 12, HF_REPORT_ARGUMENTS = 80, HF_REPORT_ATTACHMENTS = 4 };
/** An answer. Its cells live in the arena of the context that it was begun in. */
typedef struct hf_report {
    hf_context *cx;
    const char *title;     /**< one line: what was asked, of what */
    const char *caption;   /**< the same for LaTeX, which numbers its tables itself; NULL: `title` */
    const char *label;     /**< the question: "tolerance" */
    const char *reference; /**< of LaTeX, to refer to the table by; NULL: `label` */
    hf_answer answer;
    hf_report_table table[HF_REPORT_TABLES];
    size_t n_table;
    hf_argument argument[HF_REPORT_ARGUMENTS];
    hf_column_kind
        argument_kind[HF_REPORT_ARGUMENTS]; /**< how JSON shows it: _WORD, _FLAG ("yes" or "no"), _COUNT (null where it is the
                                               word for no limit), _BIG_COUNT, _REAL, _NAMES ("none", or with + between) */
    const char
        *argument_word[HF_REPORT_ARGUMENTS]; /**< another word for it, which --columns takes, too: that of the option; NULL */
    size_t n_argument;
    hf_attachment attachment[HF_REPORT_ATTACHMENTS];
    size_t n_attachment;
    const char *remark;   /**< lines below the tables, in text where it was asked for; NULL: none */
    bool remark_is_asked; /**< the arguments ask for it */
    bool failed;          /**< a cell found no room: hf_report_print() says so */
} hf_report;

/** An answer without tables yet. \param[in] title, label borrowed */
void hf_report_begin(hf_context *cx, const char *title, const char *label, hf_report *out);
/** What was asked; another value of an argument that is there replaces it. \param[in] name borrowed; the columns of --columns
 * know it by its name  \param[in] value NULL: not given */
void hf_report_argument(hf_report *report, const char *name, const char *value);
/** The same as a number or a flag. \param[in] kind see hf_report */
void hf_report_argument_as(hf_report *report, const char *name, const char *value, hf_column_kind kind);
/** The argument of this name, or of the option that it was given with. \return n_argument: there is none */
size_t hf_report_find_argument(const hf_report *report, const char *text, size_t size);
/** The next table; cells go into it from now on. \param[in] column borrowed, n_column of them */
void hf_report_table_begin(hf_report *report, const char *name, const hf_column *column, size_t n_column);
/** One more column of the table, which has no cells yet. */
void hf_report_add_column(hf_report *report, hf_column column);
/** The table is nested, see hf_report_table. */
void hf_report_nest(hf_report *report);
/** The table is flat, see hf_report_table. */
void hf_report_flatten(hf_report *report);
/** The table stands upright, see hf_report_table. */
void hf_report_upright(hf_report *report);
/** People see the table only where --table asks for it. */
void hf_report_await(hf_report *report);
/** A column of the table says nothing in this answer: people see it only where it is asked for. */
void hf_report_hide(hf_report *report, const char *key);
/** Where JSON has the table, see hf_report_table. */
void hf_report_place(hf_report *report, const char *within, bool is_single);
/** The rows of the table are entries of a list, see hf_report_table. \param[in] list borrowed */
void hf_report_group(hf_report *report, size_t n_head, const char *list);
/** \param[in] name borrowed  \param[in] text copied */
void hf_report_attach(hf_report *report, const char *name, const char *text);
/** The attachment of that name; NULL: there is none. */
const char *hf_report_attachment(const hf_report *report, const char *name);
/** What the answer comes to. */
hf_answer hf_report_answer(const hf_report *report);
/** See hf_report. \param[in] text copied */
void hf_report_remark(hf_report *report, const char *text);
/** Below the table, in formats for people. \param[in] note borrowed, or NULL */
void hf_report_note(hf_report *report, const char *note);
/** The next cell of the table, row by row. */
void hf_report_cell(hf_report *report, hf_cell cell);

/** How many rows that table has, 0 where there is none. \param[in] table NULL: the first */
size_t hf_report_rows(const hf_report *report, const char *table);
/** The i-th column of that table; NULL: it has no more, or there is no such table. \param[in] table NULL: the first */
const hf_column *hf_report_column(const hf_report *report, const char *table, size_t i);
/** The column of a key of `size` bytes among n; NULL: there is none such. */
const hf_column *hf_column_find(const hf_column *columns, size_t n, const char *key, size_t size);
/** What a row says under a key; NULL where there is no such table, row or column. */
const hf_cell *hf_report_value(const hf_report *report, const char *table, size_t row, const char *key);

/** A format. */
typedef enum hf_form {
    HF_FORM_TEXT,
    HF_FORM_CSV,   /**< RFC 4180, one table, numbers as plain numbers, nothing for null */
    HF_FORM_JSONL, /**< JSON Lines: an object a row, of all tables, with "table" first */
    HF_FORM_MARKDOWN,
    HF_FORM_LATEX,
    HF_FORM_HTML, /**< tables for a page, each with its caption; the page itself is not there */
    HF_FORM_JSON, /**< an object (docs/json.md): arguments as `spec`, the first table as `rows`, others by their names */
    HF_FORMS
} hf_form;
/** "text", "csv", "jsonl", "markdown", "latex", "html", "json". */
const char *hf_form_name(hf_form form);
/** \return HF_EINVAL that lists the formats */
hf_status hf_form_find(hf_context *cx, const char *name, hf_form *out);

/** How to print. */
typedef struct hf_report_style {
    hf_form form;
    const char *columns; /**< keys of columns and names of arguments, with commas; NULL: those that say something */
    const char *table;   /**< the table of CSV; NULL: the first */
    int digits;          /**< significant digits of numbers that are not whole; 0: those of the column, 12 for programs */
    bool all;            /**< also columns that are shown only where asked for */
    bool remarks;        /**< the remark, in text */
    /** The table turned, as a paper has it: keys of columns and names of arguments with commas, down, across, and what stands in
     * each place; NULL: it is not turned, or nothing stands across. `columns` then names those of the turned table. */
    const char *rows, *across, *cell;
    const char *where; /**< of a turned table: only rows in which this column says something; NULL: all */
    const char *label; /**< of LaTeX and HTML: the first table is tab:LABEL; NULL: what the report says */
} hf_report_style;
/** \return HF_EINVAL that names a column or table that is not there, with those that are; HF_ENOMEM */
hf_status hf_report_print(const hf_report *report, const hf_report_style *style, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
