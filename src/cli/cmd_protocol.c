/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast protocol: idempotent messaging, checked state by state and simulated. */
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/protocol.h"
#include "src/core/registry.h"

/* ---- works, and the options that each of them takes ---- */

enum { CHECK = 1, RUN = 2, BACKOFF = 4, TRACE = 8 };

static hf_status do_trace(const cli *c, bool *is_yes) {
    *is_yes = true;
    return protocol_trace(c);
}

typedef struct protocol_work {
    const char *name;
    unsigned work;
    hf_status (*run)(const cli *c, bool *is_yes);
} protocol_work;
static const void *const works[] = {
    &(const protocol_work){"check", CHECK, protocol_check},
    &(const protocol_work){"run", RUN, protocol_run},
    &(const protocol_work){"backoff", BACKOFF, protocol_backoff},
    &(const protocol_work){"trace", TRACE, do_trace},
};
static const hf_registry registry = HF_REGISTRY("protocol command", works);

/* Those that not every work takes. */
static const struct {
    const char *name;
    unsigned works;
} owned[] = {
    {"messages", CHECK},
    {"capacity", CHECK},
    {"no-loss", CHECK},
    {"no-duplication", CHECK},
    {"slip", CHECK},
    {"reduction", CHECK},
    {"states", CHECK},
    {"send-table", CHECK | RUN | BACKOFF},
    {"receive-table", CHECK | RUN | BACKOFF},
    {"ids", CHECK | RUN | BACKOFF},
    {"secondary-ids", CHECK | RUN | BACKOFF},
    {"retention", CHECK | RUN | BACKOFF},
    {"once", CHECK | RUN | BACKOFF},
    {"json", CHECK | RUN | BACKOFF},
    {"program", RUN},
    {"backoff", RUN},
    {"constant", RUN},
    {"constants", BACKOFF},
    {"network", RUN | BACKOFF},
    {"leaf", RUN | BACKOFF},
    {"growth", RUN | BACKOFF},
    {"flit", RUN | BACKOFF},
    {"clock", RUN | BACKOFF},
    {"failed-links", RUN | BACKOFF},
    {"loss", RUN | BACKOFF},
    {"jitter", RUN | BACKOFF},
    {"cycles", RUN | BACKOFF},
    {"benchmark", RUN | BACKOFF | TRACE},
    {"nodes", RUN | BACKOFF | TRACE},
    {"work", RUN | BACKOFF | TRACE},
    {"request", RUN | BACKOFF | TRACE},
    {"reply", RUN | BACKOFF | TRACE},
    {"seed", RUN | BACKOFF | TRACE},
};

static hf_status refuse_others(const cli *c, unsigned work) {
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (!(owned[i].works & work) && cli_has(c, owned[i].name)) {
            HF_FAIL(c->cx, HF_EINVAL, "--%s means nothing to %s; see `holdfast protocol --help`", owned[i].name,
                    c->positional[0]);
        }
    }
    return HF_OK;
}

static hf_status do_work(const cli *c, bool *is_yes) {
    const protocol_work *found = hf_registry_need(c->cx, &registry, hf_slice_of(c->positional[0]));
    if (!found) {
        return HF_ENOENT;
    }
    HF_TRY(refuse_others(c, found->work));
    return found->run(c, is_yes);
}

/* A run that was stopped says how far it came. */
static int finish(const cli *c, hf_status status, bool is_yes) {
    return status == HF_ESTOP ? cli_fail(c, status) : cli_exit(c, status, is_yes);
}

static int run(cli *c) {
    bool is_yes = true;
    cli_catch_signals(c->cx);
    const hf_status status = do_work(c, &is_yes);
    return finish(c, status, is_yes);
}

static int run_check(cli *c) {
    bool is_yes = true;
    cli_catch_signals(c->cx);
    const hf_status status = protocol_check(c, &is_yes);
    return finish(c, status, is_yes);
}

