ask() {
    echo "\$ holdfast verify $*"
    holdfast verify "$@" --quiet --store none
    echo "status $?"
}
cat >oblivious-cycle.anynet <<'E'
router 0 router 1 router 3 router 5
router 1 router 2 router 4
router 2 router 3 router 5
router 3 node 1 router 4
router 4 router 5
router 5 node 0
E
cat >oblivious-cycle.lua <<'E'
function route(net, at, in_channel, in_vc, destination)
  if at == net:switch_of(destination) then return nil end
  if net:from(in_channel) == nil then return { net:channel_to(at, 0) } end
  if at == 0 then return { net:channel_to(0, 1) } end
  if at == 1 then return { net:channel_to(1, destination == 0 and 2 or 4) } end
  return { net:channel_to(at, at == 5 and 2 or at + 1) }
end
E
ask --topology file:oblivious-cycle.anynet --routing lua:oblivious-cycle.lua
ask --topology file:oblivious-cycle.anynet --routing lua:oblivious-cycle.lua --timing lockstep --certificate 1.json
ask --topology torus:dims=8x8 --routing dor --timing lockstep --certificate 2.json
ask --topology mesh:dims=3x3 --routing dor --timing lockstep
ask --topology ring:n=4 --routing dor:ties=plus --timing lockstep --faults 0..1
ask --topology ring:n=4 --routing minimal --timing lockstep
ask --topology torus:dims=4x4 --routing valiant:inner=dor --timing lockstep
ask --topology ring:n=4 --routing dor --timing lockstep --switching saf
ask --topology ring:n=4 --routing dor --timing late
holdfast-check 1.json 2.json
holdfast verify --topology file:oblivious-cycle.anynet --routing lua:oblivious-cycle.lua --json --store none |
    python3 -c 'import json, sys; row = json.load(sys.stdin); print(row["spec"]["timing"], row["rows"][0]["lockstep"])'
