/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The formats in which a network is written, by name. */
#include <holdfast/format.h>

#include <string.h>

#include "src/core/registry.h"

static const char *const names[] = {
#define X(function, name, form, flags, help) name,
#include "src/format/networks.def"
#undef X
    NULL};

static hf_status (*const writers[])(hf_context *, const hf_topology *, hf_text *) = {
#define X(function, name, form, flags, help) hf_format_##function,
#include "src/format/networks.def"
#undef X
};

hf_status hf_format_network(hf_context *cx, const hf_topology *topo, const char *name, hf_text *out) {
    size_t i;
    HF_TRY(hf_words_need(cx, "format of networks", names, hf_slice_of(name), &i));
    return writers[i](cx, topo, out);
}
