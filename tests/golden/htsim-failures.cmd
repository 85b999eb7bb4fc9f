# the failures of a connection matrix of htsim, for a command and for a question; alone in quotes
network=$GOLDEN/../fixtures/networks/htsim-two-pods
cp "$network.topo" "$network.cm" .
pods="--topology file:htsim-two-pods.topo"
holdfast show $pods --faults @htsim-two-pods.cm
holdfast load $pods --routing minimal --traffic uniform --failed @htsim-two-pods.cm --format csv --columns failed,max_load | tr -d '\r'
holdfast show $pods --faults '"failure switch_type CORE switch_id 1 link_id 0"' | tail -n 1
holdfast show $pods --faults '"failure switch_type AGG switch_id 9 link_id 0"' 2>&1
holdfast show --topology kary-tree:k=2,n=2 --faults @htsim-two-pods.cm 2>&1
