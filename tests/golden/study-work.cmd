# work with an end in cells: the figures are those that `holdfast simulate` prints for the same set and seed
cat >work.yaml <<'YAML'
schema: 1
name: work
title: "Work"
source: here
defaults:
  topology: mesh:dims=3x3
  routing: updown-graph
  universe: links
  traffic: uniform
  seed: 5
cells:
  - {label: "tasks", kind: simulate, barrier: "messages=20,tasks=4", id: tasks}
  - {label: "tasks, one link failed", kind: simulate, barrier: "messages=20,tasks=4", failed: "s0:0-s1:1"}
  - {label: "task", kind: simulate, barrier: "messages=20,tasks=1", f: "0,1", samples: 100}
  - {label: "passed on", kind: simulate, barrier: "messages=20,tasks=1", f: "1", samples: 100, show: relayed}
  - {label: "generated", kind: simulate, trace: "generated:cycles=200", load: "0.1,0.3"}
  - {label: "messages", kind: simulate, trace: "generated:cycles=200,message=10", load: "0.3", burst: "50,2", show: latency}
  - {label: "trace", kind: simulate, trace: "file:1.txt", show: latency}
YAML
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --load 0.1 --seed 5 --cycles 200 --write-trace 1.txt --csv
holdfast study run work.yaml --store none --quiet
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --seed 5 --barrier=messages=20,tasks=4 --csv --columns task
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --seed 5 --failed s0:0-s1:1 --barrier=messages=20,tasks=4 --csv --columns task
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --seed 5 --trace 1.txt --csv --columns state,cycles,latency
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --load 0.3 --burst 50,2 --message 10 --seed 5 --cycles 200 --write-trace 2.txt --csv
holdfast simulate --topology mesh:dims=3x3 --routing updown-graph --seed 5 --trace 2.txt --csv --columns latency
printf 'cycle source destination flits\n0 0 9 1\n' >1.txt
holdfast study run work.yaml --store none --quiet 2>&1
echo "status $?"
