/** \file
 *  Published values as printed, and whether a computed one agrees. */
#ifndef HOLDFAST_SRC_STUDY_PUBLISHED_H
#define HOLDFAST_SRC_STUDY_PUBLISHED_H

#include <holdfast/core/big.h>

/** "6%", "11.90%", "40.76400", "0.9988", "52416": digits without the point, how many stand behind it, and the percent sign; or a
 * text, "deadlock-free". */
typedef struct hf_published {
    uint64_t digits;
    uint32_t decimals;
    bool is_percent;
    bool is_text; /**< nothing else is set */
} hf_published;

/** \return HF_EINVAL if it is not a decimal number with at most 18 digits and perhaps a percent sign. */
hf_status hf_published_parse(hf_context *cx, const char *text, hf_published *out);
/** The printed value as a plain number: "6%" is 0.06. */
double hf_published_value(const hf_published *published);
/** Is num/den, cut or rounded to the digits printed, what was printed? den > 0. */
bool hf_published_agrees(const hf_published *published, hf_u128 num, hf_u128 den);
/** The same for a number that is not a fraction; for some number in [low, high]. */
bool hf_published_agrees_real(const hf_published *published, double value);
bool hf_published_overlaps(const hf_published *published, double low, double high);

#endif
