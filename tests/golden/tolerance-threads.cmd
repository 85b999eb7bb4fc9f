for threads in 1 2 7; do
    holdfast tolerance --topology kary-tree:k=2,n=4 --routing ft2ei:intervals=1 --faults 0..3 --store none --json --threads $threads >out.$threads
done
cmp out.1 out.2 && cmp out.1 out.7 && echo same bytes
