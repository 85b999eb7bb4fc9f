/** \file
 *  Routing round solid faults: the plan and the relation that solid-fault, solid-fault-adaptive and block-fault share.
 *
 *  A message of DIM_i is routed in its plane of type A_i; it is EW, WE, NS or SN there. Its type is the tag of a hop, and for
 *  rule 4 read as "sticky" the orientation that it keeps. Source: [chalasani1996, 3 and 4].
 *
 *  Tori take eight virtual channels (section 5): each type has two classes, as the dateline of its own dimension, the links that
 *  close its rings, lies between the message and its goal (c0..c3) or not (c4..c7). The direction of a message is the shorter one
 *  where it gets its type, and stays; one of the last dimension that an f-ring leads past its goal goes back, and a bit of its
 *  tag says so.
 *
 *  An f-chain, round a region on the boundary of a mesh, ends there. A message that comes to the end turns and goes along the
 *  chain to its other side: a bit of its tag says so until its type changes. From then on an e-cube hop straight back counts as
 *  blocked, and it takes c4..c7, so that messages that turn at both ends do not wait for each other. Where rings share links, the
 *  tag tells which of the two a message goes round. The paper says of both only that they take "more virtual channels".
 *
 *  In more than two dimensions a message of DIM_0 may begin in a part of its cross section that does not get as far as its goal
 * in DIM_0 (sections.h). If it may sidestep, it first goes straight along another dimension, by the last channel, to a
 * cross section in which it gets there, and then does what one does that begins there. So messages that hold that
 * channel wait for others, but not the other way.
 */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_ROUTE_H
#define HOLDFAST_SRC_ROUTING_SOLID_ROUTE_H

#include "src/routing/solid/sections.h"
#include <holdfast/routing.h>

/** Virtual channels: c0..c3, where there are two classes c4..c7 beside them, and one for messages that sidestep; a bit each in
 *  masks. */
enum { HF_SOLID_VCS = 4, HF_SOLID_VCS_MAX = 2 * HF_SOLID_VCS + 1 };

/** Who takes nodes out of service when a set is not valid. */
typedef enum hf_solid_sacrifice { HF_SACRIFICE_NONE, HF_SACRIFICE_APPENDIX_A, HF_SACRIFICE_COMPLETED } hf_solid_sacrifice;
/** Readings of rule 4 of Table 2, the orientation of a message that has traversed on the f-ring. */
typedef enum hf_solid_rule4 {
    HF_RULE4_LAST_HOP,  /**< the direction of its last hop, if that was on the ring */
    HF_RULE4_NO_U_TURN, /**< the same, and an e-cube hop that reverses the last hop counts as blocked */
    HF_RULE4_STICKY     /**< the one chosen first, as long as it is on the ring */
} hf_solid_rule4;

/** Which f-rings are taken: closed ones that share no link, as in section 3; also f-chains at the boundary of a mesh; also rings
 *  that share links; or both. */
typedef enum hf_solid_rings { HF_RINGS_APART, HF_RINGS_CHAINS, HF_RINGS_OVERLAPPING, HF_RINGS_ANY } hf_solid_rings;

typedef struct hf_solid_options {
    bool is_convex_only, is_adaptive;
    hf_solid_sacrifice sacrifice;
    hf_solid_rule4 rule4;
    hf_solid_rings rings;
    bool resets;        /**< "traversed" starts anew when a row message becomes a column message */
    bool shares_turned; /**< messages that have turned at the end of an f-chain take the channels of others */
    bool sidesteps;     /**< messages of DIM_0 that cannot get on in their cross section leave it */
    bool is_any_vc;     /**< off the rings every virtual channel may be taken, else that of the message's type */
} hf_solid_options;

/** A hop of a plane, faulty or not. */
typedef struct hf_solid_hop {
    uint32_t left, right; /**< regions on its sides, HF_NONE: none; it is on a ring of its plane if it is good and there is one */
    uint32_t channel;     /**< HF_NONE: there is no such link */
    bool is_good;
    bool is_on_ring; /**< of any plane */
} hf_solid_hop;

typedef struct hf_solid_plan {
    hf_solid solid;
    hf_solid_options options;
    hf_solid_class class;
    uint32_t rounds;       /**< of the sacrifice, in which some node was disabled */
    uint64_t messages;     /**< marker messages of the sacrifice, one a link */
    hf_solid_hop *hop;     /**< n_plane x n_switch x HF_COMPASS; NULL unless covered */
    hf_solid_exit *exits;  /**< see hf_solid_part() */
    const uint64_t *sides; /**< NULL, or hf_solid_sides_of() of goal * n_switch + at */
} hf_solid_plan;

