holdfast cost --topology kary-tree:k=4,n=2
holdfast cost --topology kary-tree:k=2,n=7 --cable worst
holdfast cost --topology ruft:k=8,n=3 --json
holdfast cost --topology kary-tree:k=4,n=2 --routing updown --traffic complement --split first
holdfast cost --topology kary-tree:k=32,n=2 --routing ft2ei:intervals=2 --whole-registers --throughput 0.5
holdfast cost --topology torus:dims=4x4 --routing dor --reference kary-tree:k=4,n=2 --traffic uniform
printf '* c_b 2\nadaptive c_sf 0.5 # half\n' >right.txt
holdfast cost --topology kary-tree:k=4,n=2 --parameters right.txt
printf '* c_b 2\nadaptive c_sff 0.5\n' >wrong.txt
holdfast cost --topology kary-tree:k=4,n=2 --parameters wrong.txt 2>&1
holdfast cost --topology torus:dims=4x4 --routing dor 2>&1
holdfast cost --topology kary-tree:k=4,n=2 --cable best 2>&1
holdfast cost --topology kary-tree:k=4,n=2 --throughput 0 2>&1
printf '{"schema":1,"command":"simulate","spec":{"topology":"kary-tree:k=2,n=2","routing":"updown"},"rows":[%s]}' \
    '{"accepted":0.2},{"accepted":0.5,"accepted_half":0.01}' >sim.json
holdfast cost --topology kary-tree:k=2,n=2 --routing updown --results sim.json
holdfast cost --topology kary-tree:k=2,n=2 --routing updown --results sim.json --json | grep -E 'throughput|results'
holdfast cost --topology kary-tree:k=2,n=2 --routing destro --results sim.json 2>&1
holdfast cost --topology kary-tree:k=2,n=2 --results sim.json 2>&1
holdfast cost --topology kary-tree:k=2,n=2 --routing updown --results sim.json --throughput 0.5 2>&1
holdfast cost --topology kary-tree:k=2,n=2 --routing updown --results wrong.txt 2>&1
true
