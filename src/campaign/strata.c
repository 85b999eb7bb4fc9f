/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Stratified samples. A stratum are the sets with so many components of each class; their number is a product of binomials, so
 * its share of all sets is known. Samples are shared out in proportion, rounded down; what rounding leaves over of all strata is
 * laid end to end, cut into pieces of one sample, and each piece gives one. So every sample counts alike, and the mean over all
 * is unbiased whatever the number of samples. Source: Cochran, Sampling Techniques, 3rd edition, 1977, chapter 5; the pieces are
 * new. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/campaign.h>
#include <holdfast/core/random.h>

#include "src/core/sort.h"
#include "src/fault/filter.h"

/* ---- classes ---- */

typedef struct class_of {
    const char *kind;
    uint32_t value; /* HF_NONE: no attribute, or none of it */
} class_of;

static class_of find_class(const hf_universe *u, const hf_attribute *attribute, uint32_t component) {
    return (class_of){hf_universe_kind_name(u, component),
                      attribute ? hf_filter_value(attribute, u->topo, u->component[component]) : HF_NONE};
}

/* Where it stands among those that are known, or may stand. */
static uint32_t place_of(const class_of *known, uint32_t n, class_of what) {
    uint32_t c = 0;
    while (c < n && (known[c].kind != what.kind || known[c].value != what.value)) {
        c++;
    }
    return c;
}

static hf_status name_class(hf_context *cx, const hf_strata *s, class_of what, const char **out) {
    char *name;
    HF_TRY(what.value == HF_NONE ? hf_scratch_print(cx, &name, "%s", what.kind)
                                 : hf_scratch_print(cx, &name, "%s:%s=%" PRIu32, what.kind, s->by, what.value));
    *out = name;
    return HF_OK;
}

/* Kinds in the order of the universe, values ascending in each. */
static int compare_classes(const void *a, const void *b) {
    const class_of *x = a, *y = b;
    return x->kind == y->kind ? (x->value > y->value) - (x->value < y->value) : 0;
}

static void sort_classes(class_of *class, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        const class_of moved = class[i];
        uint32_t at = i;
        for (; at > 0 && compare_classes(&class[at - 1], &moved) > 0; at--) {
            class[at] = class[at - 1];
        }
        class[at] = moved;
    }
}

static hf_status find_classes(hf_context *cx, hf_strata *s, const hf_attribute *attribute, class_of *class) {
    for (uint32_t i = 0; i < s->universe->n_component; i++) {
        const class_of what = find_class(s->universe, attribute, i);
        const uint32_t c = place_of(class, s->n_class, what);
        if (c == HF_STRATA_CLASSES) {
            HF_FAIL(cx, HF_EINVAL, "--strata=%s: components of \"%s\" fall into more than %d classes", s->by, s->universe->spec,
                    HF_STRATA_CLASSES);
        }
        class[c] = what;
        s->n_class += c == s->n_class;
    }
    if (s->n_class < 2) {
        HF_FAIL(cx, HF_EINVAL, "--strata=%s: all components of \"%s\" are of one class; there is nothing to tell apart", s->by,
                s->universe->spec);
    }
    sort_classes(class, s->n_class);
    return HF_OK;
}

static hf_status fill_classes(hf_context *cx, hf_strata *s, const hf_attribute *attribute, const class_of *class) {
    const hf_universe *u = s->universe;
    uint32_t at[HF_STRATA_CLASSES] = {0};
    HF_TRY(hf_scratch(cx, u->n_component, sizeof *s->component, (void **)&s->component));
    for (uint32_t i = 0; i < u->n_component; i++) {
        s->begin[place_of(class, s->n_class, find_class(u, attribute, i)) + 1]++;
    }
    for (uint32_t c = 0; c < s->n_class; c++) {
        HF_TRY(name_class(cx, s, class[c], &s -> name[c]));
        at[c] = s->begin[c];
        s->begin[c + 1] += s->begin[c];
    }
    for (uint32_t i = 0; i < u->n_component; i++) {
        s->component[at[place_of(class, s->n_class, find_class(u, attribute, i))]++] = i;
    }
    return HF_OK;
}

