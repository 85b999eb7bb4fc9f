holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --faults 0..2 --store none --require-tolerated
