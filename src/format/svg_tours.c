/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Trees, the rings along them, and what stands at ports, as SVG. A ring that goes along a tree uses both channels of a link:
 *  each is an arrow to the right of who goes there, with its number in the tour. */
#include "src/format/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

enum { HOP_FONT = 7, NOTE_FONT = 8, NOTE_LETTERS_MAX = 200 };
/** Pixels; a letter's width as a share of the size of the font. */
static const double beside = 4, number_beside = 11, note_off = 3, letter = 0.6, note_room = 4;
/** In a grid boxes hide the ends of links, so a note stands farther along. */
static const double note_share = 0.36;

void hf_svg_tree(const hf_svg *p) {
    for (uint32_t i = 0; p->marks.tree_link && i < p->topo->n_link; i++) {
        if (hf_bit_test(p->marks.tree_link, i)) {
            hf_svg_line(p, "tree", p->l.line[i], HF_SVG_TREE);
        }
    }
}

/* Does a number there lie over a terminal or its name? */
static bool hits_terminal(const hf_svg *p, double x, double y) {
    bool hits = false;
    for (uint32_t v = p->topo->n_switch; v < p->topo->n_node && !hits; v++) {
        const double down = y - p->l.y[v];
        hits = fabs(x - p->l.x[v]) < 2 * HOP_FONT && down > -p->l.radius - HOP_FONT / 2.0 && down < p->l.radius + 3 * HOP_FONT;
    }
    return hits;
}

/* Where the number of a hop stands: short of the middle, where the number of the other way is, or the next place that is free. */
static void place_number(const hf_svg *p, const hf_line *line, double *x, double *y) {
    static const double share[] = {0.42, 0.35, 0.28, 0.46};
    enum { SHARES = sizeof share / sizeof *share };
    size_t i = 0;
    do {
        hf_line_point(line, share[i], x, y);
    } while (hits_terminal(p, *x, *y) && ++i < SHARES);
}

static void draw_hop(const hf_svg *p, uint32_t channel, uint32_t number) {
    const hf_line line = hf_svg_channel_line(p, channel), arrow = hf_line_beside(&line, beside),
                  out = hf_line_beside(&line, number_beside);
    char name[HF_NAME_SIZE], text[16];
    double x, y;
    hf_topology_channel_name(p->topo, channel, name, sizeof name);
    hf_text_print(p->out, "<g><title>hop %" PRIu32 " of the ring: ", number);
    hf_text_xml(p->out, name);
    hf_text_print(p->out, "</title>\n");
    hf_svg_hop(p, arrow);
    place_number(p, &out, &x, &y);
    (void)snprintf(text, sizeof text, "%" PRIu32, number);
    hf_svg_text(p, x, y + HOP_FONT * 0.36, HOP_FONT, " text-anchor=\"middle\"" HF_SVG_HOP_INK, text);
    hf_text_print(p->out, "</g>\n");
}

void hf_svg_tours(const hf_svg *p) {
    for (uint32_t c = 0; p->marks.tour && c < p->topo->n_channel; c++) {
        if (p->marks.tour[c]) {
            draw_hop(p, c, p->marks.tour[c]);
        }
    }
}

/** Text on a white edge, so that lines behind it do not matter. */
static void draw_on_white(const hf_svg *p, double x, double y, const char *more, const char *text) {
    static const char *const ink[2] = {" fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"3\"", HF_SVG_NOTE_INK};
    for (size_t i = 0; i < 2; i++) {
        hf_text_print(p->out, "<text%s x=\"%s\" y=\"%s\" font-size=\"%d\"%s%s>", i ? " class=\"note\"" : "", HF_DECIMAL(x),
                      HF_DECIMAL(y), NOTE_FONT, ink[i], more);
        hf_text_any_xml(p->out, text);
        hf_text_print(p->out, "</text>\n");
    }
}

/** What fits into `room` pixels: whole words, and points where some are left out. */
static void cut_note(const char *note, double room, char *out, size_t size) {
    const size_t fits = (size_t)fmax(1, room / (letter * NOTE_FONT));
    (void)snprintf(out, size, "%s", note);
    if (strlen(out) <= fits) {
        return;
    }
    size_t end = fits > 3 ? fits - 3 : 0;
    while (end > 0 && out[end] != ' ') {
        end--;
    }
    (void)snprintf(out + end, size - end, end ? " .." : "[..]");
}

static void draw_note(const hf_svg *p, uint32_t channel, const char *note) {
    const hf_line line = hf_svg_channel_line(p, channel);
    char text[NOTE_LETTERS_MAX], more[128];
    double x = line.x1, y = line.y1;
    hf_text_print(p->out, "<g><title>");
    hf_text_any_xml(p->out, note);
    hf_text_print(p->out, "</title>\n");
    if (p->l.is_rows && line.y1 != line.y2) {
        const bool is_up = line.y2 < line.y1;
        x += line.x2 < line.x1 ? NOTE_FONT + note_off / 2 : -note_off; /* where the line does not lean */
        y += is_up ? -note_off : note_off;
        cut_note(note, fabs(line.y2 - line.y1) - note_room, text, sizeof text);
        (void)snprintf(more, sizeof more, " text-anchor=\"%s\" transform=\"rotate(-90 %s %s)\"", is_up ? "start" : "end",
                       HF_DECIMAL(x), HF_DECIMAL(y));
    } else {
        hf_line_point(&line, note_share, &x, &y);
        cut_note(note, 0.6 * HF_DRAWING_GRID_STEP, text, sizeof text);
        (void)snprintf(more, sizeof more, " text-anchor=\"middle\"");
    }
    draw_on_white(p, x, y, more, text);
    hf_text_print(p->out, "</g>\n");
}

void hf_svg_notes(const hf_svg *p) {
    for (uint32_t c = 0; p->marks.note && c < p->topo->n_channel; c++) {
        if (p->marks.note[c]) {
            draw_note(p, c, p->marks.note[c]);
        }
    }
}
