/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Pictures as PDF: the LaTeX that is written for papers, compiled. So the picture has the fonts and the look that it has in a
 *  paper, there is no third drawer to keep alike, and the program links no graphics library. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/cli/cli.h"

enum { PDF_LIMIT = 64 << 20, PATH_SIZE = 4096 };
extern char **environ;

typedef struct job {
    const cli *c;
    hf_context *cx;
    char folder[PATH_SIZE - 64];
} job;

static const char *path_of(const job *j, const char *name, char path[PATH_SIZE]) {
    (void)snprintf(path, PATH_SIZE, "%s/%s", j->folder, name);
    return path;
}
#define PATH(j, name) path_of((j), (name), (char[PATH_SIZE]){0})

static hf_status begin(job *j) {
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(j->folder, sizeof j->folder, "%s/holdfast-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(j->folder)) {
        HF_FAIL(j->cx, HF_EIO, "no folder %s can be made for a picture: %s", j->folder, strerror(errno));
    }
    return HF_OK;
}

static void end(const job *j) {
    static const char *const names[] = {"picture.tex", "picture.pdf", "picture.log", "picture.aux"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)unlink(PATH(j, names[i]));
    }
    (void)rmdir(j->folder);
}

static hf_status start(const job *j, pid_t *child) {
    char where[PATH_SIZE];
    (void)snprintf(where, sizeof where, "-output-directory=%s", j->folder);
    char *const words[] = {
        "pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", where, (char *)PATH(j, "picture.tex"),
        NULL};
    posix_spawn_file_actions_t files;
    (void)posix_spawn_file_actions_init(&files);
    for (int i = 0; i < 3; i++) {
        (void)posix_spawn_file_actions_addopen(&files, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
    }
    const int failure = posix_spawnp(child, words[0], &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    if (failure) {
        HF_FAIL(
            j->cx, HF_ENOTSUP,
            "pdflatex does not start (%s); a PDF takes it with pgfplots (Debian: texlive-pictures), --svg and --pgfplots do not",
            strerror(failure));
    }
    return HF_OK;
}

/* What the log says first that is wrong. */
static hf_status refuse(const job *j) {
    hf_text log;
    char *what = NULL;
    hf_text_init(j->cx, &log);
    hf_status status = hf_text_load(j->cx, PATH(j, "picture.log"), PDF_LIMIT, &log);
    const char *at = status == HF_OK && log.data ? strstr(log.data, "\n!") : NULL;
    status = hf_scratch_print(j->cx, &what, "%.*s", at ? (int)strcspn(at + 2, "\n") : 0, at ? at + 2 : "");
    hf_text_free(&log);
    HF_TRY(status);
    HF_FAIL(j->cx, HF_EINVAL, "pdflatex fails:%s; --pgfplots writes what it was given", *what ? what : " no log");
}

static hf_status compile(const job *j, const hf_text *tex, const char *path) {
    pid_t child;
    int outcome = 0;
    hf_text pdf;
    HF_TRY(hf_text_save(j->cx, tex, PATH(j, "picture.tex")));
    HF_TRY(start(j, &child));
    while (waitpid(child, &outcome, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0) {
        return refuse(j);
    }
    hf_text_init(j->cx, &pdf);
    hf_status status = hf_text_load(j->cx, PATH(j, "picture.pdf"), PDF_LIMIT, &pdf);
    status = status == HF_OK ? cli_save(j->c, &pdf, path) : status;
    hf_text_free(&pdf);
    return status;
}

hf_status cli_save_pdf(const cli *c, const hf_text *tex, const char *path) {
    job j = {.c = c, .cx = c->cx};
    HF_TRY(begin(&j));
    const hf_status status = compile(&j, tex, path);
    end(&j);
    return status;
}
