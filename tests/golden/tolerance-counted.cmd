# Every number of faults at once, without looking at a set; what cannot be counted is refused.
holdfast tolerance --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..10,64,128 --method counted --store none
holdfast tolerance --topology torus:dims=4x4 --routing minimal --criterion connected --universe links --faults 4..6 --method counted --store none --format json
holdfast tolerance --topology torus:dims=5x5 --routing minimal --criterion connected --universe links --faults 4,20 --method counted --memory 0.0004 --store none
say() { holdfast tolerance "$@" --method counted --store none 2>&1; echo "exit $?"; }
say --topology torus:dims=4x4 --routing dor --universe links --faults 1
say --topology torus:dims=4x4 --routing dor --criterion connected --universe channels --faults 1
say --topology torus:dims=4x4 --routing dor --criterion connected --universe links --faults 33
say --topology torus:dims=4x4 --routing dor --criterion connected --universe links --faults 1 --part 1/2
