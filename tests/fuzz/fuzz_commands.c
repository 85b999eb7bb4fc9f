/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The command line, a word a line: options and values are made from the tables of the commands and from the descriptors.
 *  Whatever is asked, the status is 0 to 3; with 2 there is one sentence on standard error, nothing on standard output; JSON is
 *  whole; no file is left half written. What would take long is left out: numbers above 64, and networks of more than 8 MiB. */
#include <dirent.h>
#include <ftw.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#include "src/cli/cli.h"
#include "src/cli/options.h"
#include "src/study/catalogue.h"

enum { WORD_MAX = 96, NUMBER_MAX = 64, NETWORK_MAX = 8 << 20 };

/* ---- making a command line ---- */

typedef struct maker {
    uint64_t *random;
    hf_context *cx;
    hf_text out;
} maker;

static bool happens(maker *m, unsigned percent) { return fuzz_below(m->random, 100) < percent; }

static void put_number(maker *m, uint64_t low, uint64_t high) {
    const uint64_t room = high - low < 3 ? high - low : 3;
    if (happens(m, 5)) {
        hf_text_print(&m->out, "%s", fuzz_number(m->random));
    } else {
        hf_text_print(&m->out, "%" PRIu64, low + (uint64_t)fuzz_below(m->random, room + 1));
    }
}

static void put_file(maker *m) {
    static const char folders[] =
        "anynet blocks bound certificate csv edges fdbs graphml groups hpcc htsim ibnet lfts lua meshes messages replay results "
        "study tally traffic wiring none";
    char folder[64];
    strcpy(folder, fuzz_one_of(m->random, folders, ' '));
    struct dirent **entry = NULL;
    char path[128];
    snprintf(path, sizeof path, "in/%s", folder);
    const int n = scandir(path, &entry, NULL, alphasort);
    hf_text_print(&m->out, "%s/%s", path, n > 2 ? entry[2 + fuzz_below(m->random, (size_t)n - 2)]->d_name : "missing");
    for (int i = 0; i < n; i++) {
        free(entry[i]);
    }
    free(entry);
}

static void put_value(maker *m, const hf_param *p) {
    switch (p->type) {
    case HF_PARAM_BOOL:
        hf_text_print(&m->out, "%s", happens(m, 50) ? "yes" : "no");
        break;
    case HF_PARAM_WORD:
    case HF_PARAM_WORDS: {
        size_t n = 0;
        while (p->words[n]) {
            n++;
        }
        hf_text_print(&m->out, "%s", p->words[fuzz_below(m->random, n)]);
        break;
    }
    case HF_PARAM_DIMS:
        hf_text_print(&m->out, "%s", fuzz_one_of(m->random, "2 3 4 2x2 2x3 3x3 4x4 2x2x2 1x4 x 0", ' '));
        break;
    case HF_PARAM_TEXT:
        put_file(m);
        break;
    case HF_PARAM_REAL:
        hf_text_print(&m->out, "%s", fuzz_one_of(m->random, "0.5 1 0 -1 1e9 0.1 x nan", ' '));
        break;
    default:
        put_number(m, p->low, p->high);
    }
}

/* A spec of something in a section of the registry: what must be given, and some of what can be. */
static void put_spec(maker *m, hf_section section) {
    const hf_entry e = hf_section_entry(section, fuzz_below(m->random, hf_section_count(section)));
    const char *mark = ":";
    hf_text_print(&m->out, "%s", e.name);
    for (const hf_param *p = e.params; p && p->name; p++) {
        if (!p->fallback ? happens(m, 98) : happens(m, 25)) {
            hf_text_print(&m->out, "%s%s%s", mark, p->flags & HF_PARAM_POSITIONAL ? "" : p->name,
                          p->flags & HF_PARAM_POSITIONAL ? "" : "=");
            put_value(m, p);
            mark = ",";
        }
    }
}

/* Most topologies that rules are for; one in three from the registry. */
static void put_topology(maker *m) {
    static const char usual[] =
        "kary-tree:k=2,n=2 kary-tree:k=2,n=3 mesh:dims=3x3 torus:dims=3x3 ring:n=4 ring:n=5 hypercube:n=3 "
        "complete:n=4 multibutterfly:radix=2,dilation=2,stages=2 mesh:dims=2x2x2 dragonfly:a=2,h=1,p=1";
    if (happens(m, 65)) {
        hf_text_print(&m->out, "%s", fuzz_one_of(m->random, usual, ' '));
    } else {
        put_spec(m, HF_SECTION_TOPOLOGIES);
    }
}

