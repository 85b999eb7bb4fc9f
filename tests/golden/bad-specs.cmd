say() { echo "\$ holdfast tolerance $*"; holdfast tolerance "$@" 2>&1; echo "status $?"; }
tree="--topology kary-tree:k=2,n=3"
say --topology kary-tree:k=1,n=3 --routing updown --faults 1
say --topology kary-tree:k=2 --routing updown --faults 1
say --topology kary-tree:k=2,n=3,k=4 --routing updown --faults 1
say --topology kary-tree:k=x,n=3 --routing updown --faults 1
say --topology kary-tree:k=2,m=3 --routing updown --faults 1
say --topology kary-tree:k=64,n=8 --routing updown --faults 1
say --topology karytree:k=2,n=3 --routing updown --faults 1
say $tree --routing updwn --faults 1
say $tree --routing ft2ei:intervals=0 --faults 1
say $tree --routing ft2ei:propagate=maybe --faults 1
say $tree --routing interval:x=1 --faults 1
say $tree --routing updown --universe chanels --faults 1
say $tree --routing updown --universe links+links --faults 1
say $tree --routing updown --universe links:stge=1 --faults 1
say $tree --routing updown --only stage=7 --faults 1
say $tree --routing updown --criterion all --faults 1
say $tree --routing updown --faults 33
say $tree --routing updown --faults 4..1
say $tree --routing updown --faults 1,,2
say $tree --routing updown --faults 1 --method guess
say $tree --routing updown --faults 1 --method sampled --samples 0
say $tree --routing updown --faults 1 --method exhaustive --samples 5
say $tree --routing updown --faults 1 --threads 0
say $tree --routing updown --faults 1 --part 0/3
say $tree --routing updown --faults 1 --part 4/3
say --topology kary-tree:k=8,n=3 --routing updown --faults 100 --method exhaustive
ls
