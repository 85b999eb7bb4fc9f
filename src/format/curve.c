/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bent links: the wrap-around links of a torus, the long links of a HyperX, links within a stage, links side by side. */
#include "src/format/drawing.h"

#include <math.h>

/** In grid units: how near a switch is in the way, how far a curve keeps off for the first switch, for each further one, and at
 * most; how far links with the same ends keep off each other. */
static const double in_the_way = 0.2, first_bend = 0.26, more_bend = 0.08, most_bend = 0.5, side_bend = 0.16;

/* ---- lines ---- */

static double mix(double a, double b, double share) { return a + share * (b - a); }

/** De Casteljau's steps: cut at `share` and keep the first part. */
hf_line hf_line_part(const hf_line *line, double share) {
    hf_line part = *line;
    if (!line->is_bent) {
        part.x2 = mix(line->x1, line->x2, share);
        part.y2 = mix(line->y1, line->y2, share);
        return part;
    }
    const double mx = mix(line->c1x, line->c2x, share), my = mix(line->c1y, line->c2y, share);
    part.c1x = mix(line->x1, line->c1x, share);
    part.c1y = mix(line->y1, line->c1y, share);
    part.c2x = mix(part.c1x, mx, share);
    part.c2y = mix(part.c1y, my, share);
    part.x2 = mix(part.c2x, mix(mx, mix(line->c2x, line->x2, share), share), share);
    part.y2 = mix(part.c2y, mix(my, mix(line->c2y, line->y2, share), share), share);
    return part;
}

void hf_line_point(const hf_line *line, double share, double *x, double *y) {
    const hf_line part = hf_line_part(line, share);
    *x = part.x2;
    *y = part.y2;
}

hf_line hf_line_turned(const hf_line *line) {
    return (hf_line){line->x2, line->y2, line->x1, line->y1, line->is_bent, line->c2x, line->c2y, line->c1x, line->c1y};
}

static hf_line moved(const hf_line *a, double dx, double dy) {
    return (hf_line){a->x1 + dx,  a->y1 + dy,  a->x2 + dx,  a->y2 + dy, a->is_bent,
                     a->c1x + dx, a->c1y + dy, a->c2x + dx, a->c2y + dy};
}

hf_line hf_line_beside(const hf_line *line, double by) {
    const double dx = line->x2 - line->x1, dy = line->y2 - line->y1, length = hypot(dx, dy);
    return length == 0 ? *line : moved(line, -by * dy / length, by * dx / length);
}

/** Bend by `off` pixels at the middle: upwards, and to the left where a line is upright. */
static void bend(hf_line *line, double off) {
    const double dx = line->x2 - line->x1, dy = line->y2 - line->y1, length = hypot(dx, dy);
    if (length == 0) {
        return;
    }
    const double side = dx > 0 || (dx == 0 && dy < 0) ? 1 : -1;
    const double nx = side * dy / length * off * 4 / 3, ny = -side * dx / length * off * 4 / 3;
    line->is_bent = true;
    line->c1x = line->x1 + 0.05 * dx + nx;
    line->c1y = line->y1 + 0.05 * dy + ny;
    line->c2x = line->x2 - 0.05 * dx + nx;
    line->c2y = line->y2 - 0.05 * dy + ny;
}

/* ---- what is in the way ---- */

/** Switches that a straight link would run over. */
static uint32_t count_between(const hf_layout *l, const hf_line *line) {
    const double dx = line->x2 - line->x1, dy = line->y2 - line->y1, length2 = dx * dx + dy * dy;
    const double near = in_the_way * HF_DRAWING_GRID_STEP;
    uint32_t n = 0;
    for (uint32_t v = 0; v < l->topo->n_switch; v++) {
        const double x = l->x[v] - line->x1, y = l->y[v] - line->y1;
        const double along = x * dx + y * dy, off = x * dy - y * dx;
        n += along > 0 && along < length2 && off * off < near * near * length2 && along * along > near * near * length2 &&
             (length2 - along) * (length2 - along) > near * near * length2;
    }
    return n;
}

/** Links with a lower number and the same ends. */
static uint32_t count_beside(const hf_topology *topo, uint32_t link) {
    const uint32_t a = topo->from[link], b = topo->to[link];
    uint32_t n = 0;
    for (uint32_t i = topo->out_begin[a]; i < topo->out_begin[a + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        n += topo->to[c] == b && topo->link[c] < link;
    }
    return n;
}

/** Move everything so that the curves lie inside of the margins. */
static void make_room(hf_layout *l) {
    double left = HF_DRAWING_MARGIN, top = HF_DRAWING_MARGIN, right = l->width - left, bottom = l->height - top;
    for (uint32_t i = 0; i < l->topo->n_switch_link; i++) {
        const hf_line *line = &l->line[i];
        if (line->is_bent) {
            left = fmin(left, fmin(line->c1x, line->c2x));
            top = fmin(top, fmin(line->c1y, line->c2y));
            right = fmax(right, fmax(line->c1x, line->c2x));
            bottom = fmax(bottom, fmax(line->c1y, line->c2y));
        }
    }
    const double dx = HF_DRAWING_MARGIN - left, dy = HF_DRAWING_MARGIN - top;
    l->width = right + HF_DRAWING_MARGIN + dx;
    l->height = bottom + HF_DRAWING_MARGIN + dy;
    for (uint32_t v = 0; v < l->topo->n_node; v++) {
        l->x[v] += dx;
        l->y[v] += dy;
    }
    for (uint32_t i = 0; i < l->topo->n_link; i++) {
        l->line[i] = moved(&l->line[i], dx, dy);
    }
    for (uint32_t r = 0; r < l->n_row; r++) {
        l->row_y[r] += dy;
    }
}

/** How far the link keeps off the line between its ends, in grid units: in a row of a stage the farther the more it spans. */
static double find_bend(const hf_layout *l, uint32_t link) {
    const hf_line *line = &l->line[link];
    if (l->is_rows && line->y1 != line->y2) {
        return 0; /* its ends stand apart at their switches */
    }
    const uint32_t between = count_between(l, line);
    const double off = between ? first_bend + more_bend * (between - 1) : 0;
    return (l->is_rows ? off : fmin(most_bend, off)) + side_bend * count_beside(l->topo, link);
}

void hf_layout_bend(hf_layout *l) {
    for (uint32_t i = 0; i < l->topo->n_switch_link; i++) {
        const double off = find_bend(l, i);
        if (off > 0) {
            bend(&l->line[i], off * HF_DRAWING_GRID_STEP);
        }
    }
    make_room(l);
}
