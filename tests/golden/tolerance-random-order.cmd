holdfast tolerance --topology kary-tree:k=4,n=2 --routing ft2ei:intervals=1 --universe links --faults 5 --order random --seed 3 --store none
