/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Stacks of failed components. */
#include <holdfast/fault.h>

hf_status hf_fault_stack_grow(hf_context *cx, hf_fault_stack *stack) {
    const uint32_t capacity = 2 * stack->capacity + 16;
    HF_TRY(hf_resize(cx, capacity, sizeof *stack->component, (void **)&stack->component));
    stack->capacity = capacity;
    return HF_OK;
}
