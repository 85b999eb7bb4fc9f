/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Is idempotent messaging safe, whatever the channels do? All states are explored; a failure is shown by the way to it. */
#include <holdfast/protocol.h>
#include <holdfast/question.h>

#include <inttypes.h>
#include <stdio.h>

#include "src/report/tree.h"

typedef struct check_args {
    hf_check check;
    bool no_loss, no_duplication;
} check_args;

static const hf_column columns[] = {{"verdict", "verdict", "safe|acted on twice|lost|stuck|unknown", HF_COLUMN_WORD, 6, 0},
                                    {"message", "message", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"states", "states", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"moves", "moves", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"shortest", "shortest", NULL, HF_COLUMN_FLAG, 6, 0},
                                    {"trace", "trace", NULL, HF_COLUMN_TREE, 6, HF_COLUMN_JSON},
                                    {0}};

/* ---- the verdict ---- */

static hf_status print_verdict(hf_context *cx, const hf_check_result *r, char **out) {
    const uint32_t message = r->message + 1;
    switch (r->answer) {
    case HF_CHECK_SAFE:
        return hf_scratch_print(cx, out, "safe: every message is acted on at most once, and can always still be delivered");
    case HF_CHECK_DUPLICATE:
        return hf_scratch_print(cx, out, "message %" PRIu32 " is acted on twice", message);
    case HF_CHECK_LOST:
        return hf_scratch_print(cx, out, "message %" PRIu32 " is lost: the sender forgets it, the receiver never acts on it",
                                message);
    case HF_CHECK_STUCK:
        return r->message == HF_NONE
                   ? hf_scratch_print(cx, out, "stuck: not every message can be delivered any more")
                   : hf_scratch_print(cx, out, "message %" PRIu32 " is stuck: the receiver has not acted on it, and never can",
                                      message);
    case HF_CHECK_UNKNOWN:
        break;
    }
    return hf_scratch_print(cx, out, "unknown: more states than --states allows");
}

static hf_status add_note(hf_context *cx, const hf_check_result *r, hf_report *answer) {
    char *note;
    HF_TRY(print_verdict(cx, r, &note));
    if (!r->is_shortest && r->n_step == 0) {
        HF_TRY(hf_scratch_print(cx, &note, "%s\nso from the start; which one, and after which steps, --states kept from finding",
                                note));
    } else if (!r->is_shortest) {
        HF_TRY(
            hf_scratch_print(cx, &note, "%s\nthe trace is perhaps not the shortest, as --states ended the search for it", note));
    }
    hf_report_note(answer, note);
    return HF_OK;
}

static void put_row(const hf_check_result *r, hf_report *answer) {
    const bool has_message = r->answer != HF_CHECK_SAFE && r->answer != HF_CHECK_UNKNOWN && r->message != HF_NONE;
    hf_json *trace = hf_json_array();
    for (uint32_t i = 0; i < r->n_step; i++) {
        hf_json_push(trace, hf_json_text(r->step[i]));
    }
    hf_report_cell(answer, hf_cell_word(hf_check_answer_name(r->answer)));
    hf_report_cell(answer, has_message ? hf_cell_count((hf_u128)r->message + 1) : hf_cell_none());
    hf_report_cell(answer, hf_cell_count(r->n_state));
    hf_report_cell(answer, hf_cell_count(r->n_move));
    hf_report_cell(answer, r->n_step ? hf_cell_flag(r->is_shortest) : hf_cell_none());
    hf_report_tree(answer, trace);
}

static void add_trace(const hf_check_result *r, hf_report *answer) {
    static const hf_column of_step[] = {{"step", "step", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"what", "what happens", NULL, HF_COLUMN_WORD, 6, 0}};
    hf_report_table_begin(answer, "trace", of_step, sizeof of_step / sizeof *of_step);
    hf_report_flatten(answer);
    for (uint32_t i = 0; i < r->n_step; i++) {
        hf_report_cell(answer, hf_cell_count((hf_u128)i + 1));
        hf_report_cell(answer, hf_cell_word(r->step[i]));
    }
}

/* ---- the question ---- */

/* What follows from the arguments, by the names that JSON has. */
static void put_arguments(const hf_check *check, hf_report *answer) {
    char retention[24];
    const bool is_forever = check->protocol.retention == HF_RETENTION_FOREVER;
    (void)snprintf(retention, sizeof retention, "%" PRIu64, check->protocol.retention);
    hf_report_argument_as(answer, "retention_cycles", is_forever ? "forever" : retention, HF_COLUMN_COUNT);
    hf_report_argument_as(answer, "loss", check->has_loss ? "yes" : "no", HF_COLUMN_FLAG);
    hf_report_argument_as(answer, "duplication", check->has_duplication ? "yes" : "no", HF_COLUMN_FLAG);
}

