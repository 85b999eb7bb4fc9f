/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast protocol check: explicit exploration of the protocol, verdict and shortest trace. */
#include <inttypes.h>
#include <string.h>

#include "src/cli/protocol.h"

static const char *const reductions[] = {"none", "symmetry", "order", "all"}; /* as HF_REDUCE_ flags */

static hf_status read_reduction(const cli *c, unsigned *out) {
    const char *text = cli_value_or(c, "reduction", "all");
    for (*out = 0; *out <= HF_REDUCE_ALL; (*out)++) {
        if (strcmp(text, reductions[*out]) == 0) {
            return HF_OK;
        }
    }
    HF_FAIL(c->cx, HF_EINVAL, "--reduction=%s is not right; need none, symmetry, order or all", text);
}

/* A number of cycles, or for ever. */
static hf_status read_retention(const cli *c, uint64_t slip, uint64_t *out) {
    const char *text = cli_value_or(c, "retention", "0");
    if (strcmp(text, "forever") == 0) {
        *out = HF_RETENTION_FOREVER;
        return HF_OK;
    }
    if (*text < '0' || *text > '9') {
        HF_FAIL(c->cx, HF_EINVAL, "--retention=%s is not right; need 0 to %d cycles, or forever", text, HF_CHECK_SLIP_MAX);
    }
    return cli_number(c, "retention", 0, HF_CHECK_SLIP_MAX, slip, out);
}

/* The tables are small here, so their ranges and defaults are others than those of a run. */
static hf_status read_check(const cli *c, hf_check *check) {
    uint64_t messages, capacity, slip, send, receive;
    hf_protocol *p = &check->protocol;
    *p = hf_protocol_default();
    HF_TRY(cli_number(c, "messages", 1, HF_CHECK_MAX, 2, &messages));
    HF_TRY(cli_number(c, "capacity", 1, HF_CHECK_MAX, 2, &capacity));
    HF_TRY(cli_number(c, "slip", 0, HF_CHECK_SLIP_MAX, 0, &slip));
    HF_TRY(cli_number(c, "send-table", 1, HF_CHECK_MAX, 2, &send));
    HF_TRY(cli_number(c, "receive-table", 1, HF_CHECK_MAX, 2, &receive));
    HF_TRY(cli_number(c, "ids", 0, HF_CHECK_SLIP_MAX, 0, &p->n_id));
    HF_TRY(read_retention(c, slip, &p->retention));
    HF_TRY(protocol_read_once(c, &p->once));
    HF_TRY(cli_number(c, "states", 1, UINT32_MAX / 4, 4000000, &check->state_limit));
    p->send_capacity = (uint32_t)send;
    p->receive_capacity = (uint32_t)receive;
    p->has_secondary = cli_has(c, "secondary-ids");
    check->n_message = (uint32_t)messages;
    check->capacity = (uint32_t)capacity;
    check->slip = (uint32_t)slip;
    check->has_loss = !cli_has(c, "no-loss");
    check->has_duplication = !cli_has(c, "no-duplication");
    return read_reduction(c, &check->reduction);
}

static void print_verdict(const hf_check_result *r, hf_text *out) {
    switch (r->answer) {
    case HF_CHECK_SAFE:
        hf_text_print(out, "safe: every message is acted on at most once, and can always still be delivered\n");
        break;
    case HF_CHECK_DUPLICATE:
        hf_text_print(out, "message %" PRIu32 " is acted on twice\n", r->message + 1);
        break;
    case HF_CHECK_LOST:
        hf_text_print(out, "message %" PRIu32 " is lost: the sender forgets it, the receiver never acts on it\n", r->message + 1);
        break;
    case HF_CHECK_STUCK:
        if (r->message == HF_NONE) {
            hf_text_print(out, "stuck: not every message can be delivered any more\n");
        } else {
            hf_text_print(out, "message %" PRIu32 " is stuck: the receiver has not acted on it, and never can\n", r->message + 1);
        }
        break;
    case HF_CHECK_UNKNOWN:
        hf_text_print(out, "unknown: more states than --states allows\n");
        break;
    }
    hf_text_print(out, "%" PRIu64 " state%s, %" PRIu64 " move%s\n", r->n_state, hf_plural(r->n_state), r->n_move,
                  hf_plural(r->n_move));
    if (!r->is_shortest && r->n_step == 0) {
        hf_text_print(out, "so from the start; which one, and after which steps, --states kept from finding\n");
    } else if (!r->is_shortest) {
        hf_text_print(out, "a trace, perhaps not the shortest, as --states ended the search for it:\n");
    }
}

static hf_status put_text(const cli *c, const hf_check_result *r) {
    hf_text out;
    hf_text_init(c->cx, &out);
    print_verdict(r, &out);
    for (uint32_t i = 0; i < r->n_step; i++) {
        hf_text_print(&out, "%3" PRIu32 ". %s\n", i + 1, r->step[i]);
    }
    const hf_status status = cli_put(c, &out);
    hf_text_free(&out);
    return status;
}

static hf_json *json_spec(const hf_check *check) {
    hf_json *spec = hf_json_object();
    hf_json_set(spec, "messages", hf_json_integer(check->n_message));
    hf_json_set(spec, "capacity", hf_json_integer(check->capacity));
    hf_json_set(spec, "send_table", hf_json_integer(check->protocol.send_capacity));
    hf_json_set(spec, "receive_table", hf_json_integer(check->protocol.receive_capacity));
    hf_json_set(spec, "ids", hf_json_integer((int64_t)check->protocol.n_id));
    hf_json_set(spec, "secondary_ids", hf_json_boolean(check->protocol.has_secondary));
    hf_json_set(spec, "loss", hf_json_boolean(check->has_loss));
    hf_json_set(spec, "duplication", hf_json_boolean(check->has_duplication));
    hf_json_set(spec, "slip_cycles", hf_json_integer(check->slip));
    protocol_json_safeguards(&check->protocol, spec);
    hf_json_set(spec, "reduction", hf_json_text(reductions[check->reduction]));
    return spec;
}

static hf_status put_json(const cli *c, const hf_check *check, const hf_check_result *r) {
    hf_json *root = cli_json(c), *rows = hf_json_array(), *row = hf_json_object(), *trace = hf_json_array();
    const bool has_message = r->answer != HF_CHECK_SAFE && r->answer != HF_CHECK_UNKNOWN && r->message != HF_NONE;
    for (uint32_t i = 0; i < r->n_step; i++) {
        hf_json_push(trace, hf_json_text(r->step[i]));
    }
    hf_json_set(root, "spec", json_spec(check));
    hf_json_set(row, "verdict", hf_json_text(hf_check_answer_name(r->answer)));
    hf_json_set(row, "message", has_message ? hf_json_integer((int64_t)r->message + 1) : hf_json_null());
    hf_json_set(row, "states", hf_json_integer((int64_t)r->n_state));
    hf_json_set(row, "moves", hf_json_integer((int64_t)r->n_move));
    hf_json_set(row, "shortest", r->n_step ? hf_json_boolean(r->is_shortest) : hf_json_null());
    hf_json_set(row, "trace", trace);
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    return cli_put_json(c, root);
}

hf_status protocol_check(const cli *c, bool *is_yes) {
    hf_check check = {0};
    hf_check_result result;
    HF_TRY(read_check(c, &check));
    HF_TRY(hf_protocol_check(c->cx, &check, &result));
    *is_yes = result.answer == HF_CHECK_SAFE;
    return cli_has(c, "json") ? put_json(c, &check, &result) : put_text(c, &result);
}
