holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=2 --faults 2,3 --store none --json
