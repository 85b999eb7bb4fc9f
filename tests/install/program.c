/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A user's first program: it sees only what is installed. */
#include <holdfast/holdfast.h>
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = NULL;
    if (!cx || hf_topology_new(cx, "kary-tree:k=4,n=3", &topo) != HF_OK) {
        fprintf(stderr, "%s\n", cx ? hf_context_message(cx) : "out of memory");
        hf_context_free(cx);
        return 1;
    }
    printf("%" PRIu32 " switches, %" PRIu32 " terminals\n", topo->n_switch, topo->n_terminal);
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
