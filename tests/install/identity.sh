#!/bin/bash
# The code that the build gives a program (cmake/Identity.cmake): another one for every change of a source, the same for the same tree in
# another place, without git, and for what decides nothing; the header is left alone when nothing changed.
# Usage: identity.sh SOURCE CMAKE
set -eu
source=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

code() { # TREE FACTS
    "$cmake" -D "OUTPUT=$work/identity.h" -D "SOURCE=$1" -D "FACTS=$2" -P "$source/cmake/Identity.cmake"
    sed -n 's/^#define HF_CODE "\([0-9a-f]\{16\}\)"$/\1/p' "$work/identity.h"
}

expect() { # WHAT yes|no CODE
    local same=no
    [ "$3" = "$first" ] && same=yes
    if [ -z "$3" ] || [ $same != "$2" ]; then
        echo "$1: code \"$3\", of the tree as it was: \"$first\""
        exit 1
    fi
}

mkdir "$work/tree"
cp -r "$source/src" "$source/include" "$source/cmake" "$source/CMakeLists.txt" "$work/tree"
first=$(code "$source" gcc)
expect "a copy without git" yes "$(code "$work/tree" gcc)"
touch -d '1 hour ago' "$work/identity.h"
before=$(stat -c %Y "$work/identity.h")
expect "once more" yes "$(code "$work/tree" gcc)"
[ "$(stat -c %Y "$work/identity.h")" = "$before" ] || { echo "the header was written without need"; exit 1; }
expect "other facts" no "$(code "$work/tree" clang)"
for file in src/routing/list.def src/core/random.c include/holdfast/routing.h CMakeLists.txt cmake/Options.cmake; do
    cp "$work/tree/$file" "$work/kept"
    echo >>"$work/tree/$file"
    expect "$file changed" no "$(code "$work/tree" gcc)"
    cp "$work/kept" "$work/tree/$file"
done
mv "$work/tree/src/core/random.c" "$work/tree/src/core/chance.c"
expect "a source renamed" no "$(code "$work/tree" gcc)"
mv "$work/tree/src/core/chance.c" "$work/tree/src/core/random.c"
echo >>"$work/tree/src/check/main.c"
echo x >"$work/tree/src/notes.txt"
expect "what is no part of it" yes "$(code "$work/tree" gcc)"
echo "the code follows the sources"
