/** \file
 *  A context, a topology, a universe and a rule at once, and what tests of plans keep asking of them. Failures fail the test
 *  with the message of the context. */
#ifndef HOLDFAST_TESTS_ORACLE_FIXTURE_H
#define HOLDFAST_TESTS_ORACLE_FIXTURE_H

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/random.h>

typedef struct fixture {
    hf_context *cx;
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    hf_criterion criterion[8]; /**< that were asked for */
} fixture;

/** \param[in] universe, rule may be NULL */
void fixture_open(fixture *fx, const char *topo, const char *universe, const char *rule);
void fixture_close(fixture *fx);
/** Take another rule. */
void fixture_rule(fixture *fx, const char *rule);
/** The rule is refused on the topology as bad input, with `message` in the text. */
void fixture_refuses(const char *topo, const char *rule, const char *message);
/** A topology of the family `kind` is refused, read from a file that holds `text`, with `more` behind the path: as bad input,
 * with `message` and the path in the text. */
void fixture_refuses_file(const char *kind, const char *text, const char *more, const char *message);
struct hf_draft;
/** What reads a network: src/topology/read/read.h. */
typedef hf_status (*fixture_reader)(hf_context *cx, const char *data, size_t size, struct hf_draft *draft);
/** It refuses `text`, with `message` and the name of the file in the text. */
void fixture_refuses_network(fixture_reader read, const char *text, const char *message);
/** The network that a text is, with a terminal at each switch where it has none; for hf_topology_free(). */
hf_topology *fixture_read_network(hf_context *cx, fixture_reader read, const char *text);
/** Plan for named faults, "" for none. The plan and the set live in the arena. */
void fixture_plan(fixture *fx, const char *faults, hf_fault_set *set, hf_plan *plan);
/** Plan for components of the universe. */
void fixture_plan_set(fixture *fx, const uint32_t *component, uint32_t f, hf_fault_set *set, hf_plan *plan);
/** Plan for f components drawn at random, or all where there are no more: set `seed` of the test that is `stream`. */
void fixture_plan_drawn(fixture *fx, uint64_t seed, uint64_t stream, uint32_t f, hf_fault_set *set, hf_plan *plan);
/** `count` pairs of different terminals at random, up to FIXTURE_FLOWS_MAX; some may be the same. */
enum { FIXTURE_FLOWS_MAX = 8 };
hf_flow_list *fixture_flows(fixture *fx, hf_random *random, uint32_t count);
/** The criterion of a spec; lives as long as the fixture. */
const hf_criterion *fixture_criterion(fixture *fx, const char *spec);
/** Fail the test with the context's message unless `status` is HF_OK. */
#define fixture_ok(fx, status) fixture_ok_at((fx), (status), __FILE__, __LINE__)
void fixture_ok_at(const fixture *fx, hf_status status, const char *file, int line);

#endif
