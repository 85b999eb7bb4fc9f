/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Layout of drawings. A family says where its nodes stand in grid units; here this becomes pixels, wide enough for the labels.
 *  A family with the attribute "stage" is drawn in rows, its links from the upper edge of one box to the lower edge of the
 *  next, in order of ports; any other as a grid, its links from centre to centre, bent (curve.c) where they
 *  would run over others. */
#include "src/format/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** Sizes in pixels. A letter of a label is about 0.62 of its font size wide. */
static const double margin = HF_DRAWING_MARGIN, row_label_width = 74, digits_font = 9, name_font = 10, terminal_font = 8,
                    letter = 0.62;
static const double terminal_gap = 66, grid_step = HF_DRAWING_GRID_STEP;

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

hf_status hf_drawing_fits(hf_context *cx, const hf_topology *topo, const char *what) {
    if (topo->n_link > HF_DRAWING_LINKS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "topology \"%s\" has %" PRIu32 " links; %s is limited to %d links; GraphML is not", topo->spec,
                topo->n_link, what, (int)HF_DRAWING_LINKS_MAX);
    }
    return HF_OK;
}

hf_status hf_drawing_agrees(hf_context *cx, const hf_topology *topo, const hf_marks *marks) {
    if (marks && marks->faults && marks->faults->topo != topo) {
        HF_FAIL(cx, HF_EINVAL, "the fault set is one of \"%s\"; it cannot be drawn on \"%s\"", marks->faults->topo->spec,
                topo->spec);
    }
    return HF_OK;
}

/* ---- positions ---- */

/** The place of a node; with rows from the north the switches are turned over, and terminals stay below theirs. */
static hf_position place_of(const hf_topology *topo, bool is_north_first, uint32_t v) {
    hf_position p = topo->kind->place(topo, v);
    if (is_north_first && hf_topology_is_terminal(topo, v)) {
        p.y -= 2 * topo->kind->place(topo, topo->terminal_switch[v - topo->n_switch]).y;
    } else if (is_north_first) {
        p.y = -p.y;
    }
    return p;
}

/** Put every node at its place in grid units, the leftmost and lowest at 0. \param[out] box extent */
static void place_nodes(hf_layout *l, bool is_north_first, double *x_most, double *y_most) {
    double x_least = INFINITY, y_least = INFINITY;
    for (uint32_t v = 0; v < l->topo->n_node; v++) {
        const hf_position p = place_of(l->topo, is_north_first, v);
        l->x[v] = p.x;
        l->y[v] = p.y;
        x_least = fmin(x_least, p.x);
        y_least = fmin(y_least, p.y);
    }
    *x_most = *y_most = 0;
    for (uint32_t v = 0; v < l->topo->n_node; v++) {
        l->x[v] -= x_least;
        l->y[v] -= y_least;
        *x_most = fmax(*x_most, l->x[v]);
        *y_most = fmax(*y_most, l->y[v]);
    }
}

/** The least distance of neighbours [lo, hi) in a row, in grid units; `none` if every row holds one. */
static double least_gap(const hf_layout *l, uint32_t lo, uint32_t hi, double none) {
    double gap = INFINITY;
    for (uint32_t v = lo + 1; v < hi; v++) {
        if (l->y[v] == l->y[v - 1]) {
            gap = fmin(gap, fabs(l->x[v] - l->x[v - 1]));
        }
    }
    return gap == INFINITY || gap == 0 ? none : gap;
}

/** Letters of the longest name of a switch, or of a terminal. */
static double longest_name(const hf_topology *topo, bool is_terminal) {
    size_t longest = 0;
    for (uint32_t v = is_terminal ? topo->n_switch : 0; v < (is_terminal ? topo->n_node : topo->n_switch); v++) {
        char text[HF_NAME_SIZE];
        hf_topology_node_text(topo, v, text, sizeof text);
        longest = strlen(text) > longest ? strlen(text) : longest;
    }
    return (double)longest;
}

