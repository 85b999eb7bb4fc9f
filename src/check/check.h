/** \file
 *  holdfast-check: reads what `holdfast verify --certificate`, `holdfast simulate --certificate` or `holdfast weakest
 *  --certificate` wrote and confirms it from the routing relation alone. It shares the topologies, the relation and the reader
 *  of files with holdfast, and none of the code that decides. What can be is slow and obvious on purpose. */
#ifndef HOLDFAST_SRC_CHECK_CHECK_H
#define HOLDFAST_SRC_CHECK_CHECK_H

#include <holdfast/analysis/weakest.h>

#include "src/analysis/deadlock/certificate.h"

/** What comes of a file that is a certificate. */
typedef enum check_outcome {
    CHECK_CONFIRMED,
    CHECK_REFUTED, /**< something in it is not so */
    CHECK_OPEN     /**< nothing in it is wrong, but it holds no proof that can be followed */
} check_outcome;

typedef struct check {
    hf_context *cx;
    const char *file;
    const char *version;    /**< whose files are checked; NULL: this program's */
    hf_certificate is;      /**< what the file says */
    hf_certificate_net net; /**< its plan is that of the class which is looked at */
    hf_plan whole;          /**< the plan of all classes together */
    const bool *only;       /**< by terminal: those from which packets are followed; NULL: all */
    int64_t *number;        /**< by resource, -1: not used */
    hf_hop *offered;        /**< what was read last: hf_plan_room() */
    uint32_t n_resource;
    bool *is_open; /**< by ring: packets come onto it over channels without bubbles; NULL: onto none */
    check_outcome outcome;
    char why[512];
    char *said; /**< what was confirmed, in some words; in the arena */
} check;

/** One place where a packet can be: it came in by `in` (injected: HF_HOP_INJECTION) and may go on by `hop`. */
typedef struct place {
    hf_hop in;
    uint32_t at;
    size_t n_hop;
    hf_hop *hop;
} place;

/** Destinations that are followed as one: terminals of one switch, ascending, or one alone. */
typedef struct lane {
    uint32_t goal; /**< that switch */
    uint32_t n;
    const uint32_t *terminal;
} lane;
/** Hops that some lanes are offered. */
typedef struct service {
    uint64_t lanes;
    size_t n;
    hf_hop *hop;
    struct service *next;
    bool is_known; /**< its numbers were looked at */
    int64_t lowest;
} service;
/** Where arrivals that the rule treats alike are served. */
typedef struct desk {
    uint32_t arrival, older;
    uint64_t served, left; /**< lanes that were asked for; that went on */
    service *first;
} desk;
/** A place where packets of some lanes can be. */
typedef struct spot {
    hf_hop in;
    uint32_t at, older;
    uint64_t lanes, todo;
    uint32_t desk; /**< where lanes that do not end here are served; HF_NONE: none has come */
} spot;
/** Packets for several destinations. */
typedef struct crowd {
    size_t n_spot, n_desk;
    spot *spot;
    desk *desk;
    uint64_t *goal_lanes; /**< by node: lanes that end at this switch, with several terminals, or at this terminal */
    bool *is_asked;       /**< by resource: set where packets are injected */
} crowd;

/** Exit statuses, for those of several files the worst: bad, refuted, open. */
enum { CHECK_EXIT_CONFIRMED = 0, CHECK_EXIT_REFUTED = 1, CHECK_EXIT_BAD = 2, CHECK_EXIT_OPEN = 3 };
/** Check the file and print what came of it. \return the exit status */
int check_file(check *c);
/** Note the first thing that is wrong. */
__attribute__((format(printf, 2, 3))) void check_refute(check *c, const char *format, ...);
/** Note why it cannot be checked, unless something is wrong. */
__attribute__((format(printf, 2, 3))) void check_leave_open(check *c, const char *format, ...);
static inline bool check_is_refuted(const check *c) { return c->outcome == CHECK_REFUTED; }
/** Resource of a hop. */
static inline uint32_t check_resource(const check *c, hf_hop hop) { return hop.channel * c->net.plan.n_vc + hop.vc; }
/** Ring of a resource that bubbles keep from filling up, HF_NONE: none. */
uint32_t check_ring(const check *c, uint32_t resource);
/** Is there such a ring in this plan? */
bool check_has_rings(const check *c);
/** Look at packets of a class from here on; without classes there is one. */
void check_class(check *c, uint32_t class);
static inline uint32_t check_n_class(const check *c) { return c->whole.classes ? c->whole.classes->n : 1; }
/** All places where packets for `destination` can be; in the arena. */
hf_status check_places(check *c, uint32_t destination, place **places, size_t *count);
/** The same for up to 64 lanes in the order of their lowest terminals. \param[in,out] out is_asked is set */
hf_status check_crowd(check *c, const lane *lanes, uint32_t n, crowd *out);
/** Hops at a place over healthy channels. \param[out] hops room for plan.max_hops \return as hf_plan_read() */
hf_status check_hops(const check *c, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops, size_t *n);

/** What has been seen so far of all destinations. */
typedef struct books {
    bool looks;      /**< nothing is checked: only where packets come onto rings */
    uint32_t *next;  /**< by resource: what follows it on its ring */
    bool *is_used;   /**< packets hold it, or ask for it as an escape */
    bool *is_tight;  /**< its number could not be nearer to that of what follows */
    bool *has_tight; /**< the same, by ring */
} books;
/** Note that a packet in `a` may ask for `b`, against a rule. */
void check_refute_step(check *c, hf_hop a, hf_hop b, uint32_t destination, const char *rule);
/** What packets in a place may ask for: numbers rise; or one of them is lower. */
void check_rising(check *c, const place *p, uint32_t destination, books *b);
void check_sinking(check *c, const place *p, uint32_t destination, books *b);
/** Packets that keep their last channel until they can be answered: the same for what the answers are injected on. */
hf_status check_consumers(check *c, books *b);
/** The number of `from` cannot be higher if that of `to` is one more. */
void check_note_rise(const check *c, books *b, hf_hop from, hf_hop to);

/** Find the rings that packets come onto over channels without bubbles. */
hf_status check_find_gaps(check *c);
hf_status check_free(check *c);
/** Of an escape, all but that the numbers are those of what is used. */
hf_status check_escapes(check *c, books *b);
hf_status check_deadlock(check *c);
/** Can these packets, each sent once and as long as what it holds, get where they are in lockstep? Left open if not found. */
hf_status check_lockstep(check *c, const hf_blocked *packet, uint32_t n);

/** Did this program, or the version that is asked for, write it? Else it is left open. */
bool check_is_ours(check *c);
/** Check a certificate of `holdfast weakest`; see check_certificate(). */
hf_status check_weakest(check *c, const hf_json *root);

/** Check a certificate in memory. \param[in,out] c cx, file (for messages) and perhaps version are set, all else is zero;
 * `outcome`, `why` and `said` tell what came of it, and of `is` the numbers and words. \return HF_EINVAL where it is no
 * certificate, and what making the plan returns */
hf_status check_certificate(check *c, const char *data, size_t size);

#endif
