holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei --faults 's4:1>,s0:3-s5:0,s11' --svg out.svg --limit 3
echo "status $?"
grep -o 'class="[a-z -]*"' out.svg | sort | uniq -c
