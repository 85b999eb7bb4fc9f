/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/tell.h"

#include "src/core/clock.h"

static const double every_s = 0.1;

void hf_tell_begin(hf_tell *tell, const char *what, uint64_t total) {
    tell->progress = (hf_progress){.what = what, .total = total, .all_total = total};
    tell->started_s = tell->told_s = hf_clock_s();
}

void hf_tell_add(hf_tell *tell, uint64_t n) {
    if (!tell->show) {
        return;
    }
#pragma omp critical(hf_tell)
    {
        hf_progress *p = &tell->progress;
        const double now = hf_clock_s();
        p->done += n;
        p->all_done = p->done;
        p->elapsed_s = now - tell->started_s;
        p->sets_per_s = p->elapsed_s > 0 ? (double)p->done / p->elapsed_s : 0;
        if (now - tell->told_s >= every_s || p->done == p->total) {
            tell->told_s = now;
            tell->show(tell->user, p);
        }
    }
}
