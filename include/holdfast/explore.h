/** \file
 *  Exploring a space of designs: topologies and routings with their cost, throughput and tolerance, and which of them no other
 * beats. */
#ifndef HOLDFAST_EXPLORE_H
#define HOLDFAST_EXPLORE_H

#include <holdfast/cost.h>
#include <holdfast/deadlock.h>
#include <holdfast/report.h>
#include <holdfast/store.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_exploration hf_exploration;

/** Read an exploration (docs/explore.md): constraints, and designs with grids. \param[in] file for messages
 *  \return HF_EINVAL with file, line and key. Free with hf_exploration_free(). */
hf_status hf_exploration_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_exploration **out);
hf_status hf_exploration_load(hf_context *cx, const char *path, hf_exploration **out);
void hf_exploration_free(hf_exploration *e);
const char *hf_exploration_name(const hf_exploration *e);
const char *hf_exploration_title(const hf_exploration *e);
/** Designs that the grids make, 1 or more. */
size_t hf_exploration_count(const hf_exploration *e);

/** Why a design is out. */
typedef enum hf_design_verdict {
    HF_DESIGN_KEPT,
    HF_DESIGN_TERMINALS, /**< too few or too many terminals */
    HF_DESIGN_COST,      /**< costs too much; tolerance and throughput were not looked at */
    HF_DESIGN_TOLERANCE, /**< tolerates too few faults */
    HF_DESIGN_DEADLOCK   /**< not proved free of deadlock; tolerance and throughput were not looked at */
} hf_design_verdict;
const char *hf_design_verdict_name(hf_design_verdict verdict);

/** How the tolerance is known. */
typedef enum hf_tolerance_proof {
    HF_TOLERANCE_EXACT,   /**< every set up to it was looked at, or a certificate says so; and some larger set is not tolerated */
    HF_TOLERANCE_PROVED,  /**< at least: every set up to it was looked at, or a certificate says so */
    HF_TOLERANCE_SAMPLED, /**< none of the sampled sets up to it was lost; `least` is proved, `most` too */
    HF_TOLERANCE_UNKNOWN  /**< not looked at */
} hf_tolerance_proof;
const char *hf_tolerance_proof_name(hf_tolerance_proof proof);

/** One network under one rule, with the figures that decide whether it is kept. */
typedef struct hf_design {
    char *topology, *routing; /**< canonical, owned */
    uint32_t n_terminal, n_switch, n_link;
    double cost;       /**< a terminal, relative to one of the reference with deterministic routing */
    double throughput; /**< ideal saturation, flits per cycle and terminal */
    uint32_t tolerance, least,
        most; /**< faults of which every set is tolerated: what was seen, and proved bounds; most HF_NONE: none */
    hf_tolerance_proof proof;
    hf_deadlock_answer deadlock; /**< without faults; UNKNOWN where it was not looked at, too */
    bool needs_bubbles;          /**< free of deadlock with bubble flow control, not under wormhole switching */
    hf_design_verdict verdict;
    bool on_front; /**< kept, and no kept design is as good in cost, throughput and tolerance and better in one */
    bool from_store;
    bool is_accepted; /**< a program of other code evaluated it (hf_store_accept()) */
} hf_design;

/** How an exploration is run; none of it changes a figure. */
typedef struct hf_exploration_options {
    hf_store *store;  /**< NULL: none */
    uint32_t threads; /**< 0: all cores; the result does not depend on it */
    bool again;       /**< evaluate also what the store holds */
    /** Called, one thread at a time, when a design has been evaluated. */
    void (*tell)(void *user, size_t done, size_t count, const hf_design *design);
    void *tell_user;
} hf_exploration_options;

/** All designs of an exploration. Free with hf_designs_free(). */
typedef struct hf_designs {
    size_t n;
    hf_design *design; /**< in the order of the file */
    hf_allocator allocator;
} hf_designs;
/** Evaluate all designs. \return HF_EINVAL with file and line for a design that cannot be built; HF_ESTOP: what is done is in the
 * store. Free with hf_designs_free(). */
hf_status hf_exploration_run(hf_context *cx, const hf_exploration *e, const hf_exploration_options *options, hf_designs **out);
void hf_designs_free(hf_designs *designs);
/** Mark the front among designs. Time O(n^2). */
void hf_designs_mark_front(hf_design *design, size_t n);
/** The front by ascending cost, or all designs. Cells live in the arena. */
hf_status hf_designs_table(hf_context *cx, const hf_exploration *e, const hf_designs *designs, bool all, hf_table *out);
/** Cost against throughput, the front by tolerance, what is beaten in grey. */
hf_status hf_designs_plot(hf_context *cx, const hf_exploration *e, const hf_designs *designs, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
