# a cell with bursts shows what `holdfast simulate --burst` measures; one without does not
printf 'schema: 1\nname: bursts\ntitle: Bursts\nsource: here\ndefaults:\n  topology: mesh:dims=3x3\n  routing: dor\n  traffic: uniform\n  measure: "batches=5"\n  load: "0.2"\ncells:\n' >bursts.yaml
printf '  - {label: bursts, ask: simulate, burst: "50,2", column: latency}\n  - {label: alike, ask: simulate, column: latency}\n' >>bursts.yaml
holdfast study run bursts.yaml --store bursts.sqlite --quiet
holdfast simulate --topology mesh:dims=3x3 --routing dor --load 0.2 --burst 50,2 --batches 5 --csv --columns latency,state
holdfast simulate --topology mesh:dims=3x3 --routing dor --load 0.2 --batches 5 --csv --columns latency,state
# the store tells bursts apart
sed -i 's/50,2/60,2/' bursts.yaml
holdfast study run bursts.yaml --store bursts.sqlite --quiet | grep -E 'bursts +[0-9]'
sed -i 's/60,2/60;2/' bursts.yaml
holdfast study run bursts.yaml --store none 2>&1
