/** \file
 *  The grammar of studies and explorations. */
#ifndef HOLDFAST_TESTS_FUZZ_YAML_H
#define HOLDFAST_TESTS_FUZZ_YAML_H

#include "src/study/keys.h"
#include "tests/fuzz/fuzz.h"

static const char lines[] = "$w: $n\n"
                            "  $w: $n\n"
                            "    $w: $w\n"
                            "  - $w: $w\n"
                            "  - label: $t\n    $w: $n\n"
                            "  - topology: \"ring:n={3..$n}\"\n"
                            "  - label: \"{$w}\"\n    grid: {$w: [$n, $w], $w: $n..$n}\n"
                            "    names: {$w: [$w, $n]}\n    except: [{$w: $n, $w: $w}]\n"
                            "    cells:\n      - label: \"{$w}\"\n"
                            "$w:\n";
#define KEY(name, key, where) key " "
static const char words[] = HF_STUDY_KEYS(KEY) "tolerance simulate claim exact sampled links kary-tree:k=2,n=2 updown ring:n=4 "
                                               "schema: 2 yes no {k} {{ ~ {2|3} {3..10} &x *x null [] {} >-";
#undef KEY
const fuzz_grammar fuzz_format = {lines, words, ":\"-,", NULL};

#endif
