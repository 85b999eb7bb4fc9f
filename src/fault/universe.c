/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fault universes: terms joined by "+". A term is an ordered run of components; filters on topology attributes thin it out. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/content.h"
#include "src/core/grow.h"
#include "src/core/registry.h"
#include "src/fault/filter.h"
#include "src/fault/universe.h"

static const hf_param groups_params[] = {
    {.name = "file",
     .type = HF_PARAM_TEXT,
     .flags = HF_PARAM_POSITIONAL,
     .help = "text file with a line a group, NAME: member member ...; members are names such as s8, s8:3-s18:0, s8:3>s18:0"},
    {0},
};

enum { TERM_CHANNELS, TERM_LINKS, TERM_SWITCHES, TERM_ROUTERS, TERM_TERMINAL_LINKS, TERM_CHIPS, TERM_GROUPS, N_TERM };
static const void *const kinds[N_TERM] = {
    &(const hf_universe_kind){"channels",
                              "unidirectional channels between switches, all forward ones first; filter: channels:stage=1",
                              "gomez2010, 3.4", hf_no_params},
    &(const hf_universe_kind){"links", "links between switches; both channels fail together; filter: links:stage=1",
                              "gomez2010, 3.3.3", hf_no_params},
    &(const hf_universe_kind){"switches", "switches; all channels at a switch fail with it; filter: switches:stage=1",
                              "gomez2010, 3.2", hf_no_params},
    &(const hf_universe_kind){"routers", "the logical routers of a multipath network: another name for switches",
                              "chong1992, 4.2", hf_no_params},
    &(const hf_universe_kind){"terminal-links", "links between a terminal and its switch", "holdfast", hf_no_params},
    &(const hf_universe_kind){"chips", "chips of a multipath network; the routers on a chip fail together; filter: chips:stage=1",
                              "chong1992, 4.2", hf_no_params},
    &(const hf_universe_kind){"groups", "a user's groups of components that fail as one: boards, cable bundles", "holdfast",
                              groups_params},
};
static const hf_registry registry = HF_REGISTRY("fault universe", kinds);

size_t hf_universe_kind_count(void) { return registry.n; }
const hf_universe_kind *hf_universe_kind_at(size_t i) { return hf_registry_at(&registry, i); }

/** A universe while it is built. */
typedef struct builder {
    hf_context *cx;
    const hf_topology *topo;
    const char *text; /**< the spec, for messages */
    hf_universe *u;
    size_t capacity; /**< of u->component */
    hf_text spec;    /**< canonical, so far */
    hf_group_list groups;
    hf_filter_list only;
    uint64_t *seen[HF_COMPONENT_GROUP]; /**< by type: plain components taken */
} builder;

/* ---- components ---- */

static hf_status append(builder *b, hf_component c) {
    hf_universe *u = b->u;
    HF_GROW(b->cx, u->component, u->n_component, b->capacity);
    u->component[u->n_component++] = c;
    return HF_OK;
}

static hf_status append_plain(builder *b, hf_component c, const hf_filter_list *filters) {
    if (!hf_filter_passes(filters, b->topo, c)) {
        return HF_OK;
    }
    HF_TRY(append(b, c));
    if (hf_bit_test(b->seen[c.type], c.id)) {
        char name[HF_NAME_SIZE];
        hf_universe_name(b->u, b->u->n_component - 1, name, sizeof name);
        HF_FAIL(b->cx, HF_EINVAL, "fault universe \"%s\" holds %s twice; a component may be in it once", b->text, name);
    }
    hf_bit_set(b->seen[c.type], c.id);
    return HF_OK;
}

/** The channels of links [0, n) between switches, forward ones first: the order of channel ids. */
static hf_status append_channels(builder *b, const hf_filter_list *filters) {
    for (uint32_t c = 0; c < b->topo->n_channel; c++) {
        if (b->topo->link[c] < b->topo->n_switch_link) {
            HF_TRY(append_plain(b, (hf_component){HF_COMPONENT_CHANNEL, c}, filters));
        }
    }
    return HF_OK;
}

static hf_status append_range(builder *b, hf_component_type type, uint32_t lo, uint32_t hi, const hf_filter_list *filters) {
    for (uint32_t i = lo; i < hi; i++) {
        HF_TRY(append_plain(b, (hf_component){type, i}, filters));
    }
    return HF_OK;
}

