/** \file
 *  How often components fail, and how long they stay so, as questions are told. */
#ifndef HOLDFAST_SRC_QUESTION_RATES_H
#define HOLDFAST_SRC_QUESTION_RATES_H

#include <holdfast/analysis/reliability.h>
#include <holdfast/fault.h>

/** What is said: "100FIT", "links=100FIT,switches=0.02/year"; "24h", "links=4h,switches=2d". */
typedef struct hf_rates {
    const char *rate, *repair; /**< repair NULL: never */
    uint32_t crews;            /**< 0: all that fail are repaired at once */
} hf_rates;
/** Components in classes that fail and are repaired alike. */
typedef struct hf_rated {
    const hf_universe *universe; /**< NULL: only its spec and size are known, and there is one class */
    const char *spec;
    uint32_t n_component;
    hf_reliability_class class[HF_RELIABILITY_CLASSES];
    size_t n_class;
    uint8_t *class_of; /**< by component; in the arena; NULL without a universe */
} hf_rated;

/** \param[in,out] rated universe, spec and n_component are there, the rest is 0  \return HF_EINVAL or HF_ENOENT with what would
 *  be right; HF_ERANGE: more classes than a model takes */
hf_status hf_rates_classes(hf_context *cx, const hf_rates *rates, hf_rated *rated);
/** Hours: "0..10y/1y"; NULL: eleven from 0 to twice `end`. \param[out] hours n of them, in the arena */
hf_status hf_rates_times(hf_context *cx, const char *text, double end, double **hours, size_t *n);

#endif
