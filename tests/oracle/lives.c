/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The equations of the chain, solved from the last subset back: the matrix is triangular, as subsets only grow. */
#include "tests/oracle/lives.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* time(S) = stay(S) + sum over x not in S of rate(x) / leave(S) time(S + x), where stay(S) is 1 / leave(S) in good subsets, 0 in
 * bad ones; and time(S) is 0 in a bad subset that ends the life. */
static double solve(uint32_t m, const bool *bad, const double *rate, bool ends_in_bad) {
    double *time = calloc((size_t)1 << m, sizeof *time);
    assert(time);
    for (uint32_t set = (1u << m); set-- > 0;) {
        double leave = 0, later = 0;
        for (uint32_t x = 0; x < m; x++) {
            if (!(set >> x & 1) && rate[x] > 0) {
                leave += rate[x];
                later += rate[x] * time[set | 1u << x];
            }
        }
        if (bad[set] && (ends_in_bad || leave == 0)) {
            time[set] = 0;
        } else {
            time[set] = leave == 0 ? INFINITY : ((bad[set] ? 0 : 1) + later) / leave;
        }
    }
    const double first = time[0];
    free(time);
    return first;
}

double lives_to_first_bad(uint32_t m, const bool *bad, const double *rate) { return solve(m, bad, rate, true); }
double lives_in_good(uint32_t m, const bool *bad, const double *rate) { return solve(m, bad, rate, false); }
