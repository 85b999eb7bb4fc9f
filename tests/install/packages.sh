#!/bin/bash
# Make the wheel and the Debian package of the build directory given, and run the Python tests from both. The Debian package is
# installed on a bare Debian 12 where that can be made here (root, debootstrap and a source of packages), else unpacked.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT

run_tests() { # run_tests PLACE: with the package found in PLACE, away from the source
    (cd "$scratch" && HOLDFAST_INCLUDE=$source/include PYTHONPATH=$1 /usr/bin/python3 -m unittest discover -s "$source/tests/python" 2>&1) | tail -n 3
}

rm -f "$build"/*.whl "$build"/*.deb
cmake --build "$build" --target wheel >"$scratch/wheel.log" 2>&1 || { cat "$scratch/wheel.log"; exit 1; }
/usr/bin/python3 -m pip install --quiet --no-index --no-deps --root-user-action ignore --target "$scratch/wheel" "$build"/*.whl
echo "packages: Python from the wheel"
HOLDFAST=$build/holdfast run_tests "$scratch/wheel"

(cd "$build" && cpack -G DEB) >"$scratch/cpack.log" 2>&1 || { cat "$scratch/cpack.log"; exit 1; }
package=$(echo "$build"/holdfast_*.deb)

# A bare Debian with the package and what it depends on, installed as the image of the Containerfile does.
install_bare() {
    local uri bare=$scratch/bare
    [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null || return 1
    uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^http/) { print $i; exit } }')
    debootstrap --variant=minbase bookworm "$bare" "$uri" >"$scratch/bare.log" 2>&1 || return 1
    cp -r /etc/apt/apt.conf.d "$bare/etc/apt/"
    cp /etc/resolv.conf "$bare/etc/" 2>/dev/null || true
    cp "$package" "$bare/root/holdfast.deb"
    cp -r "$source/tests/python" "$bare/root/tests"
    sed -n '/^FROM [^ ]*$/,$s/^RUN //p' "$source/Containerfile" >"$bare/root/image.sh"
    chroot "$bare" env DEBIAN_FRONTEND=noninteractive sh -e /root/image.sh >>"$scratch/bare.log" 2>&1 || {
        tail -n 20 "$scratch/bare.log"
        exit 1
    }
}
if install_bare; then
    echo "packages: a bare Debian 12 with $(basename "$package")"
    chroot "$scratch/bare" holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --faults 0..2 --quiet --store none
    chroot "$scratch/bare" sh -c 'cd /root && python3 -m unittest discover -s tests 2>&1' | tail -n 3
else
    echo "packages: no bare Debian can be made here; $(basename "$package") is unpacked"
    dpkg-deb -x "$package" "$scratch/deb"
    HOLDFAST=$scratch/deb/usr/bin/holdfast run_tests "$scratch/deb/usr/lib/python3/dist-packages"
fi
