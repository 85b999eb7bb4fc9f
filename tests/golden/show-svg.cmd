holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei --faults 's4:1>,s0:3-s5:0,s11' --svg out.svg --limit 3
echo "status $?"
grep -o 'class="[a-z -]*"' out.svg | sort | uniq -c
grep 'class="note"' out.svg | sed 's/.*>\(\[.*\)<.text>/\1/'
holdfast show --topology torus:dims=3x3 --routing immunet --faults 's1:2,s8' --svg ring.svg
echo "status $?"
grep -o 'class="[a-z -]*"' ring.svg | sort | uniq -c
grep -o 'hop [0-9]* of the ring: [^<]*' ring.svg | sort -n -k 2
