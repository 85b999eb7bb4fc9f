for spec in kary-tree:k=2,n=3 kary-tree:k=3,n=2 kary-tree:k=4,n=3 kary-tree:k=5,n=1; do
    holdfast topology $spec
done
holdfast topology kary-tree:k=2,n=2 --coordinates
holdfast topology kary-tree:k=2,n=3 --json
printf '0 1\n2 3\n3 4\n' >parts.edges
holdfast topology file:parts.edges
holdfast topology file:parts.edges --json
