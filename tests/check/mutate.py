#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every field of every kind of certificate, changed: none may be confirmed, but for statements that are true as they stand.

Walks the JSON of each certificate that the program writes. Every field is left out, doubled, made another type, moved by one
and to extremes, exchanged for another valid word and for an unknown one; members of lists are left out, doubled and exchanged; a
field is added to every object. All files go to the checker, which must not confirm them. Those that it may confirm are named in
may_hold() with the reason; of a changed spec, holdfast verify must say the same verdict of it."""
import copy, json, os, subprocess, sys, tempfile

HOLDFAST = os.environ["HOLDFAST"]
SHARE = int(os.environ.get("HOLDFAST_SHARE", "1"))  # one change in so many is tried: tests/support/share.h
CHECK = os.path.join(os.path.dirname(HOLDFAST), "holdfast-check")

# destination, where it came from ("t": a terminal), where it is, where it may go: tests/analysis/test_deadlock_relations.c
RULES = {
    "long-worms.lua": "0t12 0t21 0121 0210 1t01 1t20 1201 2t02 2t10 2101 2102 2012",
    "turn-back.lua": "0t12 0120 0t20 1t20 1201 1t01 2t01 2012 2010 2102 2t10",
}
WAYS = """local ways = { %s }
function route(net, at, in_channel, in_vc, destination)
  if at == net:switch_of(destination) then return nil end
  local hops, from = {}, net:from(in_channel) or -1
  for _, way in ipairs(ways) do
    if way[1] == destination and way[2] == from and way[3] == at then hops[#hops + 1] = net:channel_to(at, way[4]) end
  end
  return hops
end
"""
# options of verify or simulate; what the checker says of the file that is written
CASES = [
    ("verify", "--topology mesh:dims=2x2 --routing dor", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing dor --timing lockstep", "confirmed"),
    ("verify", "--topology ring:n=3 --routing dor:vcs=2,dateline=yes --switching vct", "confirmed"),
    ("verify", "--topology mesh:dims=3x2 --routing updown-graph --failed s0:0", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing dor --failed s0,s1,s2 --universe switches", "confirmed"),
    ("verify", "--topology ring:n=4 --routing dfsssp:vcs=1 --failed s0:0", "confirmed"),
    ("verify", "--topology mesh:dims=3x2 --routing updown-graph --failed s5 --universe switches", "confirmed"),
    ("verify", "--topology ring:n=4 --routing dor --flow bubble --switching vct", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing duato", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing duato --switching saf", "confirmed"),
    ("verify", "--topology ring:n=4 --routing adaptive-bubble --flow bubble --switching vct", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing immunet --flow bubble --switching vct --failed s0:0", "confirmed"),
    ("verify", "--topology ring:n=4 --routing dor:ties=plus", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing minimal --switching saf", "confirmed"),
    ("verify", "--topology ring:n=4 --routing dor:ties=plus --timing lockstep", "confirmed"),
    ("verify", "--topology ring:n=3 --routing lua:long-worms.lua", "confirmed"),
    ("verify", "--topology ring:n=3 --routing lua:turn-back.lua", "cannot be checked"),
    ("verify", "--topology mesh:dims=2x2 --routing dor --classes request>reply", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing dor --classes request=0>reply=0", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing duato --classes a>>b>c", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing duato --classes a>>b>c --switching saf", "confirmed"),
    ("verify", "--topology mesh:dims=2x2 --routing dor --classes a=0>>b=0>c", "confirmed"),
    ("simulate", "--topology ring:n=4 --routing dor:ties=plus --load 1", "confirmed"),
    ("simulate", "--topology mesh:dims=2x2 --routing minimal --switching vct --load 3 --buffer 4", "confirmed"),
    ("simulate", "--topology mesh:dims=3x3 --routing minimal --switching vct --buffer 4 --load 3 --fault-at 100:s0:0 "
                 "--window 500 --cycles 4000", "confirmed"),
    ("bound", "--topology kary-tree:k=2,n=2 --routing updown", "confirmed"),
    ("bound", "--topology kary-tree:k=3,n=2 --routing ft2ei --universe links", "confirmed"),
]
WORDS = {
    "switching": ["wormhole", "vct", "saf"], "timing": ["any", "lockstep"], "flow": ["credit", "bubble"],
    "choose": ["always", "once"], "command": ["verify", "simulate", "bound"], "verdict": ["deadlock-free", "deadlock", "unknown"],
    "method": ["acyclic dependency graph", "bubble rings", "escape", "bubble escape", "fixpoint", "search of worms",
               "lockstep search", "none", "simulation"],
    "topology": ["ring:n=4", "ring:n=5", "mesh:dims=2x2", "mesh:dims=3x2", "torus:dims=3x3", "mesh:dims=3x3", "kary-tree:k=2,n=2",
                 "kary-tree:k=3,n=2", "kary-tree:k=2,n=3"],
    "routing": ["dor:vcs=1", "minimal:vcs=1", "updown-graph:root=0", "duato:adaptive-vcs=1", "immunet", "adaptive-bubble", "updown",
                "ft2ei:intervals=1"],
    "serves": ["some", "nobody"],
    "universe": ["links", "channels", "switches"], "failed": ["s0:0", "s1", "s0:1", "s0:0,s1:0"], "escape": ["declared"],
}
NUMBERS = [-1, 99, 2**32 - 1, 0, 1, 2**32, 2**63 - 1, 0.5]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def paths(value, at=()):
    """All places in a JSON value, the root left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield at + (key,)
        yield from paths(inner, at + (key,))


def get(root, path):
    for key in path:
        root = root[key]
    return root


def changed(root, path, how):
    """A copy in which how(parent, key) has been done at path."""
    root = copy.deepcopy(root)
    how(get(root, path[:-1]), path[-1])
    return root


def put(value):
    def how(parent, key):
        parent[key] = value
    return how


def other_values(root, path):
    key = next(k for k in reversed(path) if isinstance(k, str))
    value = get(root, path)
    yield from (v for v in (None, True, "none such", [], 7) if v != value or type(v) is not type(value))
    if isinstance(value, (int, float)):
        yield from (value + d for d in (-1, 1))
        yield from NUMBERS[::1 if key != "numbers" else 3]
    if isinstance(value, str):
        yield from (value + " ", value.upper(), value[:-1])
        same_kind = {get(root, p) for p in paths(root) if p[-1] == path[-1] and isinstance(get(root, p), str)}
        yield from sorted(same_kind)
        if key in ("source", "destination", "from", "to") and value[0] in "ts":
            yield from (f"{value[0]}{i}" for i in range(5))
    yield from WORDS.get(key, [])


def mutants(root):
    """(path, what was done, text)"""
    for path in paths(root):
        seen = {json.dumps(get(root, path))}
        for value in other_values(root, path):
            if json.dumps(value) not in seen:
                seen.add(json.dumps(value))
                yield path, value, json.dumps(changed(root, path, put(value)))
        yield path, "left out", json.dumps(changed(root, path, lambda parent, key: parent.pop(key)))
        if isinstance(path[-1], int):
            yield path, "twice", json.dumps(changed(root, path, lambda parent, key: parent.insert(key, copy.deepcopy(parent[key]))))
            for other in {0, path[-1] - 1} if path[-1] else ():
                def swap(parent, key, other=other):
                    parent[key], parent[other] = parent[other], parent[key]
                if get(root, path) != get(root, path[:-1])[other]:
                    yield path, "exchanged", json.dumps(changed(root, path, swap))
        else:
            mark = '"@": "@"'
            text = json.dumps(changed(root, path, lambda parent, key: parent.update({"@": "@"})))
            yield path, "doubled", text.replace(mark, f"{json.dumps(path[-1])}: {json.dumps(get(root, path))}")
    for path in [()] + [p for p in paths(root) if isinstance(get(root, p), dict)]:
        wider = copy.deepcopy(root)
        get(wider, path)["remark"] = "true"
        yield path + ("remark",), "added", json.dumps(wider)
    text = json.dumps(root)
    yield (), "cut", text[:-1]
    yield (), "followed", text + "{}"


def still_true(root):
    """Does holdfast verify say the same of what the file is about?"""
    spec, is_lockstep = root["spec"], root["spec"]["timing"] == "lockstep"
    options = [f"--{key}={spec[key]}" for key in ("topology", "routing", "switching", "flow", "timing")]
    options += [f"--{key}={spec[key]}" for key in ("universe", "failed") if spec[key]]
    rows = json.loads(run(HOLDFAST, "verify", *options, "--quiet", "--json", "--store", "none").stdout)["rows"]
    return rows[0]["verdict"] == root["certificate"]["verdict"] and (not is_lockstep or rows[0]["lockstep"] is not None or
                                                                     root["certificate"]["verdict"] == "deadlock-free")


def still_bound(root):
    """The same number of faults, for another rule or network with the same names?"""
    options = [f"--{key}={value}" for key, value in root["spec"].items() if value is not None]
    made = run(HOLDFAST, "bound", *options, "--json")
    return made.returncode == 0 and json.loads(made.stdout)["rows"][0]["classes"] == root["rows"][0]["classes"]


def may_hold(root, path, value):
    """Mutants that are true, and proved by what is in the file."""
    names = [key for key in path if isinstance(key, str)]
    if path[0] == "spec":
        # another relation, switching, timing or set of the same name that the same proof serves
        is_word = value not in ("left out", "added", "doubled")
        return is_word and (still_bound(root) if root["command"] == "bound" else still_true(root))
    if names[:2] == ["certificate", "blocked"]:
        # a packet for a terminal further on the same way, from another source on the way, of another class on the same virtual
        # channels, or by another tag that is not looked at;
        # tests/check/test_certificates.c compares every such change with a second opinion
        return names[-1] in ("source", "destination", "class")
    # another set of components that is not tolerated shows as much
    return "witness" in names and isinstance(value, str) and value not in ("twice", "exchanged", "left out")


def check_all(command, files):
    """The outcome of each file, in one word or more."""
    outcome = []
    for part in range(0, len(files), 500):
        some = files[part:part + 500]
        if command == "bound":
            outcome += ["not" if run(HOLDFAST, "bound", "--check", f).returncode else "confirmed" for f in some]
            continue
        result = run(CHECK, *some)
        if result.returncode not in (0, 1, 2, 3):
            sys.exit(f"holdfast-check ended with {result.returncode}: {result.stderr[-500:]}")
        said = dict(line.split(": ", 2)[:2] for line in result.stdout.splitlines())
        refused = len(result.stderr.splitlines())
        if len(said) + refused != len(some):
            sys.exit(f"{len(some)} files, {len(said)} outcomes and {refused} messages: {result.stderr[-500:]}")
        outcome += [said.get(f, "refused") for f in some]
    return outcome


def try_case(command, options, expected):
    extra = ["--quiet", "--store", "none"] if command == "verify" else []
    made = run(HOLDFAST, command, *options.split(), "--certificate", "whole.json", *extra)
    if not os.path.exists("whole.json"):
        sys.exit(f"holdfast {command} {options}: no certificate; {made.stdout}{made.stderr}")
    root = json.load(open("whole.json", encoding="ascii"))
    said = check_all(command, ["whole.json"])[0]
    if said != expected:
        sys.exit(f"holdfast {command} {options}: the certificate is {said}; need {expected}")
    tried, held = list(mutants(root))[::SHARE], 0
    for i, (_, _, text) in enumerate(tried):
        with open(f"{i}.json", "w", encoding="ascii") as out:
            out.write(text)
    for i, said in enumerate(check_all(command, [f"{i}.json" for i in range(len(tried))])):
        path, value, text = tried[i]
        if said == "confirmed" and not may_hold(json.loads(text), path, value):
            sys.exit(f"holdfast {command} {options}: {'.'.join(map(str, path))} {value!r} is confirmed:\n{text}")
        held += said == "confirmed"
        os.remove(f"{i}.json")
    os.remove("whole.json")
    print(f"{command} {options}: {len(tried)} changes, {held} of them true")
    return len(tried), held


with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as place:
    os.chdir(place)
    for name, ways in RULES.items():
        with open(name, "w", encoding="ascii") as rule:
            steps = ("{" + ",".join("-1" if c == "t" else c for c in way) + "}" for way in ways.split())
            rule.write(WAYS % ", ".join(steps))
    counts = [try_case(*case) for case in CASES]
    if sum(n for n, _ in counts) * SHARE < 10000 or sum(h for _, h in counts) * 100 > sum(n for n, _ in counts):
        sys.exit(f"{sum(n for n, _ in counts)} changes, {sum(h for _, h in counts)} true: too few, or too many that hold")
