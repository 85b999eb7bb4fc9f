holdfast list traffic
holdfast describe hot-spot
holdfast load --topology kary-tree:k=4,n=2 --routing updown --traffic uniform
holdfast load --topology kary-tree:k=4,n=2 --routing updown --traffic complement --split first
holdfast load --topology torus:dims=4x4 --routing dor --traffic hot-spot:percent=20,node=5
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic digit-reversal --failed 's0:2>s2:0' --json
printf '0 1 # comment\n3 3\n\n2 1\n' >wrong.txt
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic permutation:wrong.txt 2>&1
printf '0 1\n3 0\n' >right.txt
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic permutation:right.txt
printf '0 1 0 3\n0 0 0 0\n0 0 0 0\n0 0 2\n' >matrix.txt
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic matrix:matrix.txt 2>&1
holdfast load --topology kary-tree:k=4,n=2 --routing destro --traffic uniform --worst-case --best | sed -n 3,10p
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic shuffle --format csv --table histogram
holdfast load --topology kary-tree:k=4,n=2 --routing destro --traffic digit-reversal --worst-case --json | sed -n '1,/histogram/p'
holdfast load --topology kary-tree:k=4,n=2 --routing updown --traffic uniform --split optimal --worst-case 2>&1
holdfast load --topology kary-tree:k=2,n=3 --routing updown --traffic uniform --faults 0..2
holdfast load --topology mesh:dims=3x3 --routing dor --traffic uniform --faults 0..2 --universe links --threads 1
holdfast load --topology mesh:dims=3x3 --routing dor --traffic uniform --faults 2 --universe links --method sampled --samples 20 --json
load_twice() { # the second run takes all from the store; parts do too
    holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic uniform --faults 0%..50%/25% --store "$store" "$@"
}
store=$(mktemp -d)/s.sqlite
load_twice >/dev/null && load_twice && load_twice --part 2/2
holdfast store list --store "$store" | sed 's/  [^ ]*$//'
rm -r "$(dirname "$store")"
holdfast load --topology mesh:dims=3x3 --routing dor --traffic uniform --faults 2 --best 2>&1
holdfast load --topology mesh:dims=3x3 --routing minimal --traffic transpose --split optimal | sed -n 3,5p
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic tornadoe 2>&1
holdfast load --topology kary-tree:k=2,n=2 --routing updown --traffic uniform --split evenly 2>&1
holdfast load --topology kary-tree:k=2,n=2 --routing updown 2>&1
holdfast load --topology mesh:dims=3x3 --routing updown-graph --universe links --faults 0..2 --quiet --store none --largest-set \
    --columns f,sets,max_load_largest,max_load_witness,lost_witness
holdfast load --topology mesh:dims=3x3 --routing updown-graph --universe links --failed s0:0-s1:1,s3:0-s4:1 --columns max_load
holdfast load --topology mesh:dims=3x3 --routing updown-graph --largest-set 2>&1
true
