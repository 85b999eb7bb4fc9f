/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Failed links as htsim writes them. */
#include "src/fault/failure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"

/* A kind of switch, what its switches are called, and those that its links are counted to. */
static const struct {
    const char *word, *name, *other;
} kinds[] = {{"TOR", "tor", "agg"}, {"AGG", "agg", "core"}, {"CORE", "core", "agg"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct failure {
    size_t kind;                 /* KINDS: not said */
    uint64_t switch_id, link_id; /* UINT64_MAX: not said */
} failure;

static bool take(hf_lines *line, failure *f) {
    hf_slice key, value;
    if (!hf_lines_word(line, &key) || !hf_lines_word(line, &value)) {
        return false;
    }
    if (hf_slice_is(key, "switch_type")) {
        f->kind = 0;
        while (f->kind < KINDS && !hf_slice_is(value, kinds[f->kind].word)) {
            f->kind++;
        }
        return f->kind < KINDS;
    }
    uint64_t *field = hf_slice_is(key, "switch_id") ? &f->switch_id : hf_slice_is(key, "link_id") ? &f->link_id : NULL;
    return field && hf_slice_number(value, 10, field);
}

static hf_status read(hf_context *cx, hf_slice name, failure *out) {
    hf_lines line;
    hf_slice word;
    bool is_right = true;
    *out = (failure){KINDS, UINT64_MAX, UINT64_MAX};
    hf_lines_start(cx, "", name.text, name.size, &line);
    (void)hf_lines_next(&line);
    (void)hf_lines_word(&line, &word); /* failure */
    for (hf_lines_blanks(&line); is_right && hf_lines_rest(&line).size > 0; hf_lines_blanks(&line)) {
        is_right = take(&line, out);
    }
    if (!is_right || out->kind == KINDS || out->switch_id == UINT64_MAX || out->link_id == UINT64_MAX) {
        HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is not right; need failure switch_type TOR, AGG or CORE, switch_id N, link_id N",
                HF_SLICE(name));
    }
    return HF_OK;
}

static hf_status find_switch(hf_context *cx, const hf_topology *topo, hf_slice name, const failure *f, uint32_t *out) {
    char label[48];
    const int size = snprintf(label, sizeof label, "%s%" PRIu64, kinds[f->kind].name, f->switch_id);
    uint32_t first;
    const bool is_one = hf_topology_find_label(topo, label, (size_t)size, &first) == 1;
    *out = is_one ? topo->by_label[first] : HF_NONE;
    if (*out >= topo->n_switch) {
        HF_FAIL(cx, HF_ENOENT, "\"%.*s\": there is no switch %s in \"%s\"; need one of a topology file of htsim", HF_SLICE(name),
                label, topo->spec);
    }
    return HF_OK;
}

/* In a list of names such a line stands in quotes. */
static hf_slice without_quotes(hf_slice name) {
    const bool is_quoted = name.size > 1 && *name.text == '"' && name.text[name.size - 1] == '"';
    return is_quoted ? (hf_slice){name.text + 1, name.size - 2} : name;
}

hf_status hf_failure_parse(hf_context *cx, const hf_topology *topo, hf_slice name, char *type, uint32_t *id) {
    failure f;
    uint32_t sw, last = HF_NONE;
    uint64_t n = 0;
    if (!hf_failure_is(without_quotes(name))) {
        return hf_topology_parse_name(cx, topo, name.text, name.size, type, id);
    }
    name = without_quotes(name);
    HF_TRY(read(cx, name, &f));
    HF_TRY(find_switch(cx, topo, name, &f, &sw));
    const char *other = kinds[f.kind].other;
    for (uint32_t port = 0; port < topo->n_port_max; port++) {
        const uint32_t c = hf_topology_channel_at(topo, sw, port), to = c == HF_NONE ? HF_NONE : topo->to[c];
        const bool counts = to < topo->n_switch && to != last && strncmp(topo->label[to], other, strlen(other)) == 0;
        if (counts && n++ == f.link_id) {
            *type = 'l';
            *id = topo->link[c];
            return HF_OK;
        }
        last = counts ? to : last;
    }
    HF_FAIL(cx, HF_EINVAL, "\"%.*s\": %s has %" PRIu64 " links to %s switches; need a link_id below that", HF_SLICE(name),
            topo->label[sw], n, other);
}