hf_status hf_strata_new(hf_context *cx, const hf_universe *universe, const char *by, const hf_strata **out) {
    const bool is_class = strcmp(by, "class") == 0;
    const hf_attribute *attribute = is_class ? hf_topology_attribute(universe->topo, by) : NULL;
    class_of class[HF_STRATA_CLASSES + 1] = {{NULL, 0}};
    hf_strata *s;
    if (!is_class && hf_filter_attribute(cx, universe->topo, hf_slice_of(by), &attribute) != HF_OK) {
        hf_context_prefix(cx, "--strata=%s (\"class\", or an attribute): ", by);
        return HF_ENOENT;
    }
    HF_TRY(hf_scratch(cx, 1, sizeof *s, (void **)&s));
    *s = (hf_strata){.universe = universe, .by = is_class ? "class" : attribute->name};
    HF_TRY(find_classes(cx, s, attribute, class));
    HF_TRY(fill_classes(cx, s, attribute, class));
    *out = s;
    return HF_OK;
}

static uint32_t class_size(const hf_strata *s, uint32_t c) { return s->begin[c + 1] - s->begin[c]; }

/* ---- strata ---- */

/* As many as there are from the last class on. */
static void fill(const hf_strata *s, uint32_t from, uint32_t left, uint32_t *of) {
    for (uint32_t c = s->n_class; c-- > from;) {
        of[c] = left < class_size(s, c) ? left : class_size(s, c);
        left -= of[c];
    }
}

/* The next word of as many components. */
static bool step(const hf_strata *s, uint32_t *of) {
    uint32_t behind = 0;
    for (uint32_t c = s->n_class; c-- > 0;) {
        if (behind > 0 && of[c] < class_size(s, c)) {
            of[c]++;
            fill(s, c + 1, behind - 1, of);
            return true;
        }
        behind += of[c];
    }
    return false;
}

static hf_status list_strata(hf_context *cx, const hf_strata *s, hf_quota *out) {
    uint32_t word[HF_STRATA_CLASSES], *of;
    fill(s, 0, out->f, word);
    do {
        if (out->n++ == HF_STRATA) {
            HF_FAIL(cx, HF_EINVAL,
                    "--strata=%s: f=%" PRIu32 " faults fall among %" PRIu32
                    " classes in more than %d ways; take fewer faults or other classes",
                    s->by, out->f, s->n_class, HF_STRATA);
        }
    } while (step(s, word));
    HF_TRY(hf_scratch(cx, (size_t)out->n * s->n_class, sizeof *of, (void **)&of));
    fill(s, 0, out->f, of);
    for (uint32_t h = 1; h < out->n; h++) {
        memcpy(of + (size_t)h * s->n_class, of + (size_t)(h - 1) * s->n_class, s->n_class * sizeof *of);
        (void)step(s, of + (size_t)h * s->n_class);
    }
    out->of = of;
    return HF_OK;
}

/* ---- sharing out ---- */

enum { ALL, SETS, QUOTIENT, LEFT, FACTOR, BIGS };

/* The number of sets of a stratum. */
static void count_sets(const hf_strata *s, const uint32_t *of, hf_big *const *big) {
    hf_big_set(big[SETS], 1);
    for (uint32_t c = 0; c < s->n_class; c++) {
        hf_big_binomial(big[FACTOR], class_size(s, c), of[c]);
        hf_big_mul(big[SETS], big[FACTOR]);
    }
}

static hf_u128 divide(hf_big *const *big) {
    hf_u128 value = 0;
    hf_big_divide(big[QUOTIENT], big[SETS], big[ALL]);
    (void)hf_big_get_u128(big[QUOTIENT], &value); /* no more than samples, or than strata times 2^64 */
    return value;
}

/* What is left over is summed up before it is rounded. */
static void share_out(const hf_strata *s, hf_quota *out, double *share, uint64_t *begin, hf_u128 *over, hf_big *const *big) {
    hf_big_binomial(big[ALL], s->universe->n_component, out->f);
    for (uint32_t h = 0; h < out->n; h++) {
        count_sets(s, out->of + (size_t)h * s->n_class, big);
        share[h] = hf_big_share(big[SETS], big[ALL]);
        hf_big_mul_u64(big[SETS], out->samples);
        begin[h + 1] = begin[h] + (uint64_t)divide(big);
        hf_big_add(big[LEFT], big[SETS]);
        hf_big_copy(big[SETS], big[LEFT]);
        hf_big_mul_u64(big[SETS], UINT64_C(1) << 32);
        hf_big_mul_u64(big[SETS], UINT64_C(1) << 32);
        over[h + 1] = divide(big);
    }
}

