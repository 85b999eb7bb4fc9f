/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast submit: a job for the scheduler of a cluster, or an array of jobs that work on a part each. The question is opened
 *  here as it would be there, so that what is wrong is told before hours in a queue. The parts are those of --part, so a job that
 *  was killed goes on from its store; the last one joins the stores and asks the whole question, which computes nothing that is
 *  there. */
#include <inttypes.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/keep.h"
#include "src/cli/report.h"
#include "src/core/registry.h"
#include "src/question/ask.h"

/* A part is a task of an array, of which Slurm has no more than 1001 unless it was told so; measured only to open the question.
 */
enum { PARTS_MOST = 1000, RANKS_MOST = 100000 };
static const double opened_s = 0.05;

typedef struct job {
    const cli *c;
    const char *store, *method; /* the method that parts are told; NULL: as was said */
    uint64_t parts, ranks;      /* 1: no array; 0: without MPI */
    hf_text out;
} job;

/* ---- the question ---- */

/* By the sets that are looked at, if any are: some rows of a campaign are small enough to be walked whole. */
static hf_status method_of(const job *j, const hf_forecast *forecast, const char **out) {
    hf_method method = HF_METHOD_EXHAUSTIVE;
    bool is_shared = false;
    for (size_t i = 0; i < forecast->n_row; i++) {
        const hf_forecast_row *row = &forecast->row[i];
        const hf_method its = strcmp(row->what, "orders") == 0 ? HF_METHOD_SPECTRUM : row->method;
        method = row->is_shared && its > method ? its : method;
        is_shared |= row->is_shared;
    }
    if (!is_shared) {
        HF_FAIL(j->c->cx, HF_EINVAL,
                "method auto takes %s here, which walks over no sets that could be shared; leave --parts out, or name a --method",
                hf_method_name(forecast->row[0].method));
    }
    *out = hf_method_name(method);
    return HF_OK;
}

/* Another value of that argument, or one more. */
static void say(cli_asked *asked, const char *name, const char *value) {
    size_t i = 0;
    while (i < asked->n && strcmp(asked->argument[i].name, name) != 0) {
        i++;
    }
    asked->argument[i] = (hf_argument){name, value};
    asked->n += i == asked->n;
}

static hf_status open_asked(const job *j, const cli_asked *asked, hf_forecast *forecast) {
    const hf_conduct conduct = {.threads = 1, .attachments = asked->attachments};
    hf_report report;
    *forecast = (hf_forecast){.seconds = opened_s};
    return hf_question_measure(j->c->cx, j->c->command->question, asked->argument, asked->n, &conduct, forecast, &report);
}

/* As the whole; then as a part, with the method that the whole takes. */
static hf_status open_question(job *j, cli_asked *asked) {
    const hf_question *q = j->c->command->question;
    const hf_param *method = hf_question_param_named(q, "method");
    const char *said = hf_asked_value(asked->argument, asked->n, "method");
    const bool is_auto = method && method->fallback && strcmp(said ? said : method->fallback, "auto") == 0;
    hf_forecast forecast;
    char *part;
    HF_TRY(open_asked(j, asked, &forecast));
    if (j->parts == 1) {
        return HF_OK;
    }
    if (is_auto) {
        HF_TRY(method_of(j, &forecast, &j->method));
        say(asked, "method", j->method);
    }
    HF_TRY(hf_scratch_print(j->c->cx, &part, "1/%" PRIu64, j->parts));
    say(asked, "part", part);
    return open_asked(j, asked, &forecast);
}

/* ---- what was said ---- */

/* The options of the command that are not the question's, nor its answer's. */
static bool is_of_job(const char *name) {
    static const char *const own[] = {"slurm", "parts", "ranks", "sbatch", "store", "threads", "quiet", NULL};
    return own[hf_words_find(own, hf_slice_of(name))] != NULL;
}

