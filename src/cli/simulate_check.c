/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of holdfast simulate go together. */
#include <string.h>

#include "src/cli/simulate.h"

static hf_status check_work(const cli *c) {
    static const char *const works[] = {"load", "sweep", "saturation", "trace", "barrier", "program", "replay"};
    int asked = 0;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        asked += cli_has(c, works[i]);
    }
    if (asked != 1) {
        HF_FAIL(c->cx, HF_EINVAL, "need one of --load, --sweep, --saturation, --trace, --barrier, --program and --replay");
    }
    if (cli_has(c, "json") && cli_has(c, "csv")) {
        HF_FAIL(c->cx, HF_EINVAL, "--json and --csv are two forms of one result; give one of them");
    }
    return HF_OK;
}

static hf_status check_load(const cli *c) {
    const bool replays = cli_has(c, "replay"), has_faults = cli_has(c, "fault-at"), plays = simulate_plays(c);
    if (cli_has(c, "cycles") && !plays && !cli_has(c, "write-trace") && !has_faults) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--cycles is for --fault-at, --trace, --barrier, --program and --write-trace; --window and --batches say how "
                "long a load is measured");
    }
    if (plays && (cli_has(c, "burst") || cli_has(c, "certificate") || has_faults)) {
        HF_FAIL(c->cx, HF_EINVAL, "--burst, --certificate and --fault-at go with loads");
    }
    if (replays && (cli_has(c, "topology") || cli_has(c, "routing") || cli_has(c, "failed") || cli_has(c, "switching"))) {
        HF_FAIL(c->cx, HF_EINVAL, "--replay takes topology, routing, failed components and switching from its file");
    }
    if ((replays || plays || has_faults) && cli_has(c, "svg")) {
        HF_FAIL(c->cx, HF_EINVAL, "--svg draws a curve over loads; need --load, --sweep or --saturation%s",
                has_faults ? ", without --fault-at" : "");
    }
    if (cli_has(c, "histogram") && (replays || has_faults || cli_has(c, "csv"))) {
        HF_FAIL(c->cx, HF_EINVAL, "--histogram prints below the table of loads, or of work with an end, in text");
    }
    if (has_faults && (!cli_has(c, "load") || strchr(cli_value(c, "load"), ','))) {
        HF_FAIL(c->cx, HF_EINVAL, "--fault-at needs --load with one load");
    }
    return HF_OK;
}

/** Options that nothing would come of without another one. */
static hf_status check_faults(const cli *c) {
    static const char *const of_faults[] = {"reconfiguration", "detection-cycles", "manage-cycles",   "hop-cycles", "swap-cycles",
                                            "control",         "control-in-turn",  "emergency-paths", "universe"};
    static const char *const of_results[] = {"fault-at", "certificate", "svg", "json", "csv", "output"};
    static const char *const message[] = {"message"};
    HF_TRY(cli_belong(c, of_faults, sizeof of_faults / sizeof *of_faults, "fault-at", NULL));
    HF_TRY(cli_belong(c, message, 1, "write-trace", NULL));
    for (size_t i = 0; i < sizeof of_results / sizeof *of_results; i++) {
        if (cli_has(c, of_results[i]) && cli_has(c, "write-trace")) {
            HF_FAIL(c->cx, HF_EINVAL, "--write-trace writes a trace and does no more; --%s has no place beside it",
                    of_results[i]);
        }
    }
    return HF_OK;
}

static hf_status check_switching(const cli *c) {
    static const char *const without_buffers[] = {"backoff", "backoff-cycles", "outstanding"};
    static const char *const with_buffers[] = {"buffer", "flow", "reuse"};
    const bool bubble = strcmp(cli_value_or(c, "flow", ""), "bubble") == 0;
    const char *switching = cli_value_or(c, "switching", hf_switching_name(bubble ? HF_SWITCHING_VCT : HF_SWITCHING_WORMHOLE));
    const bool has_buffers = strcmp(switching, "drop") != 0 && strcmp(switching, "circuit") != 0;
    for (size_t i = 0; i < 3; i++) {
        if (has_buffers && cli_has(c, without_buffers[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s belongs to --switching drop and circuit", without_buffers[i]);
        }
        if (!has_buffers && cli_has(c, with_buffers[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s is for networks with buffers; --switching %s has none", with_buffers[i], switching);
        }
    }
    if (cli_has(c, "reuse") && !cli_has(c, "replay") && strcmp(switching, hf_switching_name(HF_SWITCHING_WORMHOLE)) != 0) {
        HF_FAIL(c->cx, HF_EINVAL, "--reuse belongs to --switching wormhole; under %s a virtual channel takes what has room",
                switching);
    }
    return HF_OK;
}

hf_status simulate_check(const cli *c) {
    HF_TRY(check_work(c));
    HF_TRY(check_load(c));
    HF_TRY(check_faults(c));
    return check_switching(c);
}
