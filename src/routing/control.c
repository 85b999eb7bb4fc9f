/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flow control by link, as it is written: for classes of links and channels, by name, or in the network's file. */
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/text.h>
#include <holdfast/fault.h>
#include <holdfast/routing/control.h>

#include "src/core/lines.h"
#include "src/topology/grid/grid.h"

typedef struct reader {
    hf_context *cx;
    const hf_topology *topo;
    const char *text;
    uint64_t *named; /* channels */
    char *spec;
} reader;

static void name_channel(const reader *r, uint32_t channel) {
    if (channel != HF_NONE) {
        hf_bit_set(r->named, channel);
    }
}

static void name_link(const reader *r, uint32_t link) {
    name_channel(r, r->topo->forward[link]);
    name_channel(r, r->topo->backward[link]);
}

/* What looks like a direction, on a grid, and is none. */
static hf_status refuse_direction(const reader *r, const hf_grid *grid, hf_slice word) {
    char *all = NULL;
    for (uint32_t d = 0; d < grid->n; d++) {
        const char x = hf_grid_letter(d);
        HF_TRY(hf_scratch_print(r->cx, &all, "%s%s%c, %c+ and %c-", all ? all : "", all ? ", " : "", x, x, x));
    }
    HF_FAIL(r->cx, HF_EINVAL, "flow control \"%s\": \"%s\" has no direction %.*s; need one of %s, or links or channels by name",
            r->text, r->topo->spec, HF_SLICE(word), all);
}

/* "x", "x+", "x-" of a grid. \return HF_OK with *is_one false if the word does not look like that */
static hf_status take_direction(const reader *r, hf_slice word, bool *is_one) {
    const hf_attribute *dimension = hf_topology_attribute(r->topo, "dimension");
    const char sign = word.size == 2 ? word.text[1] : 0;
    hf_grid grid;
    uint32_t d = 0;
    *is_one = hf_grid_of(r->topo, &grid) && (word.size == 1 || sign == '+' || sign == '-');
    if (!*is_one) {
        return HF_OK;
    }
    while (d < grid.n && hf_grid_letter(d) != word.text[0]) {
        d++;
    }
    if (!dimension || d == grid.n) {
        return refuse_direction(r, &grid, word);
    }
    for (uint32_t link = 0; link < r->topo->n_switch_link; link++) {
        if (dimension->of_link[link] == d) {
            name_channel(r, sign == '-' ? HF_NONE : r->topo->forward[link]);
            name_channel(r, sign == '+' ? HF_NONE : r->topo->backward[link]);
        }
    }
    return HF_OK;
}

/* A term of a universe. \return HF_OK with *is_one false if the word begins with none */
static hf_status take_universe(reader *r, const char *word, bool *is_one) {
    const size_t head = strcspn(word, ":");
    hf_universe *u;
    *is_one = false;
    for (size_t i = 0; i < hf_universe_kind_count(); i++) {
        const char *name = hf_universe_kind_at(i)->name;
        *is_one |= strlen(name) == head && memcmp(name, word, head) == 0;
    }
    if (!*is_one) {
        return HF_OK;
    }
    HF_TRY(hf_universe_new(r->cx, r->topo, word, NULL, &u));
    for (uint32_t i = 0; i < u->channel_begin[u->n_component]; i++) {
        name_channel(r, u->channel[i]);
    }
    const hf_status status = hf_scratch_print(r->cx, &r->spec, "%s%s", r->spec, u->spec);
    hf_universe_free(u);
    return status;
}

static hf_status take_name(reader *r, const char *word) {
    char type, name[HF_NAME_SIZE];
    uint32_t id;
    HF_TRY(hf_topology_parse_name(r->cx, r->topo, word, strlen(word), &type, &id));
    if (type == 'l') {
        name_link(r, id);
        hf_topology_link_name(r->topo, id, name, sizeof name);
    } else if (type == 'c') {
        name_channel(r, id);
        hf_topology_channel_name(r->topo, id, name, sizeof name);
    } else {
        const uint32_t v = type == 't' ? r->topo->n_switch + id : id;
        for (uint32_t i = r->topo->out_begin[v]; i < r->topo->out_begin[v + 1]; i++) {
            name_channel(r, r->topo->out_list[i]);
        }
        hf_topology_node_name(r->topo, v, name, sizeof name);
    }
    return hf_scratch_print(r->cx, &r->spec, "%s%s", r->spec, name);
}

