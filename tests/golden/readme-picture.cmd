# The picture in README.md is what its command draws.
holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei --faults 's0:2>s4:0,s0:3>s5:0' --svg failed.svg >/dev/null
cmp failed.svg "$GOLDEN/../../docs/failed.svg" && echo same
