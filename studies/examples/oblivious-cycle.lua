-- One way for each pair, and a cycle of dependencies that packets close only if one of them is held up (after Schwiebert, 2001).
--
--     holdfast verify --topology file:studies/examples/oblivious-cycle.anynet --routing lua:studies/examples/oblivious-cycle.lua
--
-- Switches 2, 3, 4, 5 are a ring, on which packets go 2 > 3 > 4 > 5 > 2. Terminal 1 hangs on switch 3, terminal 0 on switch 5. All
-- packets first go to switch 0 and share the channel from 0 to 1; there those for terminal 0 turn to 2, those for terminal 1 to 4.
-- A packet for 0 that holds 2 > 3 > 4 waits for one for 1 that holds 4 > 5 > 2, and that one for the first.
--
-- One of them came through the shared channel first. If nothing holds it up it is through its half of the ring just before the
-- other one gets there, so they do not block each other, if a channel can only be taken a step after the last flit has left it. If
-- it can be taken in the same step, or if one of them stops for a moment on the ring, for whatever reason, they do. See
-- docs/deadlock.md, and four-messages.lua for a rule that withstands the second too.

name = "a cycle behind a shared channel"

function route(net, at, in_channel, in_vc, destination)
  local is_from_terminal = net:from(in_channel) == nil
  if at == net:switch_of(destination) then
    return nil
  elseif is_from_terminal then
    return { net:channel_to(at, 0) }
  elseif at == 0 then
    return { net:channel_to(0, 1) }
  elseif at == 1 then
    return { net:channel_to(1, destination == 0 and 2 or 4) }
  end
  return { net:channel_to(at, at == 5 and 2 or at + 1) }
end