/** Width in pixels of the widest name, and of the widest label, of a switch. */
static void measure_labels(const hf_layout *l, double *name, double *digits) {
    size_t longest = 0;
    char text[HF_LABEL_SIZE];
    for (uint32_t v = 0; v < l->topo->n_switch; v++) {
        hf_switch_label(l->topo, v, l->is_wide, text, sizeof text);
        longest = strlen(text) > longest ? strlen(text) : longest;
    }
    *name = longest_name(l->topo, false) * letter * name_font;
    *digits = (double)longest * letter * digits_font;
}

/** Choose box sizes and the pixels a grid unit. */
static double scale_rows(hf_layout *l, double x_most) {
    const hf_topology *topo = l->topo;
    const double per_switch = least_gap(l, 0, topo->n_switch, fmax(x_most, 1));
    const double per_terminal = least_gap(l, topo->n_switch, topo->n_node, 1);
    double name, digits;
    measure_labels(l, &name, &digits);
    const double terminal = longest_name(topo, true) * letter * terminal_font + 4;
    const double narrow = fmax(fmax(terminal, 15) / per_terminal, (name + 14) / per_switch);
    const double wide = fmax(narrow, (digits + 16) / per_switch);
    l->has_digits = digits > 0 && wide <= fmax(2 * narrow, 52);
    const double unit = l->has_digits ? wide : narrow;
    l->box_width = clamp(0.74 * per_switch * unit, (l->has_digits ? fmax(name, digits) : name) + 8, 260);
    l->box_height = l->has_digits ? 29 : 17;
    l->radius = 5;
    return unit;
}

/** Do terminals only send and receive over links of one direction? */
static bool is_one_way(const hf_topology *topo) {
    for (uint32_t i = topo->n_switch_link; i < topo->n_link; i++) {
        if (topo->backward[i] != HF_NONE) {
            return false;
        }
    }
    return topo->n_link > topo->n_switch_link;
}

static void set_row_heights(hf_layout *l, double content) {
    const double gap = clamp(0.115 * content, 84, 300);
    double y = margin + (l->has_receivers ? l->radius + 2 * terminal_font : l->box_height / 2);
    for (uint32_t r = l->n_row; r-- > 0;) {
        const bool is_receiving = l->has_receivers && r + 1 == l->n_row;
        l->row_y[r] = y;
        y += r > 1 && !is_receiving ? gap : terminal_gap;
    }
}

static hf_status lay_rows(hf_context *cx, hf_layout *l, double x_most, double y_most) {
    const double unit = scale_rows(l, x_most);
    const double side = fmax(l->box_width, 2 * l->radius) / 2;
    l->has_receivers = is_one_way(l->topo);
    l->n_row = (uint32_t)lround(y_most) + 1 + l->has_receivers;
    HF_TRY(hf_scratch(cx, l->n_row, sizeof *l->row_y, (void **)&l->row_y));
    set_row_heights(l, x_most * unit);
    for (uint32_t v = 0; v < l->topo->n_node; v++) {
        l->x[v] = margin + row_label_width + side + l->x[v] * unit;
        l->y[v] = l->row_y[(uint32_t)lround(l->y[v])];
    }
    l->width = 2 * margin + row_label_width + 2 * side + x_most * unit;
    l->height = l->row_y[0] + l->radius + 2 * terminal_font + margin;
    return HF_OK;
}

static void lay_grid(hf_layout *l, double x_most, double y_most) {
    double name, digits;
    measure_labels(l, &name, &digits);
    l->has_digits = digits > 0 && digits < 0.6 * grid_step;
    l->box_width = fmax(l->has_digits ? fmax(name, digits) : name, 16) + 8;
    l->box_height = l->has_digits ? 29 : 17;
    l->radius = 5;
    for (uint32_t v = 0; v < l->topo->n_node; v++) {
        l->x[v] = margin + l->box_width / 2 + l->x[v] * grid_step;
        l->y[v] = margin + l->box_height / 2 + (y_most - l->y[v]) * grid_step;
    }
    l->width = 2 * margin + l->box_width + x_most * grid_step;
    l->height = 2 * margin + l->box_height + y_most * grid_step + terminal_font;
}

