/** \file
 *  Axes of plots: where they begin and end, and their round ticks. */
#ifndef HOLDFAST_SRC_FORMAT_SCALE_H
#define HOLDFAST_SRC_FORMAT_SCALE_H

#include <holdfast/format.h>

enum { HF_TICK_SIZE = 32 };

/** One axis ready to be drawn: values (or their logarithms) in [low, high] to places from `origin` on. */
typedef struct hf_scale {
    const hf_plot_axis *axis;
    double low, high, step; /**< linear: distance of ticks; logarithmic: decades between ticks */
    double origin, length;  /**< length below 0: upwards */
} hf_scale;

bool hf_plot_is_drawn(const hf_plot *plot, const hf_plot_point *point);
bool hf_plot_has_bar(const hf_plot *plot, const hf_plot_point *point);
/** The place of a value. */
double hf_scale_at(const hf_scale *s, double value);
/** Ends and ticks that hold all points and bars. Origin and length of both are set already.
 *  \param[in] x_most, y_most about so many ticks   \return whether there is a point */
bool hf_scale_find(const hf_plot *plot, int x_most, int y_most, hf_scale *x, hf_scale *y);
/** A tick's value: with as many digits as the step needs; a power of ten as it stands while it is short.
 *  \param[out] text HF_TICK_SIZE bytes */
void hf_scale_print_tick(const hf_scale *s, double value, char *text);
/** \return HF_ERANGE where the plot has too many points */
hf_status hf_plot_check(hf_context *cx, const hf_plot *plot);

#endif
