/** \file
 *  Questions about networks. A question is a plug-in: one file in src/question that ends in a descriptor, and one line in
 * list.def. The descriptor makes it a command with options, help and completion, a cell of studies, and a call of this library;
 * its answer is a report, which has every format.
 *
 *      hf_report answer;
 *      const hf_argument arguments[] = {{"topology", "kary-tree:k=4,n=2"}, {"routing", "updown"}};
 *      status = hf_ask(cx, "cost", arguments, 2, &answer);
 */
#ifndef HOLDFAST_QUESTION_H
#define HOLDFAST_QUESTION_H

#include <holdfast/analysis/load.h>
#include <holdfast/campaign.h>
#include <holdfast/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a question can be asked of. Each but HF_SCENE_UNIVERSE is one argument: `topology`, `routing`, `criterion`, `traffic`,
 * `failed`; that one is two, `universe` and `only`. */
enum {
    HF_SCENE_TOPOLOGY = 1u << 0,
    HF_SCENE_ROUTING = 1u << 1,
    HF_SCENE_UNIVERSE = 1u << 2,
    HF_SCENE_CRITERION = 1u << 3,
    HF_SCENE_TRAFFIC = 1u << 4,
    HF_SCENE_FAILED = 1u << 5
};
/** What a question is asked of: opened once, and read by all who ask. */
typedef struct hf_scene {
    unsigned has; /**< HF_SCENE_*: which of the following are there */
    hf_topology *topo;
    hf_rule rule;
    hf_universe *universe; /**< the question's own where nobody said which */
    hf_criterion criterion;
    hf_traffic *traffic;
    hf_fault_set failed; /**< of `universe` where there is one; empty where nothing has failed. Lives in the arena */
} hf_scene;

/** The most threads that a question takes. */
enum { HF_THREADS_MOST = 1024 };

/** How the work is done; the answer is the same. */
typedef struct hf_conduct {
    uint32_t threads; /**< 0: all cores; HF_THREADS_MOST at the most */
    void (*progress)(void *user, const hf_progress *progress);
    void *progress_user;
    /** Give a campaign a journal before it runs; NULL: nothing is kept. */
    hf_status (*keep)(hf_context *cx, void *user, hf_campaign *campaign);
    void *keep_user;
    hf_forecast *forecast; /**< NULL, or: the question's first campaign is measured at random and told there, and the question
                      ends with HF_ESTOP, see hf_campaign */
    const char *const *attachments; /**< those of the question that are wanted, as "svg" or, with the file that it goes to,
                                       "svg=a.svg"; ends with NULL. NULL: what takes no work */
    bool are_alone;                 /**< nothing but attachments is shown: tables can be left without what takes long */
} hf_conduct;

typedef struct hf_question hf_question;
/** What was asked. */
typedef struct hf_asked {
    const hf_question *question;
    const hf_scene *scene;
    const void *args;  /**< the struct that the question's parameters fill */
    const bool *given; /**< by parameter, in their order */
    const hf_conduct *conduct;
} hf_asked;
/** Was the parameter of that name given, or left to its default? */
bool hf_asked_given(const hf_asked *asked, const char *name);
/** Is the attachment of that name wanted? */
bool hf_asked_wants(const hf_asked *asked, const char *attachment);
/** The file that it is going to be written to. \return NULL: not wanted, or not known */
const char *hf_asked_path(const hf_asked *asked, const char *attachment);

/** Parameters of a question, of its own or shared with others, and where the struct that they fill stands. */
typedef struct hf_question_part {
    const hf_group *group;
    size_t at;        /**< bytes into the struct of all its arguments */
    const char *with; /**< asked only where that parameter, or one of several with blanks between, is given; NULL: always */
    bool beside;      /**< given too where `instead` of the question is */
} hf_question_part;

/** Another first table of a question. */
typedef struct hf_question_form {
    const char *given; /**< a parameter or an attachment, with which the answer has this first table */
    const char *table;
    const hf_column *columns; /**< ends with {0} */
} hf_question_form;

/** A question: what it is asked of, what can be said with it, what a row of its answer has, and how it is answered. */
struct hf_question {
    const char *name, *summary;
    const char *about;             /**< some sentences and an example, in lines of up to 120 characters */
    const char *source;            /**< of its definitions or formulas: the citation; NULL: none */
    unsigned scene, scene_maybe;   /**< HF_SCENE_*: what must be there; what can be there. A universe that can be there is the
                                      one of `failed` alone, and there where `walked` is given */
    const char *walked;            /**< the parameter that says how much fails, of what, or several with blanks between; NULL:
                                      faults */
    const char *word;              /**< a parameter of its scene that can be given as a word without its name; NULL: none */
    const char *traffic;           /**< the pattern where nobody said it; NULL: it must be said */
    const char *universe;          /**< what can fail where nobody said it; NULL: channels */
    const hf_argument *universes;  /**< the same where a flag is given: its name, and the universe; ends with {0}; NULL: none */
    const hf_question_part *parts; /**< its parameters, ends with {0} */
    size_t args_size;              /**< of the struct of all its arguments, bytes */
    const char *one_of;            /**< exactly one of these parameters is given, blanks between; NULL: as each says */
    const char *instead;           /**< a parameter that takes the place of the scene and of the parts without it, such as a
                                      file of an earlier answer: none of those is given with it, but for parts beside it; NULL: none */
    const char *const *tables;     /**< names of the tables that can follow the first, ends with NULL; NULL: none */
    const hf_param *attachments;   /**< what the answer can have besides tables: name, unit, help, `bare` of "" where it can be
                                      shown below them, type BOOL where it takes the place of the tables in what a command
                                      prints, HF_PARAM_OPTIONAL where not every answer has it, `with` a parameter that it
                                      needs; ends with {0}; NULL:   nothing */
    bool walks;                    /**< runs over many fault sets: has threads, progress, a store */
    bool threads;                  /**< has threads without that */
    bool knows_flows;              /**< it is asked of the flows of `flows`, where these are given; else of all pairs */
    bool knows_classes;            /**< it is asked of the message classes of `classes`, where these are given */
    bool outlines;                 /**< of its network it only counts, where the scene has no more than that and a rule */
    const char *table;             /**< name of its first table: what its rows are */
    const hf_column *columns;      /**< of that table, ends with {0} */
    const hf_question_form *forms; /**< other first tables, that which fits first; ends with {0}; NULL: none */
    /** Answer: add rows to the first table, which is begun, and begin others. The report has the arguments and what follows from
     * them; the scene may go afterwards. \return HF_ESTOP where stopped */
    hf_status (*ask)(hf_context *cx, const hf_asked *asked, hf_report *answer);
    /** Check a file of its first attachment again, without trust in how it was made: fill the answer as ask() does. NULL: none
     * can be checked. \return HF_EINVAL: it is no such file */
    hf_status (*check)(hf_context *cx, const char *file, hf_report *answer);
};