hf_status hf_quota_new(hf_context *cx, const hf_strata *strata, uint32_t f, uint64_t samples, hf_quota *out) {
    hf_big *big[BIGS] = {NULL};
    double *share;
    uint64_t *begin;
    hf_u128 *over;
    hf_status status = HF_OK;
    *out = (hf_quota){.f = f, .n_class = strata->n_class, .samples = samples};
    HF_TRY(list_strata(cx, strata, out));
    HF_TRY(hf_scratch(cx, out->n, sizeof *share, (void **)&share));
    HF_TRY(hf_scratch(cx, (size_t)out->n + 1, sizeof *begin, (void **)&begin));
    HF_TRY(hf_scratch(cx, (size_t)out->n + 1, sizeof *over, (void **)&over));
    for (int i = 0; i < BIGS && status == HF_OK; i++) {
        status = hf_big_new(cx, &big[i]);
    }
    if (status == HF_OK) {
        share_out(strata, out, share, begin, over, big);
    }
    for (int i = 0; i < BIGS; i++) {
        hf_big_free(big[i]);
    }
    out->share = share;
    out->begin = begin;
    out->over = over;
    return status;
}

/* ---- drawing ---- */

/* The last stratum that begins at or before `place`. */
static uint32_t find_own(const hf_quota *quota, uint64_t place) {
    uint32_t lo = 0, hi = quota->n;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        *(quota->begin[middle] <= place ? &lo : &hi) = middle;
    }
    return lo;
}

static uint32_t find_over(const hf_quota *quota, hf_u128 place) {
    uint32_t lo = 0, hi = quota->n;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        *(quota->over[middle] <= place ? &lo : &hi) = middle;
    }
    return lo;
}

uint32_t hf_quota_draw(const hf_strata *s, const hf_quota *quota, uint64_t seed, uint64_t i, uint32_t *set) {
    const uint32_t tag = quota->f << 8;
    const uint64_t place = hf_random_place(seed, (hf_purpose)((uint32_t)HF_PURPOSE_PLACE | tag), quota->samples, i);
    const uint64_t own = quota->begin[quota->n];
    hf_random random;
    hf_random_init(&random, seed, (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | tag), i);
    const uint32_t h =
        place < own ? find_own(quota, place) : find_over(quota, (hf_u128)(place - own) << 64 | hf_random_u64(&random));
    const uint32_t *of = quota->of + (size_t)h * s->n_class;
    uint32_t *at = set;
    for (uint32_t c = 0; c < s->n_class; c++) {
        if (of[c] > 0) {
            hf_random_subset(&random, class_size(s, c), of[c], at);
        }
        for (uint32_t k = 0; k < of[c]; k++, at++) {
            *at = s->component[s->begin[c] + *at];
        }
    }
    if (quota->f > 1) {
        hf_sort_numbers(set, quota->f);
    }
    return h;
}

/* ---- what the strata say ---- */

static const double drawn = 4; /* samples that the share of all counts for in each stratum */

double hf_quota_variance(const hf_quota *quota, const hf_quantity *quantity) {
    double sets = 0, bad = 0, sum = 0, rest = 0, rest_bad = 0;
    for (uint32_t h = 0; h < quota->n; h++) {
        sets += (double)quantity[h].sets;
        bad += (double)quantity[h].sum;
    }
    for (uint32_t h = 0; h < quota->n; h++) {
        const double p = ((double)quantity[h].sum + drawn * bad / sets) / ((double)quantity[h].sets + drawn);
        const double left = (double)(quota->over[h + 1] - quota->over[h]) * 0x1p-64;
        sum += (double)(quota->begin[h + 1] - quota->begin[h]) * p * (1 - p);
        rest += left;
        rest_bad += left * p;
    }
    return sum + (rest > 0 ? rest_bad * (1 - rest_bad / rest) : 0);
}
