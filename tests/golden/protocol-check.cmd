ask() {
    echo "\$ holdfast protocol check $*"
    holdfast protocol check "$@" 2>&1
    echo "status $?"
}
ask
ask --ids 1
ask --secondary-ids --no-loss
ask --slip 2 --messages 1 --retention 0
ask --slip 2 --messages 1 --retention 1
ask --slip 2 --messages 1
ask --states 100
# delivery is no longer possible
ask --once msg
ask --once ack --receive-table 1
ask --once conf --messages 3
ask --retention forever --receive-table 1
ask --retention forever --receive-table 1 --json | sed '/"version"/d;/"commit"/d;/"compiler"/d;/"simd"/d'
ask --retention forever --receive-table 1 --states 150
ask --once ack
ask --once msg,
ask --retention ever
ask --retention 101
ask --ids 1 --json | sed '/"version"/d;/"commit"/d;/"compiler"/d;/"simd"/d'
ask --capacity 5
ask --send-table 5
ask --ids 101
ask --slip 101
ask --reduction none
ask --no-duplication
ask --no-loss --no-duplication --json | sed '/"version"/d;/"commit"/d;/"compiler"/d;/"simd"/d'
ask --ids 1 --states 40
ask --reduction some
holdfast check-protocol
echo "status $?"
holdfast check-protocol run 2>&1
echo "status $?"
holdfast check-protocol --benchmark add 2>&1
echo "status $?"
holdfast protocol prove 2>&1
echo "status $?"
