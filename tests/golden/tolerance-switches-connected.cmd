holdfast tolerance --topology torus:dims=8x8 --routing immunet --universe links --faults 0..5 --criterion switches-connected --store none
holdfast tolerance --topology torus:dims=8x8 --routing immunet --universe switches --faults 4 --criterion switches-connected --store none
holdfast tolerance --topology mesh:dims=3x3 --routing immunet --universe links --faults 2..3 --criterion switches-connected --judge relation --store none
holdfast tolerance --topology mesh:dims=3x3 --routing immunet --universe links --faults 2..3 --criterion switches-connected --store none --json
