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
    cells:
      - label: "{k}-ary {n}-tree, f={f}"
        id: "{k}-{f}"
        grid: {f: 1..2}
        f: "{f}"
        published: [[0%, ~], [0%, 0%]]
        remark: "{classes}"
        except: [{k: 2, f: 2, remark: ~}]
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
refused '  - {label: "{g}", grid: {f: [1, 2]}}'
refused '  - {label: "{f}", grid: {f: [1, 2]}, published: [1%, 2%, 3%]}'
refused '  - {label: "all", grid: {f: [1, 2]}}'
refused '  - {label: "{f}", grid: {f: 2..1}}'
refused '  - {label: "{f}", grid: {f: [1, 2]}, except: [{f: 3, remark: none}]}'
refused '  - {label: {f}, grid: {f: [1, 2]}}'
refused '  - {label: "f={f}", f: "{f}", grid: {f: [1, x]}, topology: "ring:n=4", routing: dor, universe: links}'