/** The registry. */
size_t hf_question_count(void);
const hf_question *hf_question_at(size_t i);
/** \return HF_ENOENT that names the nearest */
hf_status hf_question_find(hf_context *cx, const char *name, const hf_question **out);

/** The i-th parameter of a question, those of its scene first. \return NULL: there are no more */
const hf_param *hf_question_param(const hf_question *question, size_t i);
/** That of a name. \return NULL: it takes none such */
const hf_param *hf_question_param_named(const hf_question *question, const char *name);
/** What it belongs to, for the headings of help and manual: "network" for those of the scene, or a topic, or the name of its
 * group. */
const char *hf_question_topic(const hf_question *question, size_t i);
/** Must it be given? */
bool hf_question_requires(const hf_question *question, size_t i);
/** What it is where it is not given; NULL: nothing. */
const char *hf_question_fallback(const hf_question *question, size_t i);
/** The columns of its first table, where these arguments are given and these attachments wanted. \param[in] attachments ends
 * with NULL; NULL: none  \param[out] table its name, or NULL */
const hf_column *hf_question_columns(const hf_question *question, const hf_argument *arguments, size_t n,
                                     const char *const *attachments, const char **table);
/** An answer without rows, as it is known before the question is asked: its arguments and its first table, see
 * hf_question_columns(). */
hf_status hf_question_outline(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                              const char *const *attachments, hf_report *out);

/** Are they arguments of the question, each once, and none without those that it belongs to? Their values are not looked at. */
hf_status hf_question_check(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments,
                            size_t n);

/** Open what the arguments name. \param[in] what for messages: "study"; NULL: an argument is an option of the command line.
 *  \param[out] out release with hf_scene_close() */
hf_status hf_scene_open(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                        hf_scene *out);
void hf_scene_close(hf_scene *scene);

/** Ask. \param[in] what as of hf_scene_open()  \param[in] scene opened for this question with the same arguments; NULL: open one.
 *  \param[in] conduct NULL: all cores, no progress, nothing kept.
 *  \param[out] answer lives in the arena of cx
 *  \return HF_EINVAL, HF_ERANGE or HF_ENOENT for arguments, with what would be right; others as the question fails */
hf_status hf_question_ask(hf_context *cx, const hf_question *question, const char *what, const hf_scene *scene,
                          const hf_argument *arguments, size_t n, const hf_conduct *conduct, hf_report *answer);
/** Measure what the answer would take. \param[in,out] forecast its `seconds` are taken; rows are added  \param[out] asked
 * arguments and title  \return HF_EINVAL where the question walks over no fault sets; else as hf_question_ask() */
hf_status hf_question_measure(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                              const hf_conduct *conduct, hf_forecast *forecast, hf_report *asked);
/** The same as an answer: sets, orbits or states that are left to look at, the rate of this machine, core hours and bytes,
 *  a row for each f and one for all. \param[in] nodes machines like this one that share the work, at least 1
 *  \param[in] seconds about so many are taken to measure \return as hf_question_measure() */
hf_status hf_question_forecast(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                               const hf_conduct *conduct, uint32_t nodes, double seconds, hf_report *answer);
/** The columns of that answer's table, ends with {0}. */
extern const hf_column hf_forecast_columns[];
/** The same by name. */
hf_status hf_ask(hf_context *cx, const char *question, const hf_argument *arguments, size_t n, hf_report *answer);

/** The same with more said, for a language that knows no struct but by its address. \param[in] conduct NULL: as hf_ask()
 * \param[out] answer in the arena of cx, for hf_report_print(), hf_report_attachment() and hf_report_answer() */
hf_status hf_ask_new(hf_context *cx, const char *question, const hf_argument *arguments, size_t n, const hf_conduct *conduct,
                     const hf_report **answer);

/** Check a file that the question can check, see hf_question. \param[out] answer lives in the arena of cx; HF_ANSWER_YES:
 * confirmed, _NO: refuted, _OPEN: another version wrote it */
hf_status hf_question_check_file(hf_context *cx, const hf_question *question, const char *file, hf_report *answer);

#ifdef __cplusplus
}
#endif
#endif
