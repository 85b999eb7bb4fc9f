/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/topology/read/from_file.h"

enum { FILE_LIMIT = 256 << 20 };

hf_status hf_topology_from_file(hf_context *cx, const hf_args *args, hf_topology_reader *read, hf_topology **out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_args named = *args;
    hf_source source;
    HF_TRY(hf_source_load(cx, hf_args_get(args, "path")->text, FILE_LIMIT, &source));
    named.value[0].text = source.named;
    const hf_status status = read(cx, &named, &source, out);
    hf_source_free(&source);
    hf_scratch_reset(cx, mark);
    return status;
}