/* The help of an option names values; words such as "such" among them are wrong values. */
static void put_from_help(maker *m, const char *help) {
    char word[256];
    strcpy(word, fuzz_one_of(m->random, help, ' '));
    size_t n = strlen(word);
    while (n && strchr("),.:;'", word[n - 1])) {
        n--;
    }
    const size_t skip = strspn(word, "('");
    hf_text_print(&m->out, "%.*s", (int)(n > skip ? n - skip : 0), word + skip);
}

static bool is_output(const cli_listed *o) {
    return strcmp(o->name, "output") == 0 || strcmp(o->name, "store") == 0 || strcmp(o->name, "witness") == 0 ||
           strncmp(o->help, "write", 5) == 0 || strncmp(o->help, "also", 4) == 0 || strstr(o->help, "draw");
}

static void put_option_value(maker *m, const cli_listed *o) {
    static const struct {
        const char *name;
        hf_section section;
    } named[] = {{"routing", HF_SECTION_ROUTINGS},
                 {"traffic", HF_SECTION_TRAFFIC},
                 {"universe", HF_SECTION_UNIVERSES},
                 {"criterion", HF_SECTION_CRITERIA}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(o->name, named[i].name) == 0) {
            put_spec(m, named[i].section);
            return;
        }
    }
    if (strcmp(o->name, "topology") == 0 || strcmp(o->name, "reference") == 0) {
        put_topology(m);
    } else if (is_output(o)) {
        hf_text_print(&m->out, "%s", fuzz_one_of(m->random, "out1 out2.svg out3.json none/out .", ' '));
    } else if (strstr(o->argument, "FILE") && happens(m, 90)) {
        put_file(m);
    } else if (happens(m, 50)) {
        put_from_help(m, o->help);
    } else if (happens(m, 60)) {
        put_number(m, 0, 3);
    } else {
        hf_text_print(
            &m->out, "%s",
            fuzz_one_of(m->random, "0..2 1,2 0..1 1%..30%/10% s0 s0:0 s0,s1 0,1 t0,t1 1/2 2/2 x 0.1 0.5,1 1e-3/h , =", ' '));
    }
}

static void put_option(maker *m, const cli_listed *o) {
    hf_text_print(&m->out, "\n--%s", o->name);
    if (*o->argument && (*o->argument != '[' || happens(m, 50))) {
        hf_text_print(&m->out, "%s", *o->argument == '[' || happens(m, 20) ? "=" : "\n");
        put_option_value(m, o);
    }
}

static void put_command(maker *m) {
    size_t n = 0, n_option = 0;
    cli_command command;
    const cli_command *c = &command;
    const char *usage;
    while (cli_command_at(n, &command)) {
        n++;
    }
    (void)cli_command_at(fuzz_below(m->random, n), &command);
    expect(cli_usage(m->cx, c, &usage) == HF_OK, "usage");
    hf_text_print(&m->out, "%s", c->name);
    for (size_t i = 0; i < c->positional_max && (i < c->positional_min || happens(m, 30)); i++) {
        hf_text_print(&m->out, "\n");
        if (strcmp(usage, "SPEC") == 0) {
            put_topology(m);
        } else if (i > 0 || strncmp(usage, "FILE", 4) == 0) {
            put_file(m);
        } else if (strcmp(usage, "NAME") == 0) {
            put_spec(m, (hf_section)fuzz_below(m->random, HF_SECTION_STUDIES));
        } else {
            hf_text_print(
                &m->out, "%s",
                fuzz_one_of(m->random, "check run backoff trace list export verify bash topologies routings studies", ' '));
        }
    }
    cli_listed option;
    while (cli_list_option(c, n_option, &option)) {
        n_option++;
    }
    for (size_t i = 0; cli_list_option(c, i, &option); i++) {
        char named[64];
        snprintf(named, sizeof named, "--%s ", option.name);
        if (happens(m, strstr(usage, named) ? 85 : (unsigned)(250 / n_option))) {
            put_option(m, &option);
        }
    }
}

static size_t make(uint64_t *random, char *out, size_t max) {
    maker m = {.random = random, .cx = hf_context_new(NULL)};
    expect(m.cx != NULL, "memory");
    hf_text_init(m.cx, &m.out);
    put_command(&m);
    const size_t size = m.out.size < max ? m.out.size : max;
    memcpy(out, m.out.data, size);
    hf_text_free(&m.out);
    hf_context_free(m.cx);
    return size;
}

