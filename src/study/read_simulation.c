/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of simulations and claims. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/study/read.h"

/* ---- simulations ---- */

enum { LOADS_MOST = 1000 };

static hf_status read_load(const hf_study_reader *r, hf_study_simulation *s, const char *text) {
    const hf_list_form form = {.low = DBL_MIN, .high = s->options.kernel.packet_length, .ascends = true};
    if (!text) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(r->cx, LOADS_MOST, sizeof *s->load, (void **)&s->load));
    if (!hf_read_list(text, &form, LOADS_MOST, s->load, &s->n_load)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_LOAD,
                         "\"%s\" is not right; need flits per cycle and terminal, ascending, above 0 and at most the packet "
                         "length, such as 0.1,0.2,0.4 or 0.1..0.5/0.1",
                         text);
    }
    return hf_resize(r->cx, s->n_load, sizeof *s->load, (void **)&s->load);
}

static hf_status read_reconfiguration(const hf_study_reader *r, hf_study_cell *cell) {
    hf_study_simulation *s = &cell->simulation;
    const char *text = r->texts->value[HF_KEY_REPAIR];
    HF_TRY(hf_study_at_key(r, HF_KEY_REPAIR, hf_study_reconfiguration_parse(r->cx, text ? text : "", s)));
    if (cell->n_f == 0 && !*s->failed) {
        HF_STUDY_FAIL_AT(r, HF_KEY_FAILED, "a cell of kind \"repair\" needs failed, or f with samples and universe");
    }
    if (s->reconfiguration.every && cell->n_f == 0) {
        HF_STUDY_FAIL_AT(r, HF_KEY_REPAIR, "every=%" PRIu64 " needs f with samples and universe; failed components fail at once",
                         s->reconfiguration.every);
    }
    for (uint32_t i = 0; s->reconfiguration.every && i < cell->n_f; i++) {
        const uint64_t last = s->reconfiguration.fault + (cell->f[i] - UINT64_C(1)) * s->reconfiguration.every;
        if (cell->f[i] == 0 || last >= s->reconfiguration.cycles) {
            HF_STUDY_FAIL_AT(r, HF_KEY_REPAIR,
                             "f=%" PRIu32 " faults, one every %" PRIu64 " cycles, do not fit between fault=%" PRIu64
                             " and cycles=%" PRIu64,
                             cell->f[i], s->reconfiguration.every, s->reconfiguration.fault, s->reconfiguration.cycles);
        }
    }
    if (s->n_load != 1) {
        HF_STUDY_FAIL_AT(r, HF_KEY_LOAD, "a cell of kind \"repair\" takes one load, not %zu", s->n_load);
    }
    return HF_OK;
}

/* ---- work with an end ---- */

static const struct {
    hf_study_key key;
    hf_status (*parse)(hf_context *cx, const char *text, hf_study_work *out);
} works[] = {
    {HF_KEY_BARRIER, hf_study_barrier_parse}, {HF_KEY_TRACE, hf_study_trace_parse}, {HF_KEY_PROGRAM, hf_study_program_parse}};

/* At most one of the keys: of those that are said nearest to the cell. */
static hf_status read_work(const hf_study_reader *r, hf_study_work *work) {
    const hf_study_texts *t = r->texts;
    for (uint8_t level = t->depth; level > 0 && work->kind == HF_STUDY_WORK_NONE; level--) {
        for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
            const char *text = t->level[works[i].key] == level ? t->value[works[i].key] : NULL;
            if (text && work->kind != HF_STUDY_WORK_NONE) {
                HF_STUDY_FAIL_AT(r, works[i].key, "a cell takes one of barrier, trace and program");
            }
            HF_TRY(text ? hf_study_at_key(r, works[i].key, works[i].parse(r->cx, text, work)) : HF_OK);
        }
    }
    return HF_OK;
}

/* What can be shown of a load without end and of work with an end is not the same. */
static hf_status choose_show(const hf_study_reader *r, hf_study_cell *cell) {
    const hf_study_work_kind work = cell->simulation.work.kind;
    const bool is_of_work = cell->show >= HF_SHOW_TASK_CYCLES && cell->show <= HF_SHOW_RELAYED;
    if (work == HF_STUDY_WORK_NONE) {
        if (is_of_work) {
            HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "it is known of work with an end: the cell needs barrier, trace or program");
        }
        return HF_OK;
    }
    if (!hf_study_show_text(r)) {
        cell->show = work == HF_STUDY_WORK_BARRIER ? HF_SHOW_TASK_CYCLES : HF_SHOW_CYCLES;
    }
    if (cell->show == HF_SHOW_THROUGHPUT || cell->show == HF_SHOW_SATURATED_AT || cell->show == HF_SHOW_SERVED_TO_EACH) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "work with an end has cycles, accepted, latency, network-latency and relayed");
    }
    if (cell->show == HF_SHOW_TASK_CYCLES && work != HF_STUDY_WORK_BARRIER) {
        HF_STUDY_FAIL_AT(r, HF_KEY_SHOW, "only a barrier has tasks");
    }
    return HF_OK;
}

