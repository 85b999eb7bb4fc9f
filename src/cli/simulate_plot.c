/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of holdfast simulate: latency against accepted traffic, as characters and as SVG. And histograms of latencies. */
#include <inttypes.h>

#include <holdfast/format.h>

#include "src/cli/simulate.h"

typedef struct curve {
    hf_plot plot;
    hf_plot_series series[2];
} curve;

static hf_status fill(const simulate *s, bool is_network, hf_plot_series *out) {
    hf_plot_point *point;
    HF_TRY(hf_scratch(s->c->cx, s->n_point, sizeof *point, (void **)&point));
    for (uint32_t i = 0; i < s->n_point; i++) {
        const hf_point *p = &s->point[i];
        const hf_batch_mean m = is_network ? p->network_latency : p->latency;
        point[i] = (hf_plot_point){.x = p->accepted.mean, .y = m.mean, .low = m.mean - m.half, .high = m.mean + m.half};
    }
    *out = (hf_plot_series){.name = is_network ? "in the network, from the header's leaving the source" : "from generation",
                            .point = point,
                            .n_point = s->n_point,
                            .is_joined = true};
    return HF_OK;
}

static hf_status make(const simulate *s, curve *out) {
    char *title;
    HF_TRY(hf_scratch_print(s->c->cx, &title, "%s, %s, traffic %s", s->net.topo->spec, s->net.rule.spec, s->traffic->spec));
    HF_TRY(fill(s, false, &out->series[0]));
    HF_TRY(fill(s, true, &out->series[1]));
    out->plot = (hf_plot){.title = title,
                          .x = {.label = "accepted traffic (flits/cycle/terminal)", .has_zero = true},
                          .y = {.label = "latency (cycles)", .is_log = true},
                          .series = out->series,
                          .n_series = 2};
    return HF_OK;
}

hf_status simulate_plot_text(const simulate *s, hf_text *out) {
    curve c;
    HF_TRY(make(s, &c));
    hf_text_print(out, "\n");
    return hf_format_plot_text(s->c->cx, &c.plot, out);
}

hf_status simulate_plot_svg(const simulate *s, const char *path) {
    hf_context *cx = s->c->cx;
    curve c;
    hf_text text;
    HF_TRY(make(s, &c));
    hf_text_init(cx, &text);
    hf_status status = hf_format_plot(cx, &c.plot, &text);
    status = status == HF_OK ? hf_text_save(cx, &text, path) : status;
    hf_text_free(&text);
    return status;
}

enum { BINS = 65, BAR = 50 };

void simulate_print_histogram(const uint64_t *histogram, hf_text *out) {
    uint64_t most = 0;
    for (unsigned i = 0; i < BINS; i++) {
        most = histogram[i] > most ? histogram[i] : most;
    }
    hf_text_print(out, "%12s  %12s  %12s\n", "cycles from", "to", "number");
    for (unsigned i = 0; i < BINS; i++) {
        const uint64_t from = i ? UINT64_C(1) << (i - 1) : 0, to = i ? from - 1 + from : 0;
        if (histogram[i]) {
            const double share = (double)histogram[i] / (double)most;
            hf_text_print(out, "%12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  ", from, to, histogram[i]);
            for (int bar = 0; bar < (int)(share * BAR + 0.5); bar++) {
                hf_text_print(out, "#");
            }
            hf_text_print(out, "\n");
        }
    }
}

void simulate_print_histograms(const simulate *s, hf_text *out) {
    for (uint32_t i = 0; i < s->n_point; i++) {
        if (s->point[i].packets) {
            hf_text_print(out, "\nload %.6g: packets by latency from generation\n", s->point[i].load);
            simulate_print_histogram(s->point[i].histogram, out);
        }
    }
}
