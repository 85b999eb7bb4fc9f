-- Valiant's routing on meshes: over any intermediate switch, x before y both times, a virtual channel for each phase.
-- The header carries which switch it is: tag 1 + switch on the way there, 0 from there on. The built-in rule valiant, for meshes.
--
--     holdfast verify --topology mesh:dims=3x3 --routing lua:studies/examples/valiant.lua

name = "Valiant"
vcs = 2
tags = 65536
depends = { "switch", "tag" }

function accepts(net)
  return net:family() == "mesh" and net.n_coord == 2 and net.n_switch < tags, "it needs a mesh of two dimensions"
end

local function xy(net, at, goal)
  local y, x = net:coord(at, 1), net:coord(at, 2)
  local gy, gx = net:coord(goal, 1), net:coord(goal, 2)
  if x ~= gx then
    return net:channel_to(at, net:switch_at(y, x < gx and x + 1 or x - 1))
  end
  return net:channel_to(at, net:switch_at(y < gy and y + 1 or y - 1, x))
end

-- Every intermediate switch may be chosen.
function inject(net, terminal, destination)
  local hops = {}
  for via = 0, net.n_switch - 1 do
    hops[#hops + 1] = { channel = net:inject(terminal), vc = 0, tag = 1 + via }
  end
  return hops
end

function route(net, at, in_channel, in_vc, destination, tag)
  local goal = net:switch_of(destination)
  if tag ~= 0 and tag - 1 ~= at then
    return { { channel = xy(net, at, tag - 1), vc = 0, tag = tag } }
  end
  if at == goal then
    return nil
  end
  return { { channel = xy(net, at, goal), vc = 1, tag = 0 } }
end
