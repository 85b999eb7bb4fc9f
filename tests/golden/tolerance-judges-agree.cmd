for rule in ft2ei:intervals=1 ft2ei:intervals=2,own=yes ft2ei:intervals=unlimited updown; do
    for judge in fast relation; do
        holdfast tolerance --topology kary-tree:k=2,n=3 --routing $rule --faults 0..3 --store none --judge $judge --json --quiet >$judge
    done
    diff fast relation | grep '^[<>]'
    echo "$rule: the judges agree but for their names"
done
