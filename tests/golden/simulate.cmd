ask() {
    echo "\$ holdfast simulate $*"
    holdfast simulate "$@"
    echo "status $?"
}
ask --topology torus:dims=4x4 --routing dor:vcs=2,dateline=yes --load 0.05,0.2 --batches 5
ask --topology torus:dims=4x4 --routing dor --switching vct --flow bubble --load 0.2 --batches 5 --threads 1
ask --topology mesh:dims=3x3 --routing updown-graph --failed s0:0 --traffic complement --load 0.1 --csv --batches 5
ask --topology mesh:dims=3x3 --routing duato --switching saf --delays 2,1,3,5,1 --selection credits --load 0.05 --json --batches 3 --window 500
ask --topology mesh:dims=3x3 --routing dor --load 0.2 --burst 50,2 --traffic hot-spot --batches 5
ask --topology mesh:dims=3x3 --routing dor --load 0.2 --burst 50,1,together --batches 5
# the curve: below the table, and as SVG
ask --topology kary-tree:k=2,n=2 --routing destro --traffic uniform --sweep --batches 3 --window 300 --svg curve.svg
grep -c 'class="mark"' curve.svg
# a deadlock comes about, is confirmed, and stays when it is put in place
ask --topology ring:n=8 --routing dor --load 1 --certificate 1.json
holdfast-check 1.json
ask --replay 1.json
# those of verify
for rule in "torus:dims=4x4 dor wormhole" "mesh:dims=3x3 minimal vct" "torus:dims=4x5 dor saf"; do
    set -- $rule
    holdfast verify --topology "$1" --routing "$2" --switching "$3" --quiet --store none --certificate 2.json >/dev/null
    ask --replay 2.json
done
# one packet less, and something moves
python3 - <<'P'
import json
root = json.load(open("2.json"))
root["certificate"]["blocked"].pop()
json.dump(root, open("3.json", "w"))
root["certificate"]["blocked"][0]["path"].pop()
json.dump(root, open("4.json", "w"))
root["certificate"]["verdict"] = "unknown"
json.dump(root, open("5.json", "w"))
root["certificate"].update(verdict="deadlock", blocked=[])
json.dump(root, open("7.json", "w"))
P
ask --replay 3.json
ask --topology kary-tree:k=4,n=2 --routing updown --switching drop --backoff exponential --outstanding 4 --load 0.1,0.3 --batches 5
ask --topology mesh:dims=4x4 --routing dor --switching circuit --packet-length 24 --backoff-cycles 20 --load 0.2 --batches 5
ask --topology kary-tree:k=4,n=2 --routing updown --switching vct --reorder 2 --load 0.6 --batches 5
ask --topology ring:n=8 --routing dor:vcs=2,dateline=yes --load 0.1,0.4 --batches 5 --histogram
exec 2>&1
for file in 4 5 6 7; do ask --replay $file.json; done
ask --topology ring:n=8 --routing dor
ask --topology ring:n=8 --routing dor --load 0
ask --topology ring:n=8 --routing dor --load 1 --switching saf --packet-length 9
ask --topology ring:n=8 --routing dor --load 1 --delays 1,1,0,1,1
ask --topology ring:n=8 --routing dor --load 1 --switching wormy
ask --topology ring:n=8 --routing dor --load 1 --flow bubble --switching wormhole
ask --topology ring:n=8 --routing duato --load 1 --flow bubble --switching vct
ask --topology ring:n=8 --routing dor --load 0.5 --burst 0.5
ask --topology ring:n=8 --routing dor --load 0.5 --burst 5,0.4
ask --topology ring:n=8 --routing dor --load 0.5 --burst 5,0.55
ask --replay 2.json --svg curve.svg
ask --topology ring:n=8 --routing dor --load 1 --switching drop --reorder 20
ask --topology ring:n=8 --routing dor --load 1 --switching circuit --backoff none
ask --topology ring:n=8 --routing dor:vcs=2,dateline=yes --load 0.5 --switching vct --output-queue 8 --speedup 2
ask --topology ring:n=8 --routing dor --load 1 --speedup 2
ask --topology ring:n=8 --routing dor --load 1 --switching vct --output-queue 3
ask --topology ring:n=8 --routing dor --load 1 --switching drop --output-queue 8
ask --topology ring:n=8 --routing dor --load 1 --output-queue 8 --speedup 0
ask --topology torus:dims=4x4 --routing immunet:transfers=64 --failed s0:0 --switching vct --flow bubble --selection escape-last --load 1 --batches 5 --transit-priority --injection-room 2
ask --topology torus:dims=4x4 --routing immunet --load 1 --switching vct --injection-room 3
ask --topology torus:dims=4x4 --routing immunet --load 1 --injection-room 2
ask --topology ring:n=8 --routing dor --load 1 --switching drop --transit-priority
ask --topology ring:n=8 --routing dor --load 1 --backoff linear
ask --topology ring:n=8 --routing dor --load 1 --switching drop --buffer 4
ask --topology ring:n=8 --routing dor --load 1 --switching vct --reuse tail
ask --topology ring:n=8 --routing dor --load 1 --draw latency
ask --topology ring:n=8 --routing dor --load 1 --cycles 10 --write-trace t --json
ask --topology ring:n=8 --routing updown-graph --load 1 --fault-at '5:random= 2'
ask --topology mesh:dims=3x3 --routing dor --load 1e-9
# terminals that nothing leads to
ask --topology mesh:dims=2x2 --routing dor --failed s0 --load 0.1,0.2 --seed 2
ask --topology torus:dims=4x4 --routing minimal --switching vct --buffer 4 --load 3 --fault-at 100:s0:0 --window 500 --cycles 4000 --certificate c.json
ask --replay c.json
holdfast-check c.json
ask --topology kary-tree:k=2,n=3 --routing updown --load 0.8 --switching vct --output-queue 8 --selection sadp --choose once --routing-unit switch
ask --topology ring:n=8 --routing dor --load 0.5 --choose once
ask --topology kary-tree:k=2,n=2 --routing updown --load 0.5 --choose twice
ask --topology ring:n=8 --routing dor --load 0.1 --histogram --csv
ask --topology hypercube:n=4 --routing ecmp --load 0.1 --selection escape-last
