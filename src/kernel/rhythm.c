/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  When terminals generate packets: in every cycle alike, or in bursts. Both go from packet to packet by inversion, so idle
 *  cycles cost nothing; waits are geometric and forget, which lets a wait that a burst's end cuts off be drawn anew in the next
 *  burst. */
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/kernel/kernel.h"

hf_status hf_burst_parse(hf_context *cx, const char *text, hf_burst *out) {
    hf_slice at = hf_slice_of(text);
    *out = (hf_burst){.peak = 1};
    const bool has_length = hf_take_real(&at, &out->length);
    hf_slice peak = at;
    if (hf_take_text(&peak, ",") && hf_take_real(&peak, &out->peak)) {
        at = peak;
    }
    out->together = hf_take_text(&at, ",together");
    if (!has_length || at.size > 0 || !(out->length >= 1) || !(out->peak > 0)) {
        HF_FAIL(cx, HF_EINVAL,
                "%s is not right; need mean cycles of a burst, at least 1, and optionally the flits per cycle and terminal in "
                "it, and "
                "then \"together\", such as 200,1 or 200,1,together",
                text);
    }
    return HF_OK;
}

static hf_status check(hf_context *cx, double load, hf_burst b, uint32_t packet_length) {
    if (!(load > 0) || load > packet_length) {
        HF_FAIL(cx, HF_EINVAL, "load %g is out of range; need more than 0 and at most the packet length, %u", load,
                packet_length);
    }
    if (b.length == 0) {
        return HF_OK;
    }
    if (!(b.length >= 1) || !(b.length <= 1e9) || !(b.peak > 0) || b.peak > packet_length) {
        HF_FAIL(cx, HF_EINVAL,
                "bursts of %g cycles with %g flits per cycle are out of range; need 1 to 1e9 cycles and a peak above 0 and at "
                "most the packet length, %u",
                b.length, b.peak, packet_length);
    }
    if (load > b.peak) {
        HF_FAIL(cx, HF_EINVAL, "load %g is more than the %g flits per cycle of a burst; need a larger peak", load, b.peak);
    }
    if (load < b.peak && load * (b.length + 1) > b.peak * b.length) {
        HF_FAIL(cx, HF_EINVAL,
                "at load %g bursts of %g cycles with %g flits per cycle leave pauses below a cycle; need longer "
                "bursts or a larger peak",
                load, b.length, b.peak);
    }
    return HF_OK;
}

hf_status hf_rhythm_make(hf_context *cx, double load, hf_burst burst, uint32_t packet_length, hf_rhythm *out) {
    HF_TRY(check(cx, load, burst, packet_length));
    if (burst.length == 0 || load == burst.peak) {
        *out = (hf_rhythm){.no_packet = log1p(-load / packet_length), .share = 1};
        return HF_OK;
    }
    const double share = load / burst.peak, end = 1 / burst.length, start = end * share / (1 - share);
    *out = (hf_rhythm){.has_bursts = true,
                       .together = burst.together,
                       .no_packet = log1p(-burst.peak / packet_length),
                       .no_end = log1p(-end),
                       .no_start = log1p(-fmin(start, 1)),
                       .share = share};
    return HF_OK;
}

/* Cycles to the next trial that succeeds, by inversion; at least 1. */
static uint64_t draw_wait(hf_random *random, double no_success) {
    const double u = ((double)(hf_random_u64(random) >> 11) + 1) * 0x1p-53;
    const double wait = isinf(no_success) ? 0 : floor(log(u) / no_success);
    return 1 + (wait < 0x1p62 ? (uint64_t)wait : HF_NEVER);
}

/* Where the bursts of a source come from. Those of all start from one stream, so every source draws the same. */
static hf_random *chain_of(const hf_rhythm *r, hf_generator *s) { return r->together ? &s->chain : &s->random; }

void hf_rhythm_start(const hf_rhythm *r, uint64_t now, hf_generator *s) {
    s->next = now;
    if (!r->has_bursts) {
        return;
    }
    /* the first cycle that can have a packet is now + 1 */
    hf_random *chain = chain_of(r, s);
    const bool is_on = (double)(hf_random_u64(chain) >> 11) * 0x1p-53 < r->share;
    s->next += is_on ? 0 : draw_wait(chain, r->no_start);
    s->end = s->next + 1 + draw_wait(chain, r->no_end);
}

void hf_rhythm_next(const hf_rhythm *r, hf_generator *s) {
    uint64_t next = s->next + draw_wait(&s->random, r->no_packet);
    while (r->has_bursts && next >= s->end && next < HF_NEVER) {
        const uint64_t start = s->end + draw_wait(chain_of(r, s), r->no_start);
        s->end = start + draw_wait(chain_of(r, s), r->no_end);
        next = start - 1 + draw_wait(&s->random, r->no_packet);
    }
    s->next = next;
}
