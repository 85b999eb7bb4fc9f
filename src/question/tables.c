/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the tables of several questions have in common. */
#include "src/question/tables.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "src/core/print.h"

hf_status hf_asked_note(hf_context *cx, char **note, const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    const hf_status status = hf_scratch_print_list(cx, &text, format, list);
    va_end(list);
    HF_TRY(status);
    return hf_scratch_print(cx, note, "%s%s%s", *note ? *note : "", *note ? "\n" : "", text);
}

hf_status hf_asked_big(hf_context *cx, hf_report *answer, const hf_big *n) {
    hf_u128 small = 0;
    char *heap, *digits = NULL;
    double value = 0;
    if (!hf_big_get_u128(n, &small)) {
        hf_big *one;
        HF_TRY(hf_big_new(cx, &one));
        hf_big_set(one, 1);
        value = hf_big_share(n, one);
        hf_big_free(one);
        HF_TRY(hf_big_text(cx, n, &heap));
        const hf_status status = hf_scratch_print(cx, &digits, "%s", heap);
        hf_release(hf_context_allocator(cx), heap);
        HF_TRY(status);
    }
    hf_report_cell(answer, hf_cell_big(small, digits, value));
    return HF_OK;
}

hf_json *hf_asked_classes(const hf_bound *b) {
    hf_json *runs = hf_json_array();
    for (uint32_t i = 0; i < b->n_component;) {
        uint32_t end = i;
        while (end < b->n_component && b->class_of[end] == b->class_of[i]) {
            end++;
        }
        hf_json_push(runs, hf_json_integer(b->class_of[i]));
        hf_json_push(runs, hf_json_integer(end - i));
        i = end;
    }
    return runs;
}

hf_status hf_asked_failed(hf_context *cx, const hf_fault_set *failed, char **out) {
    hf_text names;
    hf_text_init(cx, &names);
    hf_fault_set_names(failed, &names);
    hf_status status = hf_text_check(cx, &names);
    const bool has = status == HF_OK && names.size > 0;
    status = status == HF_OK ? hf_scratch_print(cx, out, "%s%s", has ? ", failed: " : "", has ? names.data : "") : status;
    hf_text_free(&names);
    return status;
}

hf_status hf_asked_attach(const hf_asked *asked, hf_report *answer, const char *name, const void *user,
                          hf_status (*print)(const void *user, hf_text *out)) {
    hf_text out;
    if (!hf_asked_wants(asked, name)) {
        return HF_OK;
    }
    hf_text_init(answer->cx, &out);
    hf_status status = print(user, &out);
    status = status == HF_OK ? hf_text_check(answer->cx, &out) : status;
    if (status == HF_OK && out.size > 0) {
        hf_report_attach(answer, name, out.data);
    }
    hf_text_free(&out);
    return status;
}

hf_status hf_asked_attach_plot(const hf_asked *asked, hf_report *answer, const hf_plot *plot) {
    static const struct {
        const char *name;
        hf_plot_form form;
    } as[] = {{"svg", HF_PLOT_SVG}, {"pgfplots", HF_PLOT_TEX}};
    hf_status status = HF_OK;
    for (size_t i = 0; i < sizeof as / sizeof *as && status == HF_OK; i++) {
        hf_text out;
        if (hf_asked_wants(asked, as[i].name)) {
            hf_text_init(answer->cx, &out);
            status = hf_format_plot(answer->cx, plot, as[i].form, &out);
            if (status == HF_OK) {
                hf_report_attach(answer, as[i].name, out.data);
            }
            hf_text_free(&out);
        }
    }
    return status;
}

hf_status hf_asked_resources(hf_report *answer, const hf_topology *topo, uint32_t n_vc, const uint32_t *resource, uint32_t n) {
    char *text = NULL;
    for (uint32_t i = 0; i < n; i++) {
        char name[HF_NAME_SIZE];
        hf_resource_name(topo, n_vc, resource[i], name, sizeof name);
        HF_TRY(hf_scratch_print(answer->cx, &text, "%s%s%s", i ? text : "", i ? ", " : "", name));
    }
    hf_report_cell(answer, hf_cell_word(text));
    return HF_OK;
}

static hf_status put_terminal(hf_report *answer, const hf_topology *topo, uint32_t terminal) {
    char *text = NULL, name[HF_NAME_SIZE];
    if (terminal != HF_NONE) {
        hf_topology_terminal_name(topo, terminal, name, sizeof name);
        HF_TRY(hf_scratch_print(answer->cx, &text, "%s", name));
    }
    hf_report_cell(answer, hf_cell_word(text));
    return HF_OK;
}

/* "t0 s0 s1@1": nodes up to what the packet holds first, with the virtual channel by which it came. */
static hf_status put_path(hf_report *answer, const hf_topology *topo, uint32_t n_vc, const hf_blocked *b) {
    char *text = NULL, name[HF_NAME_SIZE], vc[16] = "";
    for (uint32_t i = 0; i <= b->n_path && b->n_path > 0; i++) {
        hf_topology_node_name(topo, i ? topo->to[b->path[i - 1].channel] : topo->from[b->path[0].channel], name, sizeof name);
        if (i && n_vc > 1) {
            (void)snprintf(vc, sizeof vc, "@%" PRIu32, b->path[i - 1].vc);
        }
        HF_TRY(hf_scratch_print(answer->cx, &text, "%s%s%s%s", text ? text : "", text ? " " : "", name, vc));
    }
    hf_report_cell(answer, hf_cell_word(text));
    return HF_OK;
}

hf_status hf_asked_blocked(hf_report *answer, const hf_topology *topo, uint32_t n_vc, const hf_blocked *b) {
    HF_TRY(put_terminal(answer, topo, b->source));
    HF_TRY(put_terminal(answer, topo, b->destination));
    HF_TRY(hf_asked_resources(answer, topo, n_vc, b->hold, b->n_hold));
    HF_TRY(hf_asked_resources(answer, topo, n_vc, b->wait, b->n_wait));
    return put_path(answer, topo, n_vc, b);
}
