holdfast study run gomez2010-figure-3.24 --store none --quiet --svg memory.svg >/dev/null
grep -c 'class="mark"' memory.svg
study() {
    printf 'schema: 1\nname: cells\ntitle: Cells\nsource: here\n%s\ncells:\n  - label: one\n    topology: kary-tree:k=2,n=3\n    routing: updown\n%s\n' "$1" "$2" >cells.yaml
    holdfast study run cells.yaml --store none --quiet --svg cells.svg 2>&1 | grep -v '^Cells$' | grep .
}
axes='x-axis: faults
y-axis: share'
study "$axes" '    ask: tolerance
    column: not_tolerated_percent
    universe: links
    faults: 2..5
    curve: links' >/dev/null
grep -c 'class="mark"' cells.svg
study "$axes
axes: log-z" '    ask: tolerance
    column: not_tolerated_percent
    universe: links
    faults: 2
    curve: links'
study "" '    ask: tolerance
    column: not_tolerated_percent
    universe: links
    faults: 2
    curve: links'
study "$axes" '    ask: tolerance
    column: not_tolerated_percent
    universe: links
    faults: 2
    x: 3'
study "$axes" '    ask: tolerance
    column: not_tolerated_percent
    universe: links
    faults: 2
    x: three
    curve: links'
study "$axes" '    ask: paths
    column: paths
    curve: links'
true
