/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Multipath networks with the wiring of a file; see multipath_wiring.h. */
#include "src/topology/multistage/multipath_wiring.h"
#include "src/core/number.h"

#include <string.h>

#include "src/topology/multistage/fly.h"
#include "src/topology/read/from_file.h"

static const char *const families[] = {"file", "multibutterfly", "maximal-fanout", NULL};

typedef struct reader {
    hf_lines lines;
    hf_wiring_file *out;
    uint32_t *line_of; /* by row: the line with its outputs, 0: none yet */
    uint32_t *taken;   /* by router and input: the line of what leads there, 0: free */
} reader;

/* ---- family and shape ---- */

static hf_status read_word(hf_lines *lines, const char *want) {
    hf_slice word;
    if (!hf_lines_word(lines, &word) || !hf_slice_is(word, want)) {
        HF_LINE_FAIL(lines, HF_EINVAL,
                     "\"%.*s\" where \"%s\" is expected; need: multipath-wiring FAMILY radix R dilation D stages S",
                     HF_SLICE(word), want);
    }
    return HF_OK;
}

static hf_status read_figure(hf_lines *lines, const char *name, uint64_t low, uint64_t high, uint32_t *out) {
    uint64_t value;
    HF_TRY(read_word(lines, name));
    HF_TRY(hf_lines_number(lines, name, low, high, &value));
    *out = (uint32_t)value;
    return HF_OK;
}

static hf_status read_family(hf_lines *lines, uint64_t *out) {
    hf_slice word;
    if (hf_lines_word(lines, &word)) {
        for (*out = 1; families[*out]; (*out)++) {
            if (hf_slice_is(word, families[*out])) {
                return HF_OK;
            }
        }
    }
    HF_LINE_FAIL(lines, HF_EINVAL, "\"%.*s\" is no family; need multibutterfly or maximal-fanout", HF_SLICE(word));
}

/* The next line that says something. */
static bool next_line(hf_lines *lines) {
    while (hf_lines_next(lines)) {
        if (lines->at < lines->end && *lines->at != '#') {
            return true;
        }
    }
    return false;
}

static hf_status read_shape(hf_lines *lines, hf_wiring_file *out) {
    hf_multipath *net = &out->net;
    if (!next_line(lines)) {
        HF_LINE_FAIL(lines, HF_EINVAL, "there is nothing in it; need \"%s\"", "multipath-wiring FAMILY radix R ...");
    }
    HF_TRY(read_word(lines, "multipath-wiring"));
    HF_TRY(read_family(lines, &out->family));
    HF_TRY(read_figure(lines, "radix", 2, HF_MULTIPATH_RADIX_MAX, &net->radix));
    HF_TRY(read_figure(lines, "dilation", 1, net->radix, &net->dilation));
    HF_TRY(read_figure(lines, "stages", 2, 16, &net->n_stage));
    if (net->radix % net->dilation != 0) {
        HF_LINE_FAIL(lines, HF_EINVAL, "dilation %u does not divide radix %u; need a divisor", (unsigned)net->dilation,
                     (unsigned)net->radix);
    }
    return hf_lines_end(lines, "the end of the line");
}

/* Room for all rows. A row takes more than a byte, so that a short file cannot ask for much. */
static hf_status make_room(hf_context *cx, reader *r, size_t size) {
    hf_wiring_file *out = r->out;
    hf_multipath *net = &out->net;
    const uint64_t width = hf_power64(net->radix, net->n_stage - 1), n_end = hf_power64(net->radix, net->n_stage);
    if (n_end > size) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "%" PRIu64 " endpoints need a line each; the file has %zu bytes", n_end, size);
    }
    net->width = (uint32_t)width;
    net->n_switch = net->width * (net->n_stage - 1 + net->dilation);
    out->n_first = net->width * (net->n_stage - 1);
    out->n_row = out->n_first + (uint32_t)n_end;
    out->stride = net->radix * net->dilation;
    HF_TRY(hf_scratch(cx, (size_t)out->n_row * out->stride, sizeof *out->output, (void **)&out->output));
    HF_TRY(hf_scratch(cx, out->n_row, sizeof *r->line_of, (void **)&r->line_of));
    return hf_scratch(cx, (size_t)net->n_switch * out->stride, sizeof *r->taken, (void **)&r->taken);
}

/* ---- outputs ---- */

