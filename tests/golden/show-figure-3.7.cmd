# [gomez2010, figure 3.7]: switch 18, link 1 of a 2-ary 4-tree; switches 8, 12, 14 exclude [4..7] on port 3
holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei --faults 's18:1>'
holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei:own=yes --faults 's18:1>'
# [3.2.2]: a second fault at link 1 of switch 22 merges to [4..15]; one at link 1 of switch 16 propagates to stage 0
holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei --faults 's18:1>,s22:1>'
holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei --faults 's18:1>,s16:1>'
