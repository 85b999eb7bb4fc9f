-- Every shortest way of a dragonfly. The virtual channel counts the global links behind the packet.
name = "dragonfly, counting"
vcs = 3

function group(net, switch)
  return net:coord(switch, 1)
end

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  if at == goal then
    return nil
  end
  -- the virtual channel counts the global links behind the packet
  local vc = in_vc
  if in_channel and net:from(in_channel) and group(net, net:from(in_channel)) ~= group(net, at) then
    vc = in_vc + 1
  end
  local hops = {}
  for _, channel in ipairs(net:channels(at)) do
    if net:distance(net:to(channel), goal) < net:distance(at, goal) then
      hops[#hops + 1] = { channel = channel, vc = vc }
    end
  end
  return hops
end
