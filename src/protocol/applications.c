/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Applications of SPLASH-2 as traces that are generated. Source: [woo1995] for how they share data, [puente2004, 6.2] for
 *  sizes, lines and commands. Between barriers a node computes, then takes the cache lines that it needs: so many accesses wait
 *  at once, the next begins when a line has come. Caches hold what a node has taken until the next barrier. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/random.h>
#include <holdfast/protocol.h>

enum { LINE_BYTES = 64, POINT_BYTES = 16, KEY_BYTES = 4, BLOCK = 16, BLOCK_LINES = BLOCK * BLOCK * 8 / LINE_BYTES };
enum { DIGIT = 1024, PASSES = 2 };

/* A line that a node takes: from its owner, whom the home asks. */
typedef struct access {
    uint32_t home, owner;
} access;

typedef struct writer {
    hf_program *t;
    const hf_application *a;
    uint32_t n;      /* nodes */
    uint32_t *block; /* by node: where it is now */
    access *list;    /* of the node that is being written */
    size_t n_list, room;
    hf_random random;
} writer;

/* ---- phases ---- */

static void go_to(writer *w, uint32_t node, uint32_t block) {
    w->t->node = node;
    w->t->block = block;
}

/* Computation beyond 2^32 cycles is refused by the program. */
static void compute(writer *w, uint32_t node, uint64_t steps) {
    const uint64_t cycles = steps * w->a->work;
    go_to(w, node, w->block[node]);
    hf_program_work(w->t, cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX);
}

static hf_status need(writer *w, uint32_t home, uint32_t owner) {
    if (w->n_list == w->room) {
        access *larger;
        const size_t room = w->room ? 2 * w->room : 256;
        HF_TRY(hf_scratch(w->t->cx, room, sizeof *larger, (void **)&larger));
        if (w->n_list) {
            memcpy(larger, w->list, w->n_list * sizeof *larger);
        }
        w->list = larger;
        w->room = room;
    }
    w->list[w->n_list++] = (access){home, owner};
    return HF_OK;
}

static void send(writer *w, uint32_t to, uint32_t flits, uint32_t target) {
    hf_program_send(w->t, to, to == w->t->node ? 0 : flits, target);
}

/* From the present block of a node: a command, and what it sets off, until the line signals `target`. */
static void take_line(writer *w, access line, uint32_t target) {
    const uint32_t node = w->t->node, home = hf_program_block_new(w->t, line.home);
    send(w, line.home, w->a->command, home);
    go_to(w, line.home, home);
    hf_program_work(w->t, w->a->memory);
    if (line.owner != line.home) {
        const uint32_t owner = hf_program_block_new(w->t, line.owner);
        send(w, line.owner, w->a->command, owner);
        go_to(w, line.owner, owner);
        hf_program_work(w->t, w->a->memory);
    }
    send(w, node, w->a->line, target);
}

/* The node takes the lines of the list, and goes on when it has them. The first commands leave a cycle apart, a later one with
 * the line of an earlier. */
static void take_lines(writer *w, uint32_t node) {
    const size_t n = w->n_list, at_once = w->a->outstanding < n ? w->a->outstanding : n;
    if (n == 0) {
        return;
    }
    const uint32_t first = w->t->n_block, now = w->block[node];
    for (size_t i = at_once; i < n; i++) {
        hf_program_block_new(w->t, node);
    }
    const uint32_t done = hf_program_block_new(w->t, node);
    for (size_t i = 0; i < n && w->t->status == HF_OK; i++) {
        const bool is_first = i < at_once;
        go_to(w, node, is_first ? now : first + (uint32_t)(i - at_once));
        take_line(w, w->list[i], i + at_once < n ? first + (uint32_t)i : done);
        if (is_first) {
            go_to(w, node, now);
            hf_program_work(w->t, 1);
        }
    }
    w->block[node] = done;
    w->n_list = 0;
}

