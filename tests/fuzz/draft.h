/** \file
 *  What every topology that was read from bytes must hold; shared by the fuzz targets of network files. */
#ifndef HOLDFAST_TESTS_FUZZ_DRAFT_H
#define HOLDFAST_TESTS_FUZZ_DRAFT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "src/topology/draft.h"

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static void check_topology(hf_context *cx, const hf_topology *topo) {
    expect(topo->n_switch > 0, "there is a switch");
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        char name[64], type;
        uint32_t id;
        expect(topo->from[c] < topo->n_node && topo->to[c] < topo->n_node && topo->from[c] != topo->to[c],
               "channels join two nodes");
        expect(hf_topology_channel_at(topo, topo->from[c], topo->from_port[c]) == c, "a port has one channel");
        hf_topology_channel_name(topo, c, name, sizeof name);
        expect(hf_topology_parse_name(cx, topo, name, strlen(name), &type, &id) == HF_OK && type == 'c' && id == c,
               "names are read back");
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        expect(topo->terminal_switch[t] < topo->n_switch, "a terminal hangs on a switch");
    }
}

typedef hf_status (*draft_reader)(hf_context *cx, const char *data, size_t size, hf_draft *draft);

/** Read, build and check; a refusal must name the file. */
static inline void fuzz_draft(draft_reader read, const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    hf_draft draft;
    hf_topology *topo = NULL;
    hf_args args;
    if (!cx || hf_args_parse(cx, "topology", "file", hf_topology_file.params, "input", &args) != HF_OK) {
        abort();
    }
    hf_draft_init(cx, "input", &draft);
    hf_status status = read(cx, (const char *)data, size, &draft);
    if (status == HF_OK) {
        status = hf_draft_add_terminals(cx, &draft, 1);
    }
    if (status == HF_OK) {
        status = hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo);
    }
    if (status == HF_OK) {
        check_topology(cx, topo);
    } else {
        expect(strstr(hf_context_message(cx), "input") != NULL, "a refusal names the file");
    }
    hf_topology_free(topo);
    hf_draft_free(&draft);
    hf_args_free(&args);
    hf_context_free(cx);
}

#endif
