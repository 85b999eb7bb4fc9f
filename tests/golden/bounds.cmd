holdfast bounds --topology torus:dims=8x8 --routing immunet --universe links --faults 1
holdfast bounds --topology torus:dims=4x4 --routing immunet --faults 2,3 --samples 200 --simulate 2 --packet-cycles 10 --hop-cycles 1 --universe links+switches
holdfast bounds --topology torus:dims=4x4 --orders 2000 --seed 3
holdfast bounds --topology torus:dims=4x4 --orders 2000 --universe switches --json
holdfast bounds --topology ring:n=3 --routing immunet --json
holdfast bounds --topology torus:dims=4x4 --routing dor 2>&1
holdfast bounds --topology torus:dims=4x4 2>&1
holdfast bounds --topology kary-tree:k=2,n=4 --routing ft2ei --only stage=0 --packet-cycles 28