/* Routers that an output may lead to. */
typedef struct range {
    uint32_t first, count;
} range;

static range range_of(const hf_wiring_file *w, uint32_t row, uint32_t port) {
    const hf_multipath *net = &w->net;
    if (row >= w->n_first) {
        return (range){0, net->width};
    }
    const uint32_t stage = hf_multipath_stage(net, row), class = (row - stage * net->width) / hf_multipath_class_size(net, stage);
    const uint32_t next = hf_multipath_class_size(net, stage + 1), direction = port / net->dilation;
    return (range){(stage + 1) * net->width + (class * net->radix + direction) * next, next};
}

/* "s8:3" in a slice. */
static bool parse_output(hf_slice word, uint64_t *router, uint64_t *input) {
    const char *colon = word.size > 1 && *word.text == 's' ? memchr(word.text, ':', word.size) : NULL;
    return colon && hf_slice_number((hf_slice){word.text + 1, (size_t)(colon - word.text) - 1}, 10, router) &&
           hf_slice_number((hf_slice){colon + 1, (size_t)(word.text + word.size - colon) - 1}, 10, input);
}

static hf_status read_output(reader *r, uint32_t row, uint32_t port) {
    const hf_wiring_file *w = r->out;
    const range to = range_of(w, row, port);
    const uint32_t inputs = hf_multipath_n_input(&w->net, hf_multipath_stage(&w->net, to.first));
    uint64_t router, input;
    hf_slice word;
    if (!hf_lines_word(&r->lines, &word)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "the line ends where output %u is expected, ROUTER:INPUT such as s%u:0",
                     (unsigned)port, (unsigned)to.first);
    }
    if (!parse_output(word, &router, &input) || router < to.first || router - to.first >= to.count || input >= inputs) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "output %u leads to \"%.*s\"; need a router from s%u to s%u and an input from 0 to %u",
                     (unsigned)port, HF_SLICE(word), (unsigned)to.first, (unsigned)(to.first + to.count - 1),
                     (unsigned)(inputs - 1));
    }
    uint32_t *taken = &r->taken[router * w->stride + input];
    if (*taken) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "output %u leads to \"%.*s\", which an output of line %u has taken; need a free input",
                     (unsigned)port, HF_SLICE(word), (unsigned)*taken);
    }
    *taken = r->lines.line;
    w->output[(size_t)row * w->stride + port] = (hf_wired){(uint32_t)router, (uint32_t)input};
    return HF_OK;
}

/* "s0:" or "t0:". */
static bool parse_row(const hf_wiring_file *w, hf_slice word, uint32_t *out) {
    uint64_t number;
    if (word.size < 3 || word.text[word.size - 1] != ':' || (*word.text != 's' && *word.text != 't') ||
        !hf_slice_number((hf_slice){word.text + 1, word.size - 2}, 10, &number)) {
        return false;
    }
    const bool is_router = *word.text == 's';
    if (number >= (is_router ? w->n_first : w->n_row - w->n_first)) {
        return false;
    }
    *out = (uint32_t)number + (is_router ? 0 : w->n_first);
    return true;
}

static hf_status read_row(reader *r) {
    const hf_wiring_file *w = r->out;
    uint32_t row;
    hf_slice word;
    (void)hf_lines_word(&r->lines, &word);
    if (!parse_row(w, word, &row)) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL,
                     "\"%.*s\" begins no line; need a router from \"s0:\" to \"s%u:\" or an endpoint to \"t%u:\"", HF_SLICE(word),
                     (unsigned)(w->n_first - 1), (unsigned)(w->n_row - w->n_first - 1));
    }
    if (r->line_of[row]) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "\"%.*s\" has its outputs on line %u already; need one line", HF_SLICE(word),
                     (unsigned)r->line_of[row]);
    }
    r->line_of[row] = r->lines.line;
    const uint32_t n = row < w->n_first ? w->stride : w->net.dilation;
    for (uint32_t port = 0; port < n; port++) {
        HF_TRY(read_output(r, row, port));
    }
    return hf_lines_end(&r->lines, "the end of the line");
}