static hf_status append_term(builder *b, int term, const hf_filter_list *filters) {
    const hf_topology *topo = b->topo;
    switch (term) {
    case TERM_CHANNELS:
        return append_channels(b, filters);
    case TERM_LINKS:
        return append_range(b, HF_COMPONENT_LINK, 0, topo->n_switch_link, filters);
    case TERM_SWITCHES:
    case TERM_ROUTERS:
        return append_range(b, HF_COMPONENT_SWITCH, 0, topo->n_switch, filters);
    default:
        return append_range(b, HF_COMPONENT_LINK, topo->n_switch_link, topo->n_link, filters);
    }
}

/** A group stays if all its members pass. */
static bool group_passes(const builder *b, uint32_t g, const hf_filter_list *filters) {
    for (uint32_t m = b->groups.begin[g]; m < b->groups.begin[g + 1]; m++) {
        if (!hf_filter_passes(filters, b->topo, b->groups.member[m])) {
            return false;
        }
    }
    return true;
}

static hf_status append_groups(builder *b, uint32_t first, const hf_filter_list *filters) {
    for (uint32_t g = first; g < b->groups.count; g++) {
        if (group_passes(b, g, filters)) {
            HF_TRY(append(b, (hf_component){HF_COMPONENT_GROUP, g}));
        }
    }
    return HF_OK;
}

/* ---- terms ---- */

/** The canonical spec names the content of a groups file too: "PATH#hash". Cut the hash off. \return NULL if there is none */
static const char *cut_hash(char *path) {
    char *mark = strrchr(path, '#');
    if (!mark || strlen(mark + 1) != 16 || strspn(mark + 1, "0123456789abcdef") != 16) {
        return NULL;
    }
    *mark = 0;
    return mark + 1;
}

/** Append the groups of a file and write "PATH#hash". */
static hf_status load_groups(builder *b, const char *path, const char *expected, hf_text *label) {
    hf_text file;
    hf_text_init(b->cx, &file);
    hf_status status = hf_text_load(b->cx, path, HF_GROUP_FILE_LIMIT, &file);
    if (status == HF_OK) {
        char hash[24];
        (void)snprintf(hash, sizeof hash, "%016" PRIx64, hf_content_of(file.data, file.size));
        hf_text_print(label, "%s#%s", path, hash);
        status = expected && strcmp(expected, hash) != 0
                     ? hf_context_fail(b->cx, HF_EINVAL, __FILE__, __LINE__,
                                       "%s: the file has changed: its content has the hash %s, the fault universe asks for %s",
                                       path, hash, expected)
                     : hf_groups_parse(b->cx, b->topo, path, file.data, file.size, &b->groups);
    }
    hf_text_free(&file);
    return status;
}

/** "PATH", "PATH#hash", either with ",stage=1" behind it. */
static hf_status read_groups(builder *b, const char *text, size_t size, hf_filter_list *filters, hf_text *label) {
    const char *comma = memchr(text, ',', size);
    const size_t path_size = comma ? (size_t)(comma - text) : size;
    if (path_size == 0) {
        HF_FAIL(b->cx, HF_EINVAL, "fault universe \"%s\": groups needs a file; write groups:PATH", b->text);
    }
    if (comma) {
        HF_TRY(hf_filter_parse(b->cx, b->topo, comma + 1, size - path_size - 1, filters));
    }
    char *path;
    HF_TRY(hf_scratch(b->cx, path_size + 1, 1, (void **)&path));
    memcpy(path, text, path_size);
    const char *expected = cut_hash(path);
    return load_groups(b, path, expected, label);
}

/** The chips of the topology as a groups file: "chip3: s3 s4", in the order of their first routers. */
static hf_status write_chips(builder *b, const uint32_t *chip, hf_text *out) {
    const uint32_t n = b->topo->n_switch;
    uint32_t *next, *last, n_chip = 0;
    for (uint32_t v = 0; v < n; v++) {
        n_chip = chip[v] >= n_chip ? chip[v] + 1 : n_chip;
    }
    HF_TRY(hf_scratch(b->cx, n, sizeof *next, (void **)&next));
    HF_TRY(hf_scratch(b->cx, n_chip, sizeof *last, (void **)&last));
    for (uint32_t v = n; v-- > 0;) { /* lists of the routers of a chip, ends marked by 0 */
        next[v] = last[chip[v]];
        last[chip[v]] = v + 1;
    }
    for (uint32_t v = 0; v < n; v++) {
        if (last[chip[v]] != v + 1) {
            continue;
        }
        hf_text_print(out, "chip%" PRIu32 ":", chip[v]);
        for (uint32_t at = v + 1; at; at = next[at - 1]) {
            hf_text_print(out, " s%" PRIu32, at - 1);
        }
        hf_text_print(out, "\n");
    }
    return hf_text_check(b->cx, out);
}

