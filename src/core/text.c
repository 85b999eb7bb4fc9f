/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A growing text, and whole files in and out of it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <holdfast/core/text.h>

#include "src/core/content.h"
#include "src/core/print.h"

void hf_text_init(hf_context *cx, hf_text *text) { *text = (hf_text){.allocator = *hf_context_allocator(cx)}; }

void hf_text_shell(hf_text *out, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (*text && text[strspn(text, plain)] == 0) {
        hf_text_print(out, "%s", text);
        return;
    }
    hf_text_print(out, "'");
    for (; *text; text++) {
        hf_text_append(out, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
    }
    hf_text_print(out, "'");
}

void hf_text_free(hf_text *text) {
    hf_release(&text->allocator, text->data);
    text->data = NULL;
    text->size = text->capacity = 0;
}

/* Room for `more` bytes and a final 0. */
static bool reserve(hf_text *text, size_t more) {
    if (text->failed || more < text->capacity - text->size) {
        return !text->failed;
    }
    const bool is_possible = more < SIZE_MAX / 4 && text->size < SIZE_MAX / 4;
    const size_t capacity = is_possible ? 2 * (text->size + more) + 64 : 0;
    char *data = is_possible ? text->allocator.resize(text->allocator.user, text->data, capacity) : NULL;
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void hf_text_append(hf_text *text, const char *data, size_t size) {
    if (reserve(text, size)) {
        memcpy(text->data + text->size, data, size);
        text->size += size;
        text->data[text->size] = 0;
    }
}

void hf_text_print(hf_text *text, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int size = hf_print_list(NULL, 0, format, list);
    va_end(list);
    if (size < 0) {
        text->failed = true;
    } else if (reserve(text, (size_t)size)) {
        hf_print_list(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

/* How XML 1.0 writes the character at `c`, `length` bytes of UTF-8 (0: malformed); NULL: as it is. */
static const char *xml_form(const char *c, size_t length) {
    static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD, for what no document may hold */
    switch (*c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
    case '\n':
    case '\r':
        return NULL;
    default:
        break;
    }
    const bool is_control = length == 1 && (unsigned char)*c < 0x20;
    const bool is_noncharacter = length == 3 && (memcmp(c, "\xEF\xBF\xBE", 3) == 0 || memcmp(c, "\xEF\xBF\xBF", 3) == 0);
    return length == 0 || is_control || is_noncharacter ? replacement : NULL;
}

void hf_text_xml(hf_text *text, const char *data) {
    for (const char *c = data; *c;) {
        const size_t length = hf_utf8_length(c);
        const char *form = xml_form(c, length);
        hf_text_append(text, form ? form : c, form ? strlen(form) : length);
        c += length ? length : 1;
    }
}

void hf_text_latex(hf_text *out, const char *text) {
    static const struct {
        char from;
        const char *to;
    } special[] = {{'\\', "\\textbackslash{}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'<', "\\textless{}"},
                   {'>', "\\textgreater{}"},
                   {'|', "\\textbar{}"},
                   {'\n', " "}};
    for (const char *first = text; *text; text++) {
        const char *to = NULL;
        if (*text == '"') {
            to = text == first || strchr(" (\n", text[-1]) ? "``" : "''";
        }
        for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
            to = special[i].from == *text ? special[i].to : to;
        }
        if (to) {
            hf_text_append(out, to, strlen(to));
            continue;
        }
        if (strchr("&%$#_{}", *text)) {
            hf_text_append(out, "\\", 1);
        }
        hf_text_append(out, text, 1);
    }
}

hf_status hf_text_check(hf_context *cx, const hf_text *text) {
    if (text->failed) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: a text of more than %zu bytes cannot be held", text->size);
    }
    return HF_OK;
}

/* ---- writing files ---- */

static hf_status refuse_write(hf_context *cx, const char *path) {
    HF_FAIL(cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
}

static hf_status write_all(hf_context *cx, int file, const hf_text *text, const char *path) {
    for (size_t done = 0; done < text->size;) {
        const ssize_t wrote = write(file, text->data + done, text->size - done);
        if (wrote < 0 && errno != EINTR) {
            return refuse_write(cx, path);
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    if (fsync(file) != 0 && errno != EINVAL && errno != EROFS) { /* these two: nothing there to make durable */
        return refuse_write(cx, path);
    }
    return HF_OK;
}

static hf_status write_and_close(hf_context *cx, int file, const hf_text *text, const char *path) {
    const hf_status status = write_all(cx, file, text, path);
    const bool is_closed = close(file) == 0 || errno == EINTR;
    return status == HF_OK && !is_closed ? refuse_write(cx, path) : status;
}

/* What is no regular file (/dev/stdout, a pipe) is written in place: it cannot be renamed over. */
static bool is_special(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static hf_status save_in_place(hf_context *cx, const hf_text *text, const char *path) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    return file < 0 ? refuse_write(cx, path) : write_and_close(cx, file, text, path);
}

/* Create a file beside PATH that nobody else has, with the rights of the file that it will replace, if there is one. */
static int create_beside(const char *path, char *name, size_t size) {
    int file = -1;
    for (unsigned i = 0; file < 0 && i < 1000; i++) {
        snprintf(name, size, "%s.%ld-%u.new", path, (long)getpid(), i);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            break;
        }
    }
    struct stat about;
    if (file >= 0 && stat(path, &about) == 0) {
        (void)fchmod(file, about.st_mode & 0777); /* a file system without rights refuses; nothing is lost */
    }
    return file;
}

static hf_status save_by_rename(hf_context *cx, const hf_text *text, const char *path, char *name, size_t size) {
    const int file = create_beside(path, name, size);
    if (file < 0) {
        return refuse_write(cx, path);
    }
    hf_status status = write_and_close(cx, file, text, path);
    if (status == HF_OK && rename(name, path) != 0) {
        status = refuse_write(cx, path);
    }
    if (status != HF_OK) {
        unlink(name);
    }
    return status;
}

hf_status hf_text_save(hf_context *cx, const hf_text *text, const char *path) {
    HF_TRY(hf_text_check(cx, text));
    if (is_special(path)) {
        return save_in_place(cx, text, path);
    }
    const size_t size = strlen(path) + 48;
    char *name;
    HF_TRY(hf_allocate(cx, size, 1, (void **)&name));
    const hf_status status = save_by_rename(cx, text, path, name, size);
    hf_release(hf_context_allocator(cx), name);
    return status;
}

/* ---- reading files ---- */

enum { PIECE = 65536 };

/* Straight into the text: room for all of a regular file at once, and one byte more, with which the end is seen. */
static hf_status read_all(hf_context *cx, int file, const char *path, size_t limit, hf_text *text) {
    struct stat about;
    const bool is_told = fstat(file, &about) == 0 && about.st_size > 0 && (uintmax_t)about.st_size <= limit;
    const size_t before = text->size, told = is_told ? (size_t)about.st_size + 1 : 0;
    for (size_t total = 0; total <= limit; total = text->size - before) {
        if (!reserve(text, total < told ? told - total : PIECE)) {
            return hf_text_check(cx, text);
        }
        const ssize_t got = read(file, text->data + text->size, text->capacity - text->size - 1);
        if (got < 0 && errno != EINTR) {
            HF_FAIL(cx, HF_EIO, "\"%s\" cannot be read: %s", path, strerror(errno));
        }
        text->size += got > 0 ? (size_t)got : 0;
        text->data[text->size] = 0;
        if (got == 0) {
            return HF_OK;
        }
    }
    HF_FAIL(cx, HF_ERANGE, "\"%s\" is larger than %zu bytes", path, limit);
}

hf_status hf_text_load(hf_context *cx, const char *path, size_t limit, hf_text *text) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        HF_FAIL(cx, errno == ENOENT ? HF_ENOENT : HF_EIO, "\"%s\" cannot be read: %s", path, strerror(errno));
    }
    const size_t before = text->size;
    const hf_status status = read_all(cx, file, path, limit, text);
    (void)close(file);
    if (status == HF_OK && hf_context_noted_files(cx)) {
        hf_text_print(hf_context_noted_files(cx), "%s#%016" PRIx64 "\n", path,
                      hf_content_of(text->data + before, text->size - before));
    }
    if (status != HF_OK && text->data) {
        text->size = before;
        text->data[before] = 0;
    }
    return status;
}
