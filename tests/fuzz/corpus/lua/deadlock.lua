-- A rule that deadlocks: every hop of a mesh that brings the packet nearer, on one virtual channel.
--
--     holdfast verify --topology mesh:dims=3x3 --routing lua:studies/examples/deadlock.lua
--
-- Four packets that all turn left around a square of switches can each hold one channel and wait for the next one's. It works for
-- any network, not for meshes alone, as it asks for distances instead of coordinates.

name = "every minimal hop"

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  local hops = {}
  if at == goal then return nil end
  local left = net:distance(at, goal)
  for _, channel in ipairs(net:channels(at)) do
    if net:distance(net:to(channel), goal) == left - 1 then
      hops[#hops + 1] = channel -- short for { channel = channel, vc = 0 }
    end
  end
  return hops
end