/* ---- ends of links ---- */

/** How many links leave a node upwards and downwards, and how many of them have been drawn. */
typedef struct fan {
    uint32_t n[2], done[2];
} fan;

static double half_height(const hf_layout *l, uint32_t node) {
    return hf_topology_is_terminal(l->topo, node) ? l->radius : l->box_height / 2;
}

/** Height of a node at the start of a channel, or at its end. */
static double height_of(const hf_layout *l, uint32_t node, bool is_end) {
    return is_end && l->has_receivers && hf_topology_is_terminal(l->topo, node) ? l->row_y[l->n_row - 1] : l->y[node];
}

/** End of a channel at `node`, where it starts or ends, on the edge that faces its other end, the next one to the right. */
static void end_at(const hf_layout *l, fan *fans, uint32_t node, bool is_end, uint32_t other, double *x, double *y) {
    const double here = height_of(l, node, is_end), there = height_of(l, other, !is_end);
    *x = l->x[node];
    *y = here;
    if (!l->is_rows || here == there) {
        return;
    }
    const int up = there < here;
    fan *f = &fans[node];
    const double width = hf_topology_is_terminal(l->topo, node) ? 0 : l->box_width;
    *x += width * ((f->done[up]++ + 0.5) / f->n[up] - 0.5);
    *y += up ? -half_height(l, node) : half_height(l, node);
}

static void count_ends(const hf_layout *l, fan *fans, uint32_t from, uint32_t to) {
    const double start = height_of(l, from, false), end = height_of(l, to, true);
    fans[from].n[end < start]++;
    fans[to].n[start < end]++;
}

/** Ends of the links at one node, in order of its ports: those it sends on, then those that only come in. */
static void join_node(hf_layout *l, fan *fans, uint32_t v) {
    const hf_topology *topo = l->topo;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        hf_line *line = &l->line[topo->link[c]];
        const bool is_forward = topo->forward[topo->link[c]] == c;
        end_at(l, fans, v, false, topo->to[c], is_forward ? &line->x1 : &line->x2, is_forward ? &line->y1 : &line->y2);
    }
    for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        if (topo->reverse[c] == HF_NONE) {
            hf_line *line = &l->line[topo->link[c]];
            end_at(l, fans, v, true, topo->from[c], &line->x2, &line->y2);
        }
    }
}

static hf_status join_links(hf_context *cx, hf_layout *l) {
    const hf_topology *topo = l->topo;
    fan *fans;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *fans, (void **)&fans));
    for (uint32_t i = 0; i < topo->n_link; i++) {
        count_ends(l, fans, topo->from[topo->forward[i]], topo->to[topo->forward[i]]);
    }
    for (uint32_t v = 0; v < topo->n_node; v++) {
        join_node(l, fans, v);
    }
    return HF_OK;
}

hf_status hf_layout_make(hf_context *cx, const hf_topology *topo, bool is_north_first, hf_layout *out) {
    HF_TRY(hf_drawing_fits(cx, topo, "an SVG drawing"));
    hf_layout l = {.topo = topo, .is_rows = hf_topology_attribute(topo, "stage"), .is_wide = hf_switch_label_is_wide(topo)};
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *l.x, (void **)&l.x));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *l.y, (void **)&l.y));
    HF_TRY(hf_scratch(cx, topo->n_link, sizeof *l.line, (void **)&l.line));
    double x_most, y_most;
    place_nodes(&l, is_north_first && !l.is_rows, &x_most, &y_most);
    if (l.is_rows) {
        HF_TRY(lay_rows(cx, &l, x_most, y_most));
    } else {
        lay_grid(&l, x_most, y_most);
    }
    HF_TRY(join_links(cx, &l));
    hf_layout_bend(&l);
    *out = l;
    return HF_OK;
}
