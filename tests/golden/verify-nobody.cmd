# plans that serve nobody: packets that all get lost, flows whose ends are not in service, a rule that keeps nobody
holdfast verify --topology torus:dims=2x3 --routing dor --universe switches --failed s0,s1,s2,s3,s4 --certificate lost.json
echo "status $?"
holdfast-check lost.json
printf 't12 t13\n' > flows.txt
holdfast verify --topology mesh:dims=5x5 --routing solid-fault --flows flows.txt --universe switches --failed s12 --certificate idle.json
echo "status $?"
holdfast-check idle.json
holdfast verify --topology kary-tree:k=2,n=3 --routing dfsssp:vcs=1 --failed s0:2-s4:0,s1:3-s5:1 --certificate none.json
echo "status $?"
holdfast-check none.json
sed 's/"nobody"/"some"/' none.json > some.json
holdfast-check some.json
echo "status $?"
sed 's/"nobody"/null/' none.json > null.json
holdfast-check null.json
echo "status $?"
sed 's/"nobody"/"all"/' none.json > all.json
holdfast-check all.json
echo "status $?"
# the same plans among fault sets: one plan and a campaign over its set alone have one status, by every method
ask() { echo "\$ $*"; holdfast verify --quiet --store none "$@" 2>&1; echo "status $?"; }
printf 'x: s12\n' > g.txt
some="--topology mesh:dims=5x5 --routing solid-fault --flows flows.txt"
for more in "" "--method sampled --samples 3" "--require-connected" "--part 1/1"; do
    ask $some --universe groups:g.txt --faults 1 $more
done
ask $some --universe groups:g.txt --faults 0..1
ask $some --universe switches --faults 1
ask $some --universe switches --faults 1 --require-connected
ask $some --universe switches --faults 1 --part 1/2
ask $some --universe switches --failed s0 --require-connected
printf 'router 0 node 0 router 1 router 2\nrouter 1 router 2\n' > one.anynet
for more in "--method exhaustive" "--method orbits" "--method sampled --samples 2"; do
    ask --topology file:one.anynet --routing minimal --universe links --faults 0..3 $more
done
ask --topology complete:n=1 --routing minimal --universe switches --faults 1
ask --topology complete:n=1 --routing minimal
ask --topology complete:n=1 --routing minimal --universe switches --failed s0
# what programs read
cells='import json, sys
for row in json.load(sys.stdin)["rows"]:
    print({k: row[k] for k in ("verdict", "connected", "serves", "deadlock_free", "serve_nobody", "not_covered")})'
for more in "--topology complete:n=1 --routing minimal" "--topology complete:n=2 --routing minimal" "$some --universe switches --faults 1"; do
    holdfast verify --quiet --store none $more --json > answer.json
    echo "status $?"
    python3 -c "$cells" < answer.json
    holdfast verify --quiet --store none $more --format csv --columns f,verdict,serves,sets,deadlock_free,serve_nobody
done
true
