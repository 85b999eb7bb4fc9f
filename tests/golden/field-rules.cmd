# rules that commit packets to a hop, and how queues decide
for rule in ugal:via=switches,order=classes par:via=switches,vcs=6; do
    echo "\$ holdfast verify --routing $rule"
    holdfast verify --topology dragonfly:p=1,a=4,h=1 --routing $rule --certificate $rule.json --store none --quiet
    holdfast-check $rule.json
done
holdfast verify --topology kary-tree:k=2,n=3 --routing ecmp --faults 2 --witness --universe links --store none --quiet
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ecmp:tables=local --faults 1 --universe links --store none --quiet
for rule in dragonfly-min "ugal --selection ugal"; do
    holdfast simulate --topology dragonfly:p=2,a=4,h=2 --routing $rule --traffic tornado --load 0.2 --batches 4 --window 250 --warm-up 8 --quiet
done
holdfast simulate --topology mesh:dims=3x3 --routing minimal --selection ugal --traffic uniform --load 0.1 --quiet 2>&1 || true
