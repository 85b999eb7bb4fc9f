/** \file
 *  A plot laid out, for all its writers: looks by name, panels, axes with where they end and their round ticks. */
#ifndef HOLDFAST_SRC_FORMAT_PLOT_H
#define HOLDFAST_SRC_FORMAT_PLOT_H

#include <holdfast/format.h>

enum { HF_TICK_SIZE = 48, HF_PLOT_COLOURS = 8, HF_PLOT_MARKS = 8, HF_PLOT_DASHES = 4 };

/** One axis ready to be drawn: values (or their logarithms) in [low, high] to places from `origin` on. */
typedef struct hf_scale {
    const hf_plot_axis *axis;
    bool is_log, is_whole; /**< whole: all that is drawn stands at whole numbers, and so do ticks */
    double low, high;      /**< of the axis */
    double first, step;    /**< of its ticks; logarithmic: in decades, below one decade 1, 2 and 5 */
    double origin, length; /**< length below 0: upwards */
} hf_scale;

/** Colour and mark are the same pair again after 64 series, dashes besides after 4. */
typedef struct hf_plot_look {
    const char *name; /**< NULL: not in the legend */
    bool is_pale, is_joined, has_published;
    size_t colour, mark, dash;
} hf_plot_look;

typedef struct hf_plot_layout {
    const hf_plot *plot;
    hf_plot_look *look;        /**< n_look */
    size_t n_look, *look_of;   /**< by series */
    const char **panel;        /**< titles, n_panel; one without a title where the plot has none */
    size_t n_panel, *panel_of; /**< by series */
    size_t n_column;           /**< panels side by side */
    hf_scale *x, *y;           /**< by panel; all alike unless own_x, own_y */
    bool own_x, own_y;         /**< on common axes some panel would be nearly empty */
    bool has_points, has_published;
} hf_plot_layout;

enum { HF_PLOT_EDGE_PERCENT = 4 };
/** Lay out. \param[in] x_most, y_most about so many ticks  \param[in] edge share of what the values span that stays free
 *  at each end  \param[out] out in the arena  \return HF_ERANGE: too many points */
hf_status hf_plot_lay_out(hf_context *cx, const hf_plot *plot, int x_most, int y_most, double edge, hf_plot_layout *out);
/** Colours that the colour-blind tell apart, as RRGGBB. Source: Okabe and Ito. */
const char *hf_plot_colour(const hf_plot_look *look);
/** Where a point of a series stands: beside that of the others of its panel where x is of names. */
double hf_plot_x(const hf_plot_layout *l, size_t series, const hf_plot_point *point);
bool hf_plot_is_drawn(const hf_plot_layout *l, const hf_plot_point *point);
bool hf_plot_has_interval(const hf_plot_layout *l, const hf_plot_point *point);
/** Are the intervals of a series a band, rather than bars? */
bool hf_plot_has_band(const hf_plot_layout *l, const hf_plot_series *series);

/** The place of a value. */
double hf_scale_at(const hf_scale *s, double value);
/** The i-th tick: its value, as a logarithm where the axis is logarithmic. \return false: there are no more */
bool hf_scale_tick(const hf_scale *s, int i, double *value);
/** The place of what hf_scale_tick() gives. */
double hf_scale_tick_at(const hf_scale *s, double value);
/** A tick's value: with as many digits as the step needs; a power of ten as it stands while it is short, a name where it has one.
 *  \param[out] text HF_TICK_SIZE bytes */
void hf_scale_print_tick(const hf_scale *s, double value, char *text);

hf_status hf_plot_write_svg(hf_context *cx, const hf_plot *plot, hf_text *out);
hf_status hf_plot_write_tex(hf_context *cx, const hf_plot *plot, hf_text *out);
hf_status hf_plot_write_text(hf_context *cx, const hf_plot *plot, hf_text *out);

#endif
