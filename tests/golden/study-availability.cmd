holdfast study run gomez2010-table-3.4 --store none --quiet
cell() {
    printf 'schema: 1\nname: cells\ntitle: Cells\nsource: here\ncells:\n  - label: one\n%s\n' "$1" >cells.yaml
    holdfast study run cells.yaml --store none --quiet 2>&1 | grep -v '^Cells$' | grep .
}
cell '    ask: availability
    column: availability
    mtbf-hours: 1
    down-cycles: 900
    clock-mhz: 0.25'
cell '    ask: availability
    column: availability
    mtbf-hours: 1
    clock-mhz: 250'
cell '    ask: availability
    column: availability
    mtbf-hours: 0
    down-cycles: 760
    clock-mhz: 250'
cell '    ask: availability
    column: availability
    mtbf-hours: six
    down-cycles: 760
    clock-mhz: 250'
cell '    ask: paths
    column: paths
    topology: kary-tree:k=2,n=2
    routing: updown
    mtbf-hours: 6'
true
