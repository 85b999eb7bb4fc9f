/** \file
 *  Parts of drawings as SVG: the painter, its strokes, the symbols of what is marked, the legend. */
#ifndef HOLDFAST_SRC_FORMAT_SVG_H
#define HOLDFAST_SRC_FORMAT_SVG_H

#include "src/format/drawing.h"

#define HF_SVG_RED "#c62828"
#define HF_SVG_RED_PALE "#e59a9a"
#define HF_SVG_RED_FAINT "#f7dcdc"
#define HF_SVG_INK "#222222"
#define HF_SVG_AMBER "#e08e00"
#define HF_SVG_VIOLET "#5e35b1"
#define HF_SVG_GREY "#8a9099"
#define HF_SVG_PATH_BOX " fill=\"#dfe3ea\" stroke=\"" HF_SVG_INK "\" stroke-width=\"2.2\""
#define HF_SVG_INK_FILL " fill=\"#222222\""
/** Attributes of what is marked, in the network and in the legend. */
#define HF_SVG_DRAGGED " stroke=\"" HF_SVG_RED_PALE "\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\""
#define HF_SVG_RING " stroke=\"#6f7782\" stroke-width=\"6\""
#define HF_SVG_PATH " stroke=\"" HF_SVG_INK "\" stroke-width=\"2.6\""
#define HF_SVG_TREE " stroke=\"#b5dcd5\" stroke-width=\"15\""
#define HF_SVG_ROOT " fill=\"#b5dcd5\" stroke=\"" HF_SVG_INK "\" stroke-width=\"2.2\""
#define HF_SVG_AREA " fill=\"" HF_SVG_RED_FAINT "\""
#define HF_SVG_HOP "#0d47a1"
#define HF_SVG_HOP_INK " fill=\"" HF_SVG_HOP "\""
#define HF_SVG_NOTE_INK " fill=\"#8a3d00\""
#define HF_SVG_FAILED " fill=\"" HF_SVG_RED "\" stroke=\"" HF_SVG_RED "\""
#define HF_SVG_OFF " fill=\"" HF_SVG_GREY "\" stroke=\"" HF_SVG_INK "\""

/** What can be marked, in the order of the legend. */
typedef enum hf_svg_mark {
    HF_MARK_LINK,    /**< failed in both directions */
    HF_MARK_CHANNEL, /**< failed in one direction of two */
    HF_MARK_SWITCH,
    HF_MARK_DRAGGED, /**< a link that is down because a switch at its end is */
    HF_MARK_VICTIM,
    HF_MARK_CUT,
    HF_MARK_LOST,
    HF_MARK_HELD,
    HF_MARK_OFF,
    HF_MARK_RING,
    HF_MARK_TREE,
    HF_MARK_ROOT,
    HF_MARK_TOUR,
    HF_MARK_NOTE,
    HF_MARK_AREA,
    HF_MARK_PATH,
    HF_N_MARK
} hf_svg_mark;
/** What the legend says of each mark. */
extern const char *const hf_svg_mark_text[HF_N_MARK];

typedef struct hf_svg {
    hf_text *out;
    const hf_topology *topo;
    hf_marks marks;
    hf_layout l;
    uint32_t count[HF_N_MARK]; /**< how often each occurs */
    double width;
} hf_svg;

/** Strokes: `more` are further attributes, with a blank first. */
void hf_svg_line(const hf_svg *p, const char *class, hf_line a, const char *more);
void hf_svg_box(const hf_svg *p, const char *class, double x, double y, double width, double height, const char *more);
void hf_svg_circle(const hf_svg *p, const char *class, double x, double y, double radius, const char *more);
void hf_svg_text(const hf_svg *p, double x, double y, double size, const char *more, const char *text);

/** A failed channel: an arrow to `share` of the way. */
void hf_svg_failed_channel(const hf_svg *p, hf_line a, double share);
/** A channel that a blocked packet holds. */
void hf_svg_hold(const hf_svg *p, hf_line a, double share);
/** A failed link: crossed at `share` of the way, a third where crossing neighbours do not meet. */
void hf_svg_failed_link(const hf_svg *p, hf_line a, double share);
/** The line of a channel, from where it leaves. */
hf_line hf_svg_channel_line(const hf_svg *p, uint32_t channel);
/** A hop of a ring: an arrow along the whole line. */
void hf_svg_hop(const hf_svg *p, hf_line a);
/** Trees, below the links; rings along them; texts at ports, above all. */
void hf_svg_tree(const hf_svg *p);
void hf_svg_tours(const hf_svg *p);
void hf_svg_notes(const hf_svg *p);
/** A terminal that is cut off, one in another unserved pair, and the ring round a victim. */
void hf_svg_cut(const hf_svg *p, double x, double y);
void hf_svg_lost(const hf_svg *p, double x, double y);
void hf_svg_victim(const hf_svg *p, double x, double y);

enum { HF_SVG_MARGIN = 16 };
/** Draw the legend of what occurs with its first row at `y`, or only measure it. \return its height */
double hf_svg_legend(const hf_svg *p, double y, bool is_drawn);
/** The least width of a drawing with this legend. */
double hf_svg_legend_width(const hf_svg *p);

#endif