static hf_status load_chips(builder *b) {
    const hf_attribute *chip = hf_topology_attribute(b->topo, "chip");
    if (!chip) {
        HF_FAIL(b->cx, HF_ENOENT, "fault universe \"%s\": \"%s\" has no chips; multibutterfly and maximal-fanout do", b->text,
                b->topo->spec);
    }
    hf_text text;
    hf_text_init(b->cx, &text);
    hf_status status = write_chips(b, chip->of_switch, &text);
    if (status == HF_OK) {
        status = hf_groups_parse(b->cx, b->topo, "chips", text.data, text.size, &b->groups);
    }
    hf_text_free(&text);
    return status;
}

/** Take a term into the universe; an empty one is left out of the canonical spec. \param[in] rest what follows the colon */
static hf_status take_term(builder *b, int term, const char *rest, size_t size, hf_text *label) {
    const uint32_t before = b->u->n_component, first_group = b->groups.count;
    hf_filter_list own = {0}, filters;
    HF_TRY(term == TERM_GROUPS ? read_groups(b, rest, size, &own, label) : hf_filter_parse(b->cx, b->topo, rest, size, &own));
    HF_TRY(hf_filter_meet(b->cx, &own, &b->only, &filters));
    if (term == TERM_CHIPS) {
        HF_TRY(load_chips(b));
    }
    HF_TRY(term >= TERM_CHIPS ? append_groups(b, first_group, &filters) : append_term(b, term, &filters));
    if (b->u->n_component > before) {
        const char *name =
            hf_universe_kind_at(term == TERM_ROUTERS ? TERM_SWITCHES : term)->name; /* one canonical name for one thing */
        hf_text_print(&b->spec, "%s%s%s%s", b->spec.size ? "+" : "", name, term == TERM_GROUPS ? ":" : "",
                      label->data ? label->data : "");
        hf_filter_print(&filters, term == TERM_GROUPS ? ',' : ':', &b->spec);
    }
    return HF_OK;
}

static hf_status find_term(builder *b, const char *text, size_t size, int *out) {
    const void *kind = hf_registry_need(b->cx, &registry, (hf_slice){text, size});
    *out = 0;
    while (*out < N_TERM && kinds[*out] != kind) {
        (*out)++;
    }
    return kind ? HF_OK : HF_ENOENT;
}

static hf_status read_term(builder *b, const char *text, size_t size) {
    const char *colon = memchr(text, ':', size);
    const char *rest = colon ? colon + 1 : text + size;
    int term;
    HF_TRY(find_term(b, text, colon ? (size_t)(colon - text) : size, &term));
    hf_text label;
    hf_text_init(b->cx, &label);
    hf_status status = take_term(b, term, rest, (size_t)(text + size - rest), &label);
    if (status == HF_OK) {
        status = hf_text_check(b->cx, &label);
    }
    hf_text_free(&label);
    return status;
}

static hf_status read_terms(builder *b) {
    for (const char *at = b->text, *plus; at; at = plus ? plus + 1 : NULL) {
        plus = strchr(at, '+');
        const size_t size = plus ? (size_t)(plus - at) : strlen(at);
        if (size == 0) {
            HF_FAIL(b->cx, HF_EINVAL, "fault universe \"%s\": a term is missing; join terms by +, such as links+switches",
                    b->text);
        }
        HF_TRY(read_term(b, at, size));
    }
    return HF_OK;
}

/* ---- universes ---- */

static hf_status start(builder *b, hf_context *cx, const hf_topology *topo, const char *text) {
    *b = (builder){.cx = cx, .topo = topo, .text = text};
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof(uint64_t), (void **)&b->seen[HF_COMPONENT_CHANNEL]));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_link), sizeof(uint64_t), (void **)&b->seen[HF_COMPONENT_LINK]));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof(uint64_t), (void **)&b->seen[HF_COMPONENT_SWITCH]));
    HF_TRY(hf_allocate(cx, 1, sizeof *b->u, (void **)&b->u));
    b->u->topo = topo;
    b->u->allocator = *hf_context_allocator(cx);
    hf_text_init(cx, &b->spec);
    return HF_OK;
}

