run="holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 5 --judge relation --quiet --json"

kept() {
    holdfast store list --store s.sqlite 2>/dev/null | awk '/ft2ei/ { print $7 }'
}

# Start the run and wait until the store has more of its work than it had.
start() {
    local before
    before=$(kept)
    $run --threads 1 --store s.sqlite >/dev/null 2>said &
    while kill -0 $! 2>/dev/null && [ "$(kept)" = "$before" ]; do
        sleep 0.02
    done
}

# One wish to stop that comes as two signals, as from timeout(1) and batch systems.
start
kill -INT $!
sleep 0.002
kill -INT $! 2>/dev/null
wait $!
echo "status $?"
cat said
holdfast store verify --store s.sqlite

# Killed; bash would say so.
{
    start
    kill -KILL $!
    wait $!
} 2>/dev/null
holdfast store verify --store s.sqlite

$run --store s.sqlite --output resumed.json
$run --store none --output whole.json
cmp resumed.json whole.json && echo same bytes
holdfast store verify --store s.sqlite
