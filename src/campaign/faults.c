/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "0..4,8" as a list of numbers of faults, "0%..30%/5%" as shares of a universe. */
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

/* ---- shares of the universe ---- */

/** "15%" at *at. */
static bool read_percent(const char **at, uint32_t *out) {
    if (!read_number(at, out) || *out > 100 || **at != '%') {
        return false;
    }
    ++*at;
    return true;
}

/** "A%", "A%..B%" or "A%..B%/S%"; a step of 1% unless told. */
static bool read_percents(const char **at, uint32_t *lo, uint32_t *hi, uint32_t *step) {
    *step = 1;
    if (!read_percent(at, lo)) {
        return false;
    }
    *hi = *lo;
    if (strncmp(*at, "..", 2) != 0) {
        return true;
    }
    *at += 2;
    if (!read_percent(at, hi) || *hi < *lo) {
        return false;
    }
    if (**at != '/') {
        return true;
    }
    ++*at;
    return read_percent(at, step) && *step > 0;
}

hf_status hf_campaign_parse_shares(hf_context *cx, const char *text, uint32_t n_component, uint32_t **f, size_t *n_f) {
    if (!strchr(text, '%')) {
        return hf_campaign_parse_faults(cx, text, f, n_f);
    }
    uint32_t list[LIST_LIMIT];
    size_t n = 0;
    for (const char *at = text;;) {
        uint32_t lo, hi, step;
        if (!read_percents(&at, &lo, &hi, &step) || (*at && *at != ',')) {
            return refuse(cx, text);
        }
        for (uint32_t share = lo; share <= hi; share += step) {
            const uint32_t count = (uint32_t)(((uint64_t)share * n_component + 50) / 100);
            if (n == 0 || count > list[n - 1]) { /* shares that give the same number count once */
                list[n++] = count;
            } else if (count < list[n - 1]) {
                return refuse(cx, text);
            }
        }
        if (!*at) {
            break;
        }
        at++;
    }
    HF_TRY(hf_allocate(cx, n, sizeof **f, (void **)f));
    memcpy(*f, list, n * sizeof *list);
    *n_f = n;
    return HF_OK;
}
