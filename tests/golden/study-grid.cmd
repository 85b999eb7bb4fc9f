# Grids of studies: the cells that a file comes to, what a run of them prints, and what is refused.
grid() {
    cat >grid.yaml <<YAML
schema: 2
name: grid
title: "Grid"
source: here
names: {classes: "one class a port"}
cells:
  - grid:
      tree: [{k: 2, n: 2}, {k: 3, n: 2}]
    topology: "kary-tree:k={k},n={n}"
    routing: ft2ei:intervals=1
    universe: channels
    ask: tolerance
    column: not_tolerated_percent
    cells:
      - label: "{k}-ary {n}-tree, f={faults}"
        id: "{k}-{faults}"
        grid: {faults: 1..2}
        faults: "{faults}"
        published: [[0%, ~], [0%, 0%]]
        remark: "{classes}"
        except: [{k: 2, faults: 2, remark: ~}]
      - label: "{k}-ary {n}-tree: not more with two faults than with one"
        kind: claim
        show: difference
        of: "{k}-2"
        against: "{k}-1"
        holds: "0..0"
        skip: [yes, no]
$1
YAML
}
refused() { grid "$1"; holdfast study list grid.yaml 2>&1 >/dev/null; echo "status $?"; }
grid ""
holdfast study list grid.yaml 2>&1
holdfast study run grid.yaml --store none --quiet 2>&1
holdfast study list grid.yaml --json 2>&1
echo "status $?"
refused '  - {label: "{g}", grid: {faults: [1, 2]}}'
refused '  - {label: "{faults}", grid: {faults: [1, 2]}, published: [1%, 2%, 3%]}'
refused '  - {label: "all", grid: {faults: [1, 2]}}'
refused '  - {label: "{faults}", grid: {faults: 2..1}}'
refused '  - {label: "{faults}", grid: {faults: [1, 2]}, except: [{faults: 3, remark: none}]}'
refused '  - {label: {faults}, grid: {faults: [1, 2]}}'
refused '  - {label: "f={faults}", faults: "{faults}", grid: {faults: [1, x]}, ask: tolerance, column: not_tolerated, topology: "ring:n=4", routing: dor, universe: links}'