/* All tell node 0, which tells all. */
static void barrier(writer *w) {
    const uint32_t gate = hf_program_block_new(w->t, 0);
    for (uint32_t i = 0; i < w->n; i++) {
        go_to(w, i, w->block[i]);
        send(w, 0, w->a->command, gate);
    }
    go_to(w, 0, gate);
    for (uint32_t i = 0; i < w->n; i++) {
        w->block[i] = hf_program_block_new(w->t, i);
        send(w, i, w->a->command, w->block[i]);
        hf_program_work(w->t, 1);
    }
}

/* ---- fft ---- */

static uint32_t log_of(uint32_t n) { return 31 - (uint32_t)__builtin_clz(n); }

/* Every node takes its patch of every other one's rows, the next node's first. */
static hf_status transpose(writer *w) {
    const uint64_t bytes = (uint64_t)w->a->size / w->n * POINT_BYTES / w->n;
    const uint32_t lines = bytes > LINE_BYTES ? (uint32_t)(bytes / LINE_BYTES) : 1;
    for (uint32_t node = 0; node < w->n; node++) {
        for (uint32_t i = 1; i < w->n; i++) {
            const uint32_t other = (node + i) % w->n;
            for (uint32_t l = 0; l < lines; l++) {
                HF_TRY(need(w, other, other));
            }
        }
        take_lines(w, node);
    }
    barrier(w);
    return HF_OK;
}

static hf_status write_fft(writer *w) {
    const uint64_t butterflies = (uint64_t)w->a->size / w->n * (log_of(w->a->size) / 2) / 2;
    HF_TRY(transpose(w));
    for (int i = 0; i < 2; i++) {
        for (uint32_t node = 0; node < w->n; node++) {
            compute(w, node, butterflies);
        }
        barrier(w);
        HF_TRY(transpose(w));
    }
    return HF_OK;
}

/* ---- radix ---- */

/* Keys that a node has of one digit, one after the other in the sorted array. */
static uint32_t run_of(const writer *w) {
    const uint32_t keys = w->a->size / w->n / DIGIT;
    return keys ? keys : 1;
}

/* The keys that others have written in the pass before come over. */
static hf_status fetch_keys(writer *w) {
    const uint32_t per_line = LINE_BYTES / KEY_BYTES, lines = w->a->size / w->n / per_line;
    for (uint32_t node = 0; node < w->n; node++) {
        for (uint32_t l = 0; l < lines; l++) {
            HF_TRY(need(w, node, (uint32_t)((uint64_t)l * per_line / run_of(w) % w->n)));
        }
        take_lines(w, node);
    }
    return HF_OK;
}

/* Sums of all digits up a tree of nodes, then down: a level is a barrier. */
static hf_status sum_up(writer *w) {
    for (uint32_t level = 0; level < 2 * log_of(w->n); level++) {
        const bool is_up = level < log_of(w->n);
        const uint32_t stride = UINT32_C(1) << (is_up ? level : 2 * log_of(w->n) - 1 - level);
        for (uint32_t left = 0; left < w->n; left += 2 * stride) {
            const uint32_t reader = is_up ? left : left + stride, other = is_up ? left + stride : left;
            for (uint32_t l = 0; l < DIGIT * KEY_BYTES / LINE_BYTES; l++) {
                HF_TRY(need(w, other, other));
            }
            take_lines(w, reader);
        }
        barrier(w);
    }
    return HF_OK;
}

/* Of each digit a node writes its run of keys; what is shorter than a line has been taken by the neighbour before. */
static hf_status permute(writer *w) {
    const uint32_t bytes = run_of(w) * KEY_BYTES, lines = bytes > LINE_BYTES ? bytes / LINE_BYTES : 1;
    uint32_t *digit;
    HF_TRY(hf_scratch(w->t->cx, DIGIT, sizeof *digit, (void **)&digit));
    for (uint32_t d = 0; d < DIGIT; d++) {
        digit[d] = d;
    }
    for (uint32_t node = 0; node < w->n; node++) {
        compute(w, node, w->a->size / w->n);
        hf_random_shuffle(&w->random, digit, DIGIT);
        for (uint32_t d = 0; d < DIGIT; d++) {
            const uint32_t home = (uint32_t)((uint64_t)digit[d] * w->n / DIGIT);
            for (uint32_t l = 0; l < lines; l++) {
                HF_TRY(need(w, home, bytes < LINE_BYTES ? node ^ 1 : home));
            }
        }
        take_lines(w, node);
    }
    barrier(w);
    return HF_OK;
}

