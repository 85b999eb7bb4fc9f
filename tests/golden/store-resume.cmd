run="holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 9 --store s.sqlite --quiet"
timeout -s INT 0.7 $run 2>stopped
grep -c 'kept in s.sqlite' stopped
for i in 1 2 3; do
    sh -c "timeout -s KILL 0.5 $run; true" 2>/dev/null
done
holdfast store verify --store s.sqlite
$run --json --output resumed.json
holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 9 --store none --quiet --json --output whole.json
cmp resumed.json whole.json && echo same bytes
holdfast store verify --store s.sqlite
