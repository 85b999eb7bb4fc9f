/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Written line by line. */
#include "tests/oracle/wheel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

void wheel_write(const char *path, uint32_t n, bool has_hub) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "{\"directed\": true, \"nodes\": [%s", has_hub ? "{\"id\": \"hub\", \"kind\": \"switch\"},\n" : "");
    for (uint32_t i = 0; i < n; i++) {
        (void)fprintf(f, "%s{\"id\": \"s%u\", \"kind\": \"switch\"}, {\"id\": \"t%u\", \"kind\": \"terminal\"}", i ? ",\n" : "",
                      i, i);
    }
    (void)fprintf(f, "],\n\"links\": [");
    for (uint32_t i = 0; i < n; i++) {
        (void)fprintf(f, "%s{\"source\": \"s%u\", \"target\": \"s%u\"},\n", i ? ",\n" : "", i, (i + 1) % n);
        (void)fprintf(f, "{\"source\": \"t%u\", \"target\": \"s%u\", \"both_ways\": true}", i, i);
        if (has_hub) {
            (void)fprintf(f, ",\n{\"source\": \"hub\", \"target\": \"s%u\", \"both_ways\": true}", i);
        }
    }
    (void)fprintf(f, "]}\n");
    assert_int_equal(fclose(f), 0);
}
