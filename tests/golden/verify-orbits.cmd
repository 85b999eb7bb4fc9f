# One decision for all fault sets that symmetries make alike.
ask() { holdfast verify --quiet --store none --method orbits "$@" 2>&1; echo "status $?"; }
ask --topology torus:dims=4x4 --routing immunet --switching vct --flow bubble --universe links --faults 0..3
ask --topology torus:dims=3x3 --routing minimal --universe links --faults 1,2
ask --topology torus:dims=4x4 --routing immunet --universe links --faults 1
ask --topology torus:dims=4x4 --routing dor --universe links --faults 1
ask --topology torus:dims=4x4 --routing minimal --universe links --faults 1 --timing lockstep
ask --topology torus:dims=4x4 --routing minimal --universe links --faults 2 --part 1/2
