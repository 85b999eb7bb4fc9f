/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  nbody: nodes in a square, one body each. A node sends its position to its row and its column; from the positions of its
 *  column it finds the partial force on each body of its row, and sends it there. The force of the model is the distance, in
 *  whole numbers. */
#include "src/protocol/benchmarks.h"

enum { POSITION_SIZE = 8, FORCE_SIZE = 12, SPACING = 8, PAIR_CYCLES = 4, UPDATE_CYCLES = 20 };

typedef struct bodies {
    uint32_t side;
    int64_t *position, *force;
    uint32_t *block, *pairs, *sums; /* by node: where it is now, what positions signal, what forces signal */
} bodies;

typedef struct starter {
    bodies *b;
    uint32_t first, n;
} starter;

/* Forks of forks reach each node. */
static void start_thread(hf_program *t, void *user) {
    const starter *s = user;
    if (s->n > 1) {
        starter right = {s->b, s->first + s->n / 2, s->n / 2}, left = {s->b, s->first, s->n / 2};
        hf_program_fork(t, start_thread, right.first, &right);
        hf_program_fork(t, start_thread, left.first, &left);
    } else {
        s->b->block[s->first] = t->block;
    }
}

static void go_to(hf_program *t, uint32_t node, uint32_t block) {
    t->node = node;
    t->block = block;
}

static void send_position(hf_program *t, bodies *b, uint32_t node) {
    const uint32_t row = node / b->side, column = node % b->side;
    go_to(t, node, b->block[node]);
    for (uint32_t i = 0; i < b->side; i++) {
        if (i != column) {
            hf_program_send(t, row * b->side + i, POSITION_SIZE, b->pairs[row * b->side + i]);
            hf_program_work(t, SPACING);
        }
    }
    for (uint32_t i = 0; i < b->side; i++) {
        if (i != row) {
            hf_program_send(t, i * b->side + column, POSITION_SIZE, b->pairs[i * b->side + column]);
            hf_program_work(t, SPACING);
        }
    }
    hf_program_continue(t, b->pairs[node]);
}

static void send_forces(hf_program *t, bodies *b, uint32_t node) {
    const uint32_t row = node / b->side, column = node % b->side;
    go_to(t, node, b->pairs[node]);
    for (uint32_t i = 0; i < b->side; i++) {
        const uint32_t body = row * b->side + i;
        for (uint32_t j = 0; j < b->side; j++) {
            b->force[body] += b->position[j * b->side + column] - b->position[body];
        }
        hf_program_work(t, b->side * PAIR_CYCLES);
        if (body != node) {
            hf_program_send(t, body, FORCE_SIZE, b->sums[body]);
        }
    }
    hf_program_continue(t, b->sums[node]);
}

/* Against the plain sum over all bodies; then the bodies move. */
static bool move_bodies(hf_program *t, bodies *b) {
    int64_t all = 0;
    bool is_right = true;
    for (uint32_t i = 0; i < t->n_node; i++) {
        all += b->position[i];
    }
    for (uint32_t i = 0; i < t->n_node; i++) {
        is_right &= b->force[i] == all - (int64_t)t->n_node * b->position[i];
        go_to(t, i, b->sums[i]);
        hf_program_work(t, UPDATE_CYCLES);
        b->block[i] = b->sums[i];
    }
    for (uint32_t i = 0; i < t->n_node; i++) {
        b->position[i] = (5 * b->position[i] + b->force[i]) % 1009;
        b->force[i] = 0;
    }
    return is_right;
}

static bool iterate(hf_program *t, bodies *b) {
    for (uint32_t i = 0; i < t->n_node; i++) {
        b->pairs[i] = hf_program_block_new(t, i);
        b->sums[i] = hf_program_block_new(t, i);
    }
    for (uint32_t i = 0; i < t->n_node; i++) {
        send_position(t, b, i);
    }
    for (uint32_t i = 0; i < t->n_node; i++) {
        send_forces(t, b, i);
    }
    return move_bodies(t, b);
}

hf_status hf_bench_nbody(hf_program *t, uint32_t iterations) {
    bodies b = {.side = 1};
    uint32_t *blocks;
    bool is_right = true;
    while (b.side * b.side < t->n_node) {
        b.side *= 2;
    }
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)t->n_node, sizeof *b.position, (void **)&b.position));
    HF_TRY(hf_scratch(t->cx, 3 * (size_t)t->n_node, sizeof *blocks, (void **)&blocks));
    b.force = b.position + t->n_node;
    b.block = blocks;
    b.pairs = blocks + t->n_node;
    b.sums = b.pairs + t->n_node;
    for (uint32_t i = 0; i < t->n_node; i++) {
        b.position[i] = (int64_t)i * i % 1009;
    }
    starter all = {&b, 0, t->n_node};
    start_thread(t, &all);
    for (uint32_t i = 0; i < iterations && t->status == HF_OK; i++) {
        is_right &= iterate(t, &b);
    }
    return t->status != HF_OK ? t->status : is_right ? HF_OK : HF_EINVAL;
}
