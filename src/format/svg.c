/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Drawings as SVG 1.1: plain shapes in groups, presentation attributes instead of style sheets, so that every renderer and
 *  every converter to PDF shows the same. Failures are red, dashed or crossed, so that they survive a print in black and
 *  white; victims are ringed. The legend names only what occurs. */
#include "src/format/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/bitset.h>

#define RED "#c62828"
#define RED_PALE "#e59a9a"
#define RED_FAINT "#f7dcdc"
#define INK "#222222"
#define AMBER "#e08e00"
#define VIOLET "#5e35b1"
#define GREY "#8a9099"
#define PATH_BOX " fill=\"#dfe3ea\" stroke=\"" INK "\" stroke-width=\"2.2\""
#define INK_FILL " fill=\"#222222\""
#define FONT "DejaVu Sans, Helvetica, Arial, sans-serif"

/** What can be marked, in the order of the legend. */
typedef enum mark {
    MARK_LINK,    /**< failed in both directions */
    MARK_CHANNEL, /**< failed in one direction of two */
    MARK_SWITCH,
    MARK_DRAGGED, /**< a link that is down because a switch at its end is */
    MARK_VICTIM,
    MARK_LOST,
    MARK_HELD,
    MARK_OFF,
    MARK_RING,
    MARK_AREA,
    MARK_PATH,
    N_MARK
} mark;
static const char *const mark_text[N_MARK] = {"failed link",
                                              "failed channel",
                                              "failed switch",
                                              "link of a failed switch",
                                              "victim",
                                              "terminal in an unserved pair",
                                              "channel held by a blocked packet",
                                              "switch taken out of service",
                                              "link of a fault ring",
                                              "fault region",
                                              "path of the pair"};
enum { MARGIN = 16, TITLE_FONT = 13, LEGEND_FONT = 10, LEGEND_SYMBOL = 30, LEGEND_ROW = 20, TITLE_HEIGHT = 26 };

typedef struct painter {
    hf_text *out;
    const hf_topology *topo;
    hf_marks marks;
    hf_layout l;
    uint32_t count[N_MARK]; /**< how often each occurs */
    double width;
} painter;

/* ---- what is marked ---- */

static bool is_failed_switch(const painter *p, uint32_t node) {
    return p->marks.faults && !hf_topology_is_terminal(p->topo, node) && hf_bit_test(p->marks.faults->switch_set, node);
}
static bool is_failed_channel(const painter *p, uint32_t channel) {
    return p->marks.faults && channel != HF_NONE && hf_bit_test(p->marks.faults->channel_set, channel);
}
static bool is_off(const painter *p, uint32_t node) {
    return p->marks.off_switch && node < p->topo->n_switch && hf_bit_test(p->marks.off_switch, node);
}
static bool is_victim(const painter *p, uint32_t node) { return p->marks.victim_node && hf_bit_test(p->marks.victim_node, node); }
static bool is_lost(const painter *p, uint32_t node) {
    return p->marks.lost_terminal && hf_topology_is_terminal(p->topo, node) &&
           hf_bit_test(p->marks.lost_terminal, node - p->topo->n_switch);
}

static bool is_on_path(const painter *p, uint32_t node) { return p->marks.path_node && hf_bit_test(p->marks.path_node, node); }
static bool is_path_link(const painter *p, uint32_t link) {
    const uint32_t f = p->topo->forward[link], b = p->topo->backward[link];
    return p->marks.path_channel &&
           (hf_bit_test(p->marks.path_channel, f) || (b != HF_NONE && hf_bit_test(p->marks.path_channel, b)));
}

/** How a link is marked, N_MARK if not at all. */
static mark mark_of_link(const painter *p, uint32_t link) {
    const uint32_t f = p->topo->forward[link], b = p->topo->backward[link];
    if (is_failed_switch(p, p->topo->from[f]) || is_failed_switch(p, p->topo->to[f])) {
        return MARK_DRAGGED;
    }
    const bool forward = is_failed_channel(p, f), backward = is_failed_channel(p, b);
    return forward && (backward || b == HF_NONE) ? MARK_LINK : forward || backward ? MARK_CHANNEL : N_MARK;
}

