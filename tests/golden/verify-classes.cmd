# message classes: their own virtual channels, shared ones, flows of classes, what is refused; certificates are confirmed
ask() {
    echo "\$ holdfast verify $*"
    holdfast verify "$@" --quiet --store none --certificate file.json
    echo "status $?"
    holdfast-check file.json
}
printf 'source,destination,class\nt0,t5,request\nt1,t5,request\nt2,t8,probe\n' >flows.csv
ask --topology mesh:dims=3x3 --routing dor --classes "request>reply"
ask --topology mesh:dims=3x3 --routing dor --classes "request=0>reply=0"
ask --topology mesh:dims=3x3 --routing dor --classes "request=0>reply=0,probe=0" --flows flows.csv
ask --topology mesh:dims=3x3 --routing duato --classes "read=0>>forward=0>data" --switching vct
ask --topology kary-tree:k=2,n=3 --routing ecmp --classes "request>reply" --failed s8:1
holdfast verify --topology mesh:dims=2x2 --routing dor --classes "a=0>b=0" --columns verdict,blocked --json | python3 -c '
import json, sys
for packet in json.load(sys.stdin)["rows"][0]["blocked"]:
    print(packet["class"], packet["answer"])'
holdfast verify --topology mesh:dims=3x3 --routing dor --classes "a>b" --faults 1 --universe links --quiet --store none
echo "status $?"
for bad in "--classes a>b --repair" "--classes a>b --flow bubble" "--classes a>b --timing lockstep"; do
    holdfast verify $bad --topology torus:dims=4 --routing dor --store none 2>&1 | head -n 1
done
cp file.json other.json
holdfast simulate --replay other.json 2>&1
holdfast load --topology mesh:dims=2x2 --routing "dor with a>b" 2>&1
holdfast verify --topology mesh:dims=2x2 --routing dor --classes 'a b' 2>&1
