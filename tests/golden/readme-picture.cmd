# The picture in README.md is what its command draws.
holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei --faults 's0:2>s4:0,s0:3>s5:0' --svg failed.svg >/dev/null
cmp failed.svg "$GOLDEN/../../docs/failed.svg" && echo same
# docs/formats.md shows this one.
holdfast show --topology torus:dims=4x4 --routing immunet --faults 's5,s2:0-s3:1' --svg safe-ring.svg >/dev/null
cmp safe-ring.svg "$GOLDEN/../../docs/safe-ring.svg" && echo same