/* Work that says itself who sends to whom takes no pattern and no load. */
static hf_status read_offer(const hf_study_reader *r, hf_study_cell *cell) {
    const hf_study_work_kind work = cell->simulation.work.kind;
    static const hf_study_key offered[] = {HF_KEY_LOAD, HF_KEY_BURST};
    for (size_t i = 0; i < 2 && !hf_study_work_takes_load(&cell->simulation.work); i++) {
        if (hf_study_says(r->texts, offered[i])) {
            HF_STUDY_FAIL_AT(r, offered[i], "this work has a load of its own");
        }
    }
    if (work != HF_STUDY_WORK_FILE && work != HF_STUDY_WORK_PROGRAM) {
        return hf_study_need(r, HF_KEY_TRAFFIC, &cell->traffic);
    }
    if (hf_study_says(r->texts, HF_KEY_TRAFFIC)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_TRAFFIC, "the messages of this work have destinations of their own");
    }
    cell->traffic = "uniform";
    return HF_OK;
}

/* ---- cells ---- */

hf_status hf_study_read_simulation(const hf_study_reader *r, hf_study_cell *cell) {
    hf_study_simulation *s = &cell->simulation;
    if (!hf_study_is_simulated(cell->kind)) {
        return HF_OK;
    }
    HF_TRY(cell->kind == HF_STUDY_RECONFIGURATION ? HF_OK : read_work(r, &s->work));
    HF_TRY(cell->kind == HF_STUDY_RECONFIGURATION ? HF_OK : choose_show(r, cell));
    HF_TRY(read_offer(r, cell));
    const char *router = r->texts->value[HF_KEY_ROUTER], *measure = r->texts->value[HF_KEY_MEASURE], *load,
               *burst = r->texts->value[HF_KEY_BURST];
    HF_TRY(hf_study_at_key(r, HF_KEY_ROUTER, hf_study_router_parse(r->cx, router ? router : "", s)));
    HF_TRY(hf_study_at_key(r, HF_KEY_MEASURE, hf_study_measure_parse(r->cx, measure ? measure : "", s)));
    HF_TRY(burst ? hf_study_at_key(r, HF_KEY_BURST, hf_burst_parse(r->cx, burst, &s->options.burst)) : HF_OK);
    s->failed = r->texts->value[HF_KEY_FAILED] ? r->texts->value[HF_KEY_FAILED] : "";
    if (cell->n_f && *s->failed) {
        HF_STUDY_FAIL_AT(r, HF_KEY_FAILED, "a cell takes named failures or numbers of faults, not both");
    }
    s->options.for_each = cell->show == HF_SHOW_SERVED_TO_EACH;
    if (s->options.for_each || cell->show == HF_SHOW_SATURATED_AT) {
        if (hf_study_says(r->texts, HF_KEY_LOAD)) {
            HF_STUDY_FAIL_AT(r, HF_KEY_LOAD, "a search for saturation takes no load");
        }
        return HF_OK;
    }
    if (!hf_study_work_takes_load(&s->work)) {
        return HF_OK;
    }
    HF_TRY(hf_study_need(r, HF_KEY_LOAD, &load));
    HF_TRY(read_load(r, s, load));
    if (cell->kind == HF_STUDY_RECONFIGURATION) {
        return read_reconfiguration(r, cell);
    }
    if (cell->n_f && s->n_load > 1 && cell->show != HF_SHOW_THROUGHPUT) {
        HF_STUDY_FAIL_AT(r, HF_KEY_LOAD, "with numbers of faults, several loads go with show: throughput only");
    }
    return HF_OK;
}

/* ---- claims ---- */

static hf_status check_id(const hf_study_reader *r, const hf_study_cell *cell) {
    for (const hf_study_cell *c = r->study->cell; cell->id && c < cell; c++) {
        if (c->id && strcmp(c->id, cell->id) == 0) {
            HF_STUDY_FAIL_AT(r, HF_KEY_ID, "\"%s\" is the id of the cell in line %" PRIu32 " too", cell->id, c->line);
        }
    }
    return HF_OK;
}

