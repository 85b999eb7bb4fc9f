-- Minimal routing on a dragonfly: to the gateway, over the global link, to the switch. One virtual channel.
name = "dragonfly, one VC"
vcs = 1

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  if at == goal then
    return nil
  end
  local hops = {}
  for _, channel in ipairs(net:channels(at)) do
    if net:distance(net:to(channel), goal) < net:distance(at, goal) then
      hops[#hops + 1] = { channel = channel, vc = 0 }
    end
  end
  return hops
end
