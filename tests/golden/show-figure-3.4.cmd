holdfast show --topology kary-tree:k=2,n=4 --routing interval --registers --limit 0