/* The cell before this one that an id names. */
static hf_status find_cell(const hf_study_reader *r, hf_study_key key, const hf_study_cell *cell, size_t *out) {
    const char *id;
    HF_TRY(hf_study_need(r, key, &id));
    const size_t here = (size_t)(cell - r->study->cell);
    for (*out = 0; *out < here; ++*out) {
        const hf_study_cell *c = &r->study->cell[*out];
        if (c->id && strcmp(c->id, id) == 0) {
            return HF_OK;
        }
    }
    HF_STUDY_FAIL_AT(r, key, "no cell before this one has the id \"%s\"", id);
}

/* Nothing lies in the range, or everything; or an end is left out that is not given. */
static bool says_nothing(const hf_study_claim *claim) {
    const bool is_point = claim->low == claim->high && (claim->excludes_low || claim->excludes_high);
    const bool has_low = !isinf(claim->low), has_high = !isinf(claim->high);
    return claim->low > claim->high || is_point || (!has_low && (!has_high || claim->excludes_low)) ||
           (!has_high && claim->excludes_high);
}

static bool read_bound(const char *text, size_t size, bool is_percent, double *out) {
    if (size == 0) {
        return true;
    }
    hf_slice at = {text, size};
    if (!hf_take_real(&at, out) || (is_percent && !hf_take_text(&at, "%")) || at.size > 0) {
        return false;
    }
    *out /= is_percent ? 100 : 1;
    return true;
}

/* "8%..14%", "0.9..", "..1"; a "<" at an end leaves the end itself out: "0%<..", "..<1". */
static hf_status read_holds(const hf_study_reader *r, hf_study_cell *cell) {
    const char *text, *dots;
    const bool is_percent = hf_study_show_is_percent(cell->show);
    hf_study_claim *claim = &cell->claim;
    HF_TRY(hf_study_need(r, HF_KEY_HOLDS, &text));
    claim->is_made = true;
    claim->low = -INFINITY;
    claim->high = INFINITY;
    dots = strstr(text, "..");
    claim->excludes_low = dots && dots > text && dots[-1] == '<';
    claim->excludes_high = dots && dots[2] == '<';
    const char *high = dots ? dots + 2 + claim->excludes_high : NULL;
    if (!dots || !read_bound(text, (size_t)(dots - text) - claim->excludes_low, is_percent, &claim->low) ||
        !read_bound(high, strlen(high), is_percent, &claim->high) || says_nothing(claim)) {
        HF_STUDY_FAIL_AT(
            r, HF_KEY_HOLDS,
            "\"%s\" is not right; need LOW..HIGH, one of which may be left out, such as %s; LOW<.. and ..<HIGH leave "
            "out the end itself",
            text, is_percent ? "8%..14%" : "0.9..1");
    }
    return HF_OK;
}

/* A claim about one value, printed as that cell prints it. */
static hf_status read_value_claim(const hf_study_reader *r, hf_study_cell *cell) {
    if (hf_study_says(r->texts, HF_KEY_AGAINST)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_AGAINST, "it belongs to a cell of kind \"claim\" of two cells or \"combine\"");
    }
    cell->claim.against = cell->claim.of;
    if (hf_study_show_is_percent(r->study->cell[cell->claim.of].show)) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "the cell shows a percentage; a claim about its value needs a plain number");
    }
    return read_holds(r, cell);
}

/* A line goes through the cells of a curve that stand before it; it may be a claim. */
static hf_status read_line(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(hf_study_need(r, HF_KEY_OF, &cell->fitted));
    const hf_study_cell *c = r->study->cell;
    while (c < cell && !(c->curve && strcmp(c->curve, cell->fitted) == 0)) {
        c++;
    }
    if (c == cell) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OF, "no cell before this one is on the curve \"%s\"", cell->fitted);
    }
    return r->texts->value[HF_KEY_HOLDS] ? read_holds(r, cell) : HF_OK;
}

hf_status hf_study_read_claim(const hf_study_reader *r, hf_study_cell *cell) {
    HF_TRY(check_id(r, cell));
    if (!hf_study_is_of_cells(cell->kind)) {
        return HF_OK;
    }
    if (cell->kind == HF_STUDY_LINE) {
        return read_line(r, cell);
    }
    HF_TRY(find_cell(r, HF_KEY_OF, cell, &cell->claim.of));
    if (cell->show == HF_SHOW_VALUE) {
        return read_value_claim(r, cell);
    }
    HF_TRY(find_cell(r, HF_KEY_AGAINST, cell, &cell->claim.against));
    return cell->kind == HF_STUDY_CLAIM ? read_holds(r, cell) : HF_OK;
}
