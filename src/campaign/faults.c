/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "0..4,8" as a list of numbers of faults. */
#include <stdlib.h>
#include <string.h>

#include <holdfast/campaign.h>

enum { LIST_LIMIT = 4096 };

static hf_status refuse(hf_context *cx, const char *text) {
    HF_FAIL(cx, HF_EINVAL,
            "numbers of faults \"%.80s\" are not right; need ascending numbers and ranges such as 0..4,8, at most %d", text,
            LIST_LIMIT);
}

static bool read_number(const char **at, uint32_t *out) {
    uint64_t value = 0;
    const char *start = *at;
    while (**at >= '0' && **at <= '9' && value < HF_NONE) {
        value = value * 10 + (uint64_t)(*(*at)++ - '0');
    }
    *out = (uint32_t)value;
    return *at > start && value < HF_NONE;
}

static bool read_range(const char **at, uint32_t *lo, uint32_t *hi) {
    if (!read_number(at, lo)) {
        return false;
    }
    *hi = *lo;
    if (strncmp(*at, "..", 2) == 0) {
        *at += 2;
        return read_number(at, hi) && *lo <= *hi;
    }
    return true;
}

hf_status hf_campaign_parse_faults(hf_context *cx, const char *text, uint32_t **f, size_t *n_f) {
    uint32_t list[LIST_LIMIT];
    size_t n = 0;
    for (const char *at = text;;) {
        uint32_t lo, hi;
        if (!read_range(&at, &lo, &hi) || hi - lo >= LIST_LIMIT - n || (n && lo <= list[n - 1])) {
            return refuse(cx, text);
        }
        for (uint32_t i = lo; i <= hi; i++) {
            list[n++] = i;
        }
        if (!*at) {
            break;
        }
        if (*at++ != ',') {
            return refuse(cx, text);
        }
    }
    HF_TRY(hf_allocate(cx, n, sizeof **f, (void **)f));
    memcpy(*f, list, n * sizeof *list);
    *n_f = n;
    return HF_OK;
}
