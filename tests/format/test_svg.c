/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  SVG drawings: well-formed, every link and node drawn once, marks as asked for, nothing outside the picture, no labels that
 *  overlap, the same bytes each time. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/format/xml.h"

#include <holdfast/core/bitset.h>
#include <holdfast/format.h>

#include "tests/oracle/fixture.h"

typedef struct drawing {
    fixture fx;
    hf_text text;
    char *legend; /**< the part from the legend on; the rest is cut off before it */
} drawing;

/** Draw with marks; `faults` in names, or NULL. */
static void draw(drawing *d, const char *topo, const char *faults, hf_marks marks) {
    hf_fault_set set;
    fixture_open(&d->fx, topo, NULL, NULL);
    if (faults) {
        fixture_ok(&d->fx, hf_fault_set_parse(d->fx.cx, d->fx.topo, NULL, faults, &set));
        marks.faults = &set;
    }
    hf_text_init(d->fx.cx, &d->text);
    fixture_ok(&d->fx, hf_format_svg(d->fx.cx, d->fx.topo, &marks, &d->text));
    assert_xml(d->text.data);
    d->legend = strstr(d->text.data, "<g class=\"legend\">");
    assert_non_null(d->legend);
    d->legend[-1] = 0;
}

static void end(drawing *d) {
    hf_text_free(&d->text);
    fixture_close(&d->fx);
}

/* ---- what is drawn ---- */

/** Links of grids that would run over a switch are bent, and so is the second of two with the same ends; no other. */
static void bent_links(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        int n_bent;
    } grids[] = {{"mesh:dims=4x5", 0},        {"torus:dims=4x5", 9}, {"torus:dims=2x2,double=yes", 4},
                 {"ring:n=8,terminals=3", 0}, {"ring:n=2", 0},       {"hyperx:dims=4x3", 3 * 3 + 4},
                 {"torus:dims=2x2", 0},       {"ring:n=1", 0},       {"hypercube:n=2", 0}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        drawing d;
        draw(&d, grids[i].topo, NULL, (hf_marks){0});
        assert_int_equal(count_of(d.text.data, "<path class=\"link\""), grids[i].n_bent);
        assert_int_equal(count_of(d.text.data, "<line class=\"link\""), (int)d.fx.topo->n_link - grids[i].n_bent);
        assert_int_equal(count_of(d.text.data, ">terminals</text>"), 0);
        end(&d);
    }
}

static void every_link_and_node(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=1", "kary-tree:k=2,n=2",  "kary-tree:k=2,n=4",  "kary-tree:k=3,n=3",
                                        "kary-tree:k=4,n=3", "kary-tree:k=12,n=2", "kary-tree:k=64,n=1", "kary-tree:k=2,n=7"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        drawing d;
        draw(&d, trees[i], NULL, (hf_marks){0});
        const hf_topology *topo = d.fx.topo;
        assert_int_equal(count_of(d.text.data, "<line class=\"link\""), topo->n_link);
        assert_int_equal(count_of(d.text.data, "<rect class=\"switch\""), topo->n_switch);
        assert_int_equal(count_of(d.text.data, "<circle class=\"terminal\""), topo->n_terminal);
        assert_int_equal(count_of(d.text.data, ">terminals</text>"), 1);
        assert_int_equal(count_of(d.text.data, ">stage "), topo->kind->diameter(topo) / 2);
        assert_int_equal(count_of(d.legend, "<text"), 0); /* nothing is marked */
        assert_non_null(strstr(d.text.data, trees[i]));   /* the title, when none is given */
        end(&d);
    }
}

static void labels(void **state) {
    (void)state;
    drawing d;
    draw(&d, "kary-tree:k=2,n=4", NULL, (hf_marks){.title = "Figure 3.7"});
    assert_int_equal(count_of(d.text.data, ">s18</text>"), 1);
    assert_int_equal(count_of(d.text.data, ">&lt;2,010&gt;</text>"), 1);
    assert_int_equal(count_of(d.text.data, ">t15</text>"), 1);
    assert_int_equal(count_of(d.text.data, ">Figure 3.7</"), 2); /* shown, and the title of the document */
    assert_null(strstr(d.text.data, "kary-tree"));
    end(&d);
    draw(&d, "kary-tree:k=12,n=3", NULL, (hf_marks){0});
    assert_int_equal(count_of(d.text.data, ">&lt;1,11.2&gt;</text>"), 1); /* digits above 9 need points */
    end(&d);
}

/* ---- marks ---- */

