cat > cells.yaml <<'EOF'
schema: 2
name: cells
title: "Cells"
source: here
cells:
  - {label: "buffered", ask: "protocol benchmark=add nodes=64 network=grid2d", column: buffered_cycles, published: "290"}
  - {label: "idempotent", ask: "protocol benchmark=add nodes=64 network=grid2d", column: idempotent_cycles}
  - {label: "slow-down", ask: "protocol benchmark=add nodes=64 network=grid2d", column: slow_down, published: "1.19", id: slow}
  - {label: "sends, constant={c}", ask: "protocol benchmark=reverse nodes=64 network=fat-tree constant={c}", column: sends, grid: {c: [1, 3, 9]}}
  - {label: "packets", ask: "protocol benchmark=reverse nodes=64", column: packets, row: "network=fat-tree", id: packets}
  - {label: "packets on the perfect network", ask: "protocol benchmark=reverse nodes=64", column: buffered_packets, row: "network=fat-tree", id: buffered-packets}
  - {label: "more than tripled", kind: claim, show: ratio, of: packets, against: buffered-packets, holds: "3.."}
  - {label: "damaged, loss={loss}", ask: "protocol benchmark=nbody nodes=16 network=grid3d failed-links=5 jitter=7 loss={loss}", column: slow_down, id: "damaged-{loss}", grid: {loss: [0, 0.1]}}
  - {label: "twice", ask: "protocol benchmark=nbody nodes=16 network=grid3d failed-links=5 jitter=7 loss=0.1", column: acted_on_twice}
  - {label: "in step", ask: "protocol benchmark=reverse nodes=16 network=fat-tree send-table=2 receive-table=1 cycles=100000", column: slow_down}
  - {label: "violations, ids={ids}", ask: "protocol benchmark=reverse nodes=64 network=grid3d loss=0.1 ids={ids}", column: violations, grid: {ids: [0, 4]}}
  - {label: "violations without ids in the CONF", ask: "protocol benchmark=reverse nodes=64 network=grid3d loss=0.05 secondary-ids=yes", column: violations}
  - {label: "time with something lost", ask: "protocol benchmark=reverse nodes=64 network=grid3d loss=0.1 ids=4", column: slow_down}
  - {label: "without sending again", ask: "protocol benchmark=add nodes=64 network=grid2d loss=0.1 once=msg", column: sends}
  - grid: {program: [{program: add, network: grid2d}, {program: reverse, network: fat-tree}], backoff: [linear, constant], c: [1, 4, 8]}
    label: "{program}, {backoff}, constant={c}"
    id: "time-{program}-{backoff}-{c}"
    ask: "protocol benchmark={program} nodes=16 network={network} backoff={backoff} constant={c} cycles=2500"
    column: idempotent_cycles
  - {label: "{program}, best", id: "best-{program}", kind: combine, show: value, of: "time-{program}-*", take: least, grid: {program: [add, reverse]}}
  - grid: {backoff: [linear, constant], c: [1, 4, 8]}
    kind: combine
    show: ratio
    cells:
      - {label: "{backoff}, constant={c}, worst case", id: "worst-{backoff}-{c}", of: "time-*-{backoff}-{c}", against: "best-*", take: most}
      - {label: "{backoff}, constant={c}, on average", id: "mean-{backoff}-{c}", of: "time-*-{backoff}-{c}", against: "best-*", take: mean}
  - {label: "best in the worst case", kind: combine, show: value, of: "worst-*", take: least, published: "1.28"}
  - {label: "best on average", kind: combine, show: value, of: "mean-*", take: least}
  - {label: "all are slow", kind: claim, show: value, of: "time-*-linear-1", take: least, holds: "100.."}
  - {label: "all together", kind: combine, show: value, of: "time-add-*", take: sum}
  - {label: "all are as slow as one", kind: claim, show: gain, of: "time-add-*", against: best-add, take: most, holds: "..1%"}
  - {label: "drawn with seed {seed}", id: "drawn-{seed}", ask: tolerance, column: not_tolerated_percent, topology: "kary-tree:k=2,n=3", routing: updown, universe: links, faults: 4, method: sampled, samples: 400, seed: "{seed}", grid: {seed: [1, 2]}}
  - {label: "all sets", id: all-sets, ask: tolerance, column: not_tolerated_percent, topology: "kary-tree:k=2,n=3", routing: updown, universe: links, faults: 4}
  - {label: "drawn over all, {take}", kind: combine, show: ratio, of: "drawn-*", against: all-sets, take: "{take}", grid: {take: [least, mean]}}
  - {label: "one has no time", kind: claim, show: value, of: "time-*", take: least, holds: "1.."}
  - {label: "by failures", kind: claim, show: ratio, of: damaged-0.1, against: slow, holds: "1.."}
EOF
holdfast study run cells.yaml --store none --quiet 2>&1
echo "status $?"
sed 's/failed-links=5/failed-links=50/' cells.yaml > more.yaml
holdfast study run more.yaml --store none --quiet 2>&1
echo "status $?"
# the criteria of a group are those of `protocol --search`
{
    sed -n 1,4p cells.yaml
    cat << 'EOF'
cells:
  - {label: "{program}, {backoff}, {c}", id: "time-{program}-{backoff}-{c}", column: idempotent_cycles, ask: "protocol benchmark={program} nodes=16 network=grid2d backoff={backoff} constant={c} cycles=100000", grid: {program: [add, reverse, quicksort, nbody], backoff: [constant, linear, quadratic, exponential], c: [1, 3]}}
  - {label: "{program}", id: "best-{program}", kind: combine, show: value, of: "time-{program}-*", take: least, grid: {program: [add, reverse, quicksort, nbody]}}
  - {label: "worst, {backoff}, {c}", kind: combine, show: ratio, of: "time-*-{backoff}-{c}", against: "best-*", take: most, grid: {backoff: [constant, linear, quadratic, exponential], c: [1, 3]}}
  - {label: "mean, {backoff}, {c}", kind: combine, show: ratio, of: "time-*-{backoff}-{c}", against: "best-*", take: mean, grid: {backoff: [constant, linear, quadratic, exponential], c: [1, 3]}}
EOF
} >criteria.yaml
holdfast study run criteria.yaml --store none --quiet | grep -E '^(worst|mean)' | cut -c1-80
holdfast protocol backoff --nodes 16 --network grid2d --constants 1,3 --cycles 100000
# the search as a cell
cat > asked.yaml <<'EOF'
schema: 1
name: asked
title: "Asked"
source: here
cells:
  - {label: "linear, worst case", ask: "protocol search=yes nodes=16 network=grid2d constants=1,3 cycles=100000", column: worst, row: "backoff=linear, constant_cycles=3"}
  - {label: "best in the worst case", ask: "protocol search=yes nodes=16 network=grid2d constants=1,3 cycles=100000", column: worst, row: "least_worst=yes"}
  - {label: "constant on average", ask: "protocol search=yes nodes=16 network=grid2d constants=1,3 cycles=100000", column: mean, row: "backoff=constant, constant_cycles=3"}
  - {label: "states", ask: "check-protocol ids=1", column: states, row: "verdict=lost, message=2"}
EOF
holdfast study run asked.yaml --store none --quiet 2>&1
sed 's/verdict=lost, /verdict=safe, /' asked.yaml >wrong.yaml
holdfast study run wrong.yaml --store none --quiet 2>&1 || echo "status $?"
sed 's/constant_cycles=3/constant=3/' asked.yaml >wrong.yaml
holdfast study run wrong.yaml --store none --quiet 2>&1 || echo "status $?"
