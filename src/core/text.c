/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing text, and whole files in and out of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <holdfast/text.h>

void hf_text_init(hf_context *cx, hf_text *text) { *text = (hf_text){.allocator = *hf_context_allocator(cx)}; }

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
    const size_t capacity = 2 * (text->size + more) + 64;
    char *data = capacity > more ? text->allocator.resize(text->allocator.user, text->data, capacity) : NULL;
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
    const int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (size >= 0 && reserve(text, (size_t)size)) {
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void hf_text_xml(hf_text *text, const char *data) {
    for (const char *c = data; *c; c++) {
        switch (*c) {
        case '&':
            hf_text_append(text, "&amp;", 5);
            break;
        case '<':
            hf_text_append(text, "&lt;", 4);
            break;
        case '>':
            hf_text_append(text, "&gt;", 4);
            break;
        case '"':
            hf_text_append(text, "&quot;", 6);
            break;
        default:
            hf_text_append(text, c, 1);
            break;
        }
    }
}

hf_status hf_text_check(hf_context *cx, const hf_text *text) {
    if (text->failed) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: a text of more than %zu bytes cannot be held", text->size);
    }
    return HF_OK;
}

static hf_status write_all(hf_context *cx, int file, const hf_text *text, const char *path) {
    for (size_t done = 0; done < text->size;) {
        const ssize_t wrote = write(file, text->data + done, text->size - done);
        if (wrote < 0 && errno != EINTR) {
            HF_FAIL(cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    if (fsync(file) != 0 && errno != EINVAL && errno != EROFS) {
        HF_FAIL(cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    return HF_OK;
}

/* What is no regular file (/dev/stdout, a pipe) is written in place: it cannot
 * be renamed over. */
static bool is_special(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static hf_status save_in_place(hf_context *cx, const hf_text *text, const char *path) {
    const int file = open(path, O_WRONLY);
    if (file < 0) {
        HF_FAIL(cx, HF_EIO, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    const hf_status status = write_all(cx, file, text, path);
    close(file);
    return status;
}

hf_status hf_text_save(hf_context *cx, const hf_text *text, const char *path) {
    HF_TRY(hf_text_check(cx, text));
    if (is_special(path)) {
        return save_in_place(cx, text, path);
    }
    char *temporary;
    HF_TRY(hf_allocate(cx, strlen(path) + 8, 1, (void **)&temporary));
    strcpy(temporary, path);
    strcat(temporary, ".XXXXXX");
    hf_status status = HF_OK;
    const int file = mkstemp(temporary);
    if (file < 0) {
        status = hf_context_fail(cx, HF_EIO, __FILE__, __LINE__, "\"%s\" cannot be written: %s", path, strerror(errno));
        goto done;
    }
    status = write_all(cx, file, text, path);
    if (fchmod(file, 0644) != 0 && status == HF_OK) {
        status = hf_context_fail(cx, HF_EIO, __FILE__, __LINE__, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    close(file);
    if (status == HF_OK && rename(temporary, path) != 0) {
        status = hf_context_fail(cx, HF_EIO, __FILE__, __LINE__, "\"%s\" cannot be written: %s", path, strerror(errno));
    }
    if (status != HF_OK) {
        unlink(temporary);
    }
done:
    hf_release(hf_context_allocator(cx), temporary);
    return status;
}

hf_status hf_text_load(hf_context *cx, const char *path, size_t limit, hf_text *text) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        HF_FAIL(cx, errno == ENOENT ? HF_ENOENT : HF_EIO, "\"%s\" cannot be read: %s", path, strerror(errno));
    }
    char piece[4096];
    size_t got;
    hf_status status = HF_OK;
    while (status == HF_OK && (got = fread(piece, 1, sizeof piece, file)) > 0) {
        hf_text_append(text, piece, got);
        status = hf_text_check(cx, text);
        if (status == HF_OK && text->size > limit) {
            status = hf_context_fail(cx, HF_ERANGE, __FILE__, __LINE__, "\"%s\" is larger than %zu bytes", path, limit);
        }
    }
    if (status == HF_OK && ferror(file)) {
        status = hf_context_fail(cx, HF_EIO, __FILE__, __LINE__, "\"%s\" cannot be read: %s", path, strerror(errno));
    }
    fclose(file);
    if (status == HF_OK) {
        hf_text_append(text, "", 0);
        status = hf_text_check(cx, text);
    }
    return status;
}
