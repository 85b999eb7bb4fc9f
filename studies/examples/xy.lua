-- XY, dimension-order routing on a mesh of any number of dimensions: correct x first, then y, and so on. It is `dor`.
--
--     holdfast show --topology mesh:dims=4x4 --routing lua:studies/examples/xy.lua
--     holdfast verify --topology mesh:dims=4x4 --routing lua:studies/examples/xy.lua
--
-- Coordinates come as `holdfast topology --coordinates` lists them, x last: y and x, or z, y and x.
--
-- Deadlock-free: a packet that has left a dimension never comes back to it, so its channels can be numbered by dimension and,
-- within one, in the direction of travel.

name = "XY"

-- Called once when the rule is opened: true, or false and the reason.
function accepts(net)
  return net:family() == "mesh", "it needs a mesh"
end

-- The neighbour of a switch one step along coordinate i.
local function step(net, at, i, by)
  local c = net:coord(at)
  c[i] = c[i] + by
  return net:switch_at(table.unpack(c))
end

-- Called at a switch, for a packet that came in on a channel and a virtual channel. The destination is a terminal.
function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  for i = net.n_coord, 1, -1 do -- x is the last coordinate
    local here, there = net:coord(at, i), net:coord(goal, i)
    if here ~= there then
      local next_switch = step(net, at, i, here < there and 1 or -1)
      return { { channel = net:channel_to(at, next_switch), vc = 0 } }
    end
  end
  return nil -- the packet is at the switch of its destination: holdfast delivers it
end
