cat >boards.txt <<'GROUPS'
# two boards of leaf up links and a top switch
left: s0:2-s4:0 s0:3-s5:0
right: s3:2-s6:1 s3:3-s7:1
top: s8
GROUPS
holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --universe groups:boards.txt --faults 0..3 --store none
holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --universe groups:boards.txt+switches:stage=1 --faults 2 --store none
