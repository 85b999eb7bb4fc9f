for universe in links switches terminal-links links+switches channels:stage=1; do
    holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --universe $universe --faults 0..2 --store none
done
holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --universe switches --only stage=2 --faults 0..4 --store none
holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --universe switches --only stage=2 --faults 4 --store none
holdfast tolerance --topology ring:n=6 --routing minimal --universe links+switches --faults 4 --store none
holdfast tolerance --topology torus:dims=3x3 --routing minimal --universe switches --faults 0..1 --store none --quiet
