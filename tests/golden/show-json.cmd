holdfast show --topology kary-tree:k=2,n=3 --routing ft2ei --faults 's0:2>,s0:3>' --json
