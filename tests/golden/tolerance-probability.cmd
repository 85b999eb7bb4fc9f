# The unreliability where every component fails with a probability: of a ring of three links it is 3 p^2 (1 - p) + p^3.
ask() { holdfast tolerance --store none "$@" 2>&1; echo "status $?"; }
ask --topology torus:dims=3 --routing minimal --universe links --faults 0..3 --criterion connected --method counted --probability 0.5,0.01,1e-6 --format csv --table unreliability --digits 15
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..128 --probability 0.01,1e-4 --table unreliability
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..4 --probability 0.01,1e-5 --table unreliability
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 3..9 --samples 500 --probability 0.03 --table unreliability
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..30 --orders 500 --probability 0.03 --table unreliability
ask --topology torus:dims=3 --routing minimal --universe links --faults 0..3 --probability 0.1
ask --topology torus:dims=3 --routing minimal --universe links --faults 0..3 --probability 0.1,2
ask --topology torus:dims=3 --routing minimal --universe links --faults 0..3 --probability 0.1 --part 1/2