static hf_status write_radix(writer *w) {
    for (int pass = 0; pass < PASSES; pass++) {
        HF_TRY(pass ? fetch_keys(w) : HF_OK);
        for (uint32_t node = 0; node < w->n; node++) {
            compute(w, node, w->a->size / w->n);
        }
        barrier(w);
        HF_TRY(sum_up(w));
        HF_TRY(permute(w));
    }
    return HF_OK;
}

/* ---- lu ---- */

typedef struct grid {
    uint32_t rows, columns; /* of nodes */
    uint32_t n;             /* blocks a side */
} grid;

static uint32_t owner_of(const grid *g, uint32_t i, uint32_t j) { return i % g->rows * g->columns + j % g->columns; }

/* Block rows (or columns) behind k that fall to one of `of` nodes. */
static uint32_t share(uint32_t n, uint32_t k, uint32_t of, uint32_t one) {
    uint32_t count = 0;
    for (uint32_t i = k + 1; i < n; i++) {
        count += i % of == one;
    }
    return count;
}

static hf_status take_block(writer *w, uint32_t owner, uint32_t node) {
    for (uint32_t l = 0; l < BLOCK_LINES && owner != node; l++) {
        HF_TRY(need(w, owner, owner));
    }
    return HF_OK;
}

static hf_status do_perimeter(writer *w, const grid *g, uint32_t k) {
    for (uint32_t node = 0; node < w->n; node++) {
        const uint32_t row = node / g->columns, column = node % g->columns;
        const uint32_t below = column == k % g->columns ? share(g->n, k, g->rows, row) : 0;
        const uint32_t beside = row == k % g->rows ? share(g->n, k, g->columns, column) : 0;
        HF_TRY(below + beside ? take_block(w, owner_of(g, k, k), node) : HF_OK);
        take_lines(w, node);
        compute(w, node, (uint64_t)(below + beside) * BLOCK * BLOCK / 2);
    }
    barrier(w);
    return HF_OK;
}

static hf_status do_interior(writer *w, const grid *g, uint32_t k) {
    for (uint32_t node = 0; node < w->n; node++) {
        const uint32_t row = node / g->columns, column = node % g->columns;
        const uint32_t below = share(g->n, k, g->rows, row), beside = share(g->n, k, g->columns, column);
        for (uint32_t i = k + 1; i < g->n && below && beside; i++) {
            HF_TRY(i % g->rows == row ? take_block(w, owner_of(g, i, k), node) : HF_OK);
            HF_TRY(i % g->columns == column ? take_block(w, owner_of(g, k, i), node) : HF_OK);
        }
        take_lines(w, node);
        compute(w, node, (uint64_t)below * beside * BLOCK * BLOCK);
    }
    barrier(w);
    return HF_OK;
}

static hf_status write_lu(writer *w) {
    const uint32_t rows = UINT32_C(1) << log_of(w->n) / 2;
    const grid g = {rows, w->n / rows, w->a->size / BLOCK};
    for (uint32_t k = 0; k < g.n; k++) {
        compute(w, owner_of(&g, k, k), BLOCK * BLOCK / 3);
        barrier(w);
        HF_TRY(do_perimeter(w, &g, k));
        HF_TRY(do_interior(w, &g, k));
    }
    return HF_OK;
}

/* ---- by name ---- */

#define PARAM(title, value, least, most, text)                                                                                   \
    { .name = (title), .type = HF_PARAM_UINT, .fallback = (value), .low = (least), .high = (most), .help = (text) }
#define PARAMS(size, work)                                                                                                       \
    PARAM("size", size, 16, 1 << 26, "points, keys, or rows of the matrix"),                                                     \
        PARAM("work", work, 0, 1000000, "cycles of a butterfly, a key, 16 multiplications with addition"),                       \
        PARAM("memory", "40", 0, 1000000, "cycles that a home or an owner takes for its answer"),                                \
        PARAM("outstanding", "8", 1, 1000000, "accesses of a node that wait at once"),                                           \
        PARAM("command", "3", 1, HF_MESSAGE_SIZE_MAX, "flits of a command"),                                                     \
        PARAM("line", "19", 1, HF_MESSAGE_SIZE_MAX, "flits of a message with a line")
