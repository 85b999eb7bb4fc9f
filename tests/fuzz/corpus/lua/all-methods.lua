function route(n, at, c, vc, d)
 local x = {n:channels(at), n:neighbours(at), n:terminals(at), n:coord(at), n:from(c), n:to(c), n:reverse(c), n:name(c), n:spec(), n:family(), n:label(at), n:attribute("x", at), n:failed(c), n:switch_failed(at), n:healthy_distance(at, 0), n:size(1), n:from_port(c), n:to_port(c), n:channel(at, 0)}
 return {n:channels(at)[1]}
end
