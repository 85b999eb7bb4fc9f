/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a part has of its own: pools of packets and of hops, lists, and the wheels of what is on its way to it. */
#include <string.h>

#include "src/kernel/kernel.h"

/* ---- pools ---- */

static hf_status grow(hf_kernel *k, uint32_t old, uint32_t new, size_t size, void **block) {
    void *larger;
    HF_TRY(hf_scratch(k->cx, new, size, &larger));
    if (old) {
        memcpy(larger, *block, old * size);
    }
    *block = larger;
    return HF_OK;
}

hf_status hf_kernel_packet_new(hf_kernel *k, const hf_packet *packet, uint32_t *out) {
    if (k->n_free_packet == 0) {
        const uint32_t old = k->n_packet, new = 2 * old + 64;
        if (new > HF_NONE >> HF_FLIT_SHIFT) {
            HF_FAIL(k->cx, HF_ERANGE, "more than %u packets at once", old);
        }
        HF_TRY(grow(k, old, new, sizeof *k->packet, (void **)&k->packet));
        HF_TRY(hf_scratch(k->cx, new, sizeof *k->free_packet, (void **)&k->free_packet));
        for (uint32_t i = new; i-- > old;) {
            k->free_packet[k->n_free_packet++] = i;
        }
        k->n_packet = new;
    }
    *out = k->free_packet[--k->n_free_packet];
    k->packet[*out] = *packet;
    k->packet[*out].early_lane = HF_NONE;
    k->present++;
    return HF_OK;
}

void hf_kernel_packet_free(hf_kernel *k, uint32_t packet) {
    if (k->client && k->client->gone) {
        hf_kernel_keep_failure(k, k->client->gone(k, k->user, &k->packet[packet]));
    }
    k->free_packet[k->n_free_packet++] = packet;
    k->present--;
}

hf_status hf_kernel_slot_new(hf_kernel *k, uint32_t lane) {
    if (k->part_of) {
        k->lane[lane].slot = lane;
        return HF_OK;
    }
    if (k->n_free_slot == 0) {
        const uint32_t old = k->n_hop_slot, new = 2 * old + 16, size = k->max_hops;
        HF_TRY(grow(k, old, new, size * sizeof *k->hops, (void **)&k->hops));
        HF_TRY(hf_scratch(k->cx, new, sizeof *k->free_slot, (void **)&k->free_slot));
        for (uint32_t i = new; i-- > old;) {
            k->free_slot[k->n_free_slot++] = i;
        }
        k->n_hop_slot = new;
    }
    k->lane[lane].slot = k->free_slot[--k->n_free_slot];
    return HF_OK;
}

void hf_kernel_slot_free(hf_kernel *k, hf_lane *l) {
    if (l->slot < HF_SLOT_RUN && !k->part_of) {
        k->free_slot[k->n_free_slot++] = l->slot;
    }
    l->slot = HF_NONE;
}

void hf_kernel_source_done(hf_kernel *k, uint32_t t) {
    k->lane[k->n_resource + t].packet = HF_NONE;
    hf_kernel_keep_failure(k, k->client ? k->client->idle(k, k->user, t) : HF_OK);
}

/* ---- lists and wheels ---- */

static hf_status new_wheel(hf_kernel *k, uint32_t n_flit, uint32_t n_credit, hf_slot **out) {
    hf_event *flits;
    uint32_t *credits;
    HF_TRY(hf_scratch(k->cx, k->n_slot, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_slot * n_flit, sizeof *flits, (void **)&flits));
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_slot * n_credit, sizeof *credits, (void **)&credits));
    for (uint32_t s = 0; s < k->n_slot; s++) {
        (*out)[s] = (hf_slot){.flits = flits + (size_t)s * n_flit, .credits = credits + (size_t)s * n_credit};
        if (k->trains) {
            HF_TRY(hf_scratch(k->cx, n_flit, sizeof(hf_train), (void **)&(*out)[s].trains));
            HF_TRY(hf_scratch(k->cx, n_credit, sizeof(hf_train), (void **)&(*out)[s].returns));
        }
    }
    return HF_OK;
}

hf_status hf_kernel_wheels_new(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    const uint32_t n = k->n_part, flits = k->o.speedup ? k->o.speedup : 1;
    uint32_t *count; /* of channels, by the parts that they lead out of and into */
    HF_TRY(hf_scratch(k->cx, (size_t)n * n, sizeof *count, (void **)&count));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        count[hf_kernel_part(k, topo->from[c])->number * n + hf_kernel_part(k, topo->to[c])->number]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(hf_scratch(k->cx, n, sizeof *k->part[i]->wheel, (void **)&k->part[i]->wheel));
        for (uint32_t j = 0; j < n; j++) {
            HF_TRY(new_wheel(k, count[i * n + j], count[j * n + i] * flits, &k->part[i]->wheel[j]));
        }
    }
    return HF_OK;
}

hf_status hf_kernel_lists_new(hf_kernel *k) {
    const uint32_t n_channel = k->topo->n_channel;
    HF_TRY(hf_busy_new(k->cx, k->n_port, &k->busy_waiting));
    HF_TRY(hf_busy_new(k->cx, k->n_port, &k->busy_moving));
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->asked_vcs.item, (void **)&k->asked_vcs.item));
    HF_TRY(hf_scratch(k->cx, k->n_lane + k->n_vc, sizeof *k->can_send, (void **)&k->can_send));
    HF_TRY(hf_scratch(k->cx, n_channel + 1, sizeof *k->asked_outputs.item, (void **)&k->asked_outputs.item));
    HF_TRY(hf_scratch(k->cx, k->n_port + 1, sizeof *k->accepting, (void **)&k->accepting));
    HF_TRY(hf_scratch(k->cx, hf_plan_room(k->plan), sizeof *k->route_hops, (void **)&k->route_hops));
    HF_TRY(hf_scratch(k->cx, hf_plan_room(k->plan), sizeof *k->escape_hops, (void **)&k->escape_hops));
    if (k->trains) {
        HF_TRY(hf_scratch(k->cx, HF_ALARMS, sizeof *k->alarm, (void **)&k->alarm));
        memset(k->alarm, 0xff, HF_ALARMS * sizeof *k->alarm);
    }
    return k->o.output_queue ? hf_busy_new(k->cx, n_channel, &k->busy_queues) : HF_OK;
}