static hf_status check_question(const cli *c) {
    const hf_question *q = c->command->question;
    cli_asked asked;
    bool has_sets;
    if (!q) {
        HF_FAIL(c->cx, HF_EINVAL, "a question is missing; need one that walks over fault sets, such as tolerance");
    }
    if (!q->walks || !hf_question_param_named(q, "part")) {
        HF_FAIL(c->cx, HF_EINVAL, "%s walks over no fault sets that could be cut into parts; need a question with --part",
                q->name);
    }
    if (cli_has(c, "part") || cli_has(c, "check")) {
        HF_FAIL(c->cx, HF_EINVAL, "--%s means nothing here%s", cli_has(c, "part") ? "part" : "check",
                cli_has(c, "part") ? "; --parts M gives each of M jobs its own" : "");
    }
    HF_TRY(cli_arguments(c, &asked.argument, &asked.n));
    HF_TRY(hf_asked_has_company(c->cx, q, "part", asked.argument, asked.n, &has_sets));
    if (!has_sets) {
        HF_FAIL(c->cx, HF_EINVAL, "%s looks at no fault sets without --faults: there is nothing to submit", q->name);
    }
    return HF_OK;
}

/* A long option of sbatch without its dashes; not one that the script has to say itself. */
static hf_status check_directive(const cli *c, hf_slice word) {
    static const char *const own[] = {"array",  "dependency",    "wrap",      "parsable",        "nodes",
                                      "ntasks", "cpus-per-task", "exclusive", "ntasks-per-node", NULL};
    hf_slice name = word;
    const char *equals = memchr(word.text, '=', word.size);
    name.size = equals ? (size_t)(equals - word.text) : word.size;
    for (size_t i = 0; i < name.size; i++) {
        const char at = name.text[i];
        name.size = (at >= 'a' && at <= 'z') || (i > 0 && (at == '-' || (at >= '0' && at <= '9'))) ? name.size : 0;
    }
    if (name.size == 0) {
        HF_FAIL(c->cx, HF_EINVAL,
                "--sbatch: \"%.*s\" is not right; need long options of sbatch without dashes, such as time=8:00:00",
                (int)word.size, word.text);
    }
    if (own[hf_words_find(own, name)]) {
        HF_FAIL(c->cx, HF_EINVAL, "--sbatch: %.*s is what --parts, --ranks and --threads say", (int)name.size, name.text);
    }
    return HF_OK;
}

static hf_status check_printable(const cli *c, const char *text) {
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 127) {
            HF_FAIL(c->cx, HF_EINVAL, "--sbatch holds a control character; need words with blanks between");
        }
    }
    return HF_OK;
}

/* The i-th word of a text with blanks between; empty behind the last. */
static hf_slice word_at(const char *text, size_t i) {
    text += strspn(text, " ");
    for (; i > 0 && *text; i--) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return (hf_slice){text, strcspn(text, " ")};
}

static hf_status read_options(job *j) {
    const cli *c = j->c;
    const char *words = cli_value_or(c, "sbatch", "");
    if (!cli_has(c, "slurm")) {
        HF_FAIL(c->cx, HF_EINVAL, "option --slurm is missing; a job can be written for Slurm alone");
    }
    HF_TRY(cli_number(c, "parts", 1, PARTS_MOST, 1, &j->parts));
    HF_TRY(cli_number(c, "ranks", 1, RANKS_MOST, 0, &j->ranks));
    HF_TRY(check_printable(c, words));
    for (size_t i = 0; word_at(words, i).size; i++) {
        HF_TRY(check_directive(c, word_at(words, i)));
    }
    j->store = cli_keep_path(c);
    if (j->parts > 1) {
        HF_TRY(cli_require(c, "store", &j->store));
    }
    const bool is_none = strcmp(j->store, "none") == 0;
    if (is_none && j->parts > 1) {
        HF_FAIL(c->cx, HF_EINVAL, "--store=none keeps nothing that could be joined; name a file");
    }
    return is_none ? HF_OK : hf_store_check_writable(c->cx, j->store);
}

/* ---- the script ---- */

