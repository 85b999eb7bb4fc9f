# ports of the torus: 0 east, 1 west, 2 south, 3 north
# figure 2: the Small Safe table of a torus without faults
holdfast show --topology torus:dims=4x4 --routing immunet --registers --switch 5 | sed -n '/^safe network/,/small/p'
# figure 5: link 4-1 dead; the tree of switch 4 and the Small Safe table of switch 3
holdfast show --topology torus:dims=3x3 --routing immunet:ties=last-port,epl=printed --faults s4:3 --registers | sed -n '/^emergency/,/^ring/p'
holdfast show --topology torus:dims=3x3 --routing immunet:ties=last-port --faults s4:3 --registers --switch 3 | grep small
# figure 6: 4-1 fails, and two hops later 3-4
printf 'first: s4:3\nsecond: s4:1\n' >two
holdfast show --topology torus:dims=3x3 --universe groups:two --routing immunet:epl=printed,gap=2 --faults first,second --registers | sed -n '/^emergency/,/^ring/p'
holdfast show --topology torus:dims=3x3 --universe groups:two --routing immunet:gap=2 --faults first,second --registers | sed -n '/^emergency/,/^ring/p'
# figure 7: whatever the goal, switch 5 enters the ring by port 1
holdfast show --topology torus:dims=3x3 --universe groups:two --routing immunet:epl=printed,gap=2 --faults first,second --registers --switch 5 | sed -n '/^s5/,$p'
# figure 4: a 4x4 torus with 12 dead links
holdfast show --topology torus:dims=4x4 --routing immunet --faults s0:0,s1:0,s2:2,s3:0,s4:2,s5:0,s7:2,s8:0,s9:2,s10:2,s12:0,s14:0 --registers --switch 5 | sed -n '/^ring/,/small/p'
