/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The legend of drawings as SVG. */
#include <string.h>

#include "src/format/svg.h"

enum { FONT = 10, SYMBOL = 30, ROW = 20 };

const char *const hf_svg_mark_text[HF_N_MARK] = {
    [HF_MARK_LINK] = "failed link",
    [HF_MARK_CHANNEL] = "failed channel",
    [HF_MARK_SWITCH] = "failed switch",
    [HF_MARK_DRAGGED] = "link of a failed switch",
    [HF_MARK_VICTIM] = "victim",
    [HF_MARK_CUT] = "terminal cut off",
    [HF_MARK_LOST] = "terminal in an unserved pair",
    [HF_MARK_HELD] = "channel held by a blocked packet",
    [HF_MARK_OFF] = "switch taken out of service",
    [HF_MARK_RING] = "link of a fault ring",
    [HF_MARK_TREE] = "link of the emergency tree",
    [HF_MARK_ROOT] = "its root",
    [HF_MARK_TOUR] = "hop of the safe ring, in its order",
    [HF_MARK_NOTE] = "destinations that the port excludes",
    [HF_MARK_AREA] = "fault region",
    [HF_MARK_PATH] = "path of the pair",
};

/* Paths and notes belong to blocked packets where there are such. */
static const char *text_of(const hf_svg *p, hf_svg_mark m) {
    return p->marks.held && m == HF_MARK_NOTE   ? "packet that holds the channel"
           : p->marks.held && m == HF_MARK_PATH ? "way of a packet"
                                                : hf_svg_mark_text[m];
}

static double item_width(const hf_svg *p, hf_svg_mark m) { return SYMBOL + 8 + 0.6 * FONT * (double)strlen(text_of(p, m)) + 18; }

/* Marks that are plain lines, and plain boxes. */
/* NOLINTBEGIN(bugprone-suspicious-missing-comma): each is a text put together by its macro */
static const char *const key_line[HF_N_MARK] = {
    [HF_MARK_DRAGGED] = HF_SVG_DRAGGED, [HF_MARK_RING] = HF_SVG_RING, [HF_MARK_TREE] = HF_SVG_TREE, [HF_MARK_PATH] = HF_SVG_PATH};
static const char *const key_box[HF_N_MARK] = {
    [HF_MARK_SWITCH] = HF_SVG_FAILED, [HF_MARK_ROOT] = HF_SVG_ROOT, [HF_MARK_OFF] = HF_SVG_OFF, [HF_MARK_AREA] = HF_SVG_AREA};
/* NOLINTEND(bugprone-suspicious-missing-comma) */

static void draw_own_symbol(const hf_svg *p, hf_svg_mark m, hf_line a, double middle) {
    if (m == HF_MARK_LINK) {
        hf_svg_failed_link(p, a, 0.5);
    } else if (m == HF_MARK_CHANNEL) {
        hf_svg_line(p, "key", a, " stroke=\"" HF_SVG_GREY "\"");
        hf_svg_failed_channel(p, a, 0.5);
    } else if (m == HF_MARK_VICTIM) {
        hf_svg_circle(p, "key", middle, a.y1, p->l.radius, " fill=\"#f3f5f8\" stroke=\"#4a4f57\"");
        hf_svg_victim(p, middle, a.y1);
    } else if (m == HF_MARK_CUT) {
        hf_svg_cut(p, middle, a.y1);
    } else if (m == HF_MARK_LOST) {
        hf_svg_lost(p, middle, a.y1);
    } else if (m == HF_MARK_HELD) {
        hf_svg_hold(p, a, 0.7);
    } else if (m == HF_MARK_TOUR) {
        hf_svg_hop(p, a);
    } else if (m == HF_MARK_NOTE) {
        hf_svg_text(p, a.x1, a.y1 + 3, 8, HF_SVG_NOTE_INK, p->marks.held ? "a to b" : "[a..b]");
    }
}

static void draw_symbol(const hf_svg *p, hf_svg_mark m, double x, double y) {
    const hf_line a = {.x1 = x, .y1 = y, .x2 = x + SYMBOL, .y2 = y};
    const double middle = x + SYMBOL / 2.0;
    if (key_line[m]) {
        hf_svg_line(p, "key", a, key_line[m]);
    } else if (key_box[m]) {
        hf_svg_box(p, "key", middle, y, 22, 12, key_box[m]);
    } else {
        draw_own_symbol(p, m, a, middle);
    }
}

/** Where the item behind `x` goes: \param[in,out] x,y its left end and its row */
static void next_item(const hf_svg *p, hf_svg_mark m, double *x, double *y) {
    if (*x > HF_SVG_MARGIN && *x + item_width(p, m) > p->width) {
        *x = HF_SVG_MARGIN;
        *y += ROW;
    }
}

double hf_svg_legend(const hf_svg *p, double y, bool is_drawn) {
    double x = HF_SVG_MARGIN, row = y;
    bool any = false;
    for (hf_svg_mark m = 0; m < HF_N_MARK; m++) {
        if (p->count[m] == 0) {
            continue;
        }
        any = true;
        next_item(p, m, &x, &row);
        if (is_drawn) {
            draw_symbol(p, m, x, row);
            hf_svg_text(p, x + SYMBOL + 8, row + 3.6, FONT, HF_SVG_INK_FILL, text_of(p, m));
        }
        x += item_width(p, m);
    }
    return any ? row - y + ROW : 0;
}

double hf_svg_legend_width(const hf_svg *p) {
    double width = 0;
    for (hf_svg_mark m = 0; m < HF_N_MARK; m++) {
        width = p->count[m] && item_width(p, m) + HF_SVG_MARGIN > width ? item_width(p, m) + HF_SVG_MARGIN : width;
    }
    return width;
}
