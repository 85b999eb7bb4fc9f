# One set for all that symmetries make alike; what goes by more than the network is refused.
holdfast tolerance --topology kary-tree:k=4,n=3 --routing ft2ei:intervals=unlimited --universe links --faults 0..6 --method orbits --store none
holdfast tolerance --topology torus:dims=4x4 --routing dor --criterion connected --universe channels --faults 4 --method orbits --store none --format json
say() { holdfast tolerance "$@" --method orbits --store none 2>&1; echo "exit $?"; }
say --topology kary-tree:k=3,n=2 --routing ft2ei:intervals=1 --universe channels --faults 5
say --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --universe links --faults 4
say --topology torus:dims=4x4 --routing dor --universe links --faults 1
say --topology mesh:dims=2 --routing minimal --universe links --faults 1
say --topology torus:dims=4x4 --routing minimal --universe links --faults 33
say --topology torus:dims=4x4 --routing minimal --universe links --faults 1 --part 1/2
say --topology torus:dims=4x4 --routing minimal --universe links --faults 1 --memory 1
say --topology kary-tree:k=2,n=2 --routing updown --universe links --faults 8 --require-tolerated
