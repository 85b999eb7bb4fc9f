holdfast tolerance --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..5 --store none --quiet
