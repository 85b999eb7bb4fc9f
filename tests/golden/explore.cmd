explore() { holdfast explore "$@" --store none --quiet 2>&1; }
cat >small.yaml <<'END'
schema: 1
name: small
title: "Small networks"
terminals: 8..9
tolerance: 0
cost: 2
reference: kary-tree:k=2,n=3
faults: 2
sets: 40
designs:
  - topology: "{kary-tree:k=2,n=3|kary-tree:k=3,n=2}"
    routing: "{updown|destro}"
  - topology: "torus:dims={3x3|4x4}"
    routing: "{dor:vcs=2,dateline=yes|updown-graph}"
  - topology: "complete:n=8"
    routing: updown-graph
END
explore small.yaml
explore small.yaml --all --csv small.csv --svg other.svg --threads 2
head -n 3 small.csv
grep -c 'class="mark"' other.svg
cmp small.svg other.svg && echo the same drawing
explore small.yaml --json --svg none | head -n 30
holdfast explore small.yaml --store s.db --svg none --quiet >one.txt 2>&1
holdfast explore small.yaml --store s.db --svg none --quiet >two.txt 2>&1
cmp one.txt two.txt && echo the same from the store
change() { sed "$1" small.yaml >changed.yaml; explore changed.yaml --svg none; }
change 's/^tolerance: 0/tolerance: 1/; s/^cost: 2/cost: 1.1/'
change 's/{3x3|4x4}/{3x3|4x4/'
change 's/dims={3x3|4x4}/dims={3..2}/'
change 's/complete:n=8/complete:m=8/'
change 's/^cost: 2/cost: two/'
change 's/^cost: 2/deadlock: never/'
sed 's/^terminals: .*/terminals: 16/; s/dor:vcs=2,dateline=yes/dor|minimal/' small.yaml >cycles.yaml
explore cycles.yaml --svg none --all | grep 'dims=4x4'
sed -i 's/^cost: 2/deadlock: any/' cycles.yaml
explore cycles.yaml --svg none --all | grep 'dims=4x4'
change 's/^terminals: 8..9/terminals: 9..8/'
change 's/^faults:/fault:/'
change 's/^reference: .*/reference: kary-tree:k=1,n=2/'
change '/^reference/d'
change '/^designs/,$d'
change 's/^schema: 1/schema: 2/'
change 's/routing: updown-graph/routing: up-down-graph/'
explore none.yaml
holdfast study run small.yaml --store none 2>&1
holdfast explore 2>&1
true
