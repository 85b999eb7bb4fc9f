/** \file
 *  A small check that a text is well-formed XML: tags nest, attributes are quoted and unique, only known entities, UTF-8 is not
 *  looked at. Stricter than the standard where our writers never go (no CDATA, no DOCTYPE, no comments). */
#ifndef HOLDFAST_TESTS_FORMAT_XML_H
#define HOLDFAST_TESTS_FORMAT_XML_H

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { XML_DEPTH = 32, XML_NAME = 32, XML_ATTRIBUTES = 16 };

static size_t xml_name(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '-' || at[n] == '.' || at[n] == ':' || at[n] == '_') {
        n++;
    }
    assert_true(n > 0 && n < XML_NAME);
    return n;
}

/** One character or entity. */
static const char *xml_character(const char *at) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    assert_true((unsigned char)*at >= 0x20 || *at == '\n');
    assert_true(*at != '<' && *at != '>');
    for (size_t i = 0; *at == '&' && i < 5; i++) {
        if (strncmp(at, entities[i], strlen(entities[i])) == 0) {
            return at + strlen(entities[i]);
        }
    }
    assert_true(*at != '&');
    return at + 1;
}

/** Attributes up to the end of the tag. */
static const char *xml_attributes(const char *at) {
    char seen[XML_ATTRIBUTES][XML_NAME];
    size_t count = 0;
    while (*at == ' ') {
        at++;
        const size_t n = xml_name(at);
        assert_true(count < XML_ATTRIBUTES);
        memset(seen[count], 0, XML_NAME);
        memcpy(seen[count], at, n);
        for (size_t i = 0; i < count; i++) {
            assert_string_not_equal(seen[i], seen[count]);
        }
        count++;
        at += n;
        assert_memory_equal(at, "=\"", 2);
        for (at += 2; *at != '"';) {
            at = xml_character(at);
        }
        at++;
    }
    return at;
}

static void assert_xml(const char *text) {
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    char open[XML_DEPTH][XML_NAME] = {{0}};
    size_t depth = 0, n_root = 0;
    assert_memory_equal(text, head, sizeof head - 1);
    for (const char *at = text + sizeof head - 1; *at;) {
        if (*at != '<') {
            assert_true(depth > 0 || *at == '\n');
            at = xml_character(at);
            continue;
        }
        const bool is_end = at[1] == '/';
        at += 1 + is_end;
        const size_t n = xml_name(at);
        if (is_end) {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == n && memcmp(open[depth], at, n) == 0);
        } else {
            n_root += depth == 0;
            assert_true(depth < XML_DEPTH);
            memset(open[depth], 0, XML_NAME);
            memcpy(open[depth++], at, n);
        }
        at = is_end ? at + n : xml_attributes(at + n);
        if (*at == '/') {
            depth--;
            at++;
        }
        assert_int_equal(*at, '>');
        at++;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(n_root, 1);
}

/** How often `what` occurs. */
static size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
        n++;
    }
    return n;
}

#endif
