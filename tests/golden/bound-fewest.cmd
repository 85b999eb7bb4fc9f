holdfast bound --fewest --topology maximal-fanout:radix=2,stages=3 --routing multipath:live=multi-hop
holdfast bound --fewest --topology maximal-fanout:radix=2,stages=3 --routing multipath:live=fault-propagation --universe chips --json
holdfast bound --fewest --topology kary-tree:k=2,n=2 --routing updown 2>&1
holdfast bound --fewest --topology multibutterfly:radix=2,stages=7 --routing multipath
holdfast bound --fewest --topology multibutterfly:radix=2,stages=7 --routing multipath --universe chips 2>&1
holdfast bound --fewest --topology multibutterfly --routing multipath --certificate x 2>&1
true