static void count_marks(painter *p) {
    for (uint32_t i = 0; p->marks.faults && i < p->topo->n_link; i++) {
        const mark m = mark_of_link(p, i);
        if (m != N_MARK) {
            p->count[m]++;
        }
    }
    for (uint32_t v = 0; v < p->topo->n_node; v++) {
        p->count[MARK_SWITCH] += is_failed_switch(p, v);
        p->count[MARK_VICTIM] += is_victim(p, v);
        p->count[MARK_LOST] += is_lost(p, v);
    }
    for (uint32_t v = 0; v < p->topo->n_switch; v++) {
        p->count[MARK_OFF] += is_off(p, v);
    }
    for (uint32_t i = 0; p->marks.ring_link && i < p->topo->n_link; i++) {
        p->count[MARK_RING] += hf_bit_test(p->marks.ring_link, i);
    }
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        p->count[MARK_PATH] += is_path_link(p, i);
    }
    p->count[MARK_AREA] = (uint32_t)p->marks.n_area;
    for (uint32_t c = 0; p->marks.held && c < p->topo->n_channel; c++) {
        p->count[MARK_HELD] += hf_bit_test(p->marks.held, c);
    }
}

/* ---- strokes ---- */

static void draw_line(const painter *p, const char *class, hf_line a, const char *more) {
    if (a.is_bent) {
        hf_text_print(p->out, "<path class=\"%s\" fill=\"none\" d=\"M%s %s C%s %s %s %s %s %s\"%s/>\n", class, HF_DECIMAL(a.x1),
                      HF_DECIMAL(a.y1), HF_DECIMAL(a.c1x), HF_DECIMAL(a.c1y), HF_DECIMAL(a.c2x), HF_DECIMAL(a.c2y),
                      HF_DECIMAL(a.x2), HF_DECIMAL(a.y2), more);
        return;
    }
    hf_text_print(p->out, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", class, HF_DECIMAL(a.x1),
                  HF_DECIMAL(a.y1), HF_DECIMAL(a.x2), HF_DECIMAL(a.y2), more);
}

static void draw_cross(const painter *p, double x, double y, double size, const char *colour) {
    hf_text_print(p->out,
                  "<path class=\"cross\" d=\"M%s %sl%s %sm0 %sl%s %s\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"/>\n",
                  HF_DECIMAL(x - size), HF_DECIMAL(y - size), HF_DECIMAL(2 * size), HF_DECIMAL(2 * size), HF_DECIMAL(-2 * size),
                  HF_DECIMAL(-2 * size), HF_DECIMAL(2 * size), colour);
}

static hf_line turned(hf_line a) { return (hf_line){a.x2, a.y2, a.x1, a.y1, a.is_bent, a.c2x, a.c2y, a.c1x, a.c1y}; }

/** A line to `share` of the way, with an arrow head. */
static void draw_arrow(const painter *p, const char *class, hf_line a, double share, const char *colour, const char *more) {
    const hf_line half = hf_line_part(&a, share);
    const double dx = half.x2 - (half.is_bent ? half.c2x : half.x1), dy = half.y2 - (half.is_bent ? half.c2y : half.y1);
    const double length = hypot(dx, dy);
    const double ux = length > 0 ? dx / length : 0, uy = length > 0 ? dy / length : 1;
    draw_line(p, class, half, more);
    hf_text_print(p->out, "<polygon points=\"%s,%s %s,%s %s,%s\" fill=\"%s\"/>\n", HF_DECIMAL(half.x2 + 7 * ux),
                  HF_DECIMAL(half.y2 + 7 * uy), HF_DECIMAL(half.x2 - 4 * uy), HF_DECIMAL(half.y2 + 4 * ux),
                  HF_DECIMAL(half.x2 + 4 * uy), HF_DECIMAL(half.y2 - 4 * ux), colour);
}

