/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lists of numbers of faults: "0..4,8". */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/campaign.h>

static void expect_list(const char *text, size_t n, const uint32_t *expected) {
    hf_context *cx = hf_context_new(NULL);
    uint32_t *f = NULL;
    size_t n_f = 0;
    assert_int_equal(hf_campaign_parse_faults(cx, text, &f, &n_f), HF_OK);
    assert_int_equal(n_f, n);
    assert_memory_equal(f, expected, n * sizeof *f);
    hf_release(hf_context_allocator(cx), f);
    hf_context_free(cx);
}

static void lists_are_read(void **state) {
    (void)state;
    expect_list("0", 1, (uint32_t[]){0});
    expect_list("0..4,8", 6, (uint32_t[]){0, 1, 2, 3, 4, 8});
    expect_list("3..3", 1, (uint32_t[]){3});
    expect_list("1,2,10..12", 5, (uint32_t[]){1, 2, 10, 11, 12});
    expect_list("4294967294", 1, (uint32_t[]){4294967294});
    expect_list("007", 1, (uint32_t[]){7});
    uint32_t most[4096];
    for (uint32_t i = 0; i < 4096; i++) {
        most[i] = i + 1;
    }
    expect_list("1..4096", 4096, most);
    expect_list("1..4095,4096", 4096, most);
}

static void expect_shares(const char *text, uint32_t n_component, size_t n, const uint32_t *expected) {
    hf_context *cx = hf_context_new(NULL);
    uint32_t *f = NULL;
    size_t n_f = 0;
    assert_int_equal(hf_campaign_parse_shares(cx, text, n_component, &f, &n_f), n ? HF_OK : HF_EINVAL);
    assert_int_equal(n_f, n);
    assert_true(n == 0 || memcmp(f, expected, n * sizeof *f) == 0);
    hf_release(hf_context_allocator(cx), f);
    hf_context_free(cx);
}

static void shares_are_read(void **state) {
    (void)state;
    expect_shares("0%..30%/5%", 1280, 7, (uint32_t[]){0, 64, 128, 192, 256, 320, 384});
    expect_shares("15%", 1536, 1, (uint32_t[]){230});
    expect_shares("0%..4%,100%", 50, 4, (uint32_t[]){0, 1, 2, 50});
    expect_shares("0..2,5", 10, 4, (uint32_t[]){0, 1, 2, 5});
    static const char *const wrong[] = {"5%..2%", "101%", "5%,", "5", "%", "5%..", "5%..9%/0%", "5%..9%/", "9%,5%", "5%..9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_shares(wrong[i], 1000, strchr(wrong[i], '%') ? 0 : 1, (uint32_t[]){5});
    }
}

static void others_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        ",",
                                        "1,",
                                        "1,,2",
                                        "4..3",
                                        "1..",
                                        "..4",
                                        "1...4",
                                        "1,1",
                                        "2,1",
                                        "1..4,4",
                                        "a",
                                        "1 2",
                                        " 1",
                                        "1 ",
                                        "-1",
                                        "+1",
                                        "0x4",
                                        "1.5",
                                        "1-4",
                                        "4294967295",
                                        "4294967296",
                                        "1..4097",
                                        "1..4294967294",
                                        "1..4096,5000",
                                        "0..18446744073709551617",
                                        "99999999999999999999999"};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t *f = NULL;
        size_t n_f = 0;
        const hf_status status = hf_campaign_parse_faults(cx, wrong[i], &f, &n_f);
        if (status != HF_EINVAL || f || !strstr(hf_context_message(cx), wrong[i])) {
            print_error("\"%s\": %s: %s\n", wrong[i], hf_status_text(status), hf_context_message(cx));
            fail();
        }
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_read), cmocka_unit_test(shares_are_read),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
