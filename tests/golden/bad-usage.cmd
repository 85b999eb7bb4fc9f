say() { echo "\$ holdfast $*"; holdfast "$@" 2>&1; echo "status $?"; }
say tolerence
say tolerance --fault 3
say tolerance
say tolerance --topology kary-tree:k=2,n=3 --routing updown
say tolerance --topology
say tolerance extra
say list routing
say describe updwon
say describe
say show --faults s1
say store
say store lst
say study
say study rn
say completion tcsh
say topology kary-tree:k=2,n=2 --dot --svg
say list -x
say list -o x
say tolerance --topology torus:4x4 --routing dor --faults 1
say tolerance --topology torus:dims=4,4 --routing dor --faults 1
say tolerance --topology net.graphml --routing dor --faults 1
say verify --topology torus:dims=4x4 --routing rules/mine.lua
# -o is --output or --output-dir; what is drawn may go to the next word where the network is named
say tolerance --topology kary-tree:k=2,n=2 --routing updown --faults 1 --quiet -o x.csv
say topology --svg x.svg --topology mesh:dims=2x2
# options that would mean nothing are refused, not passed over
say verify --topology mesh:dims=3x3 --routing dor --only dimension=0
say verify --topology mesh:dims=3x3 --routing dor --universe links
say load --topology mesh:dims=3x3 --routing dor --traffic uniform --method sampled
say load --topology mesh:dims=3x3 --routing dor --traffic uniform --seed 3
say bounds --topology torus:dims=4x4 --orders 10 --routing immunet
say cost --topology kary-tree:k=4,n=2 --split first
say topology mesh:dims=3x3 --coordinates --dot
say show --topology mesh:dims=3x3 --switch 3
say study list gomez2010-table-3.9
say study list --format csv
say study list --digits 3
# help in any order, nothing behind the version; a default of the traffic is traffic enough
say --help ring
holdfast --help tolerance | head -n 1
say --version now
say load --topology ring:n=4 --routing minimal --split best
say cost --topology ring:n=4 --routing minimal --split even
