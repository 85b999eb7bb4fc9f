/** \file
 *  What all fuzz targets share: assertions, and the grammar of their input from which mutants are made. */
#ifndef HOLDFAST_TESTS_FUZZ_FUZZ_H
#define HOLDFAST_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/context.h>

/** How a format looks: enough for mutants that get past the words of its reader. */
typedef struct fuzz_grammar {
    /** Lines, each with its end: $n is a number, $w a word, $t something that the input has elsewhere. */
    const char *lines;
    const char *words;      /**< what can stand where a word stands, between blanks */
    const char *separators; /**< bytes between tokens, beside blanks and ends of lines; brackets of trees among them */
    /** Not needed: make an input from nothing. \return its size */
    size_t (*make)(uint64_t *random, char *out, size_t max);
} fuzz_grammar;

/** Of the target; each defines its own. */
extern const fuzz_grammar fuzz_format;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out, size_t max,
                                 unsigned seed);

/** The next of a stream of random numbers (splitmix64). */
static inline uint64_t fuzz_random(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
static inline size_t fuzz_below(uint64_t *state, size_t n) { return n ? (size_t)(fuzz_random(state) % n) : 0; }
/** A number as text, often at the border of a type. Static. */
const char *fuzz_number(uint64_t *state);
/** One of the texts that `separator` stands between, or behind. Static, until the next call. */
const char *fuzz_one_of(uint64_t *state, const char *list, char separator);

static inline void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

/** A refusal is one sentence, without its full stop, on one line. */
static inline void expect_sentence(hf_context *cx) {
    const char *message = hf_context_message(cx);
    const size_t size = strlen(message);
    int is_sentence = size > 1 && (message[size - 1] != '.' || strchr(" .", message[size - 2]));
    for (size_t i = 0; i < size; i++) {
        is_sentence &= (unsigned char)message[i] >= ' ' && message[i] != 127;
    }
    if (!is_sentence) {
        fprintf(stderr, "broken: a refusal is one sentence on one line: \"%s\"\n", message);
        abort();
    }
}

/** A refusal of the file called "input". */
static inline void expect_refusal(hf_context *cx) {
    expect_sentence(cx);
    expect(strstr(hf_context_message(cx), "input") != NULL, "a refusal names the file");
}

#endif
