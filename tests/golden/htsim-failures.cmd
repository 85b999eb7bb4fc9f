# the failures of a connection matrix of htsim, for a command and for a question; alone in quotes
network=$GOLDEN/../fixtures/networks/htsim-two-pods
cp "$network.topo" "$network.cm" .
pods="--topology file:htsim-two-pods.topo"
holdfast show $pods --faults @htsim-two-pods.cm
holdfast load $pods --routing minimal --traffic uniform --failed @htsim-two-pods.cm --format csv --columns failed,max_load | tr -d '\r'
holdfast show $pods --faults '"failure switch_type CORE switch_id 1 link_id 0"' | tail -n 1
holdfast show $pods --faults '"failure switch_type AGG switch_id 9 link_id 0"' 2>&1
# A study takes the same file, and asks again where it has changed.
cp htsim-two-pods.cm failed.cm
cat >failed.yaml <<Y
schema: 2
name: failed
title: "Failures of a file"
source: gomez2010
about: "The largest load under the failures that a connection matrix has"
defaults: {ask: load, routing: minimal, traffic: uniform, column: max_load}
cells:
  - {label: "as in the file", topology: "file:htsim-two-pods.topo", failed: "@failed.cm"}
Y
holdfast study run failed.yaml --store failed.db --quiet | tail -n +3 | head -3
grep -v TOR htsim-two-pods.cm >failed.cm
holdfast study run failed.yaml --store failed.db --quiet | tail -n +3 | head -3
holdfast show --topology kary-tree:k=2,n=2 --faults @htsim-two-pods.cm 2>&1
