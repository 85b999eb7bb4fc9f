say() {
    holdfast "$@" 2>&1
    echo "exit $?"
}
say verify --topology torus:dims=4x4 --routing solid-fault:repair=completed
say verify --topology complete:n=4 --routing solid-fault-adaptive
say verify --topology hyperx:dims=3x3 --routing block-fault
say verify --topology mesh:dims=8 --routing solid-fault
say verify --topology mesh:dims=5x5 --routing solid-fault:rule4=clockwise
say verify --topology mesh:dims=5x5 --routing solid-fault:orientation=clockwise
say show --topology torus:dims=4x4x4 --routing solid-fault:repair=appendix-a --faults s21
# a network in two parts
printf 'a b\nc d\n' >parts.edges
say verify --topology file:parts.edges --routing solid-fault
say tolerance --topology file:parts.edges --routing immunet --universe links --faults 1 --store none
say bounds --topology file:parts.edges --routing immunet
# faults that leave parts
say show --topology mesh:dims=3x3 --routing solid-fault --faults s1,s3,s4,s5,s7
say show --topology mesh:dims=4x4 --routing immunet --faults s0:0-s1:1,s0:2-s4:3
true
