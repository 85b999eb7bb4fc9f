/** \file
 *  What every topology that was read from bytes must hold; shared by the fuzz targets of network files. */
#ifndef HOLDFAST_TESTS_FUZZ_DRAFT_H
#define HOLDFAST_TESTS_FUZZ_DRAFT_H

#include <holdfast/holdfast.h>

#include "src/topology/multistage/draft.h"
#include "tests/fuzz/fuzz.h"

static inline void check_topology(hf_context *cx, const hf_topology *topo) {
    expect(topo->n_switch > 0, "there is a switch");
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        char name[HF_NAME_SIZE], type;
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
typedef hf_status (*draft_writer)(hf_context *cx, const hf_topology *topo, hf_text *out);

/* What is written, read again; NULL where it is refused. */
static inline hf_topology *write_and_read(hf_context *cx, const hf_topology *topo, const hf_args *args, draft_writer write,
                                          draft_reader read) {
    hf_text text;
    hf_draft draft;
    hf_topology *back = NULL;
    hf_text_init(cx, &text);
    hf_draft_init(cx, "again", &draft);
    if (write(cx, topo, &text) != HF_OK) {
        expect(strstr(hf_context_message(cx), topo->spec) != NULL && text.size == 0, "a refusal names the network");
    } else if (read(cx, text.data, text.size, &draft) != HF_OK ||
               hf_draft_build(cx, &draft, &hf_topology_file, args, &back) != HF_OK) {
        fprintf(stderr, "%s\n%s\n", hf_context_message(cx), text.data);
        expect(0, "what is written is read");
    }
    hf_draft_free(&draft);
    hf_text_free(&text);
    return back;
}

/* What is written is read as the same network. */
static inline void check_written(hf_context *cx, const hf_topology *topo, const hf_args *args, draft_writer write,
                                 draft_reader read) {
    hf_topology *back = write_and_read(cx, topo, args, write, read);
    const size_t bytes = topo->n_channel * sizeof *topo->from;
    expect(back != NULL, "it is written");
    expect(back->n_switch == topo->n_switch && back->n_terminal == topo->n_terminal && back->n_channel == topo->n_channel,
           "with as many nodes and channels");
    expect(bytes == 0 ||
               (memcmp(back->from, topo->from, bytes) == 0 && memcmp(back->to, topo->to, bytes) == 0 &&
                memcmp(back->from_port, topo->from_port, bytes) == 0 && memcmp(back->to_port, topo->to_port, bytes) == 0),
           "between the same ports");
    hf_topology_free(back);
}

/* What is written for a simulator, if it can be, is read as a network with as many switches and links. */
static inline void check_simulated(hf_context *cx, const hf_topology *topo, const hf_args *args, draft_writer write,
                                   draft_reader read) {
    hf_topology *back = write_and_read(cx, topo, args, write, read);
    expect(!back || (back->n_switch == topo->n_switch && back->n_link == topo->n_link), "with as many switches and links");
    hf_topology_free(back);
}

/** Few digits say a large network: has no number so many digits? */
static inline bool fuzz_has_small_numbers(const uint8_t *data, size_t size, size_t digits) {
    size_t row = 0;
    for (size_t i = 0; i < size && row < digits; i++) {
        row = data[i] >= '0' && data[i] <= '9' ? row + 1 : 0;
    }
    return row < digits;
}

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
        check_written(cx, topo, &args, hf_format_graphml, hf_read_graphml);
        check_written(cx, topo, &args, hf_format_node_link, hf_read_node_link);
        check_simulated(cx, topo, &args, hf_format_hpcc, hf_read_hpcc);
        check_simulated(cx, topo, &args, hf_format_simai, hf_read_hpcc);
        check_simulated(cx, topo, &args, hf_format_htsim, hf_read_htsim);
        check_simulated(cx, topo, &args, hf_format_ibsim, hf_read_ibnet);
    } else {
        expect_refusal(cx);
    }
    hf_topology_free(topo);
    hf_draft_free(&draft);
    hf_args_free(&args);
    hf_context_free(cx);
}

#endif
