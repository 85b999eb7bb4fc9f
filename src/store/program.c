/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this program is: version, commit, compiler; the build sets the macros for this file alone. */
#include <holdfast/store.h>

#ifndef HF_VERSION
#define HF_VERSION "0.1.0"
#endif
#ifndef HF_COMMIT
#define HF_COMMIT "unknown"
#endif
#ifndef HF_COMPILER
#if defined __clang__
#define HF_COMPILER "clang " __clang_version__
#else
#define HF_COMPILER "gcc " __VERSION__
#endif
#endif

const char *hf_program_version(void) { return HF_VERSION; }
const char *hf_program_commit(void) { return HF_COMMIT; }
const char *hf_program_compiler(void) { return HF_COMPILER; }
