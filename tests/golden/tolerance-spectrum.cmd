# Random orders of failure: every number of faults from each; sizes with few sets are exact.
holdfast tolerance --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..8,12..40/4,126..128 --orders 2000 --store none
holdfast tolerance --topology torus:dims=4x4 --routing minimal --criterion switches-connected --universe switches --faults 4,8 --orders 300 --store none --format json
say() { holdfast tolerance "$@" --store none 2>&1; echo "exit $?"; }
say --topology torus:dims=4x4 --routing immunet --universe links --faults 1 --method spectrum
say --topology torus:dims=4x4 --routing immunet --universe links --faults 5,9 --orders 50 --order random --format csv
say --topology torus:dims=4x4 --routing minimal --universe links --faults 33 --orders 9
say --topology torus:dims=4x4 --routing minimal --universe links --faults 3 --orders 9 --method sampled
say --topology torus:dims=4x4 --routing minimal --universe links --faults 3..5 --orders 90 --require-tolerated
holdfast tolerance --topology torus:dims=4x4 --routing minimal --universe links --faults 0..32 --orders 500 --store none --svg plot.svg > /dev/null
grep -c '<line\|<polyline\|<path' plot.svg
