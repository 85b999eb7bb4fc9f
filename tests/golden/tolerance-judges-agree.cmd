for rule in ft2ei:intervals=1 ft2ei:intervals=2,own=yes ft2ei:intervals=unlimited updown; do
    holdfast tolerance --topology kary-tree:k=2,n=3 --routing $rule --faults 0..3 --store none --json >fast
    holdfast tolerance --topology kary-tree:k=2,n=3 --routing $rule --faults 0..3 --store none --json --judge relation >slow
    cmp fast slow && echo "$rule: the judges agree"
done
