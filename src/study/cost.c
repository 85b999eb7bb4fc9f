/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells about cost, memory of switches and load. */
#include <math.h>
#include <stdio.h>

#include <holdfast/analysis/cost.h>

#include "src/study/job.h"

/* ---- load ---- */

/* The largest load, or the saturation. */
static hf_status find_load(hf_context *cx, const hf_study_scene *scene, const hf_traffic *traffic, bool is_saturation,
                           hf_fraction *out) {
    hf_fault_set none;
    hf_plan plan;
    hf_load *load;
    HF_TRY(hf_fault_set_parse(cx, scene->topo, NULL, "", &none));
    HF_TRY(hf_plan_make(cx, &scene->rule, &none, &plan));
    HF_TRY(hf_load_find(cx, &plan, traffic, HF_SPLIT_EVEN, &load));
    *out = is_saturation ? load->saturation_exact : load->max_exact;
    hf_load_free(load);
    if (!out->q) {
        HF_FAIL(cx, HF_ERANGE, "the load is not known as a fraction");
    }
    return HF_OK;
}

static hf_status find_throughput(hf_context *cx, const hf_study_scene *scene, bool is_saturation, hf_fraction *out) {
    hf_traffic *traffic;
    HF_TRY(hf_traffic_new(cx, scene->topo, scene->cell->traffic, &traffic));
    const hf_status status = find_load(cx, scene, traffic, is_saturation, out);
    hf_traffic_free(traffic);
    return status;
}

hf_status hf_study_do_load(hf_study_job *job, const hf_study_scene *scene) {
    hf_fraction found;
    HF_TRY(find_throughput(job->cx, scene, scene->cell->show == HF_SHOW_SATURATION, &found));
    hf_study_value value = hf_study_exact(found.p, found.q);
    snprintf(value.method, sizeof value.method, "relation, even split");
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

/* ---- cost relative to the fat-tree with deterministic routing ---- */

static hf_status find_relative(hf_context *cx, const hf_study_scene *scene, const hf_topology *reference, hf_fraction *out) {
    hf_cost_table table;
    hf_cost cost, base;
    const bool is_worst = scene->cell->show == HF_SHOW_RELATIVE_WORST || scene->cell->show == HF_SHOW_FLIT_WORST;
    hf_cost_defaults(&table);
    hf_cost_column column;
    HF_TRY(hf_cost_column_of(cx, scene->topo, &scene->rule, is_worst, &column));
    HF_TRY(hf_cost_find(cx, &table, column, scene->topo, reference, &cost));
    HF_TRY(hf_cost_find(cx, &table, HF_COST_DETERMINISTIC, reference, reference, &base));
    *out = hf_fraction_ratio(cost.total, base.total);
    return HF_OK;
}

hf_status hf_study_do_cost(hf_study_job *job, const hf_study_scene *scene) {
    hf_topology *reference;
    hf_fraction relative;
    HF_TRY(hf_cost_reference(job->cx, scene->topo, &reference));
    const hf_status status = find_relative(job->cx, scene, reference, &relative);
    hf_topology_free(reference);
    HF_TRY(status);
    const bool is_per_flit = scene->cell->show == HF_SHOW_FLIT_IDEAL || scene->cell->show == HF_SHOW_FLIT_WORST;
    if (is_per_flit) {
        hf_fraction throughput;
        HF_TRY(find_throughput(job->cx, scene, true, &throughput));
        relative = hf_fraction_ratio(relative, throughput);
    }
    hf_study_value value = hf_study_exact(relative.p, relative.q);
    snprintf(value.method, sizeof value.method, "equations 5.1 and 5.2%s", is_per_flit ? ", bound of the load" : "");
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

/* ---- memory ---- */

static hf_memory_kind kind_of(hf_study_show show) {
    switch (show) {
    case HF_SHOW_MEMORY_ADAPTIVE_TABLE:
        return HF_MEMORY_ADAPTIVE_TABLE;
    case HF_SHOW_MEMORY_INTERVALS:
        return HF_MEMORY_FT2EI;
    case HF_SHOW_MEMORY_FIR:
        return HF_MEMORY_FIR;
    default:
        return HF_MEMORY_TABLE;
    }
}

hf_status hf_study_do_memory(hf_study_job *job, const hf_study_scene *scene) {
    hf_kary_tree tree;
    uint64_t intervals = 0;
    if (!hf_kary_tree_shape(scene->topo, &tree)) {
        HF_FAIL(job->cx, HF_ENOTSUP, "topology \"%s\": the memory of switches is known for a kary-tree only", scene->topo->spec);
    }
    for (size_t i = 0; i < scene->rule.args.count; i++) {
        const char *name = scene->rule.args.params[i].name;
        intervals = name[0] == 'i' ? scene->rule.args.value[i].number : intervals;
    }
    if (intervals == HF_UNLIMITED) {
        HF_FAIL(job->cx, HF_ENOTSUP, "routing \"%s\" has registers without limit", scene->rule.spec);
    }
    const double bits = hf_memory_bits(kind_of(scene->cell->show), scene->topo->n_terminal, tree.k, (uint32_t)intervals, false);
    hf_study_value value = hf_study_exact((hf_u128)llround(bits * 1e3), 1000);
    if (bits == rint(bits)) {
        value = hf_study_exact((hf_u128)llround(bits), 1);
    }
    snprintf(value.method, sizeof value.method, "closed form");
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

/* ---- availability ---- */

static hf_u128 power_of_ten(uint32_t n) {
    hf_u128 power = 1;
    while (n-- > 0) {
        power *= 10;
    }
    return power;
}

/* MTBF / (MTBF + MTTR), both in cycles, as a fraction. */
hf_status hf_study_do_availability(hf_study_job *job, const hf_study_cell *cell) {
    const hf_published *mtbf = &cell->mtbf_hours, *down = &cell->down_cycles, *clock = &cell->clock_mhz;
    const hf_u128 up = (hf_u128)mtbf->digits * 3600 * clock->digits * 1000000 * power_of_ten(down->decimals);
    const hf_u128 lost = (hf_u128)down->digits * power_of_ten(mtbf->decimals + clock->decimals);
    hf_study_value value = hf_study_exact(up, up + lost);
    snprintf(value.method, sizeof value.method, "equation 2.6");
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}
