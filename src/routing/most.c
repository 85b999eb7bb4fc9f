/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the measures of routings can be at most. */
#include <math.h>

#include <holdfast/routing.h>

double hf_extra_most(const hf_extra_note *note, const hf_topology *topo) { return note->most ? note->most(topo) : INFINITY; }

static double pairs(double n) { return n * (n - 1); }

double hf_most_terminals(const hf_topology *topo) { return topo->n_terminal; }
double hf_most_switches(const hf_topology *topo) { return topo->n_switch; }
double hf_most_terminal_pairs(const hf_topology *topo) { return pairs(topo->n_terminal); }
double hf_most_switch_pairs(const hf_topology *topo) { return pairs(topo->n_switch); }
double hf_most_hops(const hf_topology *topo) { return topo->n_switch > 0 ? topo->n_switch - 1.0 : 0; }
double hf_most_hops_sum(const hf_topology *topo) { return pairs(topo->n_switch) * (topo->n_switch + 1.0) / 3; }
double hf_most_one(const hf_topology *topo) {
    (void)topo;
    return 1;
}
