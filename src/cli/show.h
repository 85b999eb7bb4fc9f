/** \file
 *  Parts of holdfast show. */
#ifndef HOLDFAST_SRC_CLI_SHOW_H
#define HOLDFAST_SRC_CLI_SHOW_H

#include "src/cli/commands.h"
#include "src/cli/show_fewest.h"

enum { SHOW_TERMINALS_MAX = 2048 /**< up to which pairs and victims are listed */ };

typedef struct show_victim {
    uint32_t sw, port, destination;
} show_victim;

/** One fault set, and what it does to the plan. */
typedef struct show {
    const cli *c;
    cli_network net;
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    hf_criterion criterion;
    const char **failed; /**< names, in the arena */
    size_t n_failed;
    show_victim *victim; /**< heap */
    size_t n_victim, victim_capacity;
    hf_status collecting;
    uint64_t *cut; /**< n_terminal bits: cut off (hf_cut_off()); not of a summary */
    uint32_t n_cut;
    uint64_t limit, only_switch; /**< UINT64_MAX: all switches */
    bool is_summary;             /**< too many terminals to list pairs and victims: a judge tells the verdict and the numbers */
    hf_measure measure;          /**< of a summary */
    hf_sacrifice fewest;         /**< with --sacrifice */
} show;

/** Read the options, make the plan and judge it. Close with show_close(), also after a failure. */
hf_status show_open(show *s);
void show_close(show *s);
/** Is the ordered pair not served, or can it meet a fault? Not for a summary. */
bool show_is_bad_pair(const show *s, uint32_t from, uint32_t to);

/** A walk over the registers of all ports that are asked for. */
typedef struct show_registers {
    const show *s;
    bool all; /**< every register; else only exclusions */
    void (*each)(void *user, uint32_t sw, uint32_t port, const hf_register *r);
    void *user;
} show_registers;
hf_status show_walk_registers(const show_registers *walk);

/** Draw the network with what has failed, what the rule makes of it, and who is cut off. */
hf_status show_draw(const show *s, const char *path);
hf_status show_print_text(const show *s);
hf_status show_print_json(const show *s);

#endif
