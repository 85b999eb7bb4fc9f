# Arguments of specs as keys of a plot; a key that no drawn line says is refused, also where other lines say it.
cat > s.yaml <<END
schema: 2
name: s
title: Keys
source: none
plot: {x: routing.intervals, y: "what=share", series: "{topology.k}-ary {topology.n}-tree", x-axis: intervals, y-axis: lost}
cells:
  - {label: "a size, {size}", column: switches, ask: topology, topology: "kary-tree:k=2,n=2", grid: {size: [1]}}
  - grid: {k: [2, 3], i: [1, 2, unlimited]}
    topology: "kary-tree:k={k},n=2"
    routing: "ft2ei:intervals={i}"
    universe: links
    faults: 2
    ask: tolerance
    column: not_tolerated
    label: "{k} {i} {what}"
    names: {what: share}
END
holdfast study run s.yaml --quiet --output none --store none --points points.json 2>&1 > /dev/null
python3 -c '
import json
plot = json.load(open("points.json"))
print(plot["x"])
for one in plot["series"]:
    print(one["name"], one["points"])'
for slip in 's/x: routing.intervals/x: size/' 's/{topology.n}/{topology.m}/' 's/{topology.n}/{size}/'; do
    sed "$slip" s.yaml > slip.yaml
    holdfast study run slip.yaml --quiet --output none --store none --points points.json 2>&1 >/dev/null || echo "status $?"
done
# Axes in per cent of a whole, which is above 0.
sed 's/x: routing.intervals/x: i, x-of: 3, y-of: 8/' s.yaml | sed 's/, unlimited\]/]/' > share.yaml
holdfast study run share.yaml --quiet --output none --store none --points points.json > /dev/null
python3 -c 'import json; print([one["points"] for one in json.load(open("points.json"))["series"]])'
sed 's/x: routing.intervals/x: i, x-of: none/' s.yaml > slip.yaml
holdfast study run slip.yaml --quiet --output none --store none 2>&1 >/dev/null || echo "status $?"
