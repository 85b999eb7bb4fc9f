-- West-first, a turn model on a two-dimensional mesh (Glass and Ni, 1992): a packet goes all its hops to the west first; after
-- that it may choose among east, north and south, whichever bring it nearer. West is towards smaller x. It is `west-first`.
--
--     holdfast verify --topology mesh:dims=4x4 --routing lua:studies/examples/west-first.lua
--
-- Deadlock-free without virtual channels: of the eight turns the two into the west are forbidden, and neither of the two
-- cycles of turns can close without one of them. Adaptive where the destination is not to the west.

name = "west-first"

function accepts(net)
  return net:family() == "mesh" and net.n_coord == 2, "it needs a mesh of two dimensions"
end

-- Adds the channel from `at` to the switch at (x, y) to the hops. Coordinates come with x last.
local function add(net, hops, at, x, y)
  local channel = net:channel_to(at, net:switch_at(y, x))
  hops[#hops + 1] = { channel = channel }
end

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  local y, x = net:coord(at, 1), net:coord(at, 2)
  local to_y, to_x = net:coord(goal, 1), net:coord(goal, 2)
  if at == goal then
    return nil
  end
  local hops = {}
  if to_x < x then
    add(net, hops, at, x - 1, y)
    return hops
  end
  if to_x > x then add(net, hops, at, x + 1, y) end
  if to_y > y then add(net, hops, at, x, y + 1) end
  if to_y < y then add(net, hops, at, x, y - 1) end
  return hops
end