static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *answer) {
    const check_args *args = asked->args;
    hf_check check = args->check;
    hf_check_result result;
    check.has_loss = !args->no_loss;
    check.has_duplication = !args->no_duplication;
    answer->title = "idempotent messaging: one sender, one receiver, all states";
    put_arguments(&check, answer);
    HF_TRY(hf_protocol_check(cx, &check, &result));
    put_row(&result, answer);
    HF_TRY(add_note(cx, &result, answer));
    if (result.n_step > 0) {
        add_trace(&result, answer);
    }
    answer->answer = result.answer == HF_CHECK_SAFE ? HF_ANSWER_YES : HF_ANSWER_NO;
    return HF_OK;
}

/* A message is remembered for as long as packets of it can still come. */
static void settle(const bool *given, void *object) {
    check_args *args = object;
    if (!given[0]) {
        args->check.protocol.retention = args->check.slip;
    }
}

static const char *const forever[] = {"forever", NULL}, *const kinds[] = {"msg", "ack", "conf", NULL},
                         *const reductions[] = {"none", "symmetry", "order", "all", NULL}; /* as HF_REDUCE_ flags */

static const hf_param params[] = {
    {.name = "retention",
     .type = HF_PARAM_COUNT,
     .flags = HF_PARAM_OPTIONAL,
     .high = HF_CHECK_SLIP_MAX,
     .words = forever,
     .unit = "cycles",
     .key = "retention_cycles",
     .help = "the receiver remembers a message so long after its CONF, or forever (default: the slip)",
     HF_FIELD(check_args, check.protocol.retention)},
    {.name = "send-table",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = HF_CHECK_MAX,
     .unit = "lines",
     .help = "lines of the send table, up to 4",
     HF_FIELD(check_args, check.protocol.send_capacity)},
    {.name = "receive-table",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = HF_CHECK_MAX,
     .unit = "lines",
     .help = "lines of the receive table, up to 4",
     HF_FIELD(check_args, check.protocol.receive_capacity)},
    {.name = "ids",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = HF_CHECK_SLIP_MAX,
     .unit = "n",
     .help = "message ids before they start anew, up to 100; 0: never",
     HF_FIELD(check_args, check.protocol.n_id)},
    {.name = "secondary-ids",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "a CONF names the line of the receive table only",
     HF_FIELD(check_args, check.protocol.has_secondary)},
    {.name = "once",
     .type = HF_PARAM_WORDS,
     .fallback = "none",
     .words = kinds,
     .unit = "kinds",
     .help = "packets that are not sent again: msg, ack, conf or several, such as msg+ack",
     HF_FIELD(check_args, check.protocol.once)},
    {.name = "messages",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = HF_CHECK_MAX,
     .unit = "n",
     .help = "messages to send, up to 4",
     HF_FIELD(check_args, check.n_message)},
    {.name = "capacity",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = HF_CHECK_MAX,
     .unit = "packets",
     .help = "packets in flight in a channel, up to 4",
     HF_FIELD(check_args, check.capacity)},
    {.name = "no-loss", .type = HF_PARAM_BOOL, .fallback = "no", .help = "channels lose nothing", HF_FIELD(check_args, no_loss)},
    {.name = "no-duplication",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "channels double nothing; packets are still sent again",
     HF_FIELD(check_args, no_duplication)},
    {.name = "slip",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = HF_CHECK_SLIP_MAX,
     .unit = "cycles",
     .key = "slip_cycles",
     .help = "a packet can come up to so many cycles after a later one; 0: in order",
     HF_FIELD(check_args, check.slip)},
    {.name = "reduction",
     .type = HF_PARAM_WORD,
     .fallback = "all",
     .words = reductions,
     .unit = "name",
     .help = "none, symmetry, order or all (default): what need not be looked at twice",
     HF_FIELD(check_args, check.reduction)},
    {.name = "states",
     .type = HF_PARAM_UINT,
     .fallback = "4000000",
     .low = 1,
     .high = UINT32_MAX / 4,
     .unit = "n",
     .key = "state_limit",
     .help = "give up beyond so many states",
     HF_FIELD(check_args, check.state_limit)},
    {0}};
static const hf_group group = {.name = "check", .params = params, .settle = settle};
static const hf_question_part parts[] = {{.group = &group}, {0}};
static const char *const tables[] = {"trace", NULL};

const hf_question hf_question_check_protocol = {
    .name = "check-protocol",
    .summary = "is idempotent messaging safe, whatever the channels do",
    .about =
        "Explores all states of one sender, one receiver and two channels that may lose packets, double them, and let them\n"
        "overtake each other; packets are sent again at any time: is every message acted on at most once, and can it always\n"
        "still be delivered? If not, the shortest trace to the failure is printed. Status 0: safe, 1: not safe, or unknown.\n"
        "`protocol check` says the same.\n\n"
        "--ids 1, --secondary-ids and --slip 2 --retention 0 leave a safeguard out.\n\n"
        "Example: holdfast check-protocol\n"
        "Example: holdfast check-protocol --ids 1",
    .source = "brown2002, section 2",
    .parts = parts,
    .args_size = sizeof(check_args),
    .tables = tables,
    .table = "verdicts",
    .columns = columns,
    .ask = ask,
};