/** A hop that a message may take. */
typedef struct hf_solid_choice {
    const hf_solid_hop *hop;
    uint32_t tag;
    uint16_t vcs, escape; /**< bits of virtual channels; those of them that belong to the escape */
} hf_solid_choice;
/** At most so many plain tags, see hf_solid_plain_tags(): two directions, each with its bit or not. */
enum { HF_SOLID_PLAIN_TAGS = 4 };
/** At most so many choices. */
#define HF_SOLID_CHOICES (HF_GRID_DIMS_MAX + 1)

/** Make a plan. A set that is not covered has no terminal in service. */
hf_status hf_solid_plan_make(hf_context *cx, hf_plan *plan, const hf_solid_options *options);
size_t hf_solid_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
size_t hf_solid_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
/** Where a message may go from the switch `at`, towards the switch `goal`. \param[in] port of the last switch that it left by,
 * HF_NONE at its source; tag 0 there. */
size_t hf_solid_choose(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal, hf_solid_choice *out);
/** On which side of a switch a goal is: 2 bits a dimension, 1 in + direction by the shorter way, 2 in - direction, 0: neither. */
uint64_t hf_solid_sides_of(const hf_solid_plan *plan, uint32_t at, uint32_t goal);
/** Tags are below this. */
uint32_t hf_solid_tags(const hf_solid_plan *plan);

/** Classes and measures of the three rules, for their descriptors. */
extern const hf_routing_measures hf_solid_measures, hf_convex_measures;
/** Regions and rings, for holdfast show. */
extern const hf_routing_drawing hf_solid_drawing;
/** A judge of campaigns for one of the three rules; `args` is borrowed. */
hf_status hf_solid_judge_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                             hf_judge **out);
extern const char hf_solid_claim[];
/** Plain ways, of messages that no fault holds up, and which links lie on them. */
typedef struct hf_solid_blocks {
    size_t words;  /**< of a row of switches */
    uint64_t *row; /**< of dimension d, node and goal, at (d * n_switch + node) * n_switch + goal: switches from which the link in
                      + direction lies on some plain way to the goal */
} hf_solid_blocks;
/** 64-bit words that `row` takes. */
size_t hf_solid_blocks_size(const hf_topology *topo, uint32_t n_dim);
/** Fill in `row` for plans with these options. Time O(n_switch^2 * (digits + n_dim^2 * words)); \return HF_ENOMEM */
hf_status hf_solid_blocks_fill(hf_context *cx, const hf_solid_plan *plan, hf_solid_blocks *blocks);
/** Does a message in that state go on as one that no fault has held up, as long as none does? */
bool hf_solid_goes_on(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal);
/** The states that do, as those of messages that have come over no ring: then the port says nothing, and a message that begins
 * here is like one of them. \param[out] tags room for HF_SOLID_PLAIN_TAGS  \return how many */
size_t hf_solid_plain_tags(const hf_solid_plan *plan, uint32_t at, uint32_t goal, uint32_t *tags);
/** Is the message in that state destined to a faulty node, as it can be told: it has come round to the other side of its goal, in
 * its column, with the link towards the goal faulty; or it has turned at one end of an f-chain and come to the other, or its way
 * leads out of what is left of the mesh. Source: [chalasani1996, 3.1]; the last two are ours */
bool hf_solid_is_astray(const hf_solid_plan *plan, uint32_t at, uint32_t port, uint32_t tag, uint32_t goal);
/** Messages to nodes out of service, which are removed where they are found to be astray. */
typedef struct hf_solid_removals {
    uint64_t pairs,
        removed; /**< switch in service, switch out of service; those whose messages are all removed, whichever way they take */
    uint32_t longest; /**< hops of such a message at most */
    uint64_t wrong;   /**< pairs in service of which some message would be removed, too */
} hf_solid_removals;
hf_status hf_solid_find_removals(hf_context *cx, const hf_plan *plan, hf_solid_removals *out);
/** Only whether every pair is served, as below: messages are followed where faults may hold them up. */
hf_status hf_solid_serves(hf_context *cx, const hf_plan *plan, const hf_solid_blocks *blocks, bool *serves);
/** What the measures are. \param[out] serves some way of every pair in service arrives, and none ends elsewhere */
hf_status hf_solid_survey(hf_context *cx, const hf_plan *plan, hf_measure *out, bool *serves);

#endif
