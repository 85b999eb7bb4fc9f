/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Drawings as SVG 1.1: plain shapes in groups, presentation attributes instead of style sheets, so that every renderer and
 *  every converter to PDF shows the same. Failures are red, dashed or crossed, so that they survive a print in black and
 *  white; victims are ringed. The legend names only what occurs. */
#include "src/format/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#define FONT "DejaVu Sans, Helvetica, Arial, sans-serif"

enum { TITLE_FONT = 13, TITLE_HEIGHT = 26, LEGEND_HALF_ROW = 10 };

/* ---- what is marked ---- */

static bool is_failed_switch(const hf_svg *p, uint32_t node) {
    return p->marks.faults && !hf_topology_is_terminal(p->topo, node) && hf_bit_test(p->marks.faults->switch_set, node);
}
static bool is_failed_channel(const hf_svg *p, uint32_t channel) {
    return p->marks.faults && channel != HF_NONE && hf_bit_test(p->marks.faults->channel_set, channel);
}
static bool is_off(const hf_svg *p, uint32_t node) {
    return p->marks.off_switch && node < p->topo->n_switch && hf_bit_test(p->marks.off_switch, node);
}
static bool is_victim(const hf_svg *p, uint32_t node) { return p->marks.victim_node && hf_bit_test(p->marks.victim_node, node); }
static bool is_cut(const hf_svg *p, uint32_t node) {
    return p->marks.cut_terminal && hf_topology_is_terminal(p->topo, node) &&
           hf_bit_test(p->marks.cut_terminal, node - p->topo->n_switch);
}
static bool is_root(const hf_svg *p, uint32_t node) { return p->marks.root_switch && hf_bit_test(p->marks.root_switch, node); }
static bool is_lost(const hf_svg *p, uint32_t node) {
    return p->marks.lost_terminal && hf_topology_is_terminal(p->topo, node) &&
           hf_bit_test(p->marks.lost_terminal, node - p->topo->n_switch);
}

static bool is_on_path(const hf_svg *p, uint32_t node) { return p->marks.path_node && hf_bit_test(p->marks.path_node, node); }
static bool is_path_link(const hf_svg *p, uint32_t link) {
    const uint32_t f = p->topo->forward[link], b = p->topo->backward[link];
    return p->marks.path_channel &&
           (hf_bit_test(p->marks.path_channel, f) || (b != HF_NONE && hf_bit_test(p->marks.path_channel, b)));
}

/** How a link is marked, HF_N_MARK if not at all. */
static hf_svg_mark mark_of_link(const hf_svg *p, uint32_t link) {
    const uint32_t f = p->topo->forward[link], b = p->topo->backward[link];
    if (is_failed_switch(p, p->topo->from[f]) || is_failed_switch(p, p->topo->to[f])) {
        return HF_MARK_DRAGGED;
    }
    const bool forward = is_failed_channel(p, f), backward = is_failed_channel(p, b);
    return forward && (backward || b == HF_NONE) ? HF_MARK_LINK : forward || backward ? HF_MARK_CHANNEL : HF_N_MARK;
}

static void count_marks(hf_svg *p) {
    for (uint32_t i = 0; p->marks.faults && i < p->topo->n_link; i++) {
        const hf_svg_mark m = mark_of_link(p, i);
        if (m != HF_N_MARK) {
            p->count[m]++;
        }
    }
    for (uint32_t v = 0; v < p->topo->n_node; v++) {
        p->count[HF_MARK_SWITCH] += is_failed_switch(p, v);
        p->count[HF_MARK_VICTIM] += is_victim(p, v);
        p->count[HF_MARK_CUT] += is_cut(p, v);
        p->count[HF_MARK_LOST] += is_lost(p, v);
    }
    for (uint32_t v = 0; v < p->topo->n_switch; v++) {
        p->count[HF_MARK_OFF] += is_off(p, v);
        p->count[HF_MARK_ROOT] += is_root(p, v);
    }
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        p->count[HF_MARK_RING] += p->marks.ring_link && hf_bit_test(p->marks.ring_link, i);
        p->count[HF_MARK_TREE] += p->marks.tree_link && hf_bit_test(p->marks.tree_link, i);
        p->count[HF_MARK_PATH] += is_path_link(p, i);
    }
    p->count[HF_MARK_AREA] = (uint32_t)p->marks.n_area;
    for (uint32_t c = 0; c < p->topo->n_channel; c++) {
        p->count[HF_MARK_HELD] += p->marks.held && hf_bit_test(p->marks.held, c);
        p->count[HF_MARK_TOUR] += p->marks.tour && p->marks.tour[c];
        p->count[HF_MARK_NOTE] += p->marks.note && p->marks.note[c];
    }
}

/* ---- strokes ---- */

