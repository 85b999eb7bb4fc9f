local t = {} for i = 1, 9000 do t[-i] = 0 end for i = 1, 9000 do t[-i] = nil end while true do next(t) end
