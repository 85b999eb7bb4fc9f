explore() { holdfast explore "$@" --store none --quiet 2>&1; }
cat >small.yaml <<'END'
schema: 2
name: small
title: "Small networks"
about: Trees, tori and a complete network of eight or nine terminals.
front:
  least: cost
  most: [throughput, tolerance]
  limits: {terminals: 8..9, tolerance: 0.., cost: ..2, deadlock: deadlock-free}
defaults:
  ask: design reference=kary-tree:k=2,n=3 faults-most=2
  sets: 40
cells:
  - grid: {tree: ["k=2,n=3", "k=3,n=2"], rule: [updown, destro]}
    topology: "kary-tree:{tree}"
    routing: "{rule}"
  - grid: {dims: [3x3, 4x4], rule: ["dor:vcs=2,dateline=yes", updown-graph]}
    topology: "torus:dims={dims}"
    routing: "{rule}"
  - topology: "complete:n=8"
    routing: updown-graph
    remark: every switch is next to every other
END
explore small.yaml
explore small.yaml --all --csv small.csv --svg other.svg --threads 2
head -n 3 small.csv
grep -c 'class="mark"' other.svg
cmp small.svg other.svg && echo the same drawing
explore small.yaml --json --svg none | head -n 40
explore small.yaml --svg none --format csv --columns design,front,cost | head -n 4
holdfast explore small.yaml --store s.db --svg none --quiet >one.txt 2>&1
holdfast explore small.yaml --store s.db --svg none --quiet >two.txt 2>&1
cmp one.txt two.txt && echo the same from the store
explore small.yaml --svg none --all >all.txt
holdfast study run small.yaml --store none --quiet --output-dir out --svg third.svg | cmp all.txt - && echo the same as a study
cmp small.svg third.svg && cmp out/small.csv small.csv && echo and its files
holdfast study show small.yaml --results out >shown.txt 2>&1 && cmp all.txt shown.txt && echo read back
sed 's/cost: ..2/cost: ..1.1/' small.yaml >stricter.yaml
holdfast study show stricter.yaml --results out 2>&1
change() { sed "$1" small.yaml >changed.yaml; explore changed.yaml --svg none; }
change 's/tolerance: 0/tolerance: 1/; s/cost: ..2/cost: ..1.1/'
change 's/complete:n=8/complete:m=8/'
change 's/cost: ..2/cost: two/'
change 's/limits: {/limits: {weight: 1, /'
change 's/terminals: 8..9/terminals: 9..8/'
change 's/least:/last:/'
change 's/least: cost/least: deadlock/'
change 's/kary-tree:k=2,n=3 f/kary-tree:k=1,n=2 f/'
change '/^cells/,$d'
change 's/^schema: 2/schema: 3/'
change 's/routing: updown-graph/routing: up-down-graph/'
explore gomez2010-table-3.1 --svg none
sed 's/terminals: 8..9/terminals: 16/; s/"dor:vcs=2,dateline=yes"/dor, minimal/' small.yaml >cycles.yaml
explore cycles.yaml --svg none --all | grep 'dims=4x4'
sed -i 's/, deadlock: deadlock-free//' cycles.yaml
explore cycles.yaml --svg none --all | grep 'dims=4x4'
# cells that show a column stand beside the designs
sed 's/^  - topology: "complete:n=8"/  - {label: ring, column: throughput, topology: "ring:n=8", routing: updown-graph}\n&/' small.yaml >both.yaml
holdfast study run both.yaml --store none --quiet --output-dir out | tail -n 7
cat out/small.lines.csv
holdfast study show both.yaml --results out --table lines
sed -i '4s/true/ture/' out/small.csv
holdfast study show both.yaml --results out 2>&1
sed -i '3d' out/small.csv
holdfast study show both.yaml --results out 2>&1
head -n 2 out/small.csv | tail -n 1
explore none.yaml
holdfast explore 2>&1
# the same of one design, and what is not looked at beyond a limit
holdfast design --topology torus:dims=4x4 --routing updown-graph --reference kary-tree:k=4,n=2 --sets 40 --faults-most 2
holdfast design --topology torus:dims=4x4 --routing minimal --reference kary-tree:k=4,n=2 --limits 'deadlock=deadlock-free, cost=..9' --csv
holdfast design --topology torus:dims=4x4 --routing dor --limits 'cost=..' 2>&1
true
