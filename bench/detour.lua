-- Every hop that brings the packet nearer over healthy channels: a rule that looks at faults far away, and goes round them. For
-- bench_matrix.
name = "healthy shortest ways"

function route(net, at, in_channel, in_vc, destination)
  local goal = net:switch_of(destination)
  if at == goal then return nil end
  local hops, far = {}, net:healthy_distance(at, goal)
  for _, c in ipairs(net:channels(at)) do
    local rest = net:healthy_distance(net:to(c), goal)
    if not net:failed(c) and rest and far and rest < far then hops[#hops + 1] = c end
  end
  return hops
end
