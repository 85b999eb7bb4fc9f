holdfast topology kary-tree:k=2,n=2 --dot
holdfast topology kary-tree:k=2,n=2 --graphml
holdfast topology kary-tree:k=2,n=2 --svg