static void failed_links_and_channels(void **state) {
    (void)state;
    drawing d;
    draw(&d, "kary-tree:k=4,n=3", "s0:4 s17:5 s5:6> s37:3> t9:0", (hf_marks){0});
    assert_int_equal(count_of(d.text.data, "<line class=\"failed-link\""), 3);
    assert_int_equal(count_of(d.text.data, "<path class=\"cross\""), 3);
    assert_int_equal(count_of(d.text.data, "<line class=\"failed-channel\""), 2);
    assert_int_equal(count_of(d.text.data, "<polygon"), 2); /* arrow heads */
    assert_int_equal(count_of(d.text.data, "<line class=\"link\""), 192 - 3);
    assert_int_equal(count_of(d.text.data, "<title>failed link: s0:4-s16:0</title>"), 1);
    assert_int_equal(count_of(d.text.data, "<title>failed channel: s5:6&gt;s22:1</title>"), 1);
    assert_int_equal(count_of(d.text.data, "<title>failed channel: s37:3&gt;s29:5</title>"), 1);
    assert_int_equal(count_of(d.legend, "<text"), 2);
    assert_int_equal(count_of(d.legend, ">failed link</text>"), 1);
    assert_int_equal(count_of(d.legend, ">failed channel</text>"), 1);
    end(&d);
}

/** Both channels of a link, failed one by one, are a failed link. */
static void two_channels_make_a_link(void **state) {
    (void)state;
    drawing d;
    draw(&d, "kary-tree:k=2,n=2", "s0:2> s2:0>", (hf_marks){0});
    assert_int_equal(count_of(d.text.data, "<line class=\"failed-link\""), 1);
    assert_int_equal(count_of(d.text.data, "<line class=\"failed-channel\""), 0);
    end(&d);
}

static double number_after(const char *at, const char *key) {
    const char *found = strstr(at, key);
    assert_non_null(found);
    return strtod(found + strlen(key), NULL);
}

/** A failed channel is red from where it starts: an up channel in the lower half, a down channel in the upper. */
static void arrows_point_the_right_way(void **state) {
    (void)state;
    static const char *const channels[] = {"s0:3>", "s3:0>"}; /* the two channels of one link */
    double y1[2], y2[2];
    for (int i = 0; i < 2; i++) {
        drawing d;
        draw(&d, "kary-tree:k=2,n=2", channels[i], (hf_marks){0});
        const char *line = strstr(d.text.data, "<line class=\"failed-channel\"");
        assert_non_null(line);
        y1[i] = number_after(line, " y1=\"");
        y2[i] = number_after(line, " y2=\"");
        end(&d);
    }
    assert_true(y1[0] > y2[0]); /* upwards on the page */
    assert_true(y1[1] < y2[1]);
    assert_true(y2[0] > y2[1]); /* the halves do not meet */
}

static void failed_switches(void **state) {
    (void)state;
    drawing d;
    draw(&d, "kary-tree:k=4,n=3", "s20 s44 s0:4", (hf_marks){0}); /* s0:4 comes first in link order */
    assert_int_equal(count_of(d.text.data, "<rect class=\"failed-switch\""), 2);
    assert_int_equal(count_of(d.text.data, "<rect class=\"switch\""), 46);
    assert_int_equal(count_of(d.text.data, "<line class=\"dragged-link\""), 11); /* 8 and 4, one in common */
    assert_int_equal(count_of(d.text.data, "<line class=\"failed-link\""), 1);
    const char *failed = strstr(d.text.data, "<line class=\"failed-link\"");
    assert_null(strstr(failed, "<line class=\"dragged-link\"")); /* what failed by itself lies on top */
    assert_int_equal(count_of(d.legend, "<text"), 3);
    end(&d);
}

static void victims_and_lost_terminals(void **state) {
    (void)state;
    drawing d;
    uint64_t victim[2] = {0}, lost[1] = {0};
    hf_bit_set(victim, 3);       /* switch 3 */
    hf_bit_set(victim, 48 + 9);  /* terminal 9 */
    hf_bit_set(victim, 48 + 12); /* terminal 12, lost too */
    uint64_t cut[1] = {0};
    hf_bit_set(lost, 12);
    hf_bit_set(lost, 13);
    hf_bit_set(cut, 20);
    draw(&d, "kary-tree:k=4,n=3", NULL, (hf_marks){.victim_node = victim, .lost_terminal = lost, .cut_terminal = cut});
    assert_int_equal(count_of(d.text.data, "<rect class=\"victim\""), 1);
    assert_int_equal(count_of(d.text.data, "<circle class=\"victim\""), 2);
    assert_int_equal(count_of(d.text.data, "<circle class=\"lost\""), 2);
    assert_int_equal(count_of(d.text.data, "<circle class=\"cut\""), 1);
    assert_int_equal(count_of(d.text.data, "<circle class=\"terminal\""), 61);
    assert_int_equal(count_of(d.legend, "<text"), 3);
    end(&d);
}

