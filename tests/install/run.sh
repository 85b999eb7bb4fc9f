#!/bin/bash
# Install the build directory given into scratch prefixes; build a small program with pkg-config and with find_package.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

need() {
    if [ ! -s "$prefix/$1" ]; then
        echo "install: $1 is missing or empty" >&2
        exit 1
    fi
}

cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
libdir=$(cd "$prefix" && dirname "$(find lib* -name libholdfast.a)")
need bin/holdfast
need include/holdfast/holdfast.h
need "$libdir/libholdfast.so"
need share/man/man1/holdfast.1
need share/bash-completion/completions/holdfast
need share/zsh/site-functions/_holdfast
need share/fish/vendor_completions.d/holdfast.fish
need share/man/man1/holdfast-tolerance.1
need share/holdfast/studies/gomez2010-table-3.1.yaml
need share/doc/holdfast/LICENSE
need share/doc/holdfast/docs/README.md
if nm -D --defined-only "$prefix/$libdir/libholdfast.so" | grep -v ' [A-Z] hf_'; then
    echo "install: the shared library shows names that are not the project's" >&2
    exit 1
fi
bash -n "$prefix/share/bash-completion/completions/holdfast"

# Documents link each other and what is installed with them; of what is not, only folders of the source.
for page in "$prefix"/share/doc/holdfast/*.md "$prefix"/share/doc/holdfast/docs/*.md; do
    { grep -oE '\]\([^)#:]+[)#]' "$page" || true; } | sed 's/^..//; s/.$//' | while read -r link; do
        [ -e "${page%/*}/$link" ] || echo "install: $page links $link, which is not there"
    done
done | grep -vE ' (\.\./)?(results|tests|src|studies|bench|tools|report|python|include|man|\.ci)/' && exit 1

expected="48 switches, 64 terminals"
check() {
    local said
    said=$("$2")
    if [ "$said" != "$expected" ]; then
        echo "install: $1 says \"$said\" instead of \"$expected\"" >&2
        exit 1
    fi
    echo "install: $1 works"
}

# Programs with pkg-config and with find_package, shared and static, by nothing but where the tree lies.
pkg() { PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig pkg-config "$@"; }
build_with() {
    local work=$scratch/with-$1 name=$1
    export LD_LIBRARY_PATH=$prefix/$libdir PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
    mkdir "$work"
    if [ "$(cd "$(pkg --variable=includedir holdfast)" && pwd)" != "$prefix/include" ]; then
        echo "install: $name: holdfast.pc names $(pkg --variable=includedir holdfast), not $prefix/include" >&2
        exit 1
    fi
    # Where the libraries that it stands on have no headers and no files for pkg-config, as behind the package of Debian.
    # shellcheck disable=SC2046 # flags are words
    gcc -std=c17 "$here/program.c" -o "$work/shared" $(PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg --cflags --libs holdfast)
    check "$name: pkg-config, shared" "$work/shared"
    PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH cmake -S "$here" -B "$work/alone" -G Ninja -D SHARED_ALONE=ON -D CMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
    cmake --build "$work/alone" >>"$work/cmake.log"
    check "$name: find_package, shared alone" "$work/alone/with_shared"
    # shellcheck disable=SC2046
    gcc -std=c17 "$here/program.c" -o "$work/static" $(pkg --cflags holdfast) "$prefix/$libdir/libholdfast.a" \
        $(pkg --libs --static holdfast)
    check "$name: pkg-config, static" "$work/static"
    cmake -S "$here" -B "$work/cmake" -G Ninja -D CMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
    cmake --build "$work/cmake" >>"$work/cmake.log"
    check "$name: find_package, shared" "$work/cmake/with_shared"
    check "$name: find_package, static" "$work/cmake/with_static"
    "$prefix/bin/holdfast" list topologies | grep -q kary-tree
}
# Nothing that is installed for programs to be built with names the build, the prefix or the prefix of the configuration.
check_places() {
    if grep -rIE "$build|$scratch|/usr/local" "$prefix/$libdir/pkgconfig" "$prefix/$libdir/cmake" "$prefix/include"; then
        echo "install: these files name a place that is not found from where they lie" >&2
        exit 1
    fi
}

check_places
build_with prefix
cmake --install "$build" --prefix "$scratch/other" >"$scratch/install.log"
mv "$prefix" "$scratch/moved"
prefix=$scratch/other build_with other
prefix=$scratch/moved
build_with moved

# A question asked from C, as docs/library.md has it.
# shellcheck disable=SC2046
gcc -std=c17 "$prefix/share/doc/holdfast/examples/ask.c" $(pkg --cflags --libs holdfast) -o "$scratch/ask"
"$scratch/ask" | grep -q '^f=1: 0 not tolerated$'

# The example of the trace library, as docs/protocol.md compiles it; the file that it writes is a program of the command.
# shellcheck disable=SC2046
gcc -std=c17 "$prefix/share/doc/holdfast/examples/sum.c" $(pkg --cflags --libs holdfast) -o "$scratch/sum"
"$scratch/sum" 64 "$scratch/sum.trace" | tee "$scratch/sum.txt"
grep -qx 'the sum is 2080' "$scratch/sum.txt"
grep -q '^126 messages, .* 0 lost, 0 acted on twice$' "$scratch/sum.txt"
"$prefix/bin/holdfast" protocol run --program "$scratch/sum.trace" --network grid3d | grep -q 'sum.trace  grid3d  *64 '
if "$scratch/sum" 65537 2>"$scratch/sum.txt" || ! grep -q '65537 nodes; need a power of 2 from 4 to 65536' "$scratch/sum.txt"; then
    echo "install: the example takes 65537 nodes" >&2
    exit 1
fi
