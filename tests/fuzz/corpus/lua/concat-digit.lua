local s = "x" while true do s = s .. 3 end