/** Where the box of a switch lies, in the order of switches. */
static double box_y(const drawing *d, uint32_t sw) {
    const char *at = d->text.data;
    for (uint32_t i = 0; i <= sw; i++) {
        at = strstr(at + 1, "<rect class=\"switch\"");
        assert_non_null(at);
    }
    return number_after(at, " y=\"");
}

/** Row 0 is at the bottom unless rows are numbered from the north; terminals are below their switches in both. */
static void north_is_up(void **state) {
    (void)state;
    for (int is_north_first = 0; is_north_first < 2; is_north_first++) {
        drawing d;
        draw(&d, "mesh:dims=3x4", NULL, (hf_marks){.is_north_first = is_north_first});
        assert_true(is_north_first ? box_y(&d, 0) < box_y(&d, 9) : box_y(&d, 0) > box_y(&d, 9));
        const char *terminal = strstr(d.text.data, "<circle class=\"terminal\""); /* t0 */
        assert_non_null(terminal);
        const double below = number_after(terminal, " cy=\"") - box_y(&d, 0);
        assert_true(below > 20 && below < 80);
        end(&d);
    }
}

/** A tree of a ring of four switches, toured: both channels of each of its links are numbered; text at two ports, whole or cut.
 */
static void trees_tours_and_notes(void **state) {
    (void)state;
    drawing d;
    uint64_t tree[1] = {7}, root[1] = {1};
    uint32_t tour[16] = {1, 2, 3};
    const char *note[16] = {[5] = "[0..1]", [1] = "[0..1] [2..3] [10..200]"};
    fixture fx;
    fixture_open(&fx, "ring:n=4", NULL, NULL);
    assert_int_equal(fx.topo->n_channel, 16);
    for (uint32_t c = 0; c < 3; c++) {
        tour[fx.topo->reverse[c]] = 6 - c;
    }
    fixture_close(&fx);
    draw(&d, "ring:n=4", NULL, (hf_marks){.tree_link = tree, .root_switch = root, .tour = tour, .note = note});
    assert_int_equal(count_of(d.text.data, "class=\"tree\""), 3);
    assert_int_equal(count_of(d.text.data, "class=\"hop\""), 6);
    assert_int_equal(count_of(d.text.data, "<title>hop 6 of the ring: s1:1&gt;s0:0</title>"), 1);
    assert_int_equal(count_of(d.text.data, " class=\"note\""), 2);
    assert_int_equal(count_of(d.text.data, ">[0..1] ..</text>"), 2); /* on its white edge */
    assert_int_equal(count_of(d.text.data, "<title>[0..1] [2..3] [10..200]</title>"), 1);
    assert_int_equal(count_of(d.text.data, "fill=\"#b5dcd5\""), 1);
    assert_int_equal(count_of(d.legend, "<text"), 5);
    end(&d);
}

/** At a port that leads up a note stands above the box, turned, and beside its link. */
static void notes_of_trees(void **state) {
    (void)state;
    drawing d;
    const char *note[64] = {0};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    note[hf_topology_channel_at(fx.topo, 0, 2)] = "[4..7]";
    fixture_close(&fx);
    draw(&d, "kary-tree:k=2,n=3", NULL, (hf_marks){.note = note});
    const char *text = strstr(d.text.data, "class=\"note\"");
    assert_non_null(text);
    assert_true(number_after(text, " y=\"") < box_y(&d, 0));
    assert_true(number_after(text, " y=\"") > box_y(&d, 4));
    assert_non_null(strstr(text, "text-anchor=\"start\" transform=\"rotate(-90 "));
    end(&d);
}

/* ---- layout ---- */

/** Every point lies inside the view box; the network is moved down below the title. */
static void nothing_outside(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=1", "kary-tree:k=4,n=3", "kary-tree:k=2,n=6", "kary-tree:k=64,n=1"};
    static const char *const keys[] = {" x=\"", " cx=\"", " x1=\"", " x2=\"", " y=\"", " cy=\"", " y1=\"", " y2=\""};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        drawing d;
        draw(&d, trees[i], "s0 t1:0", (hf_marks){.title = "a title that is rather long for the small network that is below it"});
        const double width = number_after(d.text.data, " width=\""), height = number_after(d.text.data, " height=\"");
        for (size_t k = 0; k < 8; k++) {
            for (const char *at = strstr(d.text.data, keys[k]); at; at = strstr(at + 1, keys[k])) {
                const double value = number_after(at, keys[k]);
                assert_true(value >= 0 && value <= (k < 4 ? width : height));
            }
        }
        end(&d);
    }
}

