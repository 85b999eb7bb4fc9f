for part in 1/3 2/3 3/3; do
    holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 4 --part $part --quiet | tail -n 1
done
echo "whole, from the parts in the store:"
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 4 --json >parts
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 4 --json --store none >whole
cmp parts whole && echo same bytes
