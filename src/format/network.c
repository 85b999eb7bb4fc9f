/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The formats in which a network is written, by name. */
#include <holdfast/format.h>

#include <string.h>

static const struct {
    const char *name;
    hf_status (*write)(hf_context *, const hf_topology *, hf_text *);
} writers[] = {
#define X(function, name, flags, help) {name, hf_format_##function},
#include "src/format/networks.def"
#undef X
};

/* All names, for a message. */
static hf_status list_names(hf_context *cx, char **out) {
    const size_t n = sizeof writers / sizeof *writers;
    HF_TRY(hf_scratch_print(cx, out, "%s", writers[0].name));
    for (size_t i = 1; i < n; i++) {
        HF_TRY(hf_scratch_print(cx, out, "%s%s%s", *out, i + 1 < n ? ", " : " or ", writers[i].name));
    }
    return HF_OK;
}

hf_status hf_format_network(hf_context *cx, const hf_topology *topo, const char *name, hf_text *out) {
    char *names;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (strcmp(writers[i].name, name) == 0) {
            return writers[i].write(cx, topo, out);
        }
    }
    HF_TRY(list_names(cx, &names));
    HF_FAIL(cx, HF_ENOENT, "\"%s\" is not a format of networks; need %s", name, names);
}
