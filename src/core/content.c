/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  XXH64, by its specification; names as there. Numbers are little-endian on every machine. */
#include "src/core/content.h"

#include <string.h>

static const uint64_t prime1 = UINT64_C(0x9E3779B185EBCA87), prime2 = UINT64_C(0xC2B2AE3D27D4EB4F),
                      prime3 = UINT64_C(0x165667B19E3779F9), prime4 = UINT64_C(0x85EBCA77C2B2AE63),
                      prime5 = UINT64_C(0x27D4EB2F165667C5);

static uint64_t rotate(uint64_t x, unsigned by) { return x << by | x >> (64 - by); }

static uint64_t read32(const unsigned char *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}
static uint64_t read64(const unsigned char *p) { return read32(p) | read32(p + 4) << 32; }

static uint64_t round_of(uint64_t lane, uint64_t input) { return rotate(lane + input * prime2, 31) * prime1; }

/* \return bytes of whole stripes */
static size_t take_stripes(uint64_t *lane, const unsigned char *p, size_t size) {
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
    size_t at = 0;
    for (; size - at >= HF_CONTENT_STRIPE; at += HF_CONTENT_STRIPE) {
        a = round_of(a, read64(p + at));
        b = round_of(b, read64(p + at + 8));
        c = round_of(c, read64(p + at + 16));
        d = round_of(d, read64(p + at + 24));
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
    return at;
}

void hf_content_start(hf_content *c) { *c = (hf_content){.lane = {prime1 + prime2, prime2, 0, 0 - prime1}}; }

void hf_content_more(hf_content *c, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    c->size += size;
    if (c->n_rest > 0) {
        const size_t room = HF_CONTENT_STRIPE - c->n_rest, n = size < room ? size : room;
        memcpy(c->rest + c->n_rest, p, n);
        c->n_rest += n;
        p += n;
        size -= n;
        c->n_rest -= take_stripes(c->lane, c->rest, c->n_rest);
    }
    if (size > 0) { /* then the rest is empty */
        const size_t taken = take_stripes(c->lane, p, size);
        c->n_rest = size - taken;
        memcpy(c->rest, p + taken, c->n_rest);
    }
}

static uint64_t join_lanes(const uint64_t *lane) {
    uint64_t h = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
    for (unsigned i = 0; i < 4; i++) {
        h = (h ^ round_of(0, lane[i])) * prime1 + prime4;
    }
    return h;
}

static uint64_t take_rest(uint64_t h, const unsigned char *p, size_t size) {
    for (; size >= 8; p += 8, size -= 8) {
        h = rotate(h ^ round_of(0, read64(p)), 27) * prime1 + prime4;
    }
    if (size >= 4) {
        h = rotate(h ^ read32(p) * prime1, 23) * prime2 + prime3;
        p += 4;
        size -= 4;
    }
    for (; size > 0; p++, size--) {
        h = rotate(h ^ *p * prime5, 11) * prime1;
    }
    return h;
}

uint64_t hf_content_hash(const hf_content *c) {
    uint64_t h = (c->size >= HF_CONTENT_STRIPE ? join_lanes(c->lane) : prime5) + c->size;
    h = take_rest(h, c->rest, c->n_rest);
    h = (h ^ h >> 33) * prime2;
    h = (h ^ h >> 29) * prime3;
    return h ^ h >> 32;
}

uint64_t hf_content_of(const void *bytes, size_t size) {
    hf_content c;
    hf_content_start(&c);
    hf_content_more(&c, bytes, size);
    return hf_content_hash(&c);
}
