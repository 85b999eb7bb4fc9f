cd "$(mktemp -d)"
holdfast new-rule mine
echo "status $?"
holdfast new-rule mine 2>&1
echo "status $?"
holdfast new-rule ../mine 2>&1
echo "status $?"
head -n 4 mine.lua
holdfast tolerance --topology mesh:dims=3x3 --routing lua:mine.lua --faults 0 --store none | tail -n 1
echo 'function route(net, at) return { at.x } end' > wrong.lua
holdfast tolerance --topology mesh:dims=2 --routing lua:wrong.lua --faults 0 --store none 2>&1
echo "status $?"
rm -r "$PWD"
