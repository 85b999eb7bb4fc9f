/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The formats in which a network is written, by name. */
#include <holdfast/format.h>

#include "src/core/registry.h"

hf_status hf_format_network(hf_context *cx, const hf_topology *topo, const char *name, hf_text *out) {
    static const char *const names[] = {"graphml", "node-link", "anynet", "wiring", NULL};
    static hf_status (*const writers[])(hf_context *, const hf_topology *, hf_text *) = {hf_format_graphml, hf_format_node_link,
                                                                                         hf_format_anynet, hf_format_wiring};
    const size_t i = hf_words_find(names, hf_slice_of(name));
    if (!names[i]) {
        HF_FAIL(cx, HF_ENOENT, "\"%s\" is not a format of networks; need graphml, node-link, anynet or wiring", name);
    }
    return writers[i](cx, topo, out);
}
