/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Where a command keeps its work. */
#include "src/cli/keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usual[] = "results/holdfast.sqlite";

/* NULL: nobody named one */
static const char *named_path(const cli *c) {
    const char *named = getenv("HOLDFAST_STORE");
    return cli_value_or(c, "store", named && *named ? named : NULL);
}

const char *cli_keep_path(const cli *c) {
    const char *named = named_path(c);
    return named ? named : usual;
}

hf_status cli_keep_open(const cli *c, cli_keep *out) {
    const char *codes = cli_value(c, "accept");
    *out = (cli_keep){.path = cli_keep_path(c)};
    if (!named_path(c) && hf_store_check_writable(c->cx, out->path) != HF_OK) {
        fprintf(stderr, "holdfast %s: nothing is kept: %s\n", c->command->name, hf_context_message(c->cx));
        hf_context_clear(c->cx);
        out->path = "none";
    }
    const bool is_none = strcmp(out->path, "none") == 0;
    if (is_none && codes) {
        HF_FAIL(c->cx, HF_EINVAL, "--accept=%s needs a store to take from", codes);
    }
    HF_TRY(is_none ? HF_OK : hf_store_open(c->cx, out->path, HF_STORE_WRITE, &out->store));
    return codes ? hf_store_accept(c->cx, out->store, codes) : HF_OK;
}

hf_status cli_keep_campaign(const cli *c, hf_campaign *campaign, cli_keep *out) {
    HF_TRY(out->path ? HF_OK : cli_keep_open(c, out)); /* a question may walk several campaigns, one after the other */
    if (!out->store) {
        return HF_OK;
    }
    hf_store_journal_free(out->journal);
    out->journal = NULL;
    HF_TRY(hf_store_journal_new(c->cx, out->store, campaign, &out->journal));
    out->no_load = *out->journal;
    if (cli_has(c, "again")) {
        out->no_load.load = NULL;
    }
    campaign->journal = &out->no_load;
    return HF_OK;
}

void cli_keep_stopped(const cli *c, const cli_keep *k) {
    if (k->store) {
        fprintf(stderr, "holdfast %s: stopped; what is done is kept in %s. The same command goes on from there.\n",
                c->command->name, k->path);
    } else {
        fprintf(stderr, "holdfast %s: stopped; nothing was kept\n", c->command->name);
    }
}

void cli_keep_close(const cli *c, cli_keep *k) {
    uint64_t n;
    const char *codes = k->store ? hf_store_accepted(k->store, &n) : NULL;
    if (codes) {
        fprintf(stderr, "holdfast %s: taken over from programs of code %s: %" PRIu64 " of what %s holds\n", c->command->name,
                codes, n, k->path);
    }
    hf_store_journal_free(k->journal);
    hf_store_close(k->store);
    *k = (cli_keep){0};
}
