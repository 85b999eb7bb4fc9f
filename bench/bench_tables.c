/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  CPU time to read forwarding tables, as CSV on standard output: the best of five. `scan_s` is that of reading the same bytes in
 *  pieces and looking for the ends of lines, below which no reader comes; `ratio` is the time over it.
 *  Usage: bench/make-fabric 6 4 DIR; bench_tables DIR */
#include <math.h>
#include <sys/resource.h>

#include <holdfast/holdfast.h>

#include "bench/bench.h"

enum { REPEAT = 5, PIECE = 1 << 18, PATH_SIZE = 4096 };

static double time_table(hf_context *cx, const hf_topology *topo, const char *spec) {
    hf_rule rule;
    const double start = cpu_now_s();
    must_in(cx, hf_rule_init(cx, spec, topo, &rule), spec);
    const double cpu_s = cpu_now_s() - start;
    hf_rule_free(&rule);
    return cpu_s;
}

static double time_scan(const char *path, size_t *bytes, size_t *lines) {
    static char piece[PIECE];
    const double start = cpu_now_s();
    FILE *file = fopen(path, "rb");
    *bytes = *lines = 0;
    if (!file) {
        fprintf(stderr, "bench: %s cannot be read; bench/make-fabric 6 4 DIR writes it\n", path);
        exit(2);
    }
    (void)setvbuf(file, NULL, _IONBF, 0);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0; *bytes += got) {
        for (const char *at = piece; (at = memchr(at, '\n', (size_t)(piece + got - at))); at++) {
            ++*lines;
        }
    }
    (void)fclose(file);
    return cpu_now_s() - start;
}

static void run_case(hf_context *cx, const hf_topology *topo, const char *folder, const char *name) {
    char path[PATH_SIZE], spec[PATH_SIZE + 8];
    size_t bytes, lines;
    double table_s = HUGE_VAL, scan_s = HUGE_VAL;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(spec, sizeof spec, "table:%s", path);
    for (int i = 0; i < REPEAT; i++) {
        scan_s = fmin(scan_s, time_scan(path, &bytes, &lines));
        table_s = fmin(table_s, time_table(cx, topo, spec));
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%s,%zu,%zu,%.4f,%.4f,%.2f,%.1f,%s\n", name, bytes, lines, table_s, scan_s, table_s / scan_s,
           (double)usage.ru_maxrss / 1024, hf_build_commit());
}

int main(int argc, char **argv) {
    hf_context *cx = hf_context_new(NULL);
    char spec[PATH_SIZE];
    hf_topology *topo;
    if (!cx || argc != 2) {
        fprintf(stderr, "usage: bench_tables DIR, which bench/make-fabric wrote\n");
        return 2;
    }
    (void)snprintf(spec, sizeof spec, "file:%s/ibnetdiscover.txt", argv[1]);
    must(cx, hf_topology_new(cx, spec, &topo));
    printf("name,bytes,lines,cpu_s,scan_s,ratio,peak_mib,commit\n");
    run_case(cx, topo, argv[1], "opensm-lfts.dump");
    run_case(cx, topo, argv[1], "opensm.fdbs");
    hf_topology_free(topo);
    hf_context_free(cx);
    return 0;
}
