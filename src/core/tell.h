/** \file
 *  Telling how far jobs are. */
#ifndef HOLDFAST_SRC_CORE_TELL_H
#define HOLDFAST_SRC_CORE_TELL_H

#include <holdfast/core/progress.h>

typedef struct hf_tell {
    void (*show)(void *user, const hf_progress *progress); /**< NULL: nobody wants to know */
    void *user;
    hf_progress progress;
    double started_s, told_s;
} hf_tell;

/** \param[in] what is counted, `total` of it */
void hf_tell_begin(hf_tell *tell, const char *what, uint64_t total);
/** So much more is done; called by any thread. */
void hf_tell_add(hf_tell *tell, uint64_t n);

#endif
