# What a question would take: numbers of sets and orbits are the same everywhere, times are not.
plan() { holdfast plan "$@" --seconds 1 2>&1; echo "status $?"; }
plan tolerance --topology kary-tree:k=4,n=3 --routing ft2ei --universe links --faults 0..2,5 --format csv --columns f,method,what,left
plan tolerance --topology kary-tree:k=4,n=3 --routing ft2ei:intervals=unlimited --universe links --faults 6 --criterion surviving --verdicts --method sampled --format csv --columns f,method,what,left
plan tolerance --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..128 --format csv --columns f,method,what
plan tolerance --topology kary-tree:k=4,n=3 --routing ft2ei:intervals=unlimited --universe links --faults 4 --method orbits --format csv --columns f,method,what,left
plan verify --topology torus:dims=4x4 --routing immunet --switching vct --flow bubble --universe links --faults 2 --part 1/4 --nodes 3 --format csv --columns f,method,what,left
plan verify --topology torus:dims=4x4 --routing dor
plan cost --topology torus:dims=4x4
plan tolerances
plan
plan tolerance --topology torus:dims=4x4 --routing dor --faults 99
plan tolerance --help | head -3