hf_status hf_read_multipath_wiring(hf_context *cx, const char *file, const char *data, size_t size, hf_wiring_file *out) {
    reader r = {.out = out};
    *out = (hf_wiring_file){0};
    hf_lines_start(cx, file, data, size, &r.lines);
    HF_TRY(read_shape(&r.lines, out));
    HF_TRY(make_room(cx, &r, size));
    while (next_line(&r.lines)) {
        HF_TRY(read_row(&r));
    }
    for (uint32_t row = 0; row < out->n_row; row++) {
        if (!r.line_of[row]) {
            const bool is_router = row < out->n_first;
            HF_LINE_FAIL(&r.lines, HF_EINVAL, "the file ends without the outputs of %c%u; need a line for each",
                         is_router ? 's' : 't', (unsigned)(is_router ? row : row - out->n_first));
        }
    }
    return HF_OK;
}

/* ---- the topology ---- */

static hf_status add_links(hf_context *cx, hf_topology *topo, const hf_multipath *net, const void *how) {
    (void)cx;
    const hf_wiring_file *w = how;
    for (uint32_t row = 0; row < w->n_row; row++) {
        const bool is_router = row < w->n_first;
        const uint32_t n = is_router ? w->stride : net->dilation, node = is_router ? row : topo->n_switch + row - w->n_first;
        const uint32_t first = is_router ? hf_multipath_n_input(net, hf_multipath_stage(net, row)) : 0;
        for (uint32_t port = 0; port < n; port++) {
            const hf_wired to = w->output[(size_t)row * w->stride + port];
            hf_topology_add_link(topo, node, first + port, to.router, to.input, false);
        }
    }
    return HF_OK;
}

/* A value of the file, which the spec may have named as well. */
static hf_status settle(hf_context *cx, const char *file, hf_args *args, const char *name, uint64_t value) {
    hf_value *v = &args->value[hf_args_get(args, name) - args->value];
    if (v->number != 0 && v->number != value) {
        const char *const *words = args->params[v - args->value].words;
        char *wrong, *right;
        HF_TRY(words ? hf_scratch_print(cx, &wrong, "%s", words[v->number])
                     : hf_scratch_print(cx, &wrong, "%" PRIu64, v->number));
        HF_TRY(words ? hf_scratch_print(cx, &right, "%s", words[value]) : hf_scratch_print(cx, &right, "%" PRIu64, value));
        HF_FAIL(cx, HF_EINVAL, "%s: the spec says %s=%s, the wiring in the file has %s; leave it out of the spec", file, name,
                wrong, right);
    }
    v->number = value;
    return HF_OK;
}

hf_status hf_build_multipath_wiring(hf_context *cx, const char *file, const hf_wiring_file *w, const hf_args *args,
                                    hf_topology **out) {
    hf_args settled = *args;
    HF_TRY(settle(cx, file, &settled, "family", w->family));
    HF_TRY(settle(cx, file, &settled, "radix", w->net.radix));
    HF_TRY(settle(cx, file, &settled, "dilation", w->net.dilation));
    HF_TRY(settle(cx, file, &settled, "stages", w->net.n_stage));
    return hf_multipath_build_links(cx, &hf_topology_multipath_wiring, &settled, add_links, w, out);
}

static hf_status build_source(hf_context *cx, const hf_args *named, const hf_source *source, hf_topology **out) {
    hf_wiring_file wiring;
    HF_TRY(hf_read_multipath_wiring(cx, source->path, source->text.data, source->text.size, &wiring));
    return hf_build_multipath_wiring(cx, source->path, &wiring, named, out);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_topology_from_file(cx, args, build_source, out);
}

#define OF_THE_FILE(parameter, most, text)                                                                                       \
    { .name = (parameter), .type = HF_PARAM_UINT, .fallback = "0", .high = (most), .help = text ", 0: as the file says" }

static const hf_param params[] = {
    HF_SOURCE_PARAM,
    {.name = "family",
     .type = HF_PARAM_WORD,
     .fallback = "file",
     .words = families,
     .help = "the family that the wiring is of: as the file says, which must agree with another word"},
    OF_THE_FILE("radix", HF_MULTIPATH_RADIX_MAX, "directions of a router"),
    OF_THE_FILE("dilation", 16, "outputs of a router in each direction, and of an endpoint"),
    OF_THE_FILE("stages", 16, "stages of routers"),
    {0},
};

const hf_topology_kind hf_topology_multipath_wiring = {
    .name = "multipath-wiring",
    .summary = "multipath network of dilated routers with the wiring of a file, as topology --wiring writes it",
    .source = "chong1992, 2",
    .params = params,
    .build = build,
    HF_MULTIPATH_FIGURES,
};
