holdfast weakest --topology kary-tree:k=4,n=3 --routing updown --universe links
holdfast weakest --topology torus:dims=8x8 --routing minimal --universe links --json
holdfast weakest --topology mesh:dims=3x3 --routing minimal --universe links --criterion surviving
holdfast weakest --topology torus:dims=6x6 --routing dor --universe links
holdfast weakest --topology torus:dims=6x6 --routing immunet --universe channels --sets-most 100
holdfast weakest --topology maximal-fanout:radix=2,stages=3 --routing multipath:live=multi-hop --universe switches
holdfast weakest --topology ring:n=3 --routing minimal --universe links --format certificate
holdfast weakest --topology mesh:dims=2x2 --routing minimal --universe links --criterion all-pairs:live=5 2>&1
holdfast weakest --topology mesh:dims=2x2 --routing minimal --universe links --sets-most 0 2>&1
holdfast weakest --topology kary-tree:k=2,n=3 --routing updown --universe links --harm 2
holdfast weakest --topology torus:dims=4x4 --routing dor --universe links --harm 5 --by lost-paths --json
holdfast weakest --topology multibutterfly:radix=2,stages=7 --routing multipath:live=io-isolation --universe switches --sets-most 1
holdfast weakest --topology ring:n=4 --routing minimal --universe links --harm 5 2>&1
holdfast weakest --topology ring:n=4 --routing minimal --universe links --by victims 2>&1
true
