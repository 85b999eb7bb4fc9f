/** \file
 *  Parameters and specs. One token names anything: "kary-tree:k=4,n=3", "ft2ei:intervals=2", "links".
 *  Everything is parsed against the parameters of a descriptor, so ranges, defaults and help are said once. */
#ifndef HOLDFAST_SPEC_H
#define HOLDFAST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most parameters of a descriptor, and most numbers of a DIMS. */
enum { HF_PARAM_MAX = 24, HF_DIMS_MAX = 16 };
/** The value of a count that is written "unlimited". */
#define HF_UNLIMITED UINT64_MAX

/** How the text of a parameter is read. */
typedef enum hf_param_type {
    HF_PARAM_UINT,  /**< decimal integer in [low, high] */
    HF_PARAM_COUNT, /**< as UINT, or the word "unlimited" */
    HF_PARAM_BOOL,  /**< yes or no */
    HF_PARAM_WORD,  /**< one of `words` */
    HF_PARAM_DIMS,  /**< 4x4x8: 1 to HF_DIMS_MAX integers in [low, high] */
    HF_PARAM_TEXT,  /**< any text without a comma: a path, an order */
    HF_PARAM_AMOUNT /**< so many, an integer in [low, high]; or a share of all, above 0% and up to 100%: 50%, 12.5% */
} hf_param_type;

/** Flags of a parameter. */
enum {
    HF_PARAM_SHOWN = 1u << 0 /**< printed in the canonical form even at its default */,
    HF_PARAM_POSITIONAL = 1u << 1 /**< may be given without "name=" as the first argument: file:PATH */
};

/** One parameter of a descriptor; arrays end with {0}. */
typedef struct hf_param {
    const char *name;
    hf_param_type type;
    const char *fallback;     /**< default as text; NULL: must be given */
    uint64_t low, high;       /**< range of UINT, COUNT, DIMS and AMOUNT */
    const char *const *words; /**< WORD: the choices, ends with NULL */
    unsigned flags;
    const char *help; /**< one line, without full stop, units given */
} hf_param;

/** The list of a descriptor that takes no parameters. */
extern const hf_param hf_no_params[];

/** A share of 100%, in the unit of an AMOUNT: thousandths of a percent. */
#define HF_SHARE_ALL 100000u

/** The value of one parameter; which field holds it, its type says. */
typedef struct hf_value {
    uint64_t number;            /**< UINT, COUNT; BOOL 0 or 1; WORD index in words; DIMS: how many; AMOUNT, in units or shares */
    bool is_share;              /**< AMOUNT: `number` is a share, in thousandths of a percent */
    uint64_t dims[HF_DIMS_MAX]; /**< DIMS */
    const char *text;           /**< TEXT; borrowed from the args' own storage */
} hf_value;

/** Parsed arguments, one value per parameter in the order of the descriptor. */
typedef struct hf_args {
    const hf_param *params;
    size_t count;
    hf_value value[HF_PARAM_MAX];
    char *storage; /**< texts live here; owned */
    hf_allocator allocator;
} hf_args;

/** Value of the parameter called `name`; it must be in the descriptor (asserted). */
const hf_value *hf_args_get(const hf_args *args, const char *name);
void hf_args_free(hf_args *args);

/** Split "name:rest". \param[out] name_size bytes of the name. \return pointer to what follows the colon, "" if no colon. */
const char *hf_spec_split(const char *spec, size_t *name_size);
/** Parse the part after the colon against `params`.
 *  \param[in] what,name for messages: "topology", "kary-tree"
 *  \return HF_OK; HF_EINVAL (unknown, repeated, malformed or missing parameter), HF_ERANGE (out of range); the message names the
 * value, the range and the nearest name. */
hf_status hf_args_parse(hf_context *cx, const char *what, const char *name, const hf_param *params, const char *text,
                        hf_args *out);
/** Canonical spec: name, then the parameters in descriptor order that are not at their default or are HF_PARAM_SHOWN. Heap, free
 * with hf_release(). */
hf_status hf_args_canonical(hf_context *cx, const char *name, const hf_args *args, char **out);
/** The name nearest to `wrong` among `names` (ends with NULL) by edit distance; NULL if none is near. */
const char *hf_spec_nearest(const char *wrong, size_t size, const char *const *names);
/** Fail with: no WHAT is called "WRONG"; did you mean "NEAR"? (or the list when it is short). Always HF_ENOENT. */
hf_status hf_spec_unknown(hf_context *cx, const char *what, const char *wrong, size_t size, const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
