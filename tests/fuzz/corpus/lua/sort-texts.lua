local s = 'x' for i = 1, 18 do s = s .. s end
local t = {} for i = 1, 5000 do t[i] = s .. i % 2 end table.sort(t)
function route() end
