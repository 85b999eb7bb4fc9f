/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The share of time in which a machine works, from the time between failures and the cycles that each costs. */
#include <holdfast/question.h>

typedef struct availability_args {
    double mtbf, down, clock;
} availability_args;

static const hf_column columns[] = {{"availability", "availability", NULL, HF_COLUMN_REAL, 14, 0},
                                    {"down_seconds", "down a failure (s)", "s", HF_COLUMN_REAL, 6, 0},
                                    {"down_seconds_year", "down a year (s)", "s", HF_COLUMN_REAL, 6, 0},
                                    {0}};

/* MTBF / (MTBF + MTTR). */
static hf_status ask(hf_context *cx, const hf_asked *asked, hf_report *out) {
    static const double seconds_hour = 3600, hours_year = 8766, cycles_mhz = 1e6;
    const availability_args *args = asked->args;
    const double up = args->mtbf * seconds_hour, down = args->down / (args->clock * cycles_mhz);
    char *title;
    HF_TRY(hf_scratch_print(cx, &title, "%g hours between failures, each costs %g cycles at %g MHz", args->mtbf, args->down,
                            args->clock));
    out->title = title;
    hf_report_cell(out, hf_cell_real(up / (up + down)));
    hf_report_cell(out, hf_cell_real(down));
    hf_report_cell(out, hf_cell_real(hours_year * seconds_hour * (down / (up + down))));
    return HF_OK;
}

static const hf_param params[] = {{.name = "mtbf-hours",
                                   .type = HF_PARAM_REAL,
                                   .high = 1e12,
                                   .flags = HF_PARAM_ABOVE,
                                   .unit = "h",
                                   .help = "mean time between failures, hours",
                                   HF_FIELD(availability_args, mtbf)},
                                  {.name = "down-cycles",
                                   .type = HF_PARAM_REAL,
                                   .high = 1e18,
                                   .flags = HF_PARAM_ABOVE,
                                   .unit = "cycles",
                                   .help = "cycles until the network works again, such as those of a reconfiguration",
                                   HF_FIELD(availability_args, down)},
                                  {.name = "clock-mhz",
                                   .type = HF_PARAM_REAL,
                                   .high = 1e9,
                                   .flags = HF_PARAM_ABOVE,
                                   .unit = "MHz",
                                   .help = "clock of the network, MHz",
                                   HF_FIELD(availability_args, clock)},
                                  {0}};
static const hf_group group = {.name = "availability", .params = params};
static const hf_question_part parts[] = {{.group = &group}, {0}};

const hf_question hf_question_availability = {
    .name = "availability",
    .summary = "share of time in which a machine works, from MTBF and cycles lost",
    .about = "MTBF / (MTBF + MTTR), where each failure costs the machine so many cycles of its network: those of a\n"
             "reconfiguration, say, which `holdfast bounds` and `holdfast simulate --fault-at` find. A year has 8766 hours.\n\n"
             "Example: holdfast availability --mtbf-hours 6.5 --down-cycles 760 --clock-mhz 250",
    .source = "gomez2010, equation 2.6",
    .parts = parts,
    .args_size = sizeof(availability_args),
    .table = "availability",
    .columns = columns,
    .ask = ask,
};
