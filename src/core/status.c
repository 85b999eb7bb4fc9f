/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Texts of the status codes. */
#include <holdfast/core/status.h>

const char *hf_status_text(hf_status status) {
    static const char *const text[] = {
#define HF_STATUS_TEXT(name, words) words,
        HF_STATUS_MAP(HF_STATUS_TEXT)
#undef HF_STATUS_TEXT
    };
    return (unsigned)status < HF_STATUS_COUNT ? text[status] : "unknown status";
}