static const hf_param of_fft[] = {PARAMS("65536", "21"), {0}}, of_radix[] = {PARAMS("524288", "23"), {0}},
                      of_lu[] = {PARAMS("256", "52"), {0}};

static const struct {
    const char *name;
    const hf_param *params;
    hf_status (*write)(writer *w);
} kinds[] = {{"fft", of_fft, write_fft}, {"radix", of_radix, write_radix}, {"lu", of_lu, write_lu}};
enum { KINDS = sizeof kinds / sizeof *kinds };

hf_status hf_application_parse(hf_context *cx, const char *text, hf_application *out) {
    size_t size, i = 0;
    const char *rest = hf_spec_split(text, &size);
    hf_args args;
    while (i < KINDS && (strlen(kinds[i].name) != size || memcmp(kinds[i].name, text, size) != 0)) {
        i++;
    }
    if (i == KINDS) {
        HF_FAIL(cx, HF_ENOENT, "\"%s\" is no application; need fft, radix or lu", text);
    }
    HF_TRY(hf_args_parse(cx, "program", kinds[i].name, kinds[i].params, rest, &args));
    *out = (hf_application){.kind = (hf_application_kind)i,
                            .size = (uint32_t)hf_args_get(&args, "size")->number,
                            .work = (uint32_t)hf_args_get(&args, "work")->number,
                            .memory = (uint32_t)hf_args_get(&args, "memory")->number,
                            .outstanding = (uint32_t)hf_args_get(&args, "outstanding")->number,
                            .command = (uint32_t)hf_args_get(&args, "command")->number,
                            .line = (uint32_t)hf_args_get(&args, "line")->number};
    hf_args_free(&args);
    return HF_OK;
}

static hf_status check(hf_context *cx, const hf_application *a, uint32_t n_node) {
    const bool is_power = (a->size & (a->size - 1)) == 0, is_square = is_power && log_of(a->size) % 2 == 0;
    const bool is_right = a->kind == HF_APPLICATION_FFT     ? is_square && a->size >= n_node
                          : a->kind == HF_APPLICATION_RADIX ? is_power && a->size >= n_node
                                                            : a->size % BLOCK == 0;
    if (n_node < 4 || n_node > 4096 || (n_node & (n_node - 1)) != 0) {
        HF_FAIL(cx, HF_ERANGE, "%s on %" PRIu32 " nodes; need a power of 2 from 4 to 4096", kinds[a->kind].name, n_node);
    }
    if (!is_right) {
        HF_FAIL(cx, HF_ERANGE, "%s:size=%" PRIu32 " on %" PRIu32 " nodes is not right; need %s", kinds[a->kind].name, a->size,
                n_node,
                a->kind == HF_APPLICATION_LU      ? "a multiple of 16"
                : a->kind == HF_APPLICATION_RADIX ? "a power of 2, at least the nodes"
                                                  : "a power of 4, at least the nodes");
    }
    return HF_OK;
}

static hf_status write_down(hf_context *cx, const hf_application *a, uint64_t seed, hf_program *t) {
    writer w = {.t = t, .a = a, .n = t->n_node};
    hf_random_init(&w.random, seed, HF_PURPOSE_TRAFFIC, 0);
    HF_TRY(hf_scratch(cx, w.n, sizeof *w.block, (void **)&w.block));
    for (uint32_t i = 1; i < w.n; i++) {
        w.block[i] = hf_program_block_new(t, i);
    }
    HF_TRY(kinds[a->kind].write(&w));
    return hf_program_finish(t);
}

hf_status hf_application_program(hf_context *cx, const hf_application *application, uint32_t n_node, uint64_t seed,
                                 hf_program *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    *out = (hf_program){0};
    HF_TRY(check(cx, application, n_node));
    HF_TRY(hf_program_init(cx, n_node, out));
    const hf_status status = write_down(cx, application, seed, out);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_program_free(out);
    }
    return status;
}
