# The same pair of links, moved to every place of a torus: symmetries take each to any other. What lowest and highest tell apart goes by numbers.
at() { echo $(($2 % 4 * 4 + $1 % 4)); }
for y in 0 1 2 3; do
    for x in 0 1 2 3; do
        echo "p$x$y: s$(at $x $y):0-s$(at $((x + 1)) $y):1 s$(at $((x + 2)) $((y + 1))):2-s$(at $((x + 2)) $((y + 2))):3"
    done
done >pairs.txt
holdfast bounds --topology torus:dims=4x4 --routing immunet --universe groups:pairs.txt --faults 1 --simulate 16 --store none --format csv --columns phase,quantity,kind,lowest,highest,assumption
holdfast bounds --topology torus:dims=4x4 --routing immunet --universe links --faults 2 --method orbits --store none 2>&1
holdfast bounds --topology kary-tree:k=2,n=3 --routing ft2ei --universe links --faults 1,2 --method orbits --store none 2>&1
holdfast bounds --topology kary-tree:k=2,n=3 --routing ft2ei --universe links --faults 3 --method orbits --store none 2>&1
# Where auto takes orbits, quantities that go by numbers have no figures either.
of() { holdfast bounds --topology kary-tree:k=4,n=3 --routing ft2ei --universe links --faults 4 --method $1 --store none --quiet --format csv; }
of orbits >orbits.csv
of auto | diff - orbits.csv && grep -c '^4,10668000,.*,,,,0,' orbits.csv
