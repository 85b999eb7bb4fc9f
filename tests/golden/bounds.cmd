holdfast bounds --topology torus:dims=8x8 --routing immunet --universe links --faults 1
holdfast bounds --topology torus:dims=4x4 --routing immunet --faults 2,3 --samples 200 --simulate 2 --packet-cycles 10 --hop-cycles 1 --universe links+switches
holdfast bounds --topology torus:dims=4x4 --orders 2000 --seed 3
holdfast bounds --topology torus:dims=4x4 --orders 2000 --universe switches --json
holdfast bounds --topology ring:n=3 --routing immunet --json
holdfast bounds --topology torus:dims=4x4 --routing dor 2>&1
holdfast bounds --topology torus:dims=4x4 2>&1
holdfast bounds --topology kary-tree:k=2,n=4 --routing ft2ei --only stage=0 --packet-cycles 28
# cells of studies
study() {
    printf 'schema: 2\nname: cells\ntitle: Cells\nsource: none\ndefaults:\n  ask: bounds\n  topology: torus:dims=4x4\n  routing: immunet\n  universe: links\n  samples: 2000\ncells:\n  - label: a cell\n%s\n' "$1" >cells.yaml
    holdfast study run cells.yaml --store none --quiet 2>&1 | grep -v '^Cells$' | grep .
}
study '    faults: 1
    column: lowest
    row: "phase=safe tables, quantity=messages, assumption=one of every switch"
    published: "16"'
study '    faults: 1,2
    column: highest
    row: "phase=all, quantity=cycles, assumption=a switch..."'
study '    ask: bounds orders=2000
    routing: ~
    samples: ~
    faults: 4,14
    column: parted_percent'
study '    ask: bounds orders=2000
    routing: ~
    samples: ~
    column: mean'
study '    faults: 1
    column: lowest
    row: "phase=safe tables, quantity=messages, assumption=none of them"'
study '    faults: 1
    column: least'
study '    faults: 1
    column: phase'
study '    ask: bounds orders=20
    column: mean'
true
