/** \file
 *  Work with an end in a study: tasks with barriers, traces of messages, programs. */
#ifndef HOLDFAST_SRC_STUDY_WORK_H
#define HOLDFAST_SRC_STUDY_WORK_H

#include <holdfast/protocol.h>

typedef enum hf_study_work_kind {
    HF_STUDY_WORK_NONE, /**< a load without end */
    HF_STUDY_WORK_BARRIER,
    HF_STUDY_WORK_FILE,      /**< a trace out of a file */
    HF_STUDY_WORK_GENERATED, /**< a trace: what a load generates in its first cycles */
    HF_STUDY_WORK_PROGRAM
} hf_study_work_kind;

typedef struct hf_study_work {
    hf_study_work_kind kind;
    hf_barrier barrier;
    const char *path;       /**< of a file; borrowed */
    uint64_t cycles;        /**< that a load generates for */
    uint32_t message_flits; /**< that it generates at once; 0: a packet */
    hf_benchmark program;
    char *text;           /**< canonical; owned, NULL where there is none */
    uint64_t cycle_limit; /**< the work is given up there; 0: never */
} hf_study_work;

/** Read the text of a key. \param[in,out] out kind, what belongs to it and `text` are set
 *  \return HF_EINVAL, HF_ERANGE, HF_ENOENT with the value and what would be right */
hf_status hf_study_barrier_parse(hf_context *cx, const char *text, hf_study_work *out);
/** "file:PATH", "generated:cycles=10000,message=0". */
hf_status hf_study_trace_parse(hf_context *cx, const char *text, hf_study_work *out);
/** "add", "reverse", "quicksort", "nbody". */
hf_status hf_study_program_parse(hf_context *cx, const char *text, hf_study_work *out);

/** Does the work go through the loads of its cell? */
static inline bool hf_study_work_takes_load(const hf_study_work *work) {
    return work->kind == HF_STUDY_WORK_NONE || work->kind == HF_STUDY_WORK_GENERATED;
}

#endif
