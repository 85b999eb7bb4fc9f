/** \file
 *  Parts of a fault universe: groups files, and the lists of what each component takes down. */
#ifndef HOLDFAST_SRC_FAULT_UNIVERSE_H
#define HOLDFAST_SRC_FAULT_UNIVERSE_H

#include <holdfast/core/text.h>
#include <holdfast/fault.h>

enum { HF_GROUP_FILE_LIMIT = 16 << 20, HF_GROUP_NAME_MAX = 63 };

/** Groups as read, on the heap. Begin with {0}. Members of group g: member[begin[g] .. begin[g + 1] - 1], all plain components,
 * in the order of types and ids, none twice. */
typedef struct hf_group_list {
    char **name;
    uint32_t *begin;
    hf_component *member;
    uint32_t count, n_member;
    size_t capacity, member_capacity;
} hf_group_list;

/** Append the groups of a file. A terminal as a member stands for its links.
 *  \return HF_EINVAL (malformed line, repeated name or member, group or file without content), HF_ENOENT (no such member); the
 *  message begins with file and line. What was read until then stays in the list: free it. */
hf_status hf_groups_parse(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                          hf_group_list *groups);
void hf_groups_free(const hf_allocator *allocator, hf_group_list *groups);

/** Order of components: by type, then by id. */
int hf_component_compare(const void *a, const void *b);
/** All components are there: list the channels and switches that each takes down. */
hf_status hf_universe_expand(hf_context *cx, hf_universe *universe, const hf_group_list *groups);

#endif
