#!/bin/bash
# Run the examples of a document: in every block that opens with ```console, a line "$ COMMAND" is run by bash and what follows it,
# up to the next one, must be what it prints (standard output and error). A line "..." stands for any number of lines.
# Commands of one document run in one scratch folder, in order, with the repository's studies/ and tests/ at hand.
# Usage: HOLDFAST=path/to/holdfast HOLDFAST_SOURCE=path/to/repository run.sh DOCUMENT
set -euo pipefail
document=$(readlink -f "$1")
binary=$(readlink -f "${HOLDFAST:?set HOLDFAST to the program under test}")
source=$(readlink -f "${HOLDFAST_SOURCE:?set HOLDFAST_SOURCE to the root of the repository}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/folder"
ln -s "$binary" "$work/bin/holdfast"
ln -s "$(dirname "$binary")/holdfast-check" "$work/bin/holdfast-check"
ln -s "$source/studies" "$source/tests" "$work/folder/"
export PATH=$work/bin:$PATH LC_ALL=C
unset HOLDFAST_SIMD
cd "$work/folder"

# One file of expected output and one of the command per example: N.command, N.expected, N.line.
awk -v out="$work/" '
    /^```console/ { inside = 1; next }
    /^```/ { inside = 0 }
    !inside { next }
    /^\$ / { n++; name = out n; print NR > (name ".line"); print substr($0, 3) > (name ".command"); printf "" > (name ".expected"); next }
    n { print > (name ".expected") }' "$document"

# A pattern for [[ == ]]: the expected text word for word, "..." lines as anything.
matches() {
    local pattern="" line
    while IFS= read -r line; do
        if [ "$line" = "..." ]; then pattern+="*"; else pattern+=$(sed 's/[][\\*?()!+@|]/\\&/g' <<<"$line")$'\n'; fi
    done <"$1"
    # shellcheck disable=SC2053 # a pattern on purpose
    [[ "$(cat "$2")"$'\n' == $pattern ]] || { [ ! -s "$1" ] && [ ! -s "$2" ]; }
}

n=0 failed=0
while [ -f "$work/$((n + 1)).command" ]; do
    n=$((n + 1))
    bash "$work/$n.command" >"$work/actual" 2>&1 </dev/null || true
    if ! matches "$work/$n.expected" "$work/actual"; then
        echo "$document:$(cat "$work/$n.line"): the example prints something else:"
        diff -u --label document --label program "$work/$n.expected" "$work/actual" || true
        failed=$((failed + 1))
    fi
done
echo "$((n - failed)) passed, $failed failed"
[ "$n" -gt 0 ] && [ "$failed" -eq 0 ]
