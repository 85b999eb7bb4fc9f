/** \file
 *  Certificates given to a command as a file: status 0, 1 or 3 with an answer, or 2 with one sentence that names the file.
 *  Specs other than a few small ones are skipped: their readers have targets of their own, and large networks take long. */
#ifndef HOLDFAST_TESTS_FUZZ_GIVEN_H
#define HOLDFAST_TESTS_FUZZ_GIVEN_H

#include <unistd.h>

#include "src/cli/cli.h"
#include "tests/fuzz/fuzz.h"

/** Does the certificate name one of `topologies`, which end with NULL? What is no certificate is small too. */
static inline bool fuzz_is_small(const uint8_t *data, size_t size, const char *const *topologies) {
    hf_context *cx = hf_context_new(NULL);
    hf_json *root = NULL;
    bool is_small = true;
    expect(cx != NULL, "memory");
    if (hf_json_parse(cx, "input", (const char *)data, size, &root) == HF_OK) {
        const char *topology = hf_json_string(hf_json_get(hf_json_get(root, "spec"), "topology"));
        is_small = !topology;
        for (size_t i = 0; !is_small && topologies[i]; i++) {
            is_small = strcmp(topology, topologies[i]) == 0;
        }
    }
    hf_json_free(root);
    hf_context_free(cx);
    return is_small;
}

static char fuzz_file[] = "/tmp/holdfast-input-XXXXXX";

static inline void fuzz_remove_file(void) { (void)unlink(fuzz_file); }

/** Run `holdfast COMMAND OPTION FILE --json` with the bytes as the file. */
static inline void fuzz_give(const char *command, const char *option, const uint8_t *data, size_t size) {
    static int file = -1;
    char *out = NULL, *err = NULL;
    size_t out_size = 0, err_size = 0;
    FILE *const before[] = {stdout, stderr};
    if (file < 0) {
        file = mkstemp(fuzz_file);
        atexit(fuzz_remove_file);
    }
    expect(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size, "a file");
    char *word[] = {(char *)(uintptr_t) "holdfast", (char *)(uintptr_t)command, (char *)(uintptr_t)option, fuzz_file, NULL};
    stdout = open_memstream(&out, &out_size);
    stderr = open_memstream(&err, &err_size);
    expect(stdout && stderr, "memory");
    const int status = cli_main(4, word);
    fclose(stdout);
    fclose(stderr);
    stdout = before[0];
    stderr = before[1];
    if (getenv("FUZZ_SHOW")) {
        fprintf(stderr, "status %d\n%s%s", status, out, err);
    }
    expect(status == CLI_DONE || status == CLI_NO || status == CLI_OPEN || status == CLI_BAD, "the status is 0, 1, 2 or 3");
    expect((status == CLI_BAD) == !*out, "there is an answer or a failure");
    expect(status != CLI_BAD || (err_size > 0 && strchr(err, '\n') == err + err_size - 1), "a failure is one line");
    free(out);
    free(err);
}

#endif
