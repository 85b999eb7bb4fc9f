holdfast paths --topology kary-tree:k=2,n=3 --routing updown
holdfast paths --topology kary-tree:k=2,n=3 --routing updown --failed 's0:2>s4:0' --format csv --columns failed,paths,paths_without_faults,lost,lost_percent
holdfast paths --topology mesh:dims=3x3 --routing dor --failed s4 --json | grep -E '"(paths|lost)'
holdfast paths --topology mesh:dims=3x3 --routing dor --failed s9 2>&1
true
