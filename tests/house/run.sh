#!/bin/bash
# tools/check-house finds each breach that is planted in a copy of the tree, and nothing in the tree as it is; check-circles likewise.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/src" "$root/include" "$root/tools" "$root/cmake" "$root/CMakeLists.txt" "$work"
mkdir "$work/tests" "$work/bench" "$work/examples"
ln -s "$root/docs" "$root/results" "$work"
failed=0

# plant FILE TEXT MESSAGE: with TEXT at the end of FILE, MESSAGE is said, and the check fails
plant() {
    local file=$work/$1 copy
    copy=$(mktemp -p "$work/bench")
    [ -f "$file" ] && cp "$file" "$copy"
    printf '%s\n' "$2" >>"$file"
    if said=$("$work/tools/check-house") || ! grep -qF -- "$3" <<<"$said"; then
        printf 'planted in %s: %s\nexpected: %s\nsaid: %s\n' "$1" "$2" "$3" "$said"
        failed=1
    fi
    if [ -s "$copy" ]; then mv "$copy" "$file"; else rm "$file" "$copy"; fi
}

if ! "$work/tools/check-house"; then
    echo "the tree itself breaks a rule"
    exit 1
fi
licence='/* SPDX-License-Identifier: GPL-3.0-or-later */'
plant src/core/clock.c '#include <holdfast/study.h>' 'includes holdfast/study.h of a later layer'
plant src/store/list.c '#include <omp.h>' 'foreign header outside of src/bridge'
plant src/store/list.c '#include <Random123/philox.h>' 'foreign header outside of src/bridge'
plant src/store/list.c '#include <sqlite3.h>' 'foreign header outside of src/bridge'
plant include/holdfast/store.h '#include <curl/curl.h>' 'foreign header outside of src/bridge'
plant src/store/list.c 'static long n(const char *t) { return strtol(t, 0, 10); }' 'reads a number; src/core/number.h does'
plant src/store/list.c 'static int n(const char *t, int *i) { return sscanf(t, "%d", i); }' 'reads a number; src/core/number.h does'
plant src/store/list.c "static int n(char c) { return c - '0'; }" 'reads a number; src/core/number.h does'
plant src/store/list.c 'typedef struct hf_topology { int i; } hf_topology;' 'the type hf_topology is one of'
plant src/store/list.c $'typedef struct hf_mark {\n    int i;\n} hf_mark;' 'the type hf_mark is one of'
plant src/kernel/order.c 'typedef enum hf_lane { A, B } hf_lane;' 'the type hf_lane is one of'
plant src/store/list.c 'typedef hf_status hf_job(int i);' 'the type hf_job is one of'
plant src/cli/show.h $'typedef struct cli {\n    int i;\n} cli;' 'the type cli is one of'
plant src/study/run.c 'static bool x(const hf_rule *r) { return strcmp(r->routing->name, "ft2ei") == 0; }' 'compares the name of a routing'
plant src/study/run.c 'static bool x(const char *spec) { return strncmp(spec, "updown-graph:", 13) == 0; }' 'compares the name of a routing'
plant src/routing/most.c 'static bool x(const char *name) { return hf_slice_is(name, "kary-tree"); }' 'compares the name of a topology'
plant src/store/new.c 'int i;' 'names no licence'
plant src/store/new.c "$licence"$'\n/* A list. */' 'opens with a comment that is not /** \file'
plant src/store/new.c "$licence$(printf '\n//%.0s' {1..601})" 'lines; more than 600'
plant include/holdfast/store.h $'\nvoid hf_store_nothing(void);' 'a public declaration without a comment'
plant src/store/list.c '/* TO''DO */' 'TO''DO'

# calls C_CODE: a calls b, b calls c, and c does that. Names come as CMake writes them.
mkdir -p "$work/x.dir/src"
calls() {
    local code name
    for code in 'a int b(void); int a(void) { return b(); }' 'b int c(void); int b(void) { return c(); }' "c $1"; do
        name=${code%% *}
        echo "${code#* }" | cc -x c -c -o "$work/x.dir/src/$name.c.o" - || return 2
    done
    "$root/tools/check-circles" nm "$work/x.dir/./src/"*.o
}
calls 'int c(void) { return 1; }' || failed=1
said=$(calls 'int a(void); int c(void) { return a(); }') && failed=1
[ "$said" = $'files call each other in a circle:\nsrc/a.c\nsrc/b.c\nsrc/c.c' ] || { echo "a circle was planted, and it said: $said"; failed=1; }
[ $failed = 0 ] && echo "every planted breach was found"
exit $failed
