/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Strokes and symbols of drawings as SVG. */
#include <math.h>

#include "src/format/svg.h"

void hf_svg_line(const hf_svg *p, const char *class, hf_line a, const char *more) {
    if (a.is_bent) {
        hf_text_print(p->out, "<path class=\"%s\" fill=\"none\" d=\"M%s %s C%s %s %s %s %s %s\"%s/>\n", class, HF_DECIMAL(a.x1),
                      HF_DECIMAL(a.y1), HF_DECIMAL(a.c1x), HF_DECIMAL(a.c1y), HF_DECIMAL(a.c2x), HF_DECIMAL(a.c2y),
                      HF_DECIMAL(a.x2), HF_DECIMAL(a.y2), more);
        return;
    }
    hf_text_print(p->out, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", class, HF_DECIMAL(a.x1),
                  HF_DECIMAL(a.y1), HF_DECIMAL(a.x2), HF_DECIMAL(a.y2), more);
}

static void draw_cross(const hf_svg *p, double x, double y, double size, const char *colour) {
    hf_text_print(p->out,
                  "<path class=\"cross\" d=\"M%s %sl%s %sm0 %sl%s %s\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"/>\n",
                  HF_DECIMAL(x - size), HF_DECIMAL(y - size), HF_DECIMAL(2 * size), HF_DECIMAL(2 * size), HF_DECIMAL(-2 * size),
                  HF_DECIMAL(-2 * size), HF_DECIMAL(2 * size), colour);
}

hf_line hf_svg_channel_line(const hf_svg *p, uint32_t channel) {
    const hf_line *a = &p->l.line[p->topo->link[channel]];
    return channel == p->topo->forward[p->topo->link[channel]] ? *a : hf_line_turned(a);
}

/** An arrow head at the end of a line. */
static void draw_head(const hf_svg *p, hf_line half, const char *colour) {
    const double dx = half.x2 - (half.is_bent ? half.c2x : half.x1), dy = half.y2 - (half.is_bent ? half.c2y : half.y1);
    const double length = hypot(dx, dy);
    const double ux = length > 0 ? dx / length : 0, uy = length > 0 ? dy / length : 1;
    hf_text_print(p->out, "<polygon points=\"%s,%s %s,%s %s,%s\" fill=\"%s\"/>\n", HF_DECIMAL(half.x2 + 7 * ux),
                  HF_DECIMAL(half.y2 + 7 * uy), HF_DECIMAL(half.x2 - 4 * uy), HF_DECIMAL(half.y2 + 4 * ux),
                  HF_DECIMAL(half.x2 + 4 * uy), HF_DECIMAL(half.y2 - 4 * ux), colour);
}

/** A line to `share` of the way, with an arrow head. */
static void draw_arrow(const hf_svg *p, const char *class, hf_line a, double share, const char *colour, const char *more) {
    const hf_line half = hf_line_part(&a, share);
    hf_svg_line(p, class, half, more);
    draw_head(p, half, colour);
}

void hf_svg_hop(const hf_svg *p, hf_line a) {
    hf_svg_line(p, "hop", a, " stroke=\"" HF_SVG_HOP "\" stroke-width=\"1.4\"");
    draw_head(p, hf_line_part(&a, 0.6), HF_SVG_HOP);
}

void hf_svg_failed_channel(const hf_svg *p, hf_line a, double share) {
    draw_arrow(p, "failed-channel", a, share, HF_SVG_RED,
               " stroke=\"" HF_SVG_RED "\" stroke-width=\"2\" stroke-dasharray=\"5 3\"");
}

void hf_svg_hold(const hf_svg *p, hf_line a, double share) {
    draw_arrow(p, "held", a, share, HF_SVG_VIOLET, " stroke=\"" HF_SVG_VIOLET "\" stroke-width=\"2.6\"");
}

void hf_svg_failed_link(const hf_svg *p, hf_line a, double share) {
    double x, y;
    hf_line_point(&a, share, &x, &y);
    hf_svg_line(p, "failed-link", a, " stroke=\"" HF_SVG_RED "\" stroke-width=\"2\" stroke-dasharray=\"5 3\"");
    draw_cross(p, x, y, 4.5, HF_SVG_RED);
}

void hf_svg_text(const hf_svg *p, double x, double y, double size, const char *more, const char *text) {
    hf_text_print(p->out, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" stroke=\"none\"%s>", HF_DECIMAL(x), HF_DECIMAL(y),
                  HF_DECIMAL(size), more);
    hf_text_any_xml(p->out, text);
    hf_text_print(p->out, "</text>\n");
}

void hf_svg_box(const hf_svg *p, const char *class, double x, double y, double width, double height, const char *more) {
    hf_text_print(p->out, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\"%s/>\n", class,
                  HF_DECIMAL(x - width / 2), HF_DECIMAL(y - height / 2), HF_DECIMAL(width), HF_DECIMAL(height), more);
}

void hf_svg_circle(const hf_svg *p, const char *class, double x, double y, double radius, const char *more) {
    hf_text_print(p->out, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"%s/>\n", class, HF_DECIMAL(x), HF_DECIMAL(y),
                  HF_DECIMAL(radius), more);
}

void hf_svg_cut(const hf_svg *p, double x, double y) {
    hf_svg_circle(p, "cut", x, y, p->l.radius, HF_SVG_FAILED);
    draw_cross(p, x, y, 2.4, "#ffffff");
}

void hf_svg_lost(const hf_svg *p, double x, double y) {
    hf_svg_circle(p, "lost", x, y, p->l.radius, " fill=\"" HF_SVG_RED_FAINT "\" stroke=\"" HF_SVG_RED "\"");
    draw_cross(p, x, y, 2, HF_SVG_RED);
}

void hf_svg_victim(const hf_svg *p, double x, double y) {
    hf_svg_circle(p, "victim", x, y, p->l.radius + 2.5, " fill=\"none\" stroke=\"" HF_SVG_AMBER "\" stroke-width=\"2.2\"");
}