static void draw_half(const painter *p, hf_line a, double share) {
    draw_arrow(p, "failed-channel", a, share, RED, " stroke=\"" RED "\" stroke-width=\"2\" stroke-dasharray=\"5 3\"");
}

/** A channel that a blocked packet holds. */
static void draw_hold(const painter *p, hf_line a, double share) {
    draw_arrow(p, "held", a, share, VIOLET, " stroke=\"" VIOLET "\" stroke-width=\"2.6\"");
}

/** A failed link: crossed a third of the way, where crossing neighbours do not meet. */
static void draw_failed_link(const painter *p, hf_line a, double share) {
    double x, y;
    hf_line_point(&a, share, &x, &y);
    draw_line(p, "failed-link", a, " stroke=\"" RED "\" stroke-width=\"2\" stroke-dasharray=\"5 3\"");
    draw_cross(p, x, y, 4.5, RED);
}

static void draw_marked_link(const painter *p, uint32_t link, mark m) {
    const hf_line a = p->l.line[link];
    char name[64];
    const uint32_t failed = is_failed_channel(p, p->topo->forward[link]) ? p->topo->forward[link] : p->topo->backward[link];
    if (m == MARK_CHANNEL) {
        hf_topology_channel_name(p->topo, failed, name, sizeof name);
    } else {
        hf_topology_link_name(p->topo, link, name, sizeof name);
    }
    hf_text_print(p->out, "<g><title>%s: ", mark_text[m]);
    hf_text_xml(p->out, name);
    hf_text_print(p->out, "</title>\n");
    if (m == MARK_DRAGGED) {
        draw_line(p, "dragged-link", a, " stroke=\"" RED_PALE "\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\"");
    } else {
        draw_line(p, "halo", a, " stroke=\"#ffffff\" stroke-width=\"4\"");
    }
    if (m == MARK_LINK) {
        draw_failed_link(p, a, 0.3);
    } else if (m == MARK_CHANNEL) {
        draw_line(p, "link", a, " stroke=\"" GREY "\"");
        draw_half(p, failed == p->topo->forward[link] ? a : turned(a), 0.42);
    }
    hf_text_print(p->out, "</g>\n");
}

/** Regions lie below everything, rings below the links and nodes. */
static void draw_areas(const painter *p) {
    for (size_t i = 0; i < p->marks.n_area; i++) {
        hf_text_print(p->out, "<polygon class=\"region\" points=\"");
        for (size_t k = 0; k < 4; k++) {
            const uint32_t v = p->marks.area[i][k];
            hf_text_print(p->out, "%s%s,%s", k ? " " : "", HF_DECIMAL(p->l.x[v]), HF_DECIMAL(p->l.y[v]));
        }
        hf_text_print(p->out, "\" fill=\"" RED_FAINT "\"/>\n");
    }
}

static void draw_rings(const painter *p) {
    for (uint32_t i = 0; p->marks.ring_link && i < p->topo->n_link; i++) {
        if (hf_bit_test(p->marks.ring_link, i)) {
            draw_line(p, "ring", p->l.line[i], " stroke=\"" INK "\" stroke-width=\"4.5\"");
        }
    }
}

static void draw_links(const painter *p) {
    hf_text_print(p->out, "<g stroke=\"" GREY "\" stroke-width=\"0.8\">\n");
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        if (mark_of_link(p, i) == N_MARK) {
            draw_line(p, "link", p->l.line[i], "");
        }
    }
    hf_text_print(p->out, "</g>\n");
    for (int dragged = 1; dragged >= 0; dragged--) { /* what failed by itself on top */
        for (uint32_t i = 0; i < p->topo->n_link; i++) {
            const mark m = mark_of_link(p, i);
            if (m != N_MARK && (m == MARK_DRAGGED) == dragged) {
                draw_marked_link(p, i, m);
            }
        }
    }
}

/** On top of the other links, as bold as in the figures of the papers. */
static void draw_paths(const painter *p) {
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        if (is_path_link(p, i)) {
            draw_line(p, "path", p->l.line[i], " stroke=\"" INK "\" stroke-width=\"2.6\"");
        }
    }
}

