# means over fault sets: sets that are drawn, all sets, a set without faults, the peak of several loads, work with an end
run() {
    echo "$ holdfast simulate $*"
    holdfast simulate "$@" 2>&1
    echo "status $?"
}
mesh="--topology mesh:dims=3x3 --routing updown-graph --window 200 --batches 8"
run $mesh --load 0.1,0.3 --faults 0..2 --runs 4
run $mesh --load 0.1 --faults 1 --runs 100 --format csv --columns f,sets,looked_at,exact,accepted,measured_cycles
run $mesh --load 0.1,0.3 --peak --faults 1 --runs 3 --table runs
run $mesh --load 0.1,0.3 --peak
run $mesh --saturation --for-each --table saturation
run $mesh --saturation --for-each --faults 1 --runs 3
run $mesh --barrier=messages=5,tasks=1 --faults 12 --runs 3
run $mesh --load 0.1,0.3 --generate 200 --faults 1 --runs 3 --universe switches --criterion surviving
run $mesh --load 0.1 --faults 0 --format csv --columns f,accepted_steady,before,before_steady,task_steady
# the sets fail while packets flow, at once or one after the other
run $mesh --load 0.1 --faults 2 --runs 3 --fault-cycle 1000 --cycles 4000 --swap-cycles 300
run $mesh --load 0.1 --faults 2 --runs 3 --fault-cycle 1000 --fault-every 500 --cycles 4000 --swap-cycles 300 --format json --table sets | grep -A3 reconfiguration_cycles
# what does not go together
run $mesh --load 0.1 --faults 13
run $mesh --load 0.1 --faults 1 --failed s0
run $mesh --load 0.1 --faults 1 --fault-at 5:s0
run $mesh --sweep --faults 1
run $mesh --load 0.1 --runs 5
run $mesh --load 0.1 --faults 1 --fault-cycle 100
run $mesh --load 0.1 --faults 3 --fault-cycle 100 --fault-every 100 --cycles 300
run $mesh --load 0.1 --for-each
run $mesh --load 0.1 --faults 2..1
run $mesh --load x --faults 1
run $mesh --load 0.1 --faults 1 --fault-cycle 100 --cycles 1000000000000000000
run $mesh --load 0.1 --faults 1 --fault-cycle 100 --cycles 150
run $mesh --load 0.1,0.2 --peak --generate 50
