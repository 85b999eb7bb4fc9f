/** \file
 *  What was said to a question. */
#ifndef HOLDFAST_SRC_QUESTION_ASK_H
#define HOLDFAST_SRC_QUESTION_ASK_H

#include <holdfast/question.h>

enum { HF_ASKED_MAX = 128 /* arguments */ };

/** A parameter and where it is from: the bit of the scene, or the part. */
typedef struct hf_asked_param {
    const hf_param *param; /**< NULL: there are no more */
    unsigned bit;
    const hf_question_part *part;
} hf_asked_param;
/** The i-th, those of the scene first. */
hf_asked_param hf_asked_param_at(const hf_question *question, size_t i);
bool hf_asked_must_be_given(const hf_param *p);
/** What a part of the scene is itself called: "routing". */
const char *hf_asked_part_name(unsigned bit);
/** The parts of the scene that must be given. */
unsigned hf_asked_parts(const hf_question *question);
/** The parameters that ask for fault sets, a list as of hf_asked_gives_any(). */
const char *hf_asked_walked_by(const hf_question *question);
/** The universe where none is named. */
const char *hf_asked_universe(const hf_question *question, const hf_argument *arguments, size_t n);
/** The value of the argument of that name; NULL: it is not given. */
const char *hf_asked_value(const hf_argument *arguments, size_t n, const char *name);
/** Is one of the parameters of a list given? \param[in] list names, "method" or "method=sampled", with blanks between */
bool hf_asked_gives_any(const char *list, const hf_argument *arguments, size_t n);
/** Is one of those given that the parameter of that name belongs to, if it belongs to any? */
hf_status hf_asked_has_company(hf_context *cx, const hf_question *question, const char *name, const hf_argument *arguments,
                               size_t n, bool *out);
/** Older names become those of today. \param[in,out] arguments those that are there, and then in the arena */
hf_status hf_asked_rename(hf_context *cx, const hf_question *question, const hf_argument **arguments, size_t n);
/** What belongs to a value of another parameter asks for it: `samples` alone is `method=sampled`, too. \param[in,out] arguments
 * those that are there, and then in the arena; arguments of the question, each once */
hf_status hf_asked_imply(hf_context *cx, const hf_question *question, const hf_argument **arguments, size_t *n);
/** Has a parameter no value of its own, but lists those of others? */
bool hf_asked_is_list(const hf_param *param);
/** What "NAME=VALUE,NAME=VALUE" says, each once. A word of the parameter itself may stand first.
 *  \param[in] what as of hf_scene_open()  \param[in] param one that lists others  \param[in,out] n the arguments go behind those
 *  that are in `out`  \param[in] most room of `out`
 *  \return HF_EINVAL, HF_ENOENT, HF_ERANGE with what would be right */
hf_status hf_asked_read_list(hf_context *cx, const hf_question *question, const char *what, const hf_param *param,
                             const char *text, hf_argument *out, size_t most, size_t *n);
/** Lists of parameters by name become arguments of their own; what is given itself goes before them. \param[in,out] arguments
 * those that are there, and then in the arena */
hf_status hf_asked_unlist(hf_context *cx, const hf_question *question, const char *what, const hf_argument **arguments,
                          size_t *n);
/** Lists with a value for each of some parameters become what they say of those that are not given themselves.
 *  \param[in,out] arguments as of hf_asked_unlist() */
hf_status hf_asked_spread(hf_context *cx, const hf_question *question, const char *what, const hf_argument **arguments,
                          size_t *n);
/** Is a parameter given that takes the place of what is not its own? */
bool hf_asked_is_replaced(const hf_question *question, const hf_argument *arguments, size_t n);
/** Of the part that has that parameter, or beside it. */
bool hf_asked_is_kept(const hf_question *question, const hf_question_part *part);
/** Read the parameters into the struct that they fill. \param[in] what as of hf_scene_open()  \param[out] given by parameter, in
 * their order  \param[out] args zeroed, args_size bytes */
hf_status hf_asked_read(hf_context *cx, const hf_question *question, const char *what, const hf_argument *arguments, size_t n,
                        bool *given, char *args);
/** What the scene of these arguments is made of: questions with the same text open the same scene. \param[out] out in the
 * arena */
hf_status hf_scene_key(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n, char **out);
/** Fail: an argument is missing. \param[in] what as of hf_scene_open() */
hf_status hf_asked_refuse_missing(hf_context *cx, const hf_question *question, const char *what, const char *name);

#endif