static void draw_held(const painter *p) {
    for (uint32_t c = 0; p->marks.held && c < p->topo->n_channel; c++) {
        if (!hf_bit_test(p->marks.held, c)) {
            continue;
        }
        const hf_line a = p->l.line[p->topo->link[c]];
        char name[64];
        hf_topology_channel_name(p->topo, c, name, sizeof name);
        hf_text_print(p->out, "<g><title>held: ");
        hf_text_xml(p->out, name);
        hf_text_print(p->out, "</title>\n");
        draw_hold(p, c == p->topo->forward[p->topo->link[c]] ? a : turned(a), 0.62);
        hf_text_print(p->out, "</g>\n");
    }
}

/* ---- nodes ---- */

static void draw_text(const painter *p, double x, double y, double size, const char *more, const char *text) {
    hf_text_print(p->out, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" stroke=\"none\"%s>", HF_DECIMAL(x), HF_DECIMAL(y),
                  HF_DECIMAL(size), more);
    hf_text_any_xml(p->out, text);
    hf_text_print(p->out, "</text>\n");
}

static void draw_box(const painter *p, const char *class, double x, double y, double width, double height, const char *more) {
    hf_text_print(p->out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\"%s/>\n", class,
                  HF_DECIMAL(x - width / 2), HF_DECIMAL(y - height / 2), HF_DECIMAL(width), HF_DECIMAL(height), more);
}

static void draw_circle(const painter *p, const char *class, double x, double y, double radius, const char *more) {
    hf_text_print(p->out, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"%s/>\n", class, HF_DECIMAL(x), HF_DECIMAL(y),
                  HF_DECIMAL(radius), more);
}

static void draw_switch(const painter *p, uint32_t v) {
    const hf_layout *l = &p->l;
    const bool failed = is_failed_switch(p, v);
    char name[16], label[HF_LABEL_SIZE];
    hf_topology_node_name(p->topo, v, name, sizeof name);
    hf_switch_label(p->topo, v, l->is_wide, label, sizeof label);
    draw_box(p, failed ? "failed-switch" : "switch", l->x[v], l->y[v], l->box_width, l->box_height,
             failed             ? " fill=\"" RED "\" stroke=\"" RED "\""
             : is_off(p, v)     ? " fill=\"" GREY "\" stroke=\"" INK "\""
             : is_on_path(p, v) ? PATH_BOX
                                : "");
    const char *ink = failed ? " fill=\"#ffffff\" font-weight=\"bold\"" : INK_FILL " font-weight=\"bold\"";
    draw_text(p, l->x[v], l->y[v] + (l->has_digits ? -2 : 3.6), 10, ink, name);
    if (l->has_digits) {
        draw_text(p, l->x[v], l->y[v] + 10, 9, failed ? " fill=\"#ffffff\"" : INK_FILL, label);
    }
    if (is_victim(p, v)) {
        draw_box(p, "victim", l->x[v], l->y[v], l->box_width + 7, l->box_height + 7,
                 " fill=\"none\" stroke=\"" AMBER "\" stroke-width=\"2.2\"");
    }
}

static void draw_lost(const painter *p, double x, double y) {
    draw_circle(p, "lost", x, y, p->l.radius, " fill=\"" RED "\" stroke=\"" RED "\"");
    draw_cross(p, x, y, 2.4, "#ffffff");
}

static void draw_ring(const painter *p, double x, double y) {
    draw_circle(p, "victim", x, y, p->l.radius + 2.5, " fill=\"none\" stroke=\"" AMBER "\" stroke-width=\"2.2\"");
}

/** Does the pair's way start at the terminal, or end there? */
static bool is_end_of_path(const painter *p, uint32_t v, bool is_receiver) {
    const uint32_t *begin = is_receiver ? p->topo->in_begin : p->topo->out_begin;
    const uint32_t *list = is_receiver ? p->topo->in_list : p->topo->out_list;
    for (uint32_t i = begin[v]; p->marks.path_channel && i < begin[v + 1]; i++) {
        if (hf_bit_test(p->marks.path_channel, list[i])) {
            return true;
        }
    }
    return false;
}

