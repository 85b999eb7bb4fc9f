ask() {
    echo "\$ holdfast verify $*"
    holdfast verify "$@" --quiet --store none
    echo "status $?"
}
ask --topology torus:dims=4x4 --routing adaptive-bubble --flow bubble --certificate immunet-1.json
ask --topology torus:dims=3x3 --routing immunet --flow bubble --failed s4:3 --certificate immunet-2.json
ask --topology torus:dims=3x3 --routing immunet:bubble=no --switching vct --failed s4:3 --certificate immunet-3.json
ask --topology torus:dims=4x4 --routing adaptive-bubble --switching vct | head -6
ask --topology mesh:dims=3x3 --routing immunet:safe=provisional,transfers=2 --flow bubble --faults 0..3
ask --topology torus:dims=3x3 --routing immunet --flow bubble --universe links+switches --faults 2
holdfast-check immunet-[123].json
python3 - <<'P'
import json
def change(source, target, how):
    root = json.load(open(source))
    how(root["certificate"])
    json.dump(root, open(target, "w"))
def flat(c):
    c["numbers"] = [3, sum(c["numbers"][1::2])]
def one_up(c):
    n = c["numbers"]
    i = next(i for i in range(0, len(n), 2) if n[i] == 1)
    n[i:i + 2] = [1, n[i + 1] - 1, 2, 1] if n[i + 1] > 1 else [2, 1]
def no_bubble(c):
    c.update(method="escape", conditions=None)
change("immunet-2.json", "bad-1.json", flat)
change("immunet-2.json", "bad-2.json", one_up)
change("immunet-2.json", "bad-3.json", no_bubble)
change("immunet-1.json", "bad-4.json", no_bubble)
P
for i in 1 2 3 4; do
    holdfast-check bad-$i.json 2>&1
    echo "status $?"
done
