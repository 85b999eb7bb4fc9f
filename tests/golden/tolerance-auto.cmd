# Told no method, it takes one and says why; all sets that are few need no word.
ask() { holdfast tolerance --store none "$@" 2>&1; echo "status $?"; }
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 2..4
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..128 | tail -8
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 9 --criterion surviving --samples 200
ask --topology kary-tree:k=4,n=3 --routing ft2ei:intervals=unlimited --universe links --criterion surviving --faults 6 --verdicts
ask --topology kary-tree:k=4,n=3 --routing updown --universe channels --faults 1,6,20,30 --seed 7 --verdicts
ask --topology torus:dims=8x8 --routing minimal --criterion surviving --universe links --faults 8 --verdicts
ask --topology torus:dims=16x16 --routing dor --universe links --faults 6 --part 1/2 --format csv --columns f,sets,method
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 5 --format csv --columns f,not_tolerated,found_by,method
ask --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 7,129
