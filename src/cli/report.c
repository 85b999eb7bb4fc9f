/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printing reports. */
#include "src/cli/report.h"

#include <string.h>

#include "src/cli/options.h"

static hf_status find_form(const cli *c, hf_form *out) {
    const char *name = cli_value(c, "format"), *path = cli_value(c, "output");
    *out = HF_FORM_TEXT;
    if (name) {
        HF_TRY(hf_form_find(c->cx, name, out));
        if (cli_has(c, "json") && *out != HF_FORM_JSON) {
            HF_FAIL(c->cx, HF_EINVAL, "--format=%s and --json contradict each other; need one of them", name);
        }
    } else if (cli_has(c, "json")) {
        *out = HF_FORM_JSON;
    } else if (path) {
        *out = cli_form_of_ending(path);
    }
    return HF_OK;
}

hf_status cli_report_style(const cli *c, hf_report_style *out) {
    uint64_t digits = 0;
    *out = (hf_report_style){.columns = cli_value(c, "columns"), .table = cli_value(c, "table")};
    HF_TRY(find_form(c, &out->form));
    if (cli_has(c, "digits")) {
        HF_TRY(cli_number(c, "digits", 1, 17, 1, &digits));
    }
    out->digits = (int)digits;
    return HF_OK;
}

static hf_status print(const cli *c, const hf_report *report, const hf_report_style *style) {
    hf_text out;
    hf_text_init(report->cx, &out);
    hf_status status = hf_report_print(report, style, &out);
    status = status == HF_OK && c ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

hf_status cli_report_put(const cli *c, const hf_report *report, const hf_report_style *style) { return print(c, report, style); }
hf_status cli_report_check(const hf_report *report, const hf_report_style *style) { return print(NULL, report, style); }
