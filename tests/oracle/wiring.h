/** \file
 *  The wiring of a topology against a rule that a test states on its own, port by port, and its figures by search against its
 *  closed forms. */
#ifndef HOLDFAST_TESTS_ORACLE_WIRING_H
#define HOLDFAST_TESTS_ORACLE_WIRING_H

#include "tests/oracle/fixture.h"

/** What a port of a switch leads to; node HF_NONE: nothing. */
typedef struct wire {
    uint32_t node, port;
} wire;
#define NO_WIRE ((wire){HF_NONE, HF_NONE})

/** Every port of every switch leads where `want` says, nothing else is joined, and all links have two channels. */
void wiring_check(const hf_topology *topo, wire (*want)(const hf_topology *topo, uint32_t sw, uint32_t port));
/** Counts and figures. \param[in] diameter channels; measured, and by the closed form where there is one */
typedef struct counts {
    const char *spec;
    uint32_t n_switch, n_terminal, n_switch_link, degree_min, degree_max, diameter;
} counts;
void counts_check(const counts *want);
/** A spec that must be refused with a status and words in the message. */
typedef struct refusal {
    const char *spec;
    hf_status status;
    const char *message;
} refusal;
void refusals_check(const refusal *list, size_t n);
/** No two nodes stand on one place. */
void places_check(const hf_topology *topo);

#endif
