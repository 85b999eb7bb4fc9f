for criterion in all-pairs connected surviving; do
    holdfast tolerance --topology kary-tree:k=3,n=2 --routing updown --faults 0..4 --criterion $criterion --store none
done