/* `when` stands before the help where a command does more than check. */
#define CHECK_OPTIONS(when)                                                                                                      \
    {"messages", "N", when "messages to send, up to 4 (default 2)"},                                                             \
        {"capacity", "N", when "packets in flight in a channel, up to 4 (default 2)"},                                           \
        {"no-loss", NULL, when "channels lose nothing"},                                                                         \
        {"no-duplication", NULL, when "channels double nothing; packets are still sent again"},                                  \
        {"slip", "T", when "a packet can come up to T cycles after a later one (default 0: in order)"},                          \
        {"once", "KINDS", "msg, ack, conf or several: such packets are not sent again"},                                         \
        {"reduction", "NAME", when "none, symmetry, order or all (default): what need not be looked at twice"}, {                \
        "states", "N", when "give up beyond so many states (default 4000000)"                                                    \
    }

static const cli_option options[] = {
    CHECK_OPTIONS("check: "),
    {"constants", "LIST", "backoff: constants to try, in cycles (default 1,2,3,4,6,8,12,16,24,32)"},
    {"benchmark", "NAME", "run: add, reverse, quicksort, nbody or all (default)"},
    {"program", "FILE", "run: the program of a trace file (docs/protocol.md) instead"},
    {"network", "NAME", "run: grid2d, grid3d, fat-tree or all (default)"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
    {0},
};

/* All but the network, of which the command line takes several. */
static const char *const run_params[] = {"nodes", "backoff",       "constant", "send-table", "receive-table", "retention", "ids",
                                         "work",  "secondary-ids", "request",  "reply",      "leaf",          "growth",    "flit",
                                         "clock", "failed-links",  "loss",     "jitter",     "seed",          "cycles",    NULL};
static const cli_params params[] = {{&hf_messaged_group, run_params}, {0}};

static const cli_option check_options[] = {
    {"send-table", "N", "lines of the send table, up to 4 (default 2)"},
    {"receive-table", "N", "lines of the receive table, up to 4 (default 2)"},
    {"ids", "N", "message ids before they start anew, up to 100 (default: never)"},
    CHECK_OPTIONS(""),
    {"secondary-ids", NULL, "a CONF names the line of the receive table only"},
    {"retention", "CYCLES", "the receiver remembers a message so long after its CONF, or forever (default: the slip)"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the result to FILE instead of standard output"},
    {0},
};

const cli_command cli_protocol = {
    .name = "protocol",
    .summary = "idempotent messaging over networks that lose packets",
    .usage = "check | run | backoff | trace [OPTIONS]",
    .about = "check explores all states of one sender and one receiver: is every message acted on exactly once, whatever the\n"
             "channels do? If not, the shortest trace to the failure is printed. Status 0: safe, 1: not safe, or unknown.\n"
             "Tables have 2 lines unless told, up to 4, ids go up to 100, retention up to 100 and is the slip unless told.\n"
             "run simulates programs over a network that drops packets on contention, and over a perfect one; published times\n"
             "stand beside. Status 1: not complete within --cycles, or a message lost or acted on twice.\n"
             "backoff runs programs with each backoff: its time over the best, in the worst case and on average. It takes the\n"
             "options of run. Status 1: none completes every run.\n"
             "trace writes the program of --benchmark down as a trace file.\n\n"
             "Example: holdfast protocol check --ids 1",
    .positional_min = 1,
    .positional_max = 1,
    .options = options,
    .params = params,
    .run = run,
};

const cli_command cli_check_protocol = {
    .name = "check-protocol",
    .summary = "the same as protocol check: is idempotent messaging safe",
    .usage = "[OPTIONS]",
    .about = "Explores all states of one sender, one receiver and two channels that may lose packets, double them, and let them\n"
             "overtake each other; packets are sent again at any time: is every message acted on at most once, and can it always "
             "still be\n"
             "delivered? If not, the shortest trace to the failure is printed. Status 0: safe, 1: not safe, or unknown.\n\n"
             "Examples: holdfast check-protocol; without a safeguard: holdfast check-protocol --ids 1,\n"
             "holdfast check-protocol --secondary-ids --no-loss, holdfast check-protocol --slip 2 --retention 0",
    .positional_min = 0,
    .positional_max = 0,
    .options = check_options,
    .run = run_check,
};
