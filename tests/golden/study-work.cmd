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
  - {label: "tasks", ask: simulate, column: task, barrier: "messages=20,tasks=4", id: tasks}
  - {label: "tasks, one link failed", ask: simulate, column: task, barrier: "messages=20,tasks=4", failed: "s0:0-s1:1"}
  - {label: "task", ask: simulate, column: task, barrier: "messages=20,tasks=1", faults: "0,1", runs: 100}
  - {label: "passed on", ask: simulate, barrier: "messages=20,tasks=1", faults: "1", runs: 100, column: relayed}
  - {label: "generated", ask: simulate generate=200, column: cycles, load: "0.1,0.3"}
  - {label: "messages", ask: simulate generate=200 message=10, load: "0.3", burst: "50,2", column: latency}
  - {label: "trace", ask: simulate, trace: "1.txt", column: latency}
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