static void draw_marked_link(const hf_svg *p, uint32_t link, hf_svg_mark m) {
    const hf_line a = p->l.line[link];
    char name[HF_NAME_SIZE];
    const uint32_t failed = is_failed_channel(p, p->topo->forward[link]) ? p->topo->forward[link] : p->topo->backward[link];
    if (m == HF_MARK_CHANNEL) {
        hf_topology_channel_name(p->topo, failed, name, sizeof name);
    } else {
        hf_topology_link_name(p->topo, link, name, sizeof name);
    }
    hf_text_print(p->out, "<g><title>%s: ", hf_svg_mark_text[m]);
    hf_text_xml(p->out, name);
    hf_text_print(p->out, "</title>\n");
    if (m == HF_MARK_DRAGGED) {
        hf_svg_line(p, "dragged-link", a, HF_SVG_DRAGGED);
    } else {
        hf_svg_line(p, "halo", a, " stroke=\"#ffffff\" stroke-width=\"4\"");
    }
    if (m == HF_MARK_LINK) {
        hf_svg_failed_link(p, a, 0.3);
    } else if (m == HF_MARK_CHANNEL) {
        hf_svg_line(p, "link", a, " stroke=\"" HF_SVG_GREY "\"");
        hf_svg_failed_channel(p, hf_svg_channel_line(p, failed), 0.42);
    }
    hf_text_print(p->out, "</g>\n");
}

/** Regions lie below everything, rings below the links and nodes. */
static void draw_areas(const hf_svg *p) {
    for (size_t i = 0; i < p->marks.n_area; i++) {
        hf_text_print(p->out, "<polygon class=\"region\" points=\"");
        for (size_t k = 0; k < 4; k++) {
            const uint32_t v = p->marks.area[i][k];
            hf_text_print(p->out, "%s%s,%s", k ? " " : "", HF_DECIMAL(p->l.x[v]), HF_DECIMAL(p->l.y[v]));
        }
        hf_text_print(p->out, "\" fill=\"" HF_SVG_RED_FAINT "\"/>\n");
    }
}

static void draw_rings(const hf_svg *p) {
    for (uint32_t i = 0; p->marks.ring_link && i < p->topo->n_link; i++) {
        if (hf_bit_test(p->marks.ring_link, i)) {
            hf_svg_line(p, "ring", p->l.line[i], HF_SVG_RING);
        }
    }
}

static void draw_links(const hf_svg *p) {
    hf_text_print(p->out, "<g stroke=\"" HF_SVG_GREY "\" stroke-width=\"0.8\">\n");
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        if (mark_of_link(p, i) == HF_N_MARK) {
            hf_svg_line(p, "link", p->l.line[i], "");
        }
    }
    hf_text_print(p->out, "</g>\n");
    for (int dragged = 1; dragged >= 0; dragged--) { /* what failed by itself on top */
        for (uint32_t i = 0; i < p->topo->n_link; i++) {
            const hf_svg_mark m = mark_of_link(p, i);
            if (m != HF_N_MARK && (m == HF_MARK_DRAGGED) == dragged) {
                draw_marked_link(p, i, m);
            }
        }
    }
}

/** On top of the other links, as bold as in the figures of the papers. */
static void draw_paths(const hf_svg *p) {
    for (uint32_t i = 0; i < p->topo->n_link; i++) {
        if (is_path_link(p, i)) {
            hf_svg_line(p, "path", p->l.line[i], HF_SVG_PATH);
        }
    }
}

static void draw_held(const hf_svg *p) {
    for (uint32_t c = 0; p->marks.held && c < p->topo->n_channel; c++) {
        if (!hf_bit_test(p->marks.held, c)) {
            continue;
        }
        char name[HF_NAME_SIZE];
        hf_topology_channel_name(p->topo, c, name, sizeof name);
        hf_text_print(p->out, "<g><title>held: ");
        hf_text_xml(p->out, name);
        hf_text_print(p->out, "</title>\n");
        hf_svg_hold(p, hf_svg_channel_line(p, c), 0.62);
        hf_text_print(p->out, "</g>\n");
    }
}

/* ---- nodes ---- */

static void draw_switch(const hf_svg *p, uint32_t v) {
    const hf_layout *l = &p->l;
    const bool failed = is_failed_switch(p, v);
    char name[HF_NAME_SIZE], label[HF_LABEL_SIZE];
    hf_topology_node_text(p->topo, v, name, sizeof name);
    hf_switch_label(p->topo, v, l->is_wide, label, sizeof label);
    hf_svg_box(p, failed ? "failed-switch" : "switch", l->x[v], l->y[v], l->box_width, l->box_height,
               failed             ? HF_SVG_FAILED
               : is_off(p, v)     ? HF_SVG_OFF
               : is_root(p, v)    ? HF_SVG_ROOT
               : is_on_path(p, v) ? HF_SVG_PATH_BOX
                                  : "");
    const char *ink = failed ? " fill=\"#ffffff\" font-weight=\"bold\"" : HF_SVG_INK_FILL " font-weight=\"bold\"";
    hf_svg_text(p, l->x[v], l->y[v] + (l->has_digits ? -2 : 3.6), 10, ink, name);
    if (l->has_digits) {
        hf_svg_text(p, l->x[v], l->y[v] + 10, 9, failed ? " fill=\"#ffffff\"" : HF_SVG_INK_FILL, label);
    }
    if (is_victim(p, v)) {
        hf_svg_box(p, "victim", l->x[v], l->y[v], l->box_width + 7, l->box_height + 7,
                   " fill=\"none\" stroke=\"" HF_SVG_AMBER "\" stroke-width=\"2.2\"");
    }
}

