/** \file
 *  Parameters and specs. One token names anything: "kary-tree:k=4,n=3", "ft2ei:intervals=2", "links".
 *  Everything is parsed against the parameters of a descriptor, so ranges, defaults and help are said once. */
#ifndef HOLDFAST_SPEC_H
#define HOLDFAST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most parameters of a descriptor, and most numbers of a DIMS. */
enum { HF_PARAM_MAX = 32, HF_DIMS_MAX = 16 };
/** The value of a count that is written "unlimited". */
#define HF_UNLIMITED UINT64_MAX

/** How the text of a parameter is read. */
typedef enum hf_param_type {
    HF_PARAM_UINT,   /**< decimal integer in [low, high] */
    HF_PARAM_COUNT,  /**< as UINT, or the word "unlimited" */
    HF_PARAM_BOOL,   /**< yes or no */
    HF_PARAM_WORD,   /**< one of `words` */
    HF_PARAM_DIMS,   /**< 4x4x8: 1 to HF_DIMS_MAX integers in [low, high] */
    HF_PARAM_TEXT,   /**< any text, in a spec one without a comma: a path, an order */
    HF_PARAM_REAL,   /**< a plain decimal in [low, high] */
    HF_PARAM_AMOUNT, /**< so many, an integer in [low, high]; or a share of all, above 0% and up to 100%: 50%, 12.5% */
    HF_PARAM_WORDS   /**< none, or some of `words` with + between, outside of a spec also commas: msg+ack */
} hf_param_type;

/** Flags of a parameter. */
enum {
    HF_PARAM_SHOWN = 1u << 0 /**< printed in the canonical form even at its default */,
    HF_PARAM_POSITIONAL = 1u << 1, /**< may be given without "name=" as the first argument: file:PATH */
    HF_PARAM_ABOVE = 1u << 2,      /**< REAL: above `low` */
    HF_PARAM_BELOW = 1u << 4,      /**< REAL: below `high` */
    HF_PARAM_OPTIONAL = 1u << 3    /**< TEXT or REAL of a question without a default: NULL or 0 where it is not given */
};

/** One parameter of a descriptor; arrays end with {0}. */
typedef struct hf_param {
    const char *name;
    hf_param_type type;
    const char *fallback;     /**< default as text; NULL: must be given */
    uint64_t low, high;       /**< range of UINT, COUNT, DIMS, AMOUNT and REAL */
    const char *const *words; /**< WORD, WORDS: the choices, ends with NULL */
    unsigned flags;
    const char *help; /**< one line, without full stop, units given */
    const char
        *unit; /**< what a value counts or names, in the singular or plural that help uses: "flits"; NULL: nothing special */
    size_t offset, size; /**< of a group: the field that the value goes to, see HF_FIELD; size 0: none */
    const void *values;  /**< WORD with a field: what stands in it for each of `words`, `size` bytes each; NULL: the index */
    const char *with;    /**< of a question: asked only where one of these parameters is given, "faults", or is that,
                            "method=sampled"; blanks    between; NULL: always */
    const char *without; /**< of a question: not asked where that parameter is given; NULL: always */
    const char *bare;    /**< of a question: what it is where only its name is given, as in --repair; another value then follows
                            "=". NULL: it has always one */
    const char *const *each; /**< of a question, a TEXT: a list of `low` to `high` values, one for each of these parameters of it,
                                which ends with NULL; what is not in the list has its default. NULL: it is no list */
    bool lists; /**< of a question: the value may list others of its parameters, "buffer=16,flow=bubble"; a WORD may stand before
                   them */
    /** Of a TEXT: HF_EINVAL where it is no such text, with what would be right; NULL: whoever asks looks at it. \param[in] name
     * for messages: "--burst", or "burst" */
    hf_status (*accepts)(hf_context *cx, const char *name, const char *text);
    const char *topic; /**< of a question: what help and manual call it and those behind it; NULL: as before it, at first as their
                          group */
    const char *key;   /**< of a question: its name in tables and JSON; NULL: `name` with _ in the place of - */
    const char *was;   /**< of a question: an older name, which is still understood and shown nowhere; NULL: none */
} hf_param;

/** Where the value of a parameter goes: a bool, an enum, a uint32_t or a uint64_t of a struct; of a TEXT a const char *, of a
 * REAL a double. */
#define HF_FIELD(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/** The list of a descriptor that takes no parameters. */
extern const hf_param hf_no_params[];