/** A terminal where it sends, or where it receives, with its name `below` its centre. */
static void draw_end(const painter *p, uint32_t v, bool is_on_path, double y, double below) {
    const double x = p->l.x[v];
    char name[16];
    hf_topology_node_name(p->topo, v, name, sizeof name);
    if (is_lost(p, v)) {
        draw_lost(p, x, y);
    } else {
        draw_circle(p, "terminal", x, y, p->l.radius, is_on_path ? PATH_BOX : "");
    }
    if (is_victim(p, v)) {
        draw_ring(p, x, y);
    }
    draw_text(p, x, y + below, 8, is_lost(p, v) ? " fill=\"" RED "\" font-weight=\"bold\"" : INK_FILL, name);
}

static void draw_terminal(const painter *p, uint32_t v) {
    const hf_layout *l = &p->l;
    const bool sends = is_end_of_path(p, v, false), receives = is_end_of_path(p, v, true);
    draw_end(p, v, sends || (receives && !l->has_receivers), l->y[v], l->radius + 11);
    if (l->has_receivers) {
        draw_end(p, v, receives, l->row_y[l->n_row - 1], -l->radius - 5);
    }
}

static void draw_nodes(const painter *p) {
    hf_text_print(p->out, "<g fill=\"#f3f5f8\" stroke=\"#4a4f57\" stroke-width=\"1\" text-anchor=\"middle\">\n");
    for (uint32_t v = 0; v < p->topo->n_node; v++) {
        if (hf_topology_is_terminal(p->topo, v)) {
            draw_terminal(p, v);
        } else {
            draw_switch(p, v);
        }
    }
    hf_text_print(p->out, "</g>\n");
}

/* ---- around the network ---- */

static void draw_row_labels(const painter *p) {
    const hf_attribute *stage = hf_topology_attribute(p->topo, "stage");
    hf_text_print(p->out, "<g class=\"rows\">\n");
    for (uint32_t r = 0; r < p->l.n_row; r++) {
        uint32_t v = 0;
        while (v < p->topo->n_node && p->l.y[v] != p->l.row_y[r]) {
            v++;
        }
        const bool is_receiving = p->l.has_receivers && r + 1 == p->l.n_row;
        char text[32] = "terminals";
        if (v == p->topo->n_node && !is_receiving) {
            continue;
        }
        if (!is_receiving && !hf_topology_is_terminal(p->topo, v)) {
            (void)snprintf(text, sizeof text, "stage %" PRIu32, stage->of_switch[v]);
        }
        draw_text(p, MARGIN, p->l.row_y[r] + 3.5, 10, " fill=\"#5a6069\"", text);
    }
    hf_text_print(p->out, "</g>\n");
}

static double legend_width(mark m) { return LEGEND_SYMBOL + 8 + 0.6 * LEGEND_FONT * (double)strlen(mark_text[m]) + 18; }

static void draw_symbol(const painter *p, mark m, double x, double y) {
    const hf_line a = {.x1 = x, .y1 = y, .x2 = x + LEGEND_SYMBOL, .y2 = y};
    const double middle = x + LEGEND_SYMBOL / 2.0;
    switch (m) {
    case MARK_LINK:
        draw_failed_link(p, a, 0.5);
        break;
    case MARK_CHANNEL:
        draw_line(p, "key", a, " stroke=\"" GREY "\"");
        draw_half(p, a, 0.5);
        break;
    case MARK_SWITCH:
        draw_box(p, "key", middle, y, 22, 12, " fill=\"" RED "\" stroke=\"" RED "\"");
        break;
    case MARK_DRAGGED:
        draw_line(p, "key", a, " stroke=\"" RED_PALE "\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\"");
        break;
    case MARK_VICTIM:
        draw_circle(p, "key", middle, y, p->l.radius, " fill=\"#f3f5f8\" stroke=\"#4a4f57\"");
        draw_ring(p, middle, y);
        break;
    case MARK_LOST:
        draw_lost(p, middle, y);
        break;
    case MARK_HELD:
        draw_hold(p, a, 0.7);
        break;
    case MARK_OFF:
        draw_box(p, "key", middle, y, 22, 12, " fill=\"" GREY "\" stroke=\"" INK "\"");
        break;
    case MARK_RING:
        draw_line(p, "key", a, " stroke=\"" INK "\" stroke-width=\"4.5\"");
        break;
    case MARK_AREA:
        draw_box(p, "key", middle, y, 22, 12, " fill=\"" RED_FAINT "\"");
        break;
    case MARK_PATH:
        draw_line(p, "key", a, " stroke=\"" INK "\" stroke-width=\"2.6\"");
        break;
    case N_MARK:
        break;
    }
}

