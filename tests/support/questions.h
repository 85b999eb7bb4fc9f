/** \file
 *  Arguments with which any question of the registry answers soon. */
#ifndef HOLDFAST_TESTS_SUPPORT_QUESTIONS_H
#define HOLDFAST_TESTS_SUPPORT_QUESTIONS_H

#include <holdfast/question.h>

enum { EXAMPLE_MAX = 16 };
typedef struct example {
    hf_argument argument[EXAMPLE_MAX];
    size_t n, n_required; /**< those come first */
} example;

/** What that parameter is usually; NULL: it need not be said. */
const char *example_usual(const char *name);
/** Say that parameter as usual. Fails the test where nobody said what it is usually. */
void example_add(const hf_question *q, example *e, const char *name);
/** The least that the question takes. */
example example_of(const hf_question *q);
/** First tables that it can have, the usual one included. */
size_t example_forms(const hf_question *q);
/** The same for the i-th other first table, 0: for the usual one. \return false where there are no more, or where it is of a file
 * or an attachment */
bool example_at(const hf_question *q, size_t i, example *e);

#endif
