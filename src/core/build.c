/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What this program is; the build sets the macros for this file alone (cmake/Generated.cmake). */
#include <holdfast/core/build.h>

const char *hf_build_version(void) { return HF_VERSION; }
const char *hf_build_commit(void) { return HF_COMMIT; }
const char *hf_build_code(void) { return HF_CODE; }
const char *hf_build_compiler(void) { return HF_COMPILER; }
