# What does not fit is refused at once, with the estimate.
say() { echo "\$ holdfast $*"; timeout 60 holdfast "$@" 2>&1 | tail -n 1; }
export HOLDFAST_MEMORY=0.25
say topology torus:dims=4096x4096
say topology torus:dims=1024x1024
say tolerance --topology random-regular:n=16384,degree=4 --routing minimal --faults 0 --store none
say tolerance --topology mesh:dims=128x128 --routing lua:$GOLDEN/../../studies/examples/xy.lua --faults 0 --store none | sed 's|[^ ]*/studies|studies|'
say load --topology mesh:dims=40x40 --routing dor --worst-case --traffic uniform
say verify --topology torus:dims=128x128 --routing dor --layers
say simulate --topology mesh:dims=32x32 --routing dor --load 0.1 --buffer 65536
say bounds --topology torus:dims=128x128 --routing immunet
say tolerance --topology torus:dims=256x256 --routing immunet --faults 1 --store none
export HOLDFAST_MEMORY=64
say verify --topology torus:dims=512x512 --routing dor --layers
export HOLDFAST_HOURS=0.03
say tolerance --topology torus:dims=256x256 --routing dor --faults 0 --store none
