/** \file
 *  What this machine can do: what needs more memory than it has, or more than a day, is refused with the estimate before it
 *  starts. */
#ifndef HOLDFAST_SRC_CORE_MACHINE_H
#define HOLDFAST_SRC_CORE_MACHINE_H

#include <holdfast/core/context.h>

/** Bytes that this process may use: HOLDFAST_MEMORY in GiB where it is set, else what machine, control group and limits of the
 * process leave, whichever is least. */
double hf_machine_memory(void);
/** \param[in] most bytes that holdfast itself allows here, HUGE_VAL: any  \param[in] format names what needs them, as in
 * "topology \"%s\"". \return HF_ERANGE with the estimate and what there is, unless `bytes` fit */
__attribute__((format(printf, 4, 5))) hf_status hf_machine_fits(hf_context *cx, double bytes, double most, const char *format,
                                                                ...);
/** \param[in] seconds that it takes at least  \return HF_ERANGE with the estimate if these are more than a day, or than
 * HOLDFAST_HOURS where that is set */
__attribute__((format(printf, 3, 4))) hf_status hf_machine_lasts(hf_context *cx, double seconds, const char *format, ...);

#endif
