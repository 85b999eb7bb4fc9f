holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 0..4 --store none
