/** \file
 *  Routers and measurements as a study writes them: "switching=vct,length=256", "window=2000,batches=10". */
#ifndef HOLDFAST_SRC_STUDY_ROUTER_H
#define HOLDFAST_SRC_STUDY_ROUTER_H

#include <holdfast/kernel.h>

/** A run through one fault. Cycles count from the end of the warm-up. */
typedef struct hf_study_reconfiguration {
    uint64_t fault, cycles; /**< of the first fault, of the end */
    uint64_t every;         /**< cycles from one fault to the next; 0: all components fail at once */
    hf_reconfiguration_options options;
} hf_study_reconfiguration;

/** Read `text` into the options of a simulation; what is not said is usual. \param[out] canonical heap text, free with
 *  hf_release(). \return HF_EINVAL, HF_ERANGE with the value and the range */
hf_status hf_study_router_parse(hf_context *cx, const char *text, hf_kernel_options *out, char **canonical);
/** \param[out] cycle_limit of work with an end; 0: none */
hf_status hf_study_measure_parse(hf_context *cx, const char *text, hf_simulation *out, uint64_t *cycle_limit, char **canonical);
/** Control packets get the length of packets when the run is made. */
hf_status hf_study_reconfiguration_parse(hf_context *cx, const char *text, hf_study_reconfiguration *out, char **canonical);

#endif
