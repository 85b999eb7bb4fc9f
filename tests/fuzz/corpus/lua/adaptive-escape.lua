-- Fully adaptive routing on a mesh with an escape (Duato, 1993): on VC 1 every hop that brings the packet nearer, and always
-- also XY on VC 0. A packet may go back from VC 0 to VC 1.
--
--     holdfast verify --topology mesh:dims=4x4 --routing lua:studies/examples/adaptive-escape.lua
--
-- The channel dependencies have cycles, among those on VC 1, and yet no deadlock can form: from every state a packet may enter
-- VC 0, whose own dependencies, taken through VC 1 as well, have none. `escape = true` marks these hops. The rule
-- passes by failed links where it can: under faults it is adaptive around them, but promises nothing.

name = "adaptive with escape"
vcs = 2

function accepts(net)
  return net:family() == "mesh", "it needs a mesh"
end

-- The switch one step nearer along coordinate i, nil if there is nothing to go.
local function nearer(net, at, goal, i)
  local here, there = net:coord(at, i), net:coord(goal, i)
  if here == there then return nil end
  local c = net:coord(at)
  c[i] = here < there and here + 1 or here - 1
  return net:switch_at(table.unpack(c))
end

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  if at == goal then return nil end
  local hops, has_escape = {}, false
  for i = net.n_coord, 1, -1 do -- x is the last coordinate
    local next_switch = nearer(net, at, goal, i)
    if next_switch then
      local channel = net:channel_to(at, next_switch)
      if not has_escape then
        hops[#hops + 1] = { channel = channel, vc = 0, escape = true }
        has_escape = true
      end
      if not net:failed(channel) then
        hops[#hops + 1] = { channel = channel, vc = 1 }
      end
    end
  end
  return hops
end