/** At k=4, n=3 no two labels in a row overlap: letters are at most 0.66 of the font size wide. */
static void labels_do_not_overlap(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=4,n=3", "kary-tree:k=2,n=6", "kary-tree:k=8,n=2", "kary-tree:k=11,n=2"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        drawing d;
        draw(&d, trees[i], NULL, (hf_marks){0});
        double x_end = 0, y_last = -1;
        uint32_t n = 0;
        for (const char *at = strstr(strstr(d.text.data, "text-anchor"), "<text"); at; at = strstr(at + 1, "<text")) {
            const double x = number_after(at, " x=\""), y = number_after(at, " y=\""), size = number_after(at, " font-size=\"");
            const char *label = strchr(at, '>') + 1;
            const size_t length = (size_t)(strchr(label, '<') - label);
            const double half = 0.5 * 0.66 * size * (double)(length > 6 && *label == '&' ? length - 6 : length);
            if (*label == 's') {
                continue; /* names of switches are shorter than their labels */
            }
            assert_true(y != y_last || x - half >= x_end);
            x_end = x + half;
            y_last = y;
            n++;
        }
        assert_true(n >= d.fx.topo->n_switch);
        end(&d);
    }
}

/** Is there a circle of a terminal, or its name below it, over the box [x, x + width] x [y, y + height]? */
static bool meets_terminal(const drawing *d, double x, double y, double width, double height) {
    bool meets = false;
    for (const char *at = d->text.data; (at = strstr(at + 1, "<circle class=\"terminal")) && !meets;) {
        const double cx = number_after(at, " cx=\""), cy = number_after(at, " cy=\"");
        meets = cx + 5 > x && cx - 5 < x + width && cy + 14 > y && cy - 5 < y + height;
    }
    return meets;
}

/** No switch is drawn over a terminal or its name. */
static void boxes_leave_terminals(void **state) {
    (void)state;
    static const char *const grids[] = {"chiplets:chiplets=2x2,dims=3x3",
                                        "chiplets:chiplets=3x2,dims=2x2",
                                        "mesh:dims=3x3x3",
                                        "hypercube:n=4",
                                        "dragonfly:p=2,a=4,h=2",
                                        "slimfly:q=5"};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        drawing d;
        draw(&d, grids[i], NULL, (hf_marks){0});
        for (const char *at = d.text.data; (at = strstr(at + 1, "<rect class=\"switch"));) {
            assert_false(meets_terminal(&d, number_after(at, " x=\""), number_after(at, " y=\""), number_after(at, " width=\""),
                                        number_after(at, " height=\"")));
        }
        end(&d);
    }
}

/** Links within a stage are bent over what stands between their ends: straight ones of a row share no place. */
static void links_of_a_row_are_told_apart(void **state) {
    (void)state;
    drawing d;
    double from[64], to[64], row[64];
    size_t n = 0;
    draw(&d, "dragonfly-plus:p=2,leaves=2,spines=2,h=2", NULL, (hf_marks){0});
    for (const char *at = d.text.data; (at = strstr(at + 1, "<line class=\"link\""));) {
        const double x1 = number_after(at, " x1=\""), x2 = number_after(at, " x2=\"");
        row[n] = number_after(at, " y1=\"");
        if (row[n] == number_after(at, " y2=\"")) {
            from[n] = fmin(x1, x2);
            to[n++] = fmax(x1, x2);
        }
        for (size_t k = 0; n > 0 && k + 1 < n; k++) {
            assert_true(row[k] != row[n - 1] || to[k] <= from[n - 1] || to[n - 1] <= from[k]);
        }
    }
    assert_int_equal(count_of(d.text.data, "<path class=\"link\"") + (int)n, 10); /* all between groups */
    end(&d);
}

