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