static void put_option(hf_text *out, const char *name, const char *argument, const char *value) {
    hf_text_print(out, " --%s", name);
    if (*value) {
        hf_text_print(out, *argument == '[' ? "=" : " ");
        hf_text_shell(out, value);
    }
}

/* The options that the question is asked with, or those that its answer is printed with. */
static void put_options(job *j, bool are_of_answer) {
    const cli *c = j->c;
    for (size_t i = 0; i < c->n_option; i++) {
        const cli_listed *o = &c->option[i];
        const bool is_told = !is_of_job(o->name) && !(j->method && strcmp(o->name, "method") == 0);
        if (c->value[i] && is_told && (o->param == NULL) == are_of_answer) {
            put_option(&j->out, o->name, o->argument, c->value[i]);
        }
    }
}

static void put_question(job *j) {
    const cli *c = j->c;
    hf_text_print(&j->out, " %s", c->command->question->name);
    if (c->n_positional) {
        hf_text_print(&j->out, " ");
        hf_text_shell(&j->out, c->positional[0]);
    }
    put_options(j, false);
    if (cli_has(c, "threads")) {
        put_option(&j->out, "threads", "", cli_value(c, "threads"));
    }
    hf_text_print(&j->out, " --quiet");
}

/* What each job asks the cluster for: so many threads, else a whole machine for every program. */
static void put_directives(job *j) {
    const cli *c = j->c;
    const char *words = cli_value_or(c, "sbatch", ""), *threads = cli_value(c, "threads");
    hf_text_print(&j->out, "#!/bin/sh\n#SBATCH --job-name=holdfast-%s\n", c->command->question->name);
    if (j->parts > 1) {
        hf_text_print(&j->out, "#SBATCH --array=1-%" PRIu64 "\n", j->parts);
    }
    hf_text_print(&j->out, "#SBATCH --ntasks=%" PRIu64 "\n", j->ranks ? j->ranks : 1);
    if (threads) {
        hf_text_print(&j->out, "#SBATCH --cpus-per-task=%s\n", threads);
    } else {
        hf_text_print(&j->out, "#SBATCH --ntasks-per-node=1\n#SBATCH --exclusive\n");
    }
    for (size_t i = 0; word_at(words, i).size; i++) {
        hf_text_print(&j->out, "#SBATCH --%.*s\n", (int)word_at(words, i).size, word_at(words, i).text);
    }
}

/* The words of a shell that start the program that walks. */
static void put_walker(job *j) {
    const char *threads = cli_value(j->c, "threads");
    if (!j->ranks) {
        hf_text_print(&j->out, "\"${HOLDFAST:-holdfast}\"");
        return;
    }
    hf_text_print(&j->out, "srun %s%s \"${HOLDFAST_MPI:-holdfast-mpi}\"", threads ? "--cpus-per-task=" : "--cpu-bind=none",
                  threads ? threads : "");
}

static void put_one(job *j) {
    hf_text_print(&j->out, "# `sbatch` takes this script. What it was stopped in goes on when it is submitted again.\nexec ");
    put_walker(j);
    put_question(j);
    put_option(&j->out, "store", "", j->store);
    put_options(j, true);
    hf_text_print(&j->out, "\n");
}

