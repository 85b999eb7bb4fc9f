/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fault universes: terms joined by "+", each an ordered run of components that a filter on topology attributes may thin out. */
#include "src/fault/universe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/bitset.h>

static const hf_param no_params[] = {{0}};
static const hf_param groups_params[] = {
    {"file", HF_PARAM_TEXT, NULL, 0, 0, NULL, HF_PARAM_POSITIONAL, "text file with a line a group: NAME: member member ..."},
    {0}};

enum { TERM_CHANNELS, TERM_LINKS, TERM_SWITCHES, TERM_TERMINAL_LINKS, TERM_GROUPS, N_TERM };
static const hf_universe_kind kinds[N_TERM] = {
    {"channels", "unidirectional channels between switches, forward ones first", "gomez2010, 3.4", no_params},
    {"links", "links between switches; both channels fail together", "gomez2010, 3.3.3", no_params},
    {"switches", "switches; all their channels fail, those of their terminals too", "gomez2010, 3.2", no_params},
    {"terminal-links", "links between a terminal and its switch", "holdfast", no_params},
    {"groups", "the user's groups of components that fail as one: boards, cable bundles", "holdfast", groups_params},
};

size_t hf_universe_kind_count(void) { return N_TERM; }
const hf_universe_kind *hf_universe_kind_at(size_t i) { return i < N_TERM ? &kinds[i] : NULL; }

/* ---- filters ---- */

enum { FILTER_MAX = 16 };

typedef struct filter {
    const hf_attribute *attribute;
    uint32_t value;
} filter;

typedef struct filters {
    filter item[FILTER_MAX];
    size_t count;
} filters;

static hf_status filter_unknown(hf_context *cx, const hf_topology *topo, const char *text, size_t size) {
    const char *names[FILTER_MAX + 1] = {NULL};
    for (size_t i = 0; i < topo->n_attribute && i < FILTER_MAX; i++) {
        names[i] = topo->attribute[i].name;
    }
    if (!names[0]) {
        HF_FAIL(cx, HF_ENOENT, "topology \"%s\" has no attributes to filter by; \"%.*s\" cannot hold", topo->spec, (int)size,
                text);
    }
    (void)hf_spec_unknown(cx, "attribute", text, size, names);
    hf_context_prefix(cx, "topology \"%s\": ", topo->spec);
    return HF_ENOENT;
}

/* "stage=1,stage=2" into *out, behind what is there. */
static hf_status filters_parse(hf_context *cx, const hf_topology *topo, const char *text, size_t size, filters *out) {
    for (size_t at = 0; at < size;) {
        const char *comma = memchr(text + at, ',', size - at);
        const size_t end = comma ? (size_t)(comma - text) : size;
        const char *equals = memchr(text + at, '=', end - at);
        char number[24] = "";
        if (!equals || (size_t)(text + end - equals - 1) >= sizeof number || out->count == FILTER_MAX) {
            HF_FAIL(cx, HF_EINVAL, "filter \"%.*s\" is not right; need ATTRIBUTE=NUMBER, such as stage=1, at most %d of them",
                    (int)(end - at), text + at, FILTER_MAX);
        }
        char name[64] = "";
        const size_t name_size = (size_t)(equals - text) - at;
        if (name_size < sizeof name) {
            memcpy(name, text + at, name_size);
        }
        const hf_attribute *attribute = hf_topology_attribute(topo, name);
        if (!attribute) {
            return filter_unknown(cx, topo, text + at, name_size);
        }
        memcpy(number, equals + 1, (size_t)(text + end - equals - 1));
        char *rest;
        const unsigned long value = strtoul(number, &rest, 10);
        if (!number[0] || *rest || number[0] < '0' || number[0] > '9' || value >= HF_NONE) {
            HF_FAIL(cx, HF_EINVAL, "filter %s=%s is not right; need a whole number", name, number);
        }
        out->item[out->count++] = (filter){attribute, (uint32_t)value};
        at = end + 1;
    }
    return HF_OK;
}

