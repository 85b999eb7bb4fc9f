/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates held in memory: what they are about, and which check they ask for. */
#include <string.h>

#include <holdfast/store.h>

#include "src/check/check.h"

/* Does the method prove anything under the switching and flow control that were asked for? */
static void check_method(check *c) {
    const hf_certificate *is = &c->is;
    const char *name = hf_deadlock_method_name(is->method);
    const bool is_bubble = is->method == HF_METHOD_BUBBLE || is->method == HF_METHOD_BUBBLE_ESCAPE;
    if (is_bubble && !c->net.control.bubble) {
        check_refute(c, "the method \"%s\" proves nothing about the flow control \"credit\"", name);
    } else if (is->method != HF_METHOD_FIXPOINT && is_bubble != check_has_rings(c)) {
        check_refute(c, "the method \"%s\" is for plans with%s rings with bubbles", name, is_bubble ? "" : "out");
    } else if (is->method == HF_METHOD_FIXPOINT && is->switching == HF_SWITCHING_WORMHOLE) {
        check_refute(c, "a fixpoint proves nothing about wormhole switching");
    }
}

/* What a proof with bubbles rests on and the flow control has to keep. */
static void check_conditions(check *c) {
    static const char moves[] = "assumed: virtual cut-through; a packet moves where a buffer for the largest packet is free, and "
                                "enters a ring where two are; a virtual channel has two or more",
                      starts[] = "assumed: a free buffer on every ring at the start",
                      drains[] = "assumed: a free buffer on every ring at the start; after faults this is conditional on the "
                                 "drain of a full ring through the interfaces";
    const char *const need[] = {moves, c->net.faults.n_channel > 0 ? drains : starts};
    bool ok = hf_json_count(c->is.conditions) == 2;
    for (size_t i = 0; i < 2 && ok; i++) {
        const char *text = hf_json_string(hf_json_at(c->is.conditions, i));
        ok = text && strcmp(text, need[i]) == 0;
    }
    if (!ok) {
        check_refute(c, "the conditions are not those of a bubble escape: \"%s\" and \"%s\"", need[0], need[1]);
    }
}

/* A verdict of freedom that no numbers go with. */
static void leave_open(check *c) {
    if (c->is.method == HF_METHOD_WORMS) {
        check_leave_open(c, "that no set of worms can wait for itself is the word of a solver, and leaves no numbers; under "
                            "--switching vct or saf, or with an escape, there is a proof that can be followed");
    } else {
        check_leave_open(c, "that packets in lockstep do not meet a deadlock is the word of a search, and leaves no numbers; "
                            "under --timing any there may be a proof that can be followed");
    }
}

static hf_status check_verdict(check *c) {
    const hf_certificate *is = &c->is;
    if (is->answer == HF_DEADLOCK_UNKNOWN) {
        check_leave_open(c, "the verdict is \"unknown\": there is nothing to confirm");
        return HF_OK;
    }
    if (is->answer == HF_DEADLOCK_FOUND) {
        return check_deadlock(c);
    }
    if (is->method >= HF_METHOD_WORMS) {
        leave_open(c);
        return HF_OK;
    }
    check_method(c);
    if (is->method == HF_METHOD_BUBBLE_ESCAPE) {
        check_conditions(c);
    }
    HF_TRY(hf_certificate_numbers(is, &c->net, &c->number));
    return check_is_refuted(c) ? HF_OK : check_free(c);
}

bool check_is_ours(check *c) {
    const char *version = c->version ? c->version : hf_build_version();
    if (strcmp(c->is.version, version) != 0) {
        check_leave_open(c, "version %.40s of the program wrote it, and names and numbers are those of that version; this is %s",
                         c->is.version, version);
        return false;
    }
    return true;
}

static hf_status check_routing(check *c, const hf_json *root) {
    HF_TRY(hf_certificate_read(c->cx, c->file, root, &c->is));
    if (!check_is_ours(c)) {
        return HF_OK;
    }
    HF_TRY(hf_certificate_open(&c->is, &c->net));
    c->whole = c->net.plan;
    c->n_resource = c->net.topo->n_channel * c->net.plan.n_vc;
    HF_TRY(hf_scratch(c->cx, hf_plan_room(&c->net.plan), sizeof *c->offered, (void **)&c->offered));
    for (uint32_t r = 0; r < c->n_resource; r++) {
        const uint32_t ring = check_ring(c, r);
        if (ring != HF_NONE && ring >= c->n_resource) {
            HF_FAIL(c->cx, HF_EINVAL, "routing \"%s\": ring %u is out of range; need a number below %u", c->is.routing, ring,
                    c->n_resource);
        }
    }
    HF_TRY(check_find_gaps(c));
    HF_TRY(check_verdict(c));
    return hf_scratch_print(c->cx, &c->said, "%s%s", hf_deadlock_answer_name(c->is.answer),
                            c->is.has_serves && !c->is.serves ? ", and nobody is served: no packet arrives" : "");
}

static hf_status check_root(check *c, const hf_json *root) {
    const char *command = hf_json_string(hf_json_get(root, "command"));
    return command && strcmp(command, "weakest") == 0 ? check_weakest(c, root) : check_routing(c, root);
}

hf_status check_certificate(check *c, const char *data, size_t size) {
    hf_json *root = NULL;
    HF_TRY(hf_json_parse(c->cx, c->file, data, size, &root));
    const hf_status status = check_root(c, root);
    hf_certificate_net_free(&c->net);
    hf_json_free(root);
    return status;
}
