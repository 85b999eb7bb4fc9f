/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Memory of the machine, of the control group (version 2 and 1; a container sees its own at the root), of the process' limits.
 *  */
#include "src/core/machine.h"
#include "src/core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/core/print.h"

static const double gibibyte = 1073741824.0, hours_default = 24;

static double least(double a, double b) { return a < b ? a : b; }

/* A number in a file, HUGE_VAL if there is none: "max", no such file. */
static double read_limit(const char *path) {
    double limit = HUGE_VAL;
    FILE *file = fopen(path, "r");
    if (file) {
        char line[64] = "";
        if (fgets(line, sizeof line, file)) {
            hf_slice at = hf_slice_of(line);
            double number;
            limit = hf_take_real(&at, &number) && number > 0 ? number : HUGE_VAL;
        }
        (void)fclose(file);
    }
    return limit;
}

/* The least of the limits of a group and of those around it; `path` is cut at its slashes. */
static double group_limit(const char *root, char *path, const char *name) {
    double limit = HUGE_VAL;
    for (;;) {
        char file[1200];
        (void)snprintf(file, sizeof file, "%s%s/%s", root, path, name);
        limit = least(limit, read_limit(file));
        char *slash = strrchr(path, '/');
        if (!slash) {
            return limit;
        }
        *slash = 0;
    }
}

/* Lines of /proc/self/cgroup: "0::/PATH" of version 2, "4:memory:/PATH" of version 1. */
static double all_group_limits(void) {
    double limit = HUGE_VAL;
    char line[1024];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *kinds = strchr(line, ':'), *path = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!path) {
            continue;
        }
        *path++ = 0;
        if (kinds[1] == 0) {
            limit = least(limit, group_limit("/sys/fs/cgroup", path, "memory.max"));
        } else if (strstr(kinds, "memory")) {
            limit = least(limit, group_limit("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return limit;
}

static double process_limit(int what) {
    struct rlimit limit;
    return getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (double)limit.rlim_cur : HUGE_VAL;
}

/* A number above 0 in the environment, `otherwise` without one. */
static double asked(const char *name, double otherwise) {
    const char *text = getenv(name);
    double number;
    return text && hf_read_real(text, &number) && number > 0 ? number : otherwise;
}

double hf_machine_memory(void) {
    const double user = asked("HOLDFAST_MEMORY", 0);
    if (user > 0) {
        return user * gibibyte;
    }
    const double pages = (double)sysconf(_SC_PHYS_PAGES), size = (double)sysconf(_SC_PAGESIZE);
    const double machine = pages > 0 && size > 0 ? pages * size : HUGE_VAL;
    return least(least(machine, all_group_limits()), least(process_limit(RLIMIT_AS), process_limit(RLIMIT_DATA)));
}

/* ---- refusing ---- */

static hf_status refuse_memory(hf_context *cx, double bytes, double most, double memory) {
    if (bytes > most) {
        HF_FAIL(cx, HF_ERANGE, "needs about %.4g GiB of memory; the limit is %.4g GiB", bytes / gibibyte, most / gibibyte);
    }
    HF_FAIL(cx, HF_ERANGE, "needs about %.4g GiB of memory; this machine has %.4g GiB (HOLDFAST_MEMORY=GIB says otherwise)",
            bytes / gibibyte, memory / gibibyte);
}

static hf_status refuse_time(hf_context *cx, double seconds, double hours) {
    HF_FAIL(cx, HF_ERANGE,
            "takes more than %.3g days; what takes more than %.3g hours is refused (HOLDFAST_HOURS=N says otherwise)",
            seconds / 86400, hours);
}

/* What is refused stands in front. */
__attribute__((format(printf, 2, 0))) static void name_it(hf_context *cx, const char *format, va_list list) {
    char what[600];
    hf_print_list(what, sizeof what, format, list);
    hf_context_prefix(cx, "%s ", what);
}

hf_status hf_machine_fits(hf_context *cx, double bytes, double most, const char *format, ...) {
    if (bytes < 1 << 26 && bytes <= most) { /* nothing that is worth a look */
        return HF_OK;
    }
    const double memory = hf_machine_memory();
    if (bytes <= least(memory, most)) {
        return HF_OK;
    }
    va_list list;
    va_start(list, format);
    const hf_status status = refuse_memory(cx, bytes, most, memory);
    name_it(cx, format, list);
    va_end(list);
    return status;
}

hf_status hf_machine_lasts(hf_context *cx, double seconds, const char *format, ...) {
    if (seconds < 60) { /* nothing that is worth a look */
        return HF_OK;
    }
    const double hours = asked("HOLDFAST_HOURS", hours_default);
    if (seconds <= 3600 * hours) {
        return HF_OK;
    }
    va_list list;
    va_start(list, format);
    const hf_status status = refuse_time(cx, seconds, hours);
    name_it(cx, format, list);
    va_end(list);
    return status;
}
