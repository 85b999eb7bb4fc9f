/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <sys/resource.h>

#include "src/cli/cli.h"
#include "src/core/machine.h"

/* What asks for more than there is shall be told so, rather than have the system kill it or others; sanitizers take far more. */
static void limit_memory(void) {
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined __clang__
    const double memory = hf_machine_memory();
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && memory < 0x1p62 && (double)limit.rlim_cur > memory) {
        limit.rlim_cur = (rlim_t)memory;
        (void)setrlimit(RLIMIT_DATA, &limit);
    }
#endif
}

int main(int argc, char **argv) {
    limit_memory();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe ends the printing, not the work */
    return cli_main(argc, argv);
}
