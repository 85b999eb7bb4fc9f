holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2..3 --store none --witness
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2 --store none --witness=witness.txt >/dev/null
cat witness.txt
holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults @witness.txt --svg witness.svg
echo "status $?"
grep -c '<svg' witness.svg
# with --output the table stands before the command, as on the screen
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 2 --store none --quiet --witness --output both
cat both
