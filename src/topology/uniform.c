/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Families with the same number of terminals on each switch. */
#include "src/topology/uniform.h"

#include <math.h>

/** Grid units between neighbouring terminals of a switch. */
static const double terminal_step = 0.4;

void hf_uniform_hang(hf_topology *topo, uint32_t each, uint32_t first_port) {
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_topology_add_link(topo, topo->n_switch + t, 0, t / each, first_port + t % each, true);
    }
}

void hf_uniform_add_terminals(hf_topology *topo, uint32_t first_port) {
    hf_uniform_hang(topo, hf_uniform_terminals(topo), first_port);
}

double hf_uniform_mean(const hf_topology *topo, double sum) {
    const double each = hf_uniform_terminals(topo), n = topo->n_terminal;
    return n > 1 ? 2 + each * each * sum / (n * (n - 1)) : 0;
}

uint32_t hf_uniform_diameter(const hf_topology *topo, uint32_t between_switches) {
    return topo->n_terminal > 1 ? between_switches + 2 : 0;
}

double hf_uniform_width(const hf_topology *topo) { return 1.2 + terminal_step * (hf_uniform_terminals(topo) - 1); }

hf_position hf_uniform_below(const hf_topology *topo, uint32_t terminal, hf_position at) {
    const uint32_t i = terminal % hf_uniform_terminals(topo);
    return (hf_position){.x = at.x + 0.45 + terminal_step * i, .y = at.y - 0.5};
}

static hf_position on_circle(double turn, double radius) {
    const double angle = 2 * acos(-1.0) * turn;
    return (hf_position){.x = radius * sin(angle), .y = radius * cos(angle)};
}

static double circle_radius(uint32_t n, double step) { return n > 1 ? step / (2 * sin(acos(-1.0) / n)) : 0; }

hf_position hf_circle_place(uint32_t i, uint32_t n, double step) { return on_circle((double)i / n, circle_radius(n, step)); }

hf_position hf_uniform_on_circle(const hf_topology *topo, uint32_t node) {
    const uint32_t n = topo->n_switch, each = hf_uniform_terminals(topo);
    const double step = fmax(1.0, terminal_step * each);
    if (!hf_topology_is_terminal(topo, node)) {
        return hf_circle_place(node, n, step);
    }
    const uint32_t t = node - topo->n_switch, sw = t / each;
    const double share = ((t % each) + 0.5) / each - 0.5; /* of the switch's part of the circle */
    return on_circle((sw + share) / n, circle_radius(n, step) + 0.8);
}