/** All components are there: expand them, and hand over names and spec. */
static hf_status finish(builder *b) {
    HF_TRY(hf_text_check(b->cx, &b->spec));
    HF_TRY(hf_universe_expand(b->cx, b->u, &b->groups));
    HF_TRY(hf_duplicate(b->cx, b->spec.data, &b->u->spec));
    b->u->group_name = b->groups.name;
    b->u->n_group = b->groups.count;
    b->groups.name = NULL;
    return HF_OK;
}

static hf_status build(builder *b, const char *only) {
    HF_TRY(hf_filter_parse(b->cx, b->topo, only ? only : "", only ? strlen(only) : 0, &b->only));
    HF_TRY(read_terms(b));
    if (b->u->n_component == 0) {
        HF_FAIL(b->cx, HF_EINVAL, "fault universe \"%s\"%s%s%s of \"%s\" is empty; nothing in it could fail", b->text,
                only ? " with only \"" : "", only ? only : "", only ? "\"" : "", b->topo->spec);
    }
    return finish(b);
}

static hf_status build_groups(builder *b, const char *data, size_t size) {
    const hf_filter_list all = {0};
    HF_TRY(hf_groups_parse(b->cx, b->topo, b->text, data, size, &b->groups));
    HF_TRY(append_groups(b, 0, &all));
    hf_text_print(&b->spec, "groups:%s#%016" PRIx64, b->text, hf_content_of(data, size));
    return finish(b);
}

/** Release what the building needed, and on failure the universe. */
static hf_status end(builder *b, hf_status status, hf_universe **out) {
    hf_text_free(&b->spec);
    hf_groups_free(hf_context_allocator(b->cx), &b->groups);
    if (status == HF_OK) {
        *out = b->u;
    } else {
        hf_universe_free(b->u);
    }
    return status;
}

hf_status hf_universe_new(hf_context *cx, const hf_topology *topo, const char *spec, const char *only, hf_universe **out) {
    const hf_mark before = hf_scratch_mark(cx);
    builder b;
    hf_status status = start(&b, cx, topo, spec);
    if (status == HF_OK) {
        status = end(&b, build(&b, only), out);
    }
    hf_scratch_reset(cx, before);
    return status;
}

hf_status hf_universe_parse_groups(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                                   hf_universe **out) {
    const hf_mark before = hf_scratch_mark(cx);
    builder b;
    hf_status status = start(&b, cx, topo, file);
    if (status == HF_OK) {
        status = end(&b, build_groups(&b, data, size), out);
    }
    hf_scratch_reset(cx, before);
    return status;
}

void hf_universe_free(hf_universe *universe) {
    if (!universe) {
        return;
    }
    const hf_allocator allocator = universe->allocator;
    for (uint32_t g = 0; g < universe->n_group; g++) {
        hf_release(&allocator, universe->group_name[g]);
    }
    void *const blocks[] = {universe->spec,         universe->component,   universe->channel_begin, universe->channel,
                            universe->switch_begin, universe->switch_list, universe->group_name,    universe};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        hf_release(&allocator, blocks[i]);
    }
}

void hf_universe_name(const hf_universe *universe, uint32_t component, char *text, size_t size) {
    const hf_component c = universe->component[component];
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        hf_topology_channel_name(universe->topo, c.id, text, size);
        break;
    case HF_COMPONENT_LINK:
        hf_topology_link_name(universe->topo, c.id, text, size);
        break;
    case HF_COMPONENT_SWITCH:
        hf_topology_node_name(universe->topo, c.id, text, size);
        break;
    case HF_COMPONENT_GROUP:
        (void)snprintf(text, size, "%s", universe->group_name[c.id]);
        break;
    }
}

const char *hf_universe_kind_name(const hf_universe *universe, uint32_t component) {
    const hf_component c = universe->component[component];
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        return "channels";
    case HF_COMPONENT_LINK:
        return c.id < universe->topo->n_switch_link ? "links" : "terminal-links";
    case HF_COMPONENT_SWITCH:
        return "switches";
    case HF_COMPONENT_GROUP:
        break;
    }
    return strstr(universe->spec, "groups:") ? "groups" : "chips";
}
