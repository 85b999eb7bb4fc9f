/** \file
 *  The results store: one SQLite file with cells, finished batches and their provenance, and writers of tables. */
#ifndef HOLDFAST_STORE_H
#define HOLDFAST_STORE_H

#include <holdfast/campaign.h>
#include <holdfast/core/build.h>
#include <holdfast/format.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_store hf_store;

/** Look at what is there, or add to it. */
typedef enum hf_store_mode { HF_STORE_READ, HF_STORE_WRITE } hf_store_mode;
/** Open (WRITE creates file and folder). What a killed run left half written is taken back, READ or WRITE.
 *  \return HF_ESTORE: not a holdfast store, another schema, another writer, read-only, disk full, damaged tables; the message
 *  names the file and says what to do. The file is never harmed. */
hf_status hf_store_open(hf_context *cx, const char *path, hf_store_mode mode, hf_store **out);
void hf_store_close(hf_store *store);
/** Could a store at `path` be written? Makes nothing. \return HF_ESTORE with what is read-only: the file or its folder */
hf_status hf_store_check_writable(hf_context *cx, const char *path);
/** Take over also what programs of other code have kept, where the store has nothing of this one's. It stays theirs: rows and
 * notes keep the code of who computed them. \param[in] codes 16 hexadecimal digits each, commas between; an earlier one goes
 * first \return HF_EINVAL */
hf_status hf_store_accept(hf_context *cx, hf_store *store, const char *codes);
/** The text that hf_store_accept() was given, and how many batches and notes were taken over because of it; NULL: none were. */
const char *hf_store_accepted(const hf_store *store, uint64_t *n);

/** The key of a campaign: everything that determines its numbers. Canonical specs, method, samples, seed, order, and the
 * program's code. Heap text, free with hf_release(). */
hf_status hf_store_key(hf_context *cx, const hf_campaign *campaign, char **out);
/** A journal that keeps the batches of `campaign` in `store`. Free with hf_store_journal_free(). */
hf_status hf_store_journal_new(hf_context *cx, hf_store *store, const hf_campaign *campaign, hf_journal **out);
void hf_store_journal_free(hf_journal *journal);

/** Keep a finished piece of work that is no campaign, such as a simulation: `value` under `key`, with commit and time. The key
 * says all that determines the value, the program's code included. Written at once; what stood there is replaced. \return
 * HF_ESTORE, HF_ENOMEM */
hf_status hf_store_note(hf_context *cx, hf_store *store, const char *key, const char *value);
/** Look a note up. \param[out] value in the arena; NULL if there is none. \param[out] is_accepted a program of other code wrote
 * it \return HF_ESTORE if it is damaged */
hf_status hf_store_recall(hf_context *cx, hf_store *store, const char *key, char **value, bool *is_accepted);

/** One stored row, as list and export see it. */
typedef struct hf_store_row {
    const char *topology, *routing, *universe, *criterion, *method, *order;
    uint64_t samples, seed;
    uint32_t f;
    const char *sets, *not_tolerated, *victims_sum, *lost_paths_sum; /**< decimal; sums over the batches held; "": not measured */
    uint64_t victims_max;
    const char *population; /**< sets in the whole row, decimal */
    bool is_complete;
    const char *witness; /**< component names, blanks between; "" if none */
    const char *version, *commit, *compiler;
    uint32_t threads;
    double wall_s;
    const char *finished; /**< UTC, ISO 8601; "": its run did not come to the end of the row */
    const char *code;     /**< of the program */
} hf_store_row;
/** Call `each` for all rows, ordered by campaign and f. Strings are borrowed for the call.
 *  \return HF_ESTORE with the place, before the first call, if anything in the store is damaged */
hf_status hf_store_each(hf_context *cx, hf_store *store, hf_status (*each)(hf_context *cx, void *user, const hf_store_row *row),
                        void *user);
/** SQLite's integrity check, the checksum of every row of every table, tallies that fit their ranges, no ranks twice, rows that
 * have all their sets but were never ended. \param[out] problems number found; each is given to `tell`. */
hf_status hf_store_verify(hf_context *cx, hf_store *store, uint64_t *problems, void (*tell)(void *user, const char *problem),
                          void *user);

/** What a merged store holds. */
typedef struct hf_store_merged {
    int64_t n_campaign, n_row, n_complete, n_note; /**< n_complete rows have all their fault sets */
} hf_store_merged;
/** Join the stores at `path` in the new file `into`: campaigns, finished batches, runs and notes. None of them is written to. A
 *  batch whose ranks cut another's is left out, so that no rank counts twice.
 *  \param[in] accept codes of programs whose answers may stand beside those of another code; NULL: none
 *  \return HF_ESTORE with both files and the row: a store that is damaged or none; the same batch, row or note with other
 *  figures; a campaign by programs of two codes; `into` is there. No file is left behind then. HF_ESTOP */
hf_status hf_store_merge(hf_context *cx, const char *const *path, size_t n, const char *accept, const char *into,
                         hf_store_merged *out);

#ifdef __cplusplus
}
#endif
#endif
