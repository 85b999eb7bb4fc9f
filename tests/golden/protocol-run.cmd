ask() {
    echo "\$ holdfast protocol run $*"
    holdfast protocol run "$@" 2>&1
    echo "status $?"
}
ask --benchmark add
ask --nodes 64 --network grid3d --loss 0.05 --jitter 15 --send-table 4 --receive-table 8
ask --benchmark reverse --nodes 64 --network fat-tree --leaf 2 --growth 4 --json | sed '/"version"/d;/"commit"/d;/"compiler"/d;/"simd"/d'
# nodes that collide in step for ever, and the cure
ask --benchmark reverse --nodes 16 --network fat-tree --send-table 2 --receive-table 1 --cycles 1000000
ask --benchmark reverse --nodes 16 --network fat-tree --send-table 2 --receive-table 1 --cycles 1000000 --jitter 1
ask --nodes 64 --failed-links 12 --leaf 4 --loss 0.1
ask --benchmark add --network grid3d --flit 40 --clock 160
ask --benchmark reverse --nodes 64 --network grid2d --request 9 --reply 6
ask --benchmark add --nodes 16 --network grid2d --failed-links 10
ask --benchmark add --network grid2d --nodes 8192 --failed-links 1
ask --flit 4
ask --clock 0
ask --request 33
ask --benchmark sort
ask --network ring
ask --loss 1.5
ask --nodes 24
ask --backoff cubic
holdfast protocol backoff --nodes 16 --network grid2d --constants 1,3 --cycles 100000
echo "status $?"
holdfast protocol backoff --nodes 16 --network grid2d --benchmark add --constants 3 --json | sed '/"version"/d;/"commit"/d;/"compiler"/d;/"simd"/d' | tail -12
holdfast protocol backoff --constants 1,,2 2>&1
echo "status $?"
# a trace file: a program of one's own, and what is not right in it
holdfast protocol trace --benchmark reverse --nodes 16 --output 1.trace
ask --program 1.trace --loss 0.1 --jitter 7
ask --benchmark reverse --nodes 16 --loss 0.1 --jitter 7
holdfast protocol trace --benchmark add --nodes 4 | head -7
printf 'nodes 16\nblock 0 0\nmessage 16 8 0 -\n' >2.trace
ask --program 2.trace
ask --program 3.trace
ask --program 1.trace --nodes 16
printf 'nodes 5\nblock 0 3\nmessage 1 8 0 -\n' >4.trace
ask --program 4.trace
holdfast protocol trace 2>&1
echo "status $?"
# without a safeguard, messages are lost or acted on twice, and the run says so
ask --benchmark reverse --nodes 64 --network grid3d --loss 0.1 --ids 4
ask --benchmark reverse --nodes 64 --network grid3d --loss 0.05 --secondary-ids
ask --benchmark reverse --nodes 64 --network grid3d --loss 0.05 --retention 40
ask --benchmark add --nodes 64 --network grid2d --loss 0.1 --once msg
ask --benchmark reverse --nodes 64 --network grid3d --retention forever --cycles 10000 --json | grep '"retention\|"once\|"complete'
# options that mean nothing to a work
ask --no-loss
ask --slip 2
for work in "check --loss 0.1" "check --benchmark add" "backoff --program 1.trace" "backoff --constant 3" "trace --loss 0.1 --benchmark add" "--nodes 16 --benchmark add --trace 5.trace --format csv" "run --format trace" "trace --json --benchmark add"; do
    holdfast protocol $work 2>&1
    echo "status $?"
done
# any network of the house
ask --benchmark reverse --topology torus:dims=4x4 --routing minimal --perfect-routing dor:vcs=2,dateline=yes
ask --benchmark reverse --topology torus:dims=4x4
ask --benchmark add --topology kary-tree:k=4,n=2 --failed-links 3 --loss 0.1 --jitter 7
ask --benchmark add --topology xgft:h=3,m=1x4x4,w=1x1x1,p=1x2x4 --nodes 8
ask --benchmark add --topology omega:k=2,n=3 --routing minimal --failed-links 1
ask --benchmark add --topology mesh:dims=4x4 --nodes 32
ask --routing minimal
ask --topology mesh:dims=4x4 --network grid2d
ask --topology mesh:dims=4x4 --growth 3
ask --perfect-routing dor
holdfast protocol --topology mesh:dims=4x4 --benchmark add --format trace 2>&1
ask --benchmark add --network grid2d --nodes 16 --backoff table
ask --benchmark add --network grid2d --nodes 16 --backoff table --backoff-table 3,x
ask --benchmark reverse --network grid3d --nodes 64 --hold 8 --piggyback --backoff table --backoff-table 3,12,27,48
