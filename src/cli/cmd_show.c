/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show: one fault set, what it does to a plan, and a drawing of it. */
#include "src/cli/show.h"

static int run(cli *c) {
    show s = {.c = c};
    hf_status status = show_open(&s);
    if (status == HF_OK && cli_has(c, "svg")) {
        status = show_draw(&s, cli_value(c, "svg"));
    }
    if (status == HF_OK) {
        status = cli_has(c, "json") ? show_print_json(&s) : show_print_text(&s);
    }
    const bool is_no = s.net.has_rule && !s.verdict.tolerated;
    show_close(&s);
    return status != HF_OK ? cli_fail(c, status) : is_no ? CLI_NO : CLI_DONE;
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=2,n=4"},
    {"failed", "NAMES", "components that have failed, such as s8:3-s18:0,s5, or @FILE as written by --witness"},
    {"routing", "SPEC", "the rule whose plan is shown, such as ft2ei:intervals=1"},
    {"universe", "SPEC", "take the names from this universe (needed for groups)"},
    {"criterion", "SPEC", "when the set is tolerated: all-pairs (default), surviving:live=50%, connected, switches-connected"},
    {"registers", NULL, "print every register of every port, not only exclusions; of other routings their tables"},
    {"sacrifice", NULL, "meshes of two dimensions: the fewest nodes to take out of service for the faults to be solid and valid"},
    {"switch", "NAME", "registers of this switch only, by number or name"},
    {"limit", "N", "lines a list at most (default 20)"},
    {"svg", "FILE", "draw the network: failures, victims, who is cut off, exclusions at ports, rings and trees of the rule"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the text to FILE instead of standard output"},
    {0},
};
static const cli_older older[] = {{"faults", "failed"}, {"fewest", "sacrifice"}, {0}};

const cli_command cli_show = {
    .name = "show",
    .summary = "show one fault set: what fails, what is excluded, who is lost",
    .usage = "--topology SPEC [--faults NAMES] [--routing SPEC]",
    .about = "Names: switch s18, link s8:3-s18:0 (or s8:3), channel s8:3>s18:0 (or s8:3>, the channel that leaves there).\n"
             "With --routing the plan under these faults is judged: status 1 if the set is not tolerated.\n\n"
             "Example: holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei --failed 's18:1>' --registers",
    .options = options,
    .older = older,
    .run = run,
};