static const char lines[] = "--$w\n--$w=$n\n$n\n$t\n--json\n--faults\n0..2\n--routing\n$w\n";
static const char words[] =
    "topology routing universe faults only criterion json output none out1 svg csv updown dor minimal links "
    "switches channels ring:n=4 mesh:dims=3x3 kary-tree:k=2,n=3 0..2 s0 s0:0 1/2 sampled seed threads again";
const fuzz_grammar fuzz_format = {lines, words, ":=,+./", make};

/* ---- running it ---- */

static char *take_words(char *data, size_t size, char **word, size_t *n) {
    *n = 0;
    word[(*n)++] = (char *)(uintptr_t) "holdfast";
    for (char *at = data; at < data + size && *n < WORD_MAX;) {
        char *end = memchr(at, '\n', (size_t)(data + size - at));
        end = end ? end : data + size;
        *end = 0;
        word[(*n)++] = at;
        at = end + 1;
    }
    return data;
}

static bool is_much(const char *word) {
    for (const char *at = word; *at;) {
        char *end = NULL;
        const unsigned long long value = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        if (value > NUMBER_MAX && value < UINT64_C(1) << 62) {
            return true;
        }
        at = end ? end : at + 1;
    }
    return strpbrk(word, "eE") && strpbrk(word, "0123456789") && !strchr(word, ':') && strncmp(word, "in/", 3) != 0;
}

/* The bytes that a network may take; how many are in use stands in `user`. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

static void *bounded_resize(void *user, void *old, size_t size) {
    size_t *used = user;
    header *h = old ? (header *)old - 1 : NULL;
    const size_t before = h ? h->size : 0;
    if (size > NETWORK_MAX || *used - before + size > NETWORK_MAX) {
        return NULL;
    }
    h = realloc(h, sizeof *h + size);
    if (!h) {
        return NULL;
    }
    *used += size - before;
    h->size = size;
    return h + 1;
}

static void bounded_release(void *user, void *old) {
    if (old) {
        *(size_t *)user -= ((header *)old - 1)->size;
        free((header *)old - 1);
    }
}

/* Is it a network, and a large one? */
static bool is_large(const char *spec) {
    size_t used = 0;
    const hf_allocator allocator = {.resize = bounded_resize, .release = bounded_release, .user = &used};
    hf_context *cx = hf_context_new(&allocator);
    hf_topology *topo = NULL;
    size_t name;
    (void)hf_spec_split(spec, &name);
    if (!cx || !hf_topology_kind_find(spec, name)) {
        hf_context_free(cx);
        return false;
    }
    const hf_status status = hf_topology_new(cx, spec, &topo);
    const bool large = status == HF_ENOMEM || (topo && topo->n_node > 100);
    hf_topology_free(topo);
    hf_context_free(cx);
    return large;
}

static const cli_command *command_of(char **word, size_t n, cli_command *room) {
    return n > 1 && cli_command_find(word[1], room) ? room : NULL;
}

