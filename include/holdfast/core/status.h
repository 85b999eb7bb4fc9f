/** \file
 *  Status codes: what every fallible function of the library returns.
 *  One X-macro holds the codes and their texts. */
#ifndef HOLDFAST_STATUS_H
#define HOLDFAST_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** X(NAME, text): the one list of status codes. */
#define HF_STATUS_MAP(X)                                                                                                         \
    X(OK, "done")                                                                                                                \
    X(ENOMEM, "out of memory")                                                                                                   \
    X(EINVAL, "invalid argument, specification or file content")                                                                 \
    X(ERANGE, "a value is outside of the allowed or representable range")                                                        \
    X(ENOENT, "no such name or file")                                                                                            \
    X(EIO, "reading or writing failed")                                                                                          \
    X(ESTORE, "the results store cannot be used")                                                                                \
    X(ESTOP, "stopped on request")                                                                                               \
    X(ENOTSUP, "not supported by this topology, routing or universe")                                                            \
    X(EFOREIGN, "a foreign library failed")

/** HF_OK, or what kind of failure it was; the sentence is in the context (context.h). */
typedef enum hf_status {
#define HF_STATUS_ENUM(name, text) HF_##name,
    HF_STATUS_MAP(HF_STATUS_ENUM)
#undef HF_STATUS_ENUM
        HF_STATUS_COUNT
} hf_status;

/** The text of a status code; a static string, never NULL. */
const char *hf_status_text(hf_status status);

/** Pass a failure on to the caller. */
#define HF_TRY(call)                                                                                                             \
    do {                                                                                                                         \
        hf_status hf_try_status_ = (call);                                                                                       \
        if (hf_try_status_ != HF_OK) {                                                                                           \
            return hf_try_status_;                                                                                               \
        }                                                                                                                        \
    } while (0)

/** Pass a failure on by way of the label `done`, which releases what is held.
 *  Needs a variable `hf_status status` in scope. */
#define HF_TRY_DONE(call)                                                                                                        \
    do {                                                                                                                         \
        status = (call);                                                                                                         \
        if (status != HF_OK) {                                                                                                   \
            goto done;                                                                                                           \
        }                                                                                                                        \
    } while (0)

/** Write a message into `cx` and return `code`: HF_FAIL(cx, HF_EINVAL, "k=%u, need k >= 2", k).
 *  Returns `code` itself, so that a checker of one file at a time sees that it is a failure. */
#define HF_FAIL(cx, code, ...)                                                                                                   \
    do {                                                                                                                         \
        const hf_status hf_fail_code_ = (code);                                                                                  \
        hf_context_fail((cx), hf_fail_code_, __FILE__, __LINE__, __VA_ARGS__);                                                   \
        return hf_fail_code_;                                                                                                    \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
