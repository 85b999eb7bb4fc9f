ask() {
    echo "\$ holdfast verify $*"
    holdfast verify "$@" --quiet --store none
    echo "status $?"
}
ask --topology torus:dims=4x4 --routing dor --certificate 1.json
ask --topology torus:dims=4x4 --routing dor:vcs=2,dateline=yes --certificate 2.json
ask --topology mesh:dims=3x3 --routing duato --certificate 3.json
ask --topology mesh:dims=3x3 --routing duato --switching saf --certificate 4.json
ask --topology mesh:dims=3x3 --routing minimal --certificate 5.json --svg 5.svg
ask --topology torus:dims=4x4 --routing dor --flow bubble --certificate 6.json
ask --topology mesh:dims=3x3 --routing updown-graph --failed s0:0 --certificate 7.json
ask --topology mesh:dims=3x3 --routing minimal --faults 0..2 --universe links
ask --topology torus:dims=2x3 --routing dor:vcs=2,dateline=yes --faults 2..3 --universe links --witness=sets.txt
cat sets.txt
ask --topology mesh:dims=3x3 --routing dor --witness 2>&1
ask --topology mesh:dims=3x3 --routing updown-graph --faults 2 --universe links --method sampled --samples 10 --seed 3
holdfast-check [1-7].json
grep -c 'class="held"' 5.svg
# tampering is seen
sed 's/"verdict": "deadlock"/"verdict": "deadlock-free"/' 1.json >bad1.json
python3 - <<'P'
import json
def change(source, target, how):
    root = json.load(open(source))
    how(root["certificate"])
    json.dump(root, open(target, "w"))
def lower(c):
    c["numbers"][c["numbers"].index(max(c["numbers"][::2]))] = 0
def unhold(c):
    c["blocked"].pop()
def elsewhere(c):
    c["blocked"][0]["destination"] = "t1"
def twice(c):
    c["blocked"].append(c["blocked"][0])
def raised(c):
    c["numbers"] = [x + 1 if i % 2 == 0 and i == 0 else x for i, x in enumerate(c["numbers"])]
def flat(c):
    c["numbers"] = [3, sum(c["numbers"][1::2])]
change("2.json", "bad2.json", lower)
change("1.json", "bad3.json", unhold)
change("1.json", "bad4.json", elsewhere)
change("5.json", "bad5.json", twice)
change("6.json", "bad6.json", flat)
change("3.json", "bad7.json", flat)
change("4.json", "bad8.json", flat)
P
for i in 1 2 3 4 5 6 7 8; do
    holdfast-check bad$i.json 2>&1
    echo "status $?"
done
# bad input
ask --topology mesh:dims=3x3 --routing dor --switching worm 2>&1
ask --topology mesh:dims=3x3 --routing minimal --flow bubble 2>&1
ask --topology ring:n=8 --routing dor --flow bubble --switching wormhole 2>&1
ask --topology mesh:dims=3x3 --routing dor --faults 1 --certificate x.json 2>&1
ask --topology mesh:dims=3x3 --routing dor --failed s0 --faults 1 2>&1
echo '{"spec": {}}' >empty.json
holdfast-check empty.json missing.json 2>&1
echo "status $?"
ask --topology mesh:dims=3x3 --routing minimal --repair=turns --layers
ask --topology ring:n=4 --routing dor:ties=plus --repair
# Packets that do not arrive: under one plan, in all sets of a size, in some.
ask --topology ring:n=4 --routing dor:vcs=2,dateline=yes --failed s0:0-s1:1
ask --topology ring:n=4 --routing dor:vcs=2,dateline=yes --faults 1
ask --topology mesh:dims=3x3 --routing updown-graph --faults 1..2
ask --topology mesh:dims=3x3 --routing updown-graph --faults 1 --require-connected
ask --topology mesh:dims=3x3 --routing updown-graph --faults 1..2 --require-connected
# Flow control by link: one end of a cable, a dimension, what is not there.
ask --topology torus:dims=4x4 --routing dor --flow "credit:s0:0>s1:1" --certificate cable.json
echo "status $?"
holdfast-check cable.json
holdfast simulate --replay cable.json
ask --topology torus:dims=4x4 --routing adaptive-bubble --flow credit:links:dimension=1 --certificate dimension.json --columns verdict,method
holdfast-check dimension.json
ask --topology torus:dims=4x4 --routing dor:ties=plus --flow bubble:x+,y+ --columns verdict,method
ask --topology torus:dims=4x4 --routing dor --flow bubble:z+ 2>&1
ask --topology torus:dims=4x4 --routing dor --flow file 2>&1
# Other ways, and layers, written and read back.
ask --topology torus:dims=4x4 --routing dor --repair=routes --write-paths ways.txt --certificate rerouted.json --table rerouted
ask --topology torus:dims=4x4 --routing paths:ways.txt --certificate ways.json --columns verdict,method,connected
holdfast-check ways.json rerouted.json
cmp ways.json rerouted.json
head -3 ways.txt
ask --topology torus:dims=4x4 --routing dor --layers --write-table layers.csv --table layers
ask --topology torus:dims=4x4 --routing table:layers.csv --certificate layers.json --columns verdict,method,connected
holdfast-check layers.json
head -3 layers.csv
ask --topology mesh:dims=3x3 --routing minimal --repair=routes 2>&1
ask --topology ring:n=4 --routing dor:ties=plus --repair=routes --layers 2>&1
ask --topology ring:n=4 --routing dor:ties=plus --write-table x.csv 2>&1
