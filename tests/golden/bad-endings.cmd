# a name that says another form than what is written
say() {
    holdfast "$@" 2>&1 | head -n 1
}
say simulate --topology mesh:dims=2x2 --routing dor --load 0.1 --svg x.png
say simulate --topology mesh:dims=2x2 --routing dor --load 0.1 --csv --output x.json
say simulate --topology mesh:dims=2x2 --routing dor --load 0.1 --certificate x.CSV
say verify --topology mesh:dims=2x2 --routing dor --svg=x.dot
say show --topology mesh:dims=2x2 --svg folder.svg/x.pdf
say topology mesh:dims=2x2 --dot --output x.graphml
say topology mesh:dims=2x2 --output x.svg
say topology mesh:dims=2x2 --hpcc --output x.svg
say topology mesh:dims=2x2 --node-link --output x.svg
say bound --topology kary-tree:k=2,n=2 --routing updown --certificate x.svg
say reliability --topology mesh:dims=2x2 --routing updown-graph --csv x.svg
say explore x.yaml --csv x.json
say store export --output x.json
ls
# these fit
holdfast topology mesh:dims=2x2 --dot --output x.gv
holdfast topology mesh:dims=2x2 --graphml --output x.xml
holdfast topology mesh:dims=2x2 --svg --output x.1.SVG
holdfast topology mesh:dims=2x2 --json --output x.out
holdfast topology mesh:dims=2x2 --output text.v1
ls
