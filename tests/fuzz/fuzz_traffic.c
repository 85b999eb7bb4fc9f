/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Files of traffic and of costs: refused with the name of the file, or a pattern in which no terminal sends more than one flit
 *  per cycle and a permutation has one source a destination. The first byte says which: p, m or c. */
#include <holdfast/analysis/cost.h>

#include "src/analysis/traffic/traffic.h"

#include "tests/fuzz/fuzz.h"

static const char lines[] = "$n $n\n"
                            "$n $n $n $n\n"
                            "$w $w $n\n"
                            "# $t\n";
static const char words[] = "all factor C_B C_CR C_PO C_R C_SF C_CLO N_P N_L counted";
const fuzz_grammar fuzz_format = {lines, words, "", NULL};

enum { TERMINALS = 4 };

static void check_traffic(const hf_traffic *t) {
    uint32_t taken = 0;
    for (uint32_t s = 0; s < TERMINALS; s++) {
        uint64_t sum = 0;
        for (uint32_t d = 0; d < TERMINALS; d++) {
            sum += hf_traffic_weight(t, s, d);
        }
        expect(sum <= t->denominator, "at most one flit per cycle");
        if (t->to && t->to[s] != HF_NONE) {
            expect(t->to[s] < TERMINALS && !(taken >> t->to[s] & 1), "one source a destination");
            taken |= UINT32_C(1) << t->to[s];
        }
    }
    expect(!t->to || taken, "somebody sends");
}

static hf_status read_traffic(hf_context *cx, bool is_matrix, const char *text, size_t size) {
    hf_traffic *t;
    if (hf_allocate(cx, 1, sizeof *t, (void **)&t) != HF_OK) {
        abort();
    }
    *t = (hf_traffic){.allocator = *hf_context_allocator(cx), .n_terminal = TERMINALS, .denominator = 1, .hot = HF_NONE};
    const hf_status status = (is_matrix ? hf_traffic_parse_matrix : hf_traffic_parse_permutation)(cx, "input", text, size, t);
    if (status == HF_OK) {
        check_traffic(t);
    }
    hf_traffic_free(t);
    return status;
}

static hf_status read_costs(hf_context *cx, const char *text, size_t size) {
    hf_cost_table table;
    hf_cost_defaults(&table);
    HF_TRY(hf_cost_parse(cx, "input", text, size, &table));
    for (unsigned c = 0; c < HF_COST_COLUMNS; c++) {
        for (unsigned p = 0; p < HF_COST_PARAMETERS; p++) {
            const uint64_t value = table.value[c][p];
            expect(value == HF_COST_COUNTED || value <= UINT64_C(1000000) * HF_COST_UNIT, "parameters are in range");
        }
    }
    return HF_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hf_context *cx = hf_context_new(NULL);
    if (!cx) {
        abort();
    }
    const char *text = size ? (const char *)data + 1 : "";
    const size_t rest = size ? size - 1 : 0;
    const hf_status status =
        size && *data == 'c' ? read_costs(cx, text, rest) : read_traffic(cx, size && *data == 'm', text, rest);
    if (status != HF_OK) {
        expect_refusal(cx);
    }
    hf_context_free(cx);
    return 0;
}
