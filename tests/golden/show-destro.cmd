# [gomez2010, figure 4.10]: FIR registers of DESTRO in the 2-ary 3-tree, of one switch a stage
holdfast show --topology kary-tree:k=2,n=3 --routing destro --registers --switch 0
holdfast show --topology kary-tree:k=2,n=3 --routing destro --registers --switch 5
holdfast show --topology kary-tree:k=2,n=3 --routing destro --registers --switch 11
# digits of two bits; a switch of arity 3 has no such registers
holdfast show --topology kary-tree:k=4,n=2 --routing destro --registers --switch 3
holdfast show --topology kary-tree:k=3,n=2 --routing destro --registers
holdfast show --topology ruft:k=2,n=3 --routing ruft --faults 's5:2>'