/** Does the pair's way start at the terminal, or end there? */
static bool is_end_of_path(const hf_svg *p, uint32_t v, bool is_receiver) {
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
static void draw_end(const hf_svg *p, uint32_t v, bool is_on_path, double y, double below) {
    const double x = p->l.x[v];
    char name[HF_NAME_SIZE];
    hf_topology_node_text(p->topo, v, name, sizeof name);
    if (is_cut(p, v)) {
        hf_svg_cut(p, x, y);
    } else if (is_lost(p, v)) {
        hf_svg_lost(p, x, y);
    } else {
        hf_svg_circle(p, "terminal", x, y, p->l.radius, is_on_path ? HF_SVG_PATH_BOX : "");
    }
    if (is_victim(p, v)) {
        hf_svg_victim(p, x, y);
    }
    hf_svg_text(p, x, y + below, 8, is_cut(p, v) ? " fill=\"" HF_SVG_RED "\" font-weight=\"bold\"" : HF_SVG_INK_FILL, name);
}

static void draw_terminal(const hf_svg *p, uint32_t v) {
    const hf_layout *l = &p->l;
    const bool sends = is_end_of_path(p, v, false), receives = is_end_of_path(p, v, true);
    draw_end(p, v, sends || (receives && !l->has_receivers), l->y[v], l->radius + 11);
    if (l->has_receivers) {
        draw_end(p, v, receives, l->row_y[l->n_row - 1], -l->radius - 5);
    }
}

static void draw_nodes(const hf_svg *p) {
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

static void draw_row_labels(const hf_svg *p) {
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
        hf_svg_text(p, HF_SVG_MARGIN, p->l.row_y[r] + 3.5, 10, " fill=\"#5a6069\"", text);
    }
    hf_text_print(p->out, "</g>\n");
}

static double text_width(const char *text, double size) { return 0.66 * size * (double)strlen(text); }

static void size_up(hf_svg *p, const char *title) {
    p->width = fmax(p->l.width, text_width(title, TITLE_FONT) + 2 * HF_SVG_MARGIN);
    p->width = ceil(fmax(p->width, hf_svg_legend_width(p)));
}

static void draw_all(const hf_svg *p, const char *title) {
    const double below = TITLE_HEIGHT + p->l.height, height = ceil(below + hf_svg_legend(p, 0, false) + 4);
    hf_text_print(p->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n<title>",
                  HF_DECIMAL(p->width), HF_DECIMAL(height), HF_DECIMAL(p->width), HF_DECIMAL(height));
    hf_text_any_xml(p->out, title);
    hf_text_print(p->out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<g font-family=\"" FONT "\">\n");
    hf_svg_text(p, HF_SVG_MARGIN, 20, TITLE_FONT, HF_SVG_INK_FILL " font-weight=\"bold\"", title);
    hf_text_print(p->out, "<g class=\"network\" transform=\"translate(0 %d)\">\n", TITLE_HEIGHT);
    draw_row_labels(p);
    draw_areas(p);
    hf_svg_tree(p);
    draw_links(p);
    draw_rings(p);
    draw_paths(p);
    hf_svg_tours(p);
    draw_held(p);
    draw_nodes(p);
    hf_svg_notes(p);
    hf_text_print(p->out, "</g>\n<g class=\"legend\">\n");
    (void)hf_svg_legend(p, below + LEGEND_HALF_ROW - 4, true);
    hf_text_print(p->out, "</g>\n</g>\n</svg>\n");
}

hf_status hf_format_svg(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out) {
    hf_svg p = {.out = out, .topo = topo};
    if (marks) {
        p.marks = *marks;
    }
    HF_TRY(hf_drawing_agrees(cx, topo, marks));
    const char *title = p.marks.title ? p.marks.title : topo->spec;
    const hf_mark before = hf_scratch_mark(cx);
    hf_status status = hf_layout_make(cx, topo, p.marks.is_north_first, &p.l);
    if (status == HF_OK) {
        count_marks(&p);
        size_up(&p, title);
        draw_all(&p, title);
        status = hf_text_check(cx, out);
    }
    hf_scratch_reset(cx, before);
    return status;
}
