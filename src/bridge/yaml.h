/** \file
 *  YAML by libyaml, as a tree: only src/bridge/yaml.c sees its header. */
#ifndef HOLDFAST_SRC_BRIDGE_YAML_H
#define HOLDFAST_SRC_BRIDGE_YAML_H

#include <holdfast/core/context.h>

typedef enum hf_yaml_type { HF_YAML_TEXT, HF_YAML_LIST, HF_YAML_MAPPING } hf_yaml_type;

/** A text, or the items of a list or mapping in their order. */
typedef struct hf_yaml_node {
    hf_yaml_type type;
    uint32_t line;    /**< from 1; of what stands in a mapping, that of its key */
    bool is_null;     /**< a text that is ~ or null without quotes */
    bool is_used;     /**< false; for who reads the tree */
    const char *text; /**< of a text; NULL: none */
    const char *key;  /**< of what stands in a mapping */
    struct hf_yaml_node *item;
    uint32_t n_item;
} hf_yaml_node;

/** The one document of a file, in the arena. \param[in] file for messages
 *  \param[out] root all 0, so an empty text, if there is no document
 *  \return HF_EINVAL with file and line: broken YAML, a key twice in a mapping, anchors, aliases and tags, a second document;
 *  HF_ERANGE: too deep or too large; HF_ENOMEM */
hf_status hf_yaml_read(hf_context *cx, const char *file, const char *data, size_t size, hf_yaml_node *root);
/** What stands in a mapping under a key. \return NULL if nothing does, or if it is no mapping */
hf_yaml_node *hf_yaml_find(const hf_yaml_node *mapping, const char *key);

#endif
