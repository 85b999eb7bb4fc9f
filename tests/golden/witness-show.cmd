holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2..3 --store none --witness
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2 --store none --witness=witness.txt >/dev/null
cat witness.txt
holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults @witness.txt --svg witness.svg
echo "status $?"
grep -c '<svg' witness.svg
# with --output the table stands before the command, as on the screen
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2 --store none --quiet --witness --output both
cat both
# A rule that looks at no fault has no victims: their columns stay out for people, with the witness too, unless they are named.
holdfast tolerance --topology mesh:dims=3x3 --routing dor --faults 1 --witness --quiet --store none
holdfast tolerance --topology mesh:dims=3x3 --routing dor --faults 1 --columns f,victims_max --quiet --store none
