# shares over numbers of faults become curves, cells of one label one curve; counts and single numbers of faults do not
printf 'schema: 1\nname: curves\ntitle: Curves\nsource: none\ndefaults:\n  ask: tolerance\n  column: not_tolerated_percent\n  topology: mesh:dims=4x4\n  routing: immunet\n  universe: links\n  criterion: switches-connected\ncells:\n' >curves.yaml
printf '  - label: "all, part"\n    faults: 3..4\n  - label: "all, part"\n    faults: 1..2\n  - label: tolerated\n    column: tolerated_percent\n    faults: 2,8\n    method: sampled\n    samples: 500\n' >>curves.yaml
printf '  - label: counted\n    column: not_tolerated\n    faults: 1..2\n  - label: one\n    faults: 3\n' >>curves.yaml
holdfast study run curves.yaml --store none --quiet --output-dir . --svg curves.svg
grep -E "<(title|poly|path)|text-anchor=\"start\"|>(all|tol|counted|one)" curves.svg
# what was written is read back, and draws the same
holdfast study show curves.yaml --results . --svg again.svg --format csv | cmp - curves.csv
cmp curves.svg again.svg && rm again.svg
sed -i '/all, part/,$d' curves.yaml
printf '  - label: one\n    faults: 3\n' >>curves.yaml
rm curves.svg
holdfast study run curves.yaml --store none --quiet --output-dir . --svg curves.svg 2>&1
ls curves.*
