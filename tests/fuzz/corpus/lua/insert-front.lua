local t = {} for i = 1, 20000 do t[i] = 0 end while true do table.insert(t, 1, 0) end
