-- Dimension-order routing, x first, on a torus with two virtual channels and a dateline (Dally and Seitz, 1987). In each ring a packet
-- starts on VC 0 and changes to VC 1 when it crosses the wrap-around link.
--
--     holdfast verify --topology torus:dims=4x4 --routing lua:studies/examples/torus-dateline.lua
--
-- Deadlock-free: a packet crosses the dateline of a ring once at most, as it goes the shorter way, so no ring of dependencies
-- closes on either VC. With `vcs = 1` and no change of VC the rings close; try it.

name = "torus with a dateline"
vcs = 2

function accepts(net)
  for i = 1, net.n_coord do
    if net:size(i) == 2 then
      return false, "every dimension needs three switches or more"
    end
  end
  return net:family() == "torus", "it needs a torus"
end

-- Which way round the ring: 1 or -1, the shorter one; upwards where both are equal.
local function direction(size, from, to)
  return (to - from) % size <= (from - to) % size and 1 or -1
end

-- Does a channel stay within coordinate i? (That from a terminal does not.)
local function is_within(net, channel, i)
  local a, b = net:from(channel), net:to(channel)
  return a ~= nil and b ~= nil and net:coord(a, i) ~= net:coord(b, i)
end

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  for i = net.n_coord, 1, -1 do -- x is the last coordinate
    local size, here, there = net:size(i), net:coord(at, i), net:coord(goal, i)
    if here ~= there then
      local by = direction(size, here, there)
      local c = net:coord(at)
      c[i] = (here + by) % size
      local wraps = (by == 1 and c[i] == 0) or (by == -1 and here == 0)
      local vc = is_within(net, in_channel, i) and in_vc or 0
      return { { net:channel_to(at, net:switch_at(table.unpack(c))), wraps and 1 or vc } }
    end
  end
end
