/** \file
 *  A call of one of our functions by name, from a language that is not C: its arguments as they come, and its result. */
#ifndef HOLDFAST_SRC_CORE_CALL_H
#define HOLDFAST_SRC_CORE_CALL_H

#include <holdfast/core/call.h>

enum { HF_CALL_ARGUMENTS = 20, HF_CALL_ERROR = 256, HF_CALL_TEXT_SIZE = 256 };

typedef struct hf_call {
    const char *prefix, *name; /**< for messages: "net:", "coord" */
    hf_call_value argument[HF_CALL_ARGUMENTS];
    size_t n, next; /**< arguments; how many are taken */
    hf_call_value result;
    char text[HF_CALL_TEXT_SIZE]; /**< room for a text that is made */
    char error[HF_CALL_ERROR];    /**< one sentence; "": none */
    hf_status failure;            /**< with the message of the context; HF_OK: none */
    size_t held;                  /**< bytes that the call made us hold */
} hf_call;

/** A hop as a rule in another language names it. */
typedef struct hf_call_hop {
    uint32_t channel, vc;
    uint32_t tag; /**< HF_NONE: it names none */
    bool is_escape;
} hf_call_hop;

/** A function NAME(...), and a number NAME. Lists of them end with {0}. */
typedef struct hf_call_method {
    const char *name;
    void (*run)(hf_call *call, void *user);
} hf_call_method;
typedef struct hf_call_field {
    const char *name;
    uint32_t value;
} hf_call_field;

/** Before its arguments are there. */
void hf_call_begin(hf_call *call, const char *prefix, const char *name);
bool hf_call_has_more(const hf_call *call);
/** Take the next argument, an id or number in [0, count). \param[in] what for the message: "a switch". \return false if it is
 *  none: the call has its error, and the function returns at once. */
bool hf_call_take(hf_call *call, const char *what, uint32_t count, uint32_t *out);
bool hf_call_take_text(hf_call *call, const char *what, const char **out);
/** Give the result; without any it is nothing. Texts and lists are borrowed until the next call. */
void hf_call_give(hf_call *call, uint32_t value);
void hf_call_give_truth(hf_call *call, bool value);
void hf_call_give_text(hf_call *call, const char *text);
void hf_call_give_list(hf_call *call, const uint32_t *list, size_t n);

#endif
