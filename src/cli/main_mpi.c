/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast-mpi: the same commands by several programs together. Rank 0 speaks, reads and writes; the others help with walks. */
#include <signal.h>
#include <stdio.h>

#include "src/bridge/mpi.h"
#include "src/cli/cli.h"

/* Those that help say nothing: what they have to say rank 0 says too. */
static bool be_silent(void) { return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr); }

int main(int argc, char **argv) {
    hf_team team;
    hf_context *cx = hf_context_new(NULL);
    if (!cx || hf_mpi_open(cx, &argc, &argv, &team) != HF_OK) {
        fprintf(stderr, "holdfast-mpi: %s\n", cx ? hf_context_message(cx) : "out of memory");
        return CLI_BAD;
    }
    signal(SIGPIPE, SIG_IGN);
    int status = team.rank > 0 && !be_silent() ? CLI_BAD : cli_main_in_team(argc, argv, &team);
    (void)hf_team_disband(cx, &team);
    status = team.rank > 0 ? CLI_DONE : status;
    hf_mpi_close(&team);
    hf_context_free(cx);
    return status;
}
