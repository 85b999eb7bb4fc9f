/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Stacks of failed components. */
#include <holdfast/fault.h>

#include "src/core/grow.h"

hf_status hf_fault_stack_grow(hf_context *cx, hf_fault_stack *stack) {
    return hf_reserve_heap(cx, stack->capacity + 1, sizeof *stack->component, (void **)&stack->component, &stack->capacity);
}
