holdfast tolerance --topology kary-tree:k=4,n=3 --routing ft2ei:intervals=1 --faults 2,10 --method sampled --samples 20000 --seed 7 --store none
