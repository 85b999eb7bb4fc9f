/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Debian's runtime library of clang guards its stack by these, which wasi-libc does not have. */
#include <stdint.h>

extern uintptr_t __stack_chk_guard;
void __stack_chk_fail(void);

uintptr_t __stack_chk_guard = 0x2f0a0dff;
void __stack_chk_fail(void) { __builtin_trap(); }
