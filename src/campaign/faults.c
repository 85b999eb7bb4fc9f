/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  "0..4,8" as a list of numbers of faults, "0%..30%/5%" as shares of a universe. */
#include <string.h>

#include <holdfast/campaign.h>

#include "src/core/number.h"

enum { LIST_LIMIT = 4096 };

static hf_status refuse(hf_context *cx, const char *text) {
    HF_FAIL(cx, HF_EINVAL,
            "numbers of faults \"%.80s\" are not right; need ascending numbers and ranges such as 0..4,8, at most %d", text,
            LIST_LIMIT);
}

static hf_status hand_over(hf_context *cx, const uint32_t *list, size_t n, uint32_t **f, size_t *n_f) {
    HF_TRY(hf_allocate(cx, n, sizeof **f, (void **)f));
    memcpy(*f, list, n * sizeof *list);
    *n_f = n;
    return HF_OK;
}

hf_status hf_campaign_parse_faults(hf_context *cx, const char *text, uint32_t **f, size_t *n_f) {
    const hf_list_form form = {.high = HF_NONE - 1, .is_whole = true, .ascends = true};
    double number[LIST_LIMIT];
    uint32_t list[LIST_LIMIT];
    size_t n;
    if (!hf_read_list(text, &form, LIST_LIMIT, number, &n)) {
        return refuse(cx, text);
    }
    for (size_t i = 0; i < n; i++) {
        list[i] = (uint32_t)number[i];
    }
    return hand_over(cx, list, n, f, n_f);
}

/* ---- shares of the universe ---- */

hf_status hf_campaign_parse_shares(hf_context *cx, const char *text, uint32_t n_component, uint32_t **f, size_t *n_f) {
    static const hf_unit percent[] = {{"%", 1}, {0}};
    const hf_list_form form = {.high = 100, .is_whole = true, .units = percent};
    double share[LIST_LIMIT];
    uint32_t list[LIST_LIMIT];
    size_t n_share, n = 0;
    if (!strchr(text, '%')) {
        return hf_campaign_parse_faults(cx, text, f, n_f);
    }
    if (!hf_read_list(text, &form, LIST_LIMIT, share, &n_share)) {
        return refuse(cx, text);
    }
    for (size_t i = 0; i < n_share; i++) {
        const uint32_t count = (uint32_t)(((uint64_t)share[i] * n_component + 50) / 100);
        if (n == 0 || count > list[n - 1]) { /* shares that give the same number count once */
            list[n++] = count;
        } else if (count < list[n - 1]) {
            return refuse(cx, text);
        }
    }
    return hand_over(cx, list, n, f, n_f);
}
