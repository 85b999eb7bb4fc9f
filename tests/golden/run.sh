#!/bin/bash
# Golden tests of the command line: each NAME.cmd is a snippet for bash that calls `holdfast`; its standard output must equal
# NAME.stdout, its standard error NAME.stderr (where that file is there) and its exit status NAME.exit (0 where it is not).
# Usage: HOLDFAST=path/to/holdfast run.sh [--bless] [NAME...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
binary=$(readlink -f "${HOLDFAST:?set HOLDFAST to the program under test}")
bless=no
if [ "${1-}" = --bless ]; then
    bless=yes
    shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$binary" "$work/bin/holdfast"
ln -s "$(dirname "$binary")/holdfast-check" "$work/bin/holdfast-check"
export PATH=$work/bin:$PATH LC_ALL=C GOLDEN=$here
unset HOLDFAST_SIMD COLUMNS
passed=0
failed=0

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for file in "$here"/*.cmd; do
        names+=("$(basename "$file" .cmd)")
    done
fi

# compare EXPECTED ACTUAL WHAT
compare() {
    if ! diff -u --label "expected $3" --label "actual $3" "$1" "$2"; then
        return 1
    fi
}

for name in "${names[@]}"; do
    folder=$work/$name
    mkdir "$folder"
    (cd "$folder" && bash "$here/$name.cmd" >"$work/stdout" 2>"$work/stderr" </dev/null)
    status=$?
    if [ $bless = yes ]; then
        cp "$work/stdout" "$here/$name.stdout"
        if [ -s "$work/stderr" ]; then cp "$work/stderr" "$here/$name.stderr"; else rm -f "$here/$name.stderr"; fi
        if [ $status -ne 0 ]; then echo $status >"$here/$name.exit"; else rm -f "$here/$name.exit"; fi
        continue
    fi
    ok=yes
    expected=0
    [ -f "$here/$name.exit" ] && expected=$(cat "$here/$name.exit")
    compare "$here/$name.stdout" "$work/stdout" stdout || ok=no
    if [ -f "$here/$name.stderr" ]; then
        compare "$here/$name.stderr" "$work/stderr" stderr || ok=no
    elif [ -s "$work/stderr" ]; then
        echo "unexpected standard error:"
        cat "$work/stderr"
        ok=no
    fi
    if [ "$status" -ne "$expected" ]; then
        echo "exit status $status, expected $expected"
        ok=no
    fi
    if [ $ok = yes ]; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
done
[ $bless = yes ] && exit 0
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
