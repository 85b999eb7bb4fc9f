/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing by tables from a file: forwarding tables of an InfiniBand fabric, or rows of our own format.
 *
 *  A terminal with 2^lmc LIDs has as many deterministic paths to it: the source chooses the LID, and the tag of the hops
 *  carries it, together with the service level. Tables know nothing of faults; their hops may lead over failed channels. */
#include <string.h>

#include "src/core/source.h"
#include "src/routing/lanes.h"
#include "src/routing/rings.h"
#include "src/routing/table/table.h"

enum { FILE_LIMIT = 1 << 30, ARG_PATH = 0, ARG_SL = 2, ARG_SL2VL = 3, ARG_RINGS = 6 };

static const char *const formats[] = {"auto", "lfts", "fdbs", "csv", "far", NULL};

static const hf_param params[] = {
    HF_SOURCE_PARAM,
    {.name = "format",
     .type = HF_PARAM_WORD,
     .fallback = "auto",
     .words = formats,
     .help = "lfts: opensm-lfts.dump, dump_fts; fdbs: opensm.fdbs; far: ibdiagnet2.far; csv: our own; auto goes by the content"},
    {.name = "sl",
     .type = HF_PARAM_TEXT,
     .fallback = "none",
     .help = "file with the service level of each path; none: all have level 0"},
    {.name = "sl2vl",
     .type = HF_PARAM_TEXT,
     .fallback = "none",
     .help = "file with the tables from service levels to virtual lanes; none: lane = level"},
    {.name = "commits",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "where several rows fit, a packet is hashed onto one and waits for that alone; else it takes what is free"},
    {.name = "plane",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = HF_PLANES - 1,
     .help = "of switches with several tables the one that packets go by (PLFT_NUM)"},
    HF_RINGS_PARAM,
    HF_PARAM_LANES,
    {0},
};

enum { FORMAT_AUTO, FORMAT_LFTS, FORMAT_FDBS, FORMAT_CSV, FORMAT_FAR };

/* ---- formats ---- */

/* By the first line that says something, which is the next one again. */
static unsigned guess_format(hf_lines *lines) {
    while (hf_lines_next(lines)) {
        const hf_slice line = hf_lines_rest(lines);
        if (line.size > 0 && *line.text != '#') {
            hf_lines_again(lines);
            if (hf_slice_begins(line, "File version") || hf_slice_begins(line, "Switch 0x")) {
                return FORMAT_FAR;
            }
            return hf_slice_begins(line, "Unicast") || hf_slice_begins(line, "Multicast")         ? FORMAT_LFTS
                   : hf_slice_begins(line, "switch")                                              ? FORMAT_CSV
                   : hf_slice_begins(line, "dump_ucast_routes:") || hf_slice_begins(line, "osm_") ? FORMAT_FDBS
                                                                                                  : FORMAT_AUTO;
        }
    }
    return FORMAT_AUTO;
}

static hf_status read_any(hf_lines *lines, unsigned format, hf_forwarding *table) {
    switch (format == FORMAT_AUTO ? guess_format(lines) : format) {
    case FORMAT_LFTS:
        return hf_read_lfts(lines, table);
    case FORMAT_FDBS:
        return hf_read_fdbs(lines, table);
    case FORMAT_CSV:
        return hf_read_csv(lines, table);
    case FORMAT_FAR:
        return hf_read_far(lines, table);
    default:
        HF_FAIL(lines->cx, HF_EINVAL,
                "%s: not a table that is known; need opensm-lfts.dump, opensm.fdbs, ibdiagnet2.far or a CSV file (see format=)",
                lines->file);
    }
}

typedef struct file_reader {
    hf_forwarding *table;
    unsigned format;                                          /* of the table */
    hf_status (*read)(hf_lines *lines, hf_forwarding *table); /* NULL: the table itself */
} file_reader;

static hf_status read_lines(hf_lines *lines, void *user) {
    const file_reader *r = user;
    return r->read ? r->read(lines, r->table) : read_any(lines, r->format, r->table);
}

/* Read the file of an argument, which becomes "PATH#hash". */
static hf_status take_file(hf_context *cx, hf_args *args, size_t i, file_reader r, char **named) {
    if (r.read && strcmp(args->value[i].text, "none") == 0) {
        return HF_OK;
    }
    HF_TRY(hf_source_read(cx, args->value[i].text, FILE_LIMIT, read_lines, &r, named));
    args->value[i].text = *named;
    return HF_OK;
}

static hf_status take_files(hf_context *cx, hf_args *args, hf_forwarding *table) {
    const unsigned format = (unsigned)hf_args_get(args, "format")->number;
    HF_TRY(take_file(cx, args, ARG_PATH, (file_reader){table, format, NULL}, &table->named[0]));
    HF_TRY(take_file(cx, args, ARG_SL, (file_reader){table, 0, hf_read_sl}, &table->named[1]));
    HF_TRY(take_file(cx, args, ARG_SL2VL, (file_reader){table, 0, hf_read_sl2vl}, &table->named[2]));
    hf_forwarding_finish(table);
    return hf_rings_take(cx, table->topo, table->n_vc, &args->value[ARG_RINGS], &table->named[3], &table->ring);
}

static void close(void *data) {
    hf_forwarding *table = data;
    const hf_allocator allocator = table->allocator;
    hf_forwarding_release(table);
    hf_release(&allocator, table);
}

static hf_status open(hf_context *cx, const hf_topology *topo, hf_args *args, void **data) {
    hf_forwarding *table;
    HF_TRY(hf_allocate(cx, 1, sizeof *table, (void **)&table));
    hf_forwarding_init(cx, topo, table);
    table->plane = (uint32_t)hf_args_get(args, "plane")->number;
    const hf_status status = take_files(cx, args, table);
    if (status != HF_OK) {
        close(table);
        return status;
    }
    *data = table;
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_forwarding *table = plan->data;
    if (plan->topo != table->topo) {
        HF_FAIL(cx, HF_EINVAL, "routing \"table\" was opened for another topology than \"%s\"", plan->topo->spec);
    }
    plan->traits = hf_args_get(plan->args, "commits")->number ? HF_ROUTING_COMMITS : 0;
    plan->n_vc = table->n_vc;
    plan->max_hops = table->max_hops;
    plan->state = table;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return hf_forwarding_route(plan->state, at, in, destination, hops);
}

static uint32_t ring_of(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_forwarding *table = plan->state;
    return table->ring ? table->ring[channel * plan->n_vc + vc] : HF_NONE;
}

static bool has_rings(const hf_plan *plan) { return ((const hf_forwarding *)plan->data)->ring != NULL; }

const hf_routing hf_routing_table = {
    .name = "table",
    .summary =
        "forwarding tables from a file: OpenSM's and ibdiagnet's dumps, with LMC, lanes and adaptive routing, or a CSV file",
    .source = "file formats: OpenSM 3.3; ibdmchk of ibutils 1.5.7; src/routing/table/read_csv.c",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .open = open,
    .close = close,
    .plan = make,
    .route = route,
    .ring = ring_of,
    .has_rings = has_rings,
};