/** The numbers of a safe ring stand beside the terminals, whichever channels it takes. */
static void numbers_leave_terminals(void **state) {
    (void)state;
    static const char *const tori[] = {"torus:dims=4x4", "torus:dims=5x5", "torus:dims=6x3"};
    for (size_t i = 0; i < sizeof tori / sizeof *tori; i++) {
        drawing d;
        uint32_t tour[512] = {0};
        fixture fx;
        fixture_open(&fx, tori[i], NULL, NULL);
        for (uint32_t c = 0; c < 2 * fx.topo->n_switch_link; c++) {
            tour[c] = c + 1;
        }
        fixture_close(&fx);
        draw(&d, tori[i], NULL, (hf_marks){.tour = tour});
        for (const char *at = d.text.data; (at = strstr(at + 1, "<title>hop "));) {
            const char *text = strstr(at, "<text");
            const double x = number_after(text, " x=\""), y = number_after(text, " y=\"");
            assert_false(meets_terminal(&d, x - 5, y - 5, 10, 5));
        }
        end(&d);
    }
}

/* ---- bytes ---- */

static void same_bytes(void **state) {
    (void)state;
    drawing a, b;
    draw(&a, "kary-tree:k=3,n=3", "s0 s4:3 s12:1>", (hf_marks){0});
    draw(&b, "kary-tree:k=3,n=3", "s12:1> s4:3 s0", (hf_marks){0});
    assert_int_equal(a.text.size, b.text.size);
    assert_memory_equal(a.text.data, b.text.data, a.text.size);
    end(&a);
    end(&b);
}

/** Decimal points stay points where the locale writes commas (where such a locale is installed). */
static void no_locale(void **state) {
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE.utf8"};
    drawing a, b;
    draw(&a, "kary-tree:k=3,n=3", NULL, (hf_marks){0});
    for (size_t i = 0; i < 4 && !setlocale(LC_ALL, comma[i]); i++) {
    }
    draw(&b, "kary-tree:k=3,n=3", NULL, (hf_marks){0});
    setlocale(LC_ALL, "C");
    assert_memory_equal(a.text.data, b.text.data, a.text.size);
    end(&a);
    end(&b);
}

/** Titles may be anything: markup, control characters, broken UTF-8. */
static void strange_titles(void **state) {
    (void)state;
    static const struct {
        const char *title, *shown;
    } cases[] = {
        {"a < b & \"c\"", ">a &lt; b &amp; &quot;c&quot;<"},
        {"tab\there\nand\x01there", ">tab here and there<"},
        {"\xff\xfe \xc3", ">?\? ?<"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", ">\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80<"},
        {"\xc0\xaf", ">?\?<"},       /* overlong */
        {"\xed\xa0\x80", "> <"},     /* a surrogate */
        {"\xf4\x90\x80\x80", "> <"}, /* beyond the last plane */
        {"\xef\xbf\xbf", "> <"},
        {"", "><"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drawing d;
        draw(&d, "kary-tree:k=2,n=2", NULL, (hf_marks){.title = cases[i].title});
        assert_non_null(strstr(d.text.data, cases[i].shown));
        end(&d);
    }
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    fixture fx, other;
    fixture_open(&fx, "kary-tree:k=8,n=5", NULL, NULL);
    hf_text text;
    hf_text_init(fx.cx, &text);
    assert_int_equal(hf_format_svg(fx.cx, fx.topo, NULL, &text), HF_ERANGE);
    assert_non_null(
        strstr(hf_context_message(fx.cx), "\"kary-tree:k=8,n=5\" has 163840 links; an SVG drawing is limited to 20000"));
    assert_int_equal(text.size, 0);
    fixture_open(&other, "kary-tree:k=2,n=2", NULL, NULL);
    hf_fault_set set;
    fixture_ok(&other, hf_fault_set_parse(other.cx, other.topo, NULL, "s0", &set));
    assert_int_equal(hf_format_svg(fx.cx, fx.topo, &(hf_marks){.faults = &set}, &text), HF_EINVAL);
    hf_text_free(&text);
    fixture_close(&fx);
    fixture_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_and_node),
        cmocka_unit_test(bent_links),
        cmocka_unit_test(labels),
        cmocka_unit_test(failed_links_and_channels),
        cmocka_unit_test(two_channels_make_a_link),
        cmocka_unit_test(arrows_point_the_right_way),
        cmocka_unit_test(failed_switches),
        cmocka_unit_test(victims_and_lost_terminals),
        cmocka_unit_test(north_is_up),
        cmocka_unit_test(trees_tours_and_notes),
        cmocka_unit_test(notes_of_trees),
        cmocka_unit_test(nothing_outside),
        cmocka_unit_test(labels_do_not_overlap),
        cmocka_unit_test(boxes_leave_terminals),
        cmocka_unit_test(links_of_a_row_are_told_apart),
        cmocka_unit_test(numbers_leave_terminals),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(no_locale),
        cmocka_unit_test(strange_titles),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