/* Every attribute that is named must have one of the values named for it. */
static bool filters_hold(const filters *f, bool is_switch, uint32_t id) {
    for (size_t i = 0; i < f->count; i++) {
        bool any = false;
        for (size_t j = 0; j < f->count; j++) {
            const hf_attribute *a = f->item[j].attribute;
            any |= a == f->item[i].attribute && (is_switch ? a->of_switch : a->of_link)[id] == f->item[j].value;
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

/* ---- collecting components ---- */

static hf_status universe_start(hf_context *cx, const hf_topology *topo, hf_universe **out) {
    hf_universe *u;
    HF_TRY(hf_allocate(cx, 1, sizeof *u, (void **)&u));
    u->topo = topo;
    u->allocator = *hf_context_allocator(cx);
    *out = u;
    return HF_OK;
}

void hf_universe_free(hf_universe *u) {
    if (!u) {
        return;
    }
    const hf_allocator allocator = u->allocator;
    for (uint32_t i = 0; i < u->n_group; i++) {
        hf_release(&allocator, u->group_name[i]);
    }
    void *const block[] = {u->spec,         u->component,   u->channel_begin, u->channel,
                           u->switch_begin, u->switch_list, u->group_name,    u};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}

static hf_status add_component(hf_context *cx, hf_universe *u, hf_component_type type, uint32_t id) {
    if ((u->n_component & (u->n_component - 1)) == 0) {
        const size_t capacity = u->n_component ? 2 * (size_t)u->n_component : 16;
        HF_TRY(hf_resize(cx, capacity, sizeof *u->component, (void **)&u->component));
    }
    u->component[u->n_component++] = (hf_component){type, id};
    return HF_OK;
}

static hf_status add_links(hf_context *cx, hf_universe *u, uint32_t lo, uint32_t hi, const filters *f) {
    for (uint32_t l = lo; l < hi; l++) {
        if (filters_hold(f, false, l)) {
            HF_TRY(add_component(cx, u, HF_COMPONENT_LINK, l));
        }
    }
    return HF_OK;
}

static hf_status add_channels(hf_context *cx, hf_universe *u, const filters *f) {
    for (uint32_t c = 0; c < u->topo->n_channel; c++) {
        if (u->topo->link[c] < u->topo->n_switch_link && filters_hold(f, false, u->topo->link[c])) {
            HF_TRY(add_component(cx, u, HF_COMPONENT_CHANNEL, c));
        }
    }
    return HF_OK;
}

static hf_status add_switches(hf_context *cx, hf_universe *u, const filters *f) {
    for (uint32_t v = 0; v < u->topo->n_switch; v++) {
        if (filters_hold(f, true, v)) {
            HF_TRY(add_component(cx, u, HF_COMPONENT_SWITCH, v));
        }
    }
    return HF_OK;
}

/* ---- what each component takes down ---- */

/* A list of ids that grows. */
typedef struct ids {
    uint32_t **list;
    uint32_t *count;
    size_t capacity;
} ids;

static hf_status append(hf_context *cx, ids *to, uint32_t id) {
    if (*to->count == to->capacity) {
        to->capacity = 2 * to->capacity + 64;
        HF_TRY(hf_resize(cx, to->capacity, sizeof **to->list, (void **)to->list));
    }
    (*to->list)[(*to->count)++] = id;
    return HF_OK;
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sort what was appended since `from` and drop repetitions. */
static void sort_unique(ids *to, uint32_t from) {
    uint32_t *list = *to->list, n = from;
    if (*to->count - from > 1) {
        qsort(list + from, *to->count - from, sizeof *list, compare);
    }
    for (uint32_t i = from; i < *to->count; i++) {
        if (n == from || list[i] != list[n - 1]) {
            list[n++] = list[i];
        }
    }
    *to->count = n;
}

static hf_status append_plain(hf_context *cx, const hf_topology *topo, hf_component c, ids *channels, ids *switches) {
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        return append(cx, channels, c.id);
    case HF_COMPONENT_LINK:
        HF_TRY(append(cx, channels, topo->forward[c.id]));
        return topo->backward[c.id] == HF_NONE ? HF_OK : append(cx, channels, topo->backward[c.id]);
    case HF_COMPONENT_SWITCH:
        HF_TRY(append(cx, switches, c.id));
        for (uint32_t i = topo->out_begin[c.id]; i < topo->out_begin[c.id + 1]; i++) {
            HF_TRY(append(cx, channels, topo->out_list[i]));
        }
        for (uint32_t i = topo->in_begin[c.id]; i < topo->in_begin[c.id + 1]; i++) {
            HF_TRY(append(cx, channels, topo->in_list[i]));
        }
        return HF_OK;
    case HF_COMPONENT_GROUP:
        break;
    }
    return HF_OK;
}

/* Fill the lists of all components; `groups` has the members of each group. */
static hf_status fill_lists(hf_context *cx, hf_universe *u, const hf_group_list *groups) {
    HF_TRY(hf_allocate(cx, (size_t)u->n_component + 1, sizeof *u->channel_begin, (void **)&u->channel_begin));
    HF_TRY(hf_allocate(cx, (size_t)u->n_component + 1, sizeof *u->switch_begin, (void **)&u->switch_begin));
    uint32_t n_channel = 0, n_switch = 0;
    ids channels = {&u->channel, &n_channel, 0}, switches = {&u->switch_list, &n_switch, 0};
    for (uint32_t i = 0; i < u->n_component; i++) {
        const hf_component c = u->component[i];
        const uint32_t from = n_channel, from_switch = n_switch;
        if (c.type != HF_COMPONENT_GROUP) {
            HF_TRY(append_plain(cx, u->topo, c, &channels, &switches));
        } else {
            for (uint32_t x = groups->begin[c.id]; x < groups->begin[c.id + 1]; x++) {
                HF_TRY(append_plain(cx, u->topo, groups->member[x], &channels, &switches));
            }
        }
        sort_unique(&channels, from);
        sort_unique(&switches, from_switch);
        u->channel_begin[i + 1] = n_channel;
        u->switch_begin[i + 1] = n_switch;
    }
    return HF_OK;
}

/* ---- one term, the whole spec ---- */

static hf_status add_groups(hf_context *cx, hf_universe *u, const hf_group_list *groups) {
    for (uint32_t g = 0; g < groups->count; g++) {
        HF_TRY(add_component(cx, u, HF_COMPONENT_GROUP, g));
    }
    u->group_name = groups->name;
    u->n_group = groups->count;
    return HF_OK;
}

static hf_status add_term(hf_context *cx, hf_universe *u, int term, const filters *f) {
    const hf_topology *topo = u->topo;
    switch (term) {
    case TERM_CHANNELS:
        return add_channels(cx, u, f);
    case TERM_LINKS:
        return add_links(cx, u, 0, topo->n_switch_link, f);
    case TERM_SWITCHES:
        return add_switches(cx, u, f);
    default:
        return add_links(cx, u, topo->n_switch_link, topo->n_link, f);
    }
}

static hf_status find_term(hf_context *cx, const char *text, size_t size, int *out) {
    const char *names[N_TERM + 1] = {NULL};
    for (int i = 0; i < N_TERM; i++) {
        names[i] = kinds[i].name;
        if (strlen(kinds[i].name) == size && memcmp(kinds[i].name, text, size) == 0) {
            *out = i;
            return HF_OK;
        }
    }
    return hf_spec_unknown(cx, "fault universe", text, size, names);
}

typedef struct builder {
    hf_universe *u;
    hf_text spec;
    hf_group_list groups;
    const char *only;
    bool seen[N_TERM];
} builder;

/* A canonical spec names the content of the file too: "PATH#hash". Cut the hash off. \return it, or 0 if there is none. */
static uint64_t cut_hash(char *path) {
    char *mark = strrchr(path, '#');
    if (!mark || strlen(mark + 1) != 16 || strspn(mark + 1, "0123456789abcdef") != 16) {
        return 0;
    }
    *mark = 0;
    return strtoull(mark + 1, NULL, 16);
}

static hf_status read_groups(hf_context *cx, builder *b, const char *text, size_t size) {
    char *path;
    HF_TRY(hf_scratch_print(cx, &path, "%.*s", (int)size, text));
    const uint64_t expected = cut_hash(path);
    if (!path[0]) {
        HF_FAIL(cx, HF_EINVAL, "fault universe \"groups\" needs a file: groups:PATH");
    }
    hf_text file;
    hf_text_init(cx, &file);
    hf_status status = hf_text_load(cx, path, GROUP_FILE_LIMIT, &file);
    const uint64_t hash = hf_groups_hash(file.data, file.size);
    if (status == HF_OK && expected != 0 && expected != hash) {
        status = hf_context_fail(cx, HF_EINVAL, __FILE__, __LINE__,
                                 "%s: the file has changed since the spec was written (hash %016" PRIx64 ", not %016" PRIx64 ")",
                                 path, hash, expected);
    }
    if (status == HF_OK) {
        status = hf_groups_parse(cx, b->u->topo, path, file.data, file.size, &b->groups);
    }
    if (status == HF_OK) {
        status = add_groups(cx, b->u, &b->groups);
        b->groups.name = NULL; /* the universe has them now */
        hf_text_print(&b->spec, "groups:%s#%016" PRIx64, path, hash);
    }
    hf_text_free(&file);
    return status;
}

static hf_status read_term(hf_context *cx, builder *b, const char *text, size_t size) {
    const char *colon = memchr(text, ':', size);
    const size_t name_size = colon ? (size_t)(colon - text) : size;
    int term;
    HF_TRY(find_term(cx, text, name_size, &term));
    if (b->seen[term]) {
        HF_FAIL(cx, HF_EINVAL, "fault universe: term \"%s\" occurs twice; every component may occur once", kinds[term].name);
    }
    b->seen[term] = true;
    const char *rest = colon ? colon + 1 : text + size;
    const size_t rest_size = (size_t)(text + size - rest);
    if (term == TERM_GROUPS) {
        return read_groups(cx, b, rest, rest_size);
    }
    filters f = {.count = 0};
    HF_TRY(filters_parse(cx, b->u->topo, rest, rest_size, &f));
    if (b->only) {
        HF_TRY(filters_parse(cx, b->u->topo, b->only, strlen(b->only), &f));
    }
    hf_text_print(&b->spec, "%s", kinds[term].name);
    for (size_t i = 0; i < f.count; i++) {
        hf_text_print(&b->spec, "%c%s=%" PRIu32, i ? ',' : ':', f.item[i].attribute->name, f.item[i].value);
    }
    return add_term(cx, b->u, term, &f);
}

static hf_status read_spec(hf_context *cx, builder *b, const char *spec) {
    for (const char *at = spec;;) {
        const char *plus = strchr(at, '+');
        const size_t size = plus ? (size_t)(plus - at) : strlen(at);
        if (size == 0) {
            HF_FAIL(cx, HF_EINVAL, "fault universe \"%s\": a term is missing; join terms with one +, such as links+switches",
                    spec);
        }
        HF_TRY(read_term(cx, b, at, size));
        if (!plus) {
            break;
        }
        hf_text_append(&b->spec, "+", 1);
        at = plus + 1;
    }
    if (b->u->n_component == 0) {
        HF_FAIL(cx, HF_EINVAL, "fault universe \"%s\" of \"%s\" is empty: no component is left to fail", spec, b->u->topo->spec);
    }
    HF_TRY(fill_lists(cx, b->u, &b->groups));
    HF_TRY(hf_text_check(cx, &b->spec));
    return hf_duplicate(cx, b->spec.data, &b->u->spec);
}

hf_status hf_universe_new(hf_context *cx, const hf_topology *topo, const char *spec, const char *only, hf_universe **out) {
    builder b = {.only = only};
    HF_TRY(universe_start(cx, topo, &b.u));
    hf_text_init(cx, &b.spec);
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = read_spec(cx, &b, spec);
    hf_scratch_reset(cx, mark);
    hf_text_free(&b.spec);
    hf_group_list_free(hf_context_allocator(cx), &b.groups);
    if (status != HF_OK) {
        hf_universe_free(b.u);
        return status;
    }
    *out = b.u;
    return HF_OK;
}

hf_status hf_universe_parse_groups(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                                   hf_universe **out) {
    hf_universe *u;
    HF_TRY(universe_start(cx, topo, &u));
    hf_group_list groups = {0};
    hf_status status = hf_groups_parse(cx, topo, file, data, size, &groups);
    if (status == HF_OK) {
        status = add_groups(cx, u, &groups);
        groups.name = NULL;
    }
    if (status == HF_OK) {
        status = fill_lists(cx, u, &groups);
    }
    if (status == HF_OK) {
        status = hf_duplicate(cx, "groups", &u->spec);
    }
    hf_group_list_free(hf_context_allocator(cx), &groups);
    if (status != HF_OK) {
        hf_universe_free(u);
        return status;
    }
    *out = u;
    return HF_OK;
}

void hf_universe_name(const hf_universe *u, uint32_t component, char *text, size_t size) {
    const hf_component c = u->component[component];
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        hf_topology_channel_name(u->topo, c.id, text, size);
        break;
    case HF_COMPONENT_LINK:
        hf_topology_link_name(u->topo, c.id, text, size);
        break;
    case HF_COMPONENT_SWITCH:
        hf_topology_node_name(u->topo, c.id, text, size);
        break;
    case HF_COMPONENT_GROUP:
        snprintf(text, size, "%s", u->group_name[c.id]);
        break;
    }
}
