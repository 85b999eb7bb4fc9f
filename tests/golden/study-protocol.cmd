cat > cells.yaml <<'EOF'
schema: 1
name: cells
title: "Cells"
source: here
cells:
  - {label: "buffered", kind: protocol, program: "add:nodes=64", show: buffered-cycles, published: "290"}
  - {label: "idempotent", kind: protocol, program: "add:nodes=64", show: idempotent-cycles}
  - {label: "slow-down", kind: protocol, program: "add:nodes=64", published: "1.19", id: slow}
  - {label: "sends", kind: protocol, program: "reverse:nodes=64,network=fat-tree", show: sends, over: "constant=1,3,9"}
  - {label: "packets", kind: protocol, program: "reverse:nodes=64,network=fat-tree", show: packets, id: packets}
  - {label: "packets on the perfect network", kind: protocol, program: "reverse:nodes=64,network=fat-tree", show: buffered-packets, id: buffered-packets}
  - {label: "more than tripled", kind: claim, show: ratio, of: packets, against: buffered-packets, holds: "3.."}
  - {label: "damaged", kind: protocol, program: "nbody:nodes=16,network=grid3d,failed-links=5,jitter=7", over: "loss=0,0.1", id: damaged}
  - {label: "twice", kind: protocol, program: "nbody:nodes=16,network=grid3d,failed-links=5,jitter=7,loss=0.1", show: acted-twice, id: twice}
  - {label: "in step", kind: protocol, program: "reverse:nodes=16,network=fat-tree,send-table=2,receive-table=1,cycles=100000"}
  - {label: "violations", kind: protocol, program: "reverse:nodes=64,network=grid3d,loss=0.1", show: violations, over: "ids=0,4"}
  - {label: "violations without ids in the CONF", kind: protocol, program: "reverse:nodes=64,network=grid3d,loss=0.05,secondary-ids=yes", show: violations}
  - {label: "time with something lost", kind: protocol, program: "reverse:nodes=64,network=grid3d,loss=0.1,ids=4"}
  - {label: "linear", kind: protocol, program: "add:nodes=16,backoff=linear", show: idempotent-cycles, over: "constant=1,4,8"}
  - {label: "linear", kind: protocol, program: "reverse:nodes=16,network=fat-tree,backoff=linear", show: idempotent-cycles, over: "constant=1,4,8"}
  - {label: "constant", kind: protocol, program: "add:nodes=16,backoff=constant", show: idempotent-cycles, over: "constant=1,4,8"}
  - {label: "constant", kind: protocol, program: "reverse:nodes=16,network=fat-tree,backoff=constant,cycles=2500", show: idempotent-cycles, over: "constant=1,4,8"}
  - {label: "linear, worst case", kind: protocol, program: "add:backoff=linear", show: worst-over-best, over: "constant=1,4,8,16"}
  - {label: "linear, on average", kind: protocol, program: "add:backoff=linear", show: mean-over-best, over: "constant=1,4,8"}
  - {label: "constant, worst case", kind: protocol, program: "add:backoff=constant", show: worst-over-best, over: "constant=1,4,8"}
  - {label: "best in the worst case", kind: protocol, program: "add:backoff=linear,constant=1", show: least-worst, published: "1.28"}
  - {label: "best on average", kind: protocol, program: "add:backoff=linear,constant=1", show: least-mean}
  - {label: "too many", kind: claim, show: ratio, of: damaged, against: slow, holds: "1.."}
EOF
holdfast study run cells.yaml --store none --quiet 2>&1
echo "status $?"
sed 's/failed-links=5/failed-links=50/' cells.yaml > more.yaml
holdfast study run more.yaml --store none --quiet 2>&1
echo "status $?"
# the criteria of a study are those of `holdfast protocol backoff`; a run with two limits counts once
{
    sed -n 1,4p cells.yaml
    echo 'cells:'
    echo '  - {label: "again", kind: protocol, program: "add:nodes=16", show: idempotent-cycles, over: "constant=1,3"}'
    for program in add reverse quicksort nbody; do
        for backoff in constant linear quadratic exponential; do
            echo "  - {label: \"run\", kind: protocol, program: \"$program:nodes=16,backoff=$backoff,cycles=100000\", show: idempotent-cycles, over: \"constant=1,3\"}"
        done
    done
    for show in worst-over-best mean-over-best; do
        for backoff in constant linear quadratic exponential; do
            echo "  - {label: \"$show, $backoff\", kind: protocol, program: \"add:backoff=$backoff\", show: $show, over: \"constant=1,3\"}"
        done
    done
} >criteria.yaml
holdfast study run criteria.yaml --store none --quiet | grep best | cut -c1-80
holdfast protocol backoff --nodes 16 --network grid2d --constants 1,3 --cycles 100000
# a cell that asks has what the kind has
cat > asked.yaml <<'EOF'
schema: 1
name: asked
title: "Asked"
source: here
cells:
  - {label: "buffered", ask: "protocol benchmark=add nodes=64 network=grid2d", column: buffered_cycles}
  - {label: "slow-down", ask: "protocol benchmark=add nodes=64 network=grid2d", column: slow_down}
  - {label: "sends", ask: "protocol benchmark=reverse nodes=64 constant=9", column: sends, row: "network=fat-tree"}
  - {label: "packets", ask: "protocol benchmark=reverse nodes=64", column: packets, row: "network=fat-tree"}
  - {label: "packets on the perfect network", ask: "protocol benchmark=reverse nodes=64", column: buffered_packets, row: "network=fat-tree"}
  - {label: "violations", ask: "protocol benchmark=reverse nodes=64 network=grid3d loss=0.1 ids=4", column: violations}
  - {label: "time with something lost", ask: "protocol benchmark=reverse nodes=64 network=grid3d loss=0.1 ids=4", column: slow_down}
  - {label: "without sending again", kind: protocol, program: "add:nodes=64,loss=0.1,once=msg", show: sends}
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
