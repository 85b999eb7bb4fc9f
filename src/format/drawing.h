/** \file
 *  What drawings share: where nodes stand and where links end, in pixels; labels; numbers that no locale changes. */
#ifndef HOLDFAST_SRC_FORMAT_DRAWING_H
#define HOLDFAST_SRC_FORMAT_DRAWING_H

#include <holdfast/format.h>

enum { HF_DRAWING_LINKS_MAX = 20000, HF_DRAWING_GRID_STEP = 84, HF_DRAWING_MARGIN = 16 };

/** A line of a link, from the source of its forward channel to its destination; bent, a cubic curve with two control points. */
typedef struct hf_line {
    double x1, y1, x2, y2;
    bool is_bent;
    double c1x, c1y, c2x, c2y;
} hf_line;
/** The point a share of the way along. */
void hf_line_point(const hf_line *line, double share, double *x, double *y);
/** The part from the start to there. */
hf_line hf_line_part(const hf_line *line, double share);
hf_line hf_line_turned(const hf_line *line);
/** The same beside it, `by` pixels to the right of who goes along. */
hf_line hf_line_beside(const hf_line *line, double by);

/** A drawing laid out; everything lives in the arena. y grows downwards. */
typedef struct hf_layout {
    const hf_topology *topo;
    bool is_rows;       /**< stages in rows; else a grid */
    double *x, *y;      /**< centres, n_node */
    hf_line *line;      /**< n_link */
    uint32_t n_row;     /**< rows, terminals in row 0; 0 in a grid */
    double *row_y;      /**< n_row */
    bool has_receivers; /**< terminals are drawn twice: where they send in row 0, where they receive in the last row */
    double box_width, box_height, radius;
    bool has_digits; /**< there is room for the digits of a switch below its name */
    bool is_wide;    /**< see hf_switch_label() */
    double width, height;
} hf_layout;

/** Bend the links of a grid, or of a row, that would run over a switch between their ends or over a link with the same ends, and
 * make room for them. Time O(links * switches). */
void hf_layout_bend(hf_layout *layout);

/** Lay out `topo`. \param[in] is_north_first row 0 of a grid at the top \return HF_ERANGE if it has more than
 * HF_DRAWING_LINKS_MAX links; HF_ENOMEM. */
hf_status hf_layout_make(hf_context *cx, const hf_topology *topo, bool is_north_first, hf_layout *out);

/** The label of a switch, "<2,010>" as in the paper: stage and digits; "<3,1>" in a family without stages, "" in one without
 *  coordinates. \param[in] is_wide some digit is above 9: put points between them */
void hf_switch_label(const hf_topology *topo, uint32_t sw, bool is_wide, char *text, size_t size);
bool hf_switch_label_is_wide(const hf_topology *topo);
enum { HF_LABEL_SIZE = 160 };

/** `value` with at most two digits behind the point, whatever the locale. \param[out] text HF_DECIMAL_SIZE bytes \return text */
const char *hf_decimal(char *text, double value);
enum { HF_DECIMAL_SIZE = 32 };
/** The same for one use inside a call. */
#define HF_DECIMAL(value) hf_decimal((char[HF_DECIMAL_SIZE]){0}, (value))

/** Append text of any origin for XML: escaped, control characters become blanks, bytes that are not UTF-8 question marks. */
void hf_text_any_xml(hf_text *text, const char *data);

/** HF_EINVAL with a message if the faults of `marks` (may be NULL) are of another topology. */
hf_status hf_drawing_agrees(hf_context *cx, const hf_topology *topo, const hf_marks *marks);
/** HF_ERANGE with a message if `topo` has too many links to be drawn; `what` is "an SVG drawing". */
hf_status hf_drawing_fits(hf_context *cx, const hf_topology *topo, const char *what);

#endif
