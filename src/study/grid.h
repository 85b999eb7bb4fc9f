/** \file
 *  The expansion of a file's grids, between its tree and its cells. */
#ifndef HOLDFAST_SRC_STUDY_GRID_H
#define HOLDFAST_SRC_STUDY_GRID_H

#include "src/bridge/yaml.h"
#include "src/core/lines.h"
#include "src/study/keys.h"

enum { HF_EXPANSION_AXES = 16, HF_EXPANSION_NAMES = 64 };

/** A name and what it stands for at this point; NULL: none. */
typedef struct hf_expansion_name {
    hf_yaml_node *said; /**< `key` is the name */
    const char *value;
} hf_expansion_name;

typedef struct hf_expansion_axis {
    hf_yaml_node *said;
    char **number; /**< n, of an axis that is a list of numbers; NULL: the items of `said` */
    uint32_t n, i;
    uint32_t name; /**< the first that it binds */
} hf_expansion_axis;

typedef struct hf_expansion {
    hf_context *cx;
    const char *file;
    const hf_study_document *document; /**< what is read of it so far */
    bool has_grids;                    /**< schema 2; before it braces are braces, and ~ is a text */
    hf_study_texts **list;
    size_t *n_list, room, n_byte, n_point;
    hf_expansion_name name[HF_EXPANSION_NAMES];
    uint32_t n_name;
    hf_expansion_axis axis[HF_EXPANSION_AXES];
    uint32_t n_axis;
} hf_expansion;

/** Put file, line and key before the message of a failure. \return the status */
hf_status hf_expansion_at(const hf_expansion *g, const hf_yaml_node *said, hf_status status);
#define HF_EXPANSION_FAIL(g, said, status, ...)                                                                                  \
    return hf_expansion_at((g), (said), hf_context_fail((g)->cx, (status), __FILE__, __LINE__, __VA_ARGS__))

/** \return NULL if nothing has that name here */
hf_expansion_name *hf_expansion_find(hf_expansion *g, hf_slice name);
/** \return HF_EINVAL if it has a name that cannot stand in braces, or one that is taken */
hf_status hf_expansion_bind(hf_expansion *g, hf_yaml_node *said, const char *value);
/** A text with its names filled in. \param[out] out NULL: none, as ~ stands there, or nothing but names for none */
hf_status hf_expansion_fill(hf_expansion *g, const hf_yaml_node *said, const char **out);

#endif