/** A share of 100%, in the unit of an AMOUNT: thousandths of a percent. */
#define HF_SHARE_ALL 100000u

/** The value of one parameter; which field holds it, its type says. */
typedef struct hf_value {
    uint64_t number; /**< UINT, COUNT; BOOL 0 or 1; WORD index in words; WORDS bits by their index; DIMS: how many; AMOUNT, in
                        units or shares */
    bool is_share;   /**< AMOUNT: `number` is a share, in thousandths of a percent */
    uint64_t dims[HF_DIMS_MAX]; /**< DIMS */
    double real;                /**< REAL */
    const char *text;           /**< TEXT; borrowed from the args' own storage */
} hf_value;

/** Parsed arguments, one value per parameter in the order of the descriptor. */
typedef struct hf_args {
    const hf_param *params;
    size_t count;
    hf_value value[HF_PARAM_MAX];
    bool given[HF_PARAM_MAX]; /**< else the value is the default */
    char *storage;            /**< texts live here; owned */
    hf_allocator allocator;
} hf_args;

/** Value of the parameter called `name`; it must be in the descriptor (asserted). */
const hf_value *hf_args_get(const hf_args *args, const char *name);
void hf_args_free(hf_args *args);

/** Split "name:rest". \param[out] name_size bytes of the name. \return pointer to what follows the colon, "" if no colon. */
const char *hf_spec_split(const char *spec, size_t *name_size);
/** Parse the part after the colon against `params`.
 *  \param[in] what,name for messages: "topology", "kary-tree"
 *  \return HF_OK; HF_EINVAL (unknown, repeated, malformed or missing parameter), HF_ERANGE (out of range); the message names
 *  the value, the range and the nearest name. */
hf_status hf_args_parse(hf_context *cx, const char *what, const char *name, const hf_param *params, const char *text,
                        hf_args *out);
/** Canonical spec: name, then the parameters in descriptor order that are not at their default or are HF_PARAM_SHOWN. Heap, free
 * with hf_release(). */
hf_status hf_args_canonical(hf_context *cx, const char *name, const hf_args *args, char **out);
/** Read one value. \param[in] what,name as of hf_args_parse(); `what` NULL: messages name the parameter as an option,
 * "--buffer=0" \param[out] out a TEXT is borrowed from `text`. \return as hf_args_parse() */
hf_status hf_param_read(hf_context *cx, const char *what, const char *name, const hf_param *param, const char *text,
                        hf_value *out);

/** Parameters that fill a struct. Said once: the command line makes options of them, a study and C read them as one text. Each
 *  has a default; those without a field only choose what the others start from. */
typedef struct hf_group {
    const char *name; /**< "router": in messages, and before the canonical text */
    const hf_param *params;
    /** What the word of the first parameter stands for, written over the defaults; NULL: nothing. */
    void (*base)(uint64_t word, void *object);
    /** Choose what was not given by what was, at the end. \param[in] given by parameter. NULL: nothing to choose. */
    void (*settle)(const bool *given, void *object);
} hf_group;
/** Set every field that has a parameter to its default; the others stay as they are. */
void hf_group_defaults(const hf_group *group, void *object);
/** Read "buffer=16,flow=bubble"; what is not said gets its default, fields without a parameter stay as they are.
 *  \return as hf_args_parse() */
hf_status hf_group_read(hf_context *cx, const hf_group *group, const char *text, void *object);
/** Canonical text: the name, then what is not at its default in the order of the table. hf_group_read() makes the same struct of
 *  what follows the colon. Heap, free with hf_release(). */
hf_status hf_group_write(hf_context *cx, const hf_group *group, const void *object, char **out);
/** The canonical text of a value. \param[out] out in the arena; NULL for a text that is not there */
hf_status hf_param_text(hf_context *cx, const hf_param *param, const hf_value *value, char **out);
/** Put the value of a parameter into its field. */
void hf_param_store(const hf_param *param, const hf_value *value, void *object);
/** The value that stands in the field of a parameter; the default where it has none. */
void hf_param_load(const hf_param *param, const void *object, hf_value *out);
/** The name nearest to `wrong` among `names` (ends with NULL) by edit distance; NULL if none is near. */
const char *hf_spec_nearest(const char *wrong, size_t size, const char *const *names);
/** Fail with: no WHAT is called "WRONG"; did you mean "NEAR"? (or the list when it is short). Always HF_ENOENT. */
hf_status hf_spec_unknown(hf_context *cx, const char *what, const char *wrong, size_t size, const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
