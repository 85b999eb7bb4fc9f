/** \file
 *  Values that go between the library and languages that are not C. */
#ifndef HOLDFAST_CALL_H
#define HOLDFAST_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/core/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a value is. */
typedef enum hf_call_kind {
    HF_CALL_NOTHING,
    HF_CALL_NUMBER,
    HF_CALL_TRUTH, /**< in `number` */
    HF_CALL_TEXT,
    HF_CALL_LIST, /**< of numbers */
    HF_CALL_OTHER /**< `text` is how its language prints it */
} hf_call_kind;

/** One value, by its kind. */
typedef struct hf_call_value {
    hf_call_kind kind;
    int64_t number;
    const char *text;
    const uint32_t *list;
    size_t n; /**< of the list */
} hf_call_value;

#ifdef __cplusplus
}
#endif
#endif