static bool is_given(char **word, size_t n, const char *name) {
    for (size_t i = 1; i < n; i++) {
        if (strncmp(word[i], "--", 2) == 0 && strncmp(word[i] + 2, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

static bool asks_help(char **word, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (strcmp(word[i], "-h") == 0 || strcmp(word[i], "--help") == 0 || strcmp(word[i], "help") == 0) {
            return true;
        }
    }
    return strcmp(word[1], "version") == 0 || strcmp(word[1], "--version") == 0;
}

static bool has_option(const cli_command *c, const char *name) {
    cli_listed option;
    for (size_t i = 0; c && cli_list_option(c, i, &option); i++) {
        if (strcmp(option.name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_word(char **word, size_t n, const char *list) {
    for (size_t i = 1; i < n; i++) {
        const char *found = strstr(list, word[i]);
        if (found && *word[i] && strchr(" ", found[strlen(word[i])])) {
            return true;
        }
    }
    return false;
}

/* What keeps a run short and to itself, unless the words say something else. */
static size_t add_bounds(char **word, size_t n) {
    static const struct {
        const char *option, *name, *value, *when; /* NULL: always */
    } bounds[] = {{"--store", "store", "none", NULL},     {"--time-limit", "time-limit", "1", NULL},
                  {"--samples", "samples", "20", NULL},   {"--threads", "threads", "1", NULL},
                  {"--window", "window", "20", NULL},     {"--batches", "batches", "3", NULL},
                  {"--warm-up", "warm-up", "2", NULL},    {"--cycles", "cycles", "1000", "--trace --program --barrier protocol"},
                  {"--nodes", "nodes", "64", "protocol"}, {"--states", "states", "9999", "check-protocol"},
                  {"--quiet", "quiet", NULL, NULL}};
    cli_command room;
    const cli_command *c = command_of(word, n, &room);
    const size_t given = n;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        if (has_option(c, bounds[b].name) && !is_given(word, given, bounds[b].name) &&
            (!bounds[b].when || has_word(word, given, bounds[b].when))) {
            word[n++] = (char *)(uintptr_t)bounds[b].option;
            if (bounds[b].value) {
                word[n++] = (char *)(uintptr_t)bounds[b].value;
            }
        }
    }
    return n;
}

static bool is_short(char **word, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const char *value = strncmp(word[i], "--topology=", 11) == 0 ? word[i] + 11 : word[i];
        if (is_much(word[i]) || is_large(value)) {
            return false;
        }
        if (strcmp(word[1], "study") == 0 && i > 1 && !strchr(word[i], '/') && strcmp(word[i], "run") != 0) {
            return false; /* a built-in one */
        }
    }
    return true;
}

static int remove_one(const char *path, const struct stat *about, int flag, struct FTW *place) {
    (void)about;
    (void)flag;
    const char *name = path + place->base;
    expect(strlen(name) < 4 || strcmp(name + strlen(name) - 4, ".new") != 0, "no file is left half written");
    if (place->level > 0 && strncmp(path, "./in", 4) != 0) {
        remove(path);
    }
    return 0;
}

static void check_run(int status, size_t n, const char *out, const char *err, bool is_json) {
    expect(status == CLI_DONE || status == CLI_NO || status == CLI_OPEN || status == CLI_BAD, "the status is 0 to 3");
    if (status == CLI_BAD && n > 1) {
        const size_t size = strlen(err);
        expect(strncmp(err, "holdfast", 8) == 0 && size > 12, "a failure has a sentence");
        expect(strchr(err, '\n') == err + size - 1, "on one line");
        expect(!*out, "and no result");
    }
    if (status != CLI_BAD && is_json && *out) {
        hf_context *cx = hf_context_new(NULL);
        hf_json *root = NULL;
        expect(cx && hf_json_parse(cx, "output", out, strlen(out), &root) == HF_OK, "JSON is whole");
        hf_json_free(root);
        hf_context_free(cx);
    }
}

static void run(char **word, size_t n) {
    char *out = NULL, *err = NULL;
    size_t out_size = 0, err_size = 0;
    FILE *const before[] = {stdout, stderr};
    for (size_t i = 0; getenv("FUZZ_SHOW") && i < n; i++) {
        fprintf(stderr, "%s%s", word[i], i + 1 < n ? " " : "\n");
    }
    stdout = open_memstream(&out, &out_size);
    stderr = open_memstream(&err, &err_size);
    expect(stdout && stderr, "memory");
    const int status = cli_main((int)n, word);
    fclose(stdout);
    fclose(stderr);
    stdout = before[0];
    stderr = before[1];
    if (getenv("FUZZ_SHOW")) {
        fprintf(stderr, "status %d\n%s%s", status, out, err);
    }
    check_run(status, n, out, err, is_given(word, n, "json") && !asks_help(word, n) && strcmp(word[1], "study") != 0);
    expect(nftw(".", remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0, "the folder is emptied");
    free(out);
    free(err);
}

/* ---- where it runs: a folder of its own, with the corpora of all readers in it ---- */

static char home[] = "/tmp/holdfast-commands-XXXXXX";

static int remove_all(const char *path, const struct stat *about, int flag, struct FTW *place) {
    (void)about;
    (void)flag;
    (void)place;
    return remove(path);
}

static void leave(void) { (void)nftw(home, remove_all, 8, FTW_DEPTH | FTW_PHYS); }

static void enter(void) {
    static bool is_there;
    const char *source = getenv("HOLDFAST_SOURCE");
    char copy[4096];
    if (is_there) {
        return;
    }
    is_there = true;
    expect(source != NULL, "HOLDFAST_SOURCE is set");
    expect(mkdtemp(home) && chdir(home) == 0, "a folder");
    snprintf(copy, sizeof copy, "cp -r '%s/tests/fuzz/corpus' in", source);
    expect(system(copy) == 0, "the corpora are copied");
    atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *word[WORD_MAX + 32];
    size_t n;
    expect(text != NULL, "memory");
    enter();
    memcpy(text, data, size);
    text[size] = 0;
    if (!memchr(text, 0, size)) {
        take_words(text, size, word, &n);
        if (is_short(word, n)) {
            n = add_bounds(word, n);
            word[n] = NULL;
            run(word, n);
        }
    }
    free(text);
    return 0;
}