static hf_status take_word(reader *r, hf_slice word) {
    char *copy;
    bool is_direction, is_universe;
    if (word.size == 0) {
        HF_FAIL(r->cx, HF_EINVAL, "flow control \"%s\" has an empty word; need directions, links or channels between commas",
                r->text);
    }
    HF_TRY(hf_scratch_print(r->cx, &copy, "%.*s", HF_SLICE(word)));
    HF_TRY(take_direction(r, word, &is_direction));
    if (is_direction) {
        return hf_scratch_print(r->cx, &r->spec, "%s%s", r->spec, copy);
    }
    HF_TRY(take_universe(r, copy, &is_universe));
    return is_universe ? HF_OK : take_name(r, copy);
}

/* Words between commas outside quotes. */
static hf_status take_words(reader *r, const char *at) {
    bool is_quoted = false;
    for (const char *end = at;; end++) {
        is_quoted ^= *end == '"';
        if (*end && (is_quoted || *end != ',')) {
            continue;
        }
        HF_TRY(take_word(r, (hf_slice){at, (size_t)(end - at)}));
        if (!*end) {
            return HF_OK;
        }
        HF_TRY(hf_scratch_print(r->cx, &r->spec, "%s,", r->spec));
        at = end + 1;
    }
}

static hf_status take_file(const reader *r) {
    const hf_attribute *flow = hf_topology_attribute(r->topo, "flow");
    if (!flow) {
        HF_FAIL(r->cx, HF_EINVAL, "flow control \"file\": no link of \"%s\" has an attribute flow; need credit or bubble there",
                r->topo->spec);
    }
    for (uint32_t link = 0; link < r->topo->n_link; link++) {
        const uint32_t value = flow->of_link[link] == HF_NONE ? 0 : flow->of_link[link];
        name_channel(r, value & HF_LINK_BUBBLE_FORWARD ? r->topo->forward[link] : HF_NONE);
        name_channel(r, value & HF_LINK_BUBBLE_BACKWARD ? r->topo->backward[link] : HF_NONE);
    }
    return HF_OK;
}

/* What is named keeps bubbles, or is what does not. */
static void settle(const reader *r, bool is_plain, hf_flow_control *out) {
    const size_t n = r->topo->n_channel;
    for (uint32_t i = 0; i < hf_words(n) && !is_plain; i++) {
        r->named[i] = ~r->named[i];
    }
    if (!is_plain && n % 64) {
        r->named[n / 64] &= (UINT64_C(1) << n % 64) - 1;
    }
    const uint64_t without = hf_bits_count(r->named, hf_words(n));
    out->bubble = without < n;
    out->plain = without > 0 && without < n ? r->named : NULL;
}

bool hf_flow_control_may_bubble(const char *text) { return text && strcmp(text, "credit") != 0; }

hf_status hf_flow_control_read(hf_context *cx, const hf_topology *topo, const char *text, hf_flow_control *out) {
    const char *const colon = strchr(text, ':');
    const hf_slice word = {text, colon ? (size_t)(colon - text) : strlen(text)};
    const bool is_bubble = hf_slice_is(word, "bubble"), is_credit = hf_slice_is(word, "credit"),
               is_file = hf_slice_is(word, "file") && !colon;
    reader r = {.cx = cx, .topo = topo, .text = text};
    if (!is_bubble && !is_credit && !is_file) {
        HF_FAIL(cx, HF_EINVAL,
                "flow control \"%s\" is not known; need credit, bubble, bubble:LINKS, credit:LINKS, or file for what the "
                "network's file says",
                text);
    }
    *out = (hf_flow_control){.spec = text, .bubble = is_bubble};
    if (!colon && !is_file) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof *r.named, (void **)&r.named));
    HF_TRY(hf_scratch_print(cx, &r.spec, "%.*s%s", HF_SLICE(word), colon ? ":" : ""));
    HF_TRY(is_file ? take_file(&r) : take_words(&r, colon + 1));
    settle(&r, is_credit, out);
    out->spec = r.spec;
    return HF_OK;
}