/** Where the item behind `x` goes: \param[in,out] x,y its left end and its row */
static void next_item(const painter *p, mark m, double *x, double *y) {
    if (*x > MARGIN && *x + legend_width(m) > p->width) {
        *x = MARGIN;
        *y += LEGEND_ROW;
    }
}

/** Draw the legend with its first row at `y`, or only measure it. \return its height */
static double draw_legend(const painter *p, double y, bool is_drawn) {
    double x = MARGIN, row = y;
    bool any = false;
    for (mark m = 0; m < N_MARK; m++) {
        if (p->count[m] == 0) {
            continue;
        }
        any = true;
        next_item(p, m, &x, &row);
        if (is_drawn) {
            draw_symbol(p, m, x, row);
            draw_text(p, x + LEGEND_SYMBOL + 8, row + 3.6, LEGEND_FONT, INK_FILL, mark_text[m]);
        }
        x += legend_width(m);
    }
    return any ? row - y + LEGEND_ROW : 0;
}

static double text_width(const char *text, double size) { return 0.66 * size * (double)strlen(text); }

static void size_up(painter *p, const char *title) {
    p->width = fmax(p->l.width, text_width(title, TITLE_FONT) + 2 * MARGIN);
    for (mark m = 0; m < N_MARK; m++) {
        p->width = p->count[m] ? fmax(p->width, legend_width(m) + MARGIN) : p->width;
    }
    p->width = ceil(p->width);
}

static void draw_all(const painter *p, const char *title) {
    const double below = TITLE_HEIGHT + p->l.height, height = ceil(below + draw_legend(p, 0, false) + 4);
    hf_text_print(p->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n<title>",
                  HF_DECIMAL(p->width), HF_DECIMAL(height), HF_DECIMAL(p->width), HF_DECIMAL(height));
    hf_text_any_xml(p->out, title);
    hf_text_print(p->out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<g font-family=\"" FONT "\">\n");
    draw_text(p, MARGIN, 20, TITLE_FONT, INK_FILL " font-weight=\"bold\"", title);
    hf_text_print(p->out, "<g class=\"network\" transform=\"translate(0 %d)\">\n", TITLE_HEIGHT);
    draw_row_labels(p);
    draw_areas(p);
    draw_links(p);
    draw_rings(p);
    draw_paths(p);
    draw_held(p);
    draw_nodes(p);
    hf_text_print(p->out, "</g>\n<g class=\"legend\">\n");
    (void)draw_legend(p, below + LEGEND_ROW / 2.0 - 4, true);
    hf_text_print(p->out, "</g>\n</g>\n</svg>\n");
}

hf_status hf_format_svg(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out) {
    painter p = {.out = out, .topo = topo};
    if (marks) {
        p.marks = *marks;
    }
    HF_TRY(hf_drawing_agrees(cx, topo, marks));
    const char *title = p.marks.title ? p.marks.title : topo->spec;
    const hf_mark before = hf_scratch_mark(cx);
    hf_status status = hf_layout_make(cx, topo, &p.l);
    if (status == HF_OK) {
        count_marks(&p);
        size_up(&p, title);
        draw_all(&p, title);
        status = hf_text_check(cx, out);
    }
    hf_scratch_reset(cx, before);
    return status;
}
