-- One way for each pair, and a cycle of dependencies that packets in lockstep cannot close (after Schwiebert, 2001).
--
--     holdfast verify --topology file:studies/examples/four-messages.anynet --routing lua:studies/examples/four-messages.lua
--     ... --timing lockstep
--
-- Switches 4 to 17 are a ring, on which packets go upwards. All packets first go to switch 0 and share the channel from 0 to 1.
-- From there, with the shared channel, packets for terminals 0 and 2 need two channels to the ring and those for 1 and 3 three.
-- They block each other when they hold 3, 4, 3 and 4 channels of the ring:
--
--     for 0: 0 > 1 > 4 > 5 > 6 > 7               waits for 7 > 8
--     for 1: 0 > 1 > 2 > 7 > 8 > 9 > 10 > 11     waits for 11 > 12
--     for 2: 0 > 1 > 11 > 12 > 13 > 14           waits for 14 > 15
--     for 3: 0 > 1 > 3 > 14 > 15 > 16 > 17 > 4   waits for 4 > 5
--
-- Each must be in the way of the one before it in time. A packet for 1 or 3 that comes through the shared channel after the one
-- that it is to block is late, as its way to the ring is longer. One for 0 or 2 is in time only if it comes right after. So 1 comes
-- before 0 and 3 before 2; and 2 before 1 or right after it, 0 before 3 or right after it. No order of the four does that.
-- A packet that stops for a moment on the ring, for whatever reason, lets them do it.

name = "four messages behind a shared channel"

local first = { [0] = 4, [1] = 2, [2] = 11, [3] = 3 } -- by destination: the switch after the shared channel
local after = { [2] = 7, [3] = 14, [17] = 4 } -- others go on to the next number

function route(net, at, in_channel, in_vc, destination)
  local is_from_terminal = net:from(in_channel) == nil
  if at == net:switch_of(destination) then
    return nil
  elseif is_from_terminal then
    return { net:channel_to(at, 0) }
  elseif at == 0 then
    return { net:channel_to(0, 1) }
  elseif at == 1 then
    return { net:channel_to(1, first[destination]) }
  end
  return { net:channel_to(at, after[at] or at + 1) }
end