static void put_array(job *j) {
    hf_text_print(
        &j->out,
        "# `sh` with this script hands its parts to Slurm, and task 0 after them, which joins what they keep and prints the "
        "answer.\n# Parts that were stopped go on when this is done again.\nset -eu\nstore=");
    hf_text_shell(&j->out, j->store);
    hf_text_print(&j->out, "\nset --");
    put_question(j);
    hf_text_print(&j->out,
                  "\njoin() {\n"
                  "    set --\n"
                  "    r=1\n"
                  "    while [ $r -le %" PRIu64 " ]; do\n"
                  "        set -- \"$@\" \"$store.part$r\"\n"
                  "        r=$((r + 1))\n"
                  "    done\n"
                  "    [ ! -e \"$store\" ] || set -- \"$store\" \"$@\"\n"
                  "    rm -f \"$store.joined\"\n"
                  "    \"${HOLDFAST:-holdfast}\" store merge \"$@\" --into \"$store.joined\" >/dev/null\n"
                  "    mv \"$store.joined\" \"$store\"\n"
                  "}\n"
                  "case ${SLURM_ARRAY_TASK_ID:-none} in\n"
                  "none)\n"
                  "    parts=$(sbatch --parsable \"$0\")\n"
                  "    sbatch --array=0 --ntasks=1 --dependency=\"afterok:${parts%%%%;*}\" --kill-on-invalid-dep=yes \"$0\"\n"
                  "    ;;\n"
                  "0)\n"
                  "    join\n"
                  "    \"${HOLDFAST:-holdfast}\" \"$@\" --store \"$store\"",
                  j->parts);
    put_options(j, true);
    hf_text_print(&j->out, "\n    ;;\n*)\n    trap : TERM # the program keeps what it has done\n    ");
    put_walker(j);
    hf_text_print(&j->out, " \"$@\"");
    if (j->method) {
        put_option(&j->out, "method", "", j->method);
    }
    hf_text_print(&j->out,
                  " --part \"$SLURM_ARRAY_TASK_ID/%" PRIu64 "\" --store \"$store.part$SLURM_ARRAY_TASK_ID\" ||\n"
                  "        [ $? -eq 1 ] # the answer is no\n    ;;\nesac\n",
                  j->parts);
}

static hf_status submit(job *j) {
    cli_asked asked;
    uint32_t threads;
    HF_TRY(check_question(j->c));
    HF_TRY(read_options(j));
    HF_TRY(cli_threads(j->c, &threads));
    asked = (cli_asked){0};
    HF_TRY(cli_asked_read(j->c, &asked));
    HF_TRY(open_question(j, &asked));
    put_directives(j);
    if (j->parts > 1) {
        put_array(j);
    } else {
        put_one(j);
    }
    return cli_print(j->c, &j->out);
}

static int run(cli *c) {
    job j = {.c = c};
    if (cli_helps(c)) {
        return CLI_DONE;
    }
    cli_catch_signals(c->cx);
    hf_text_init(c->cx, &j.out);
    const hf_status status = submit(&j);
    hf_text_free(&j.out);
    return status == HF_OK ? CLI_DONE : cli_fail(c, status);
}

static const cli_option options[] = {
    {"slurm", NULL, "the job is for Slurm"},
    {"parts", "M", "an array of M jobs, a part of every row each, and one that joins them (default 1: a single job)"},
    {"ranks", "N", "each job is N programs of holdfast-mpi, started by srun (default: holdfast alone)"},
    {"sbatch", "WORDS", "further options of sbatch without dashes, such as \"partition=long time=8:00:00\""},
    {"threads", "T", "processors of each program (default: each has a machine of its own, with all cores)"},
    {"store", "PATH", "results store; with --parts it must be said, and parts are kept beside it"},
    CLI_REPORT_OPTIONS,
    {0},
};

const cli_command cli_submit = {
    .name = "submit",
    .summary = "print a job script for a cluster: a question over fault sets, or an array of its parts",
    .usage = "QUESTION ARGUMENTS... --slurm [--parts M]",
    .about =
        "The question is opened, so that what is wrong is told here, and the script is printed. A single job is handed to "
        "sbatch. An\n"
        "array hands itself over: sh SCRIPT submits its parts and a last task, which joins their stores and prints the\n"
        "answer, with the same bytes as one machine would. All that --format, --output and the like say holds for that answer.\n"
        "Parts that were stopped or killed go on where they were when the script is run again. The programs are\n"
        "holdfast and holdfast-mpi of the path, or what HOLDFAST and HOLDFAST_MPI name.\n\n"
        "Example: holdfast submit tolerance --topology kary-tree:k=4,n=3 --routing ft2ei --faults 5 --slurm --parts 16 "
        "--store five.sqlite > five.sh && sh five.sh",
    .options = options,
    .run = run,
};
