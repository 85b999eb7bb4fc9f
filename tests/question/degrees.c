/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many switches have how many ports in use: the worked example of CONTRIBUTING.md. */
#include <holdfast/question.h>

typedef struct degrees_args {
    uint64_t least;
} degrees_args;

static const hf_column columns[] = {{"degree", "degree", "ports", HF_COLUMN_COUNT, 6, 0},
                                    {"switches", "switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"share", "%", "%", HF_COLUMN_REAL, 4, 0},
                                    {0}};

static uint64_t degree_of(const hf_topology *topo, uint32_t sw) { return topo->out_begin[sw + 1] - topo->out_begin[sw]; }

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const hf_topology *topo = asked->scene->topo;
    const degrees_args *args = asked->args;
    uint64_t most = 0, *count;
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        most = degree_of(topo, sw) > most ? degree_of(topo, sw) : most;
    }
    HF_TRY(hf_scratch(cx, most + 1, sizeof *count, (void **)&count));
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        count[degree_of(topo, sw)]++;
    }
    for (uint64_t degree = args->least; degree <= most; degree++) {
        if (count[degree] > 0) {
            hf_report_cell(answer, hf_cell_count(degree));
            hf_report_cell(answer, hf_cell_count(count[degree]));
            hf_report_cell(answer, hf_cell_real(100 * (double)count[degree] / topo->n_switch));
        }
    }
    return HF_OK;
}

static const hf_param params[] = {{.name = "least",
                                   .type = HF_PARAM_UINT,
                                   .fallback = "0",
                                   .high = UINT32_MAX,
                                   .unit = "ports",
                                   .help = "leave out switches with fewer ports in use",
                                   HF_FIELD(degrees_args, least)},
                                  {0}};
static const hf_group group = {.name = "degrees", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};

const hf_question hf_question_degrees = {
    .name = "degrees",
    .summary = "count the switches by their ports in use",
    .about = "A row for each number of ports that some switch uses, towards terminals and other switches.\n\n"
             "Example: holdfast degrees --topology mesh:dims=3x3",
    .scene = HF_SCENE_TOPOLOGY,
    .parts = parts,
    .args_size = sizeof(degrees_args),
    .table = "degrees",
    .columns = columns,
    .ask = ask,
};
