/** \file
 *  Groups files: a line a group, "NAME: member member ...", # starts a comment. */
#ifndef HOLDFAST_SRC_FAULT_UNIVERSE_H
#define HOLDFAST_SRC_FAULT_UNIVERSE_H

#include <holdfast/fault.h>
#include <holdfast/format.h>

enum { GROUP_FILE_LIMIT = 16 << 20 };

/** Groups as read: names on the heap, members of group g at member[begin[g] .. begin[g + 1] - 1], all plain components. */
typedef struct hf_group_list {
    char **name;
    uint32_t *begin;
    hf_component *member;
    uint32_t count, n_member;
    size_t capacity, member_capacity;
} hf_group_list;

/** \return HF_EINVAL (malformed line, repeated name, empty group or file), HF_ENOENT (missing member): the message has file and
 * line. On failure the list is empty but for what hf_group_list_free() releases. */
hf_status hf_groups_parse(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                          hf_group_list *out);
void hf_group_list_free(const hf_allocator *allocator, hf_group_list *groups);
/** FNV-1a of the file's bytes: names its content in canonical specs. */
uint64_t hf_groups_hash(const char *data, size_t size);

#endif
