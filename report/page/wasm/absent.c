/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Libraries that the page goes without. What begins their work refuses it, and what would go on with it is never called: those
 *  functions are left open (CMakeLists.txt). */
#include "src/bridge/glpk.h"
#include "src/bridge/igraph.h"
#include "src/bridge/lua.h"

#define REFUSE(library, what)                                                                                                    \
    HF_FAIL(cx, HF_ENOTSUP, "%s needs the library %s, which the page goes without; ask the command holdfast", what, library)

hf_status hf_milp_new(hf_context *cx, hf_milp **out) {
    (void)out;
    REFUSE("GLPK", "this");
}

hf_status hf_igraph_new(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *ends, hf_igraph **out) {
    (void)n_node, (void)n_edge, (void)ends, (void)out;
    REFUSE("igraph", "finding symmetries");
}

hf_status hf_igraph_read_graphml(hf_context *cx, const char *file, const char *data, size_t size, hf_igraph **out) {
    (void)file, (void)data, (void)size, (void)out;
    REFUSE("igraph", "reading GraphML");
}

hf_status hf_igraph_feedback(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                             uint8_t *is_back) {
    (void)n_node, (void)n_edge, (void)from, (void)to, (void)is_back;
    REFUSE("igraph", "proposing a repair");
}

hf_status hf_lua_new(hf_context *cx, const hf_lua_setup *setup, hf_lua **out) {
    (void)setup, (void)out;
    REFUSE("Lua", "a rule in Lua");
}

/* They are called for what was never begun. */
void hf_milp_free(hf_milp *milp) { (void)milp; }
void hf_igraph_free(hf_igraph *graph) { (void)graph; }
void hf_lua_free(hf_lua *lua) { (void)lua; }
