run="holdfast tolerance --topology kary-tree:k=2,n=3 --routing ft2ei:intervals=1 --faults 0..4 --quiet --json"
for part in 1 2 3; do
    $run --part $part/3 --store part$part.sqlite >/dev/null
done
holdfast store merge part1.sqlite part2.sqlite part3.sqlite --into all.sqlite
holdfast store verify --store all.sqlite
$run --store all.sqlite >joined
$run --store none >whole
cmp joined whole && echo same bytes
ls

echo "what cannot be joined:"
holdfast store merge part1.sqlite --into other.sqlite 2>&1
holdfast store merge part1.sqlite part2.sqlite 2>&1
holdfast store merge part1.sqlite part2.sqlite --into all.sqlite 2>&1
holdfast store merge part1.sqlite joined --into other.sqlite 2>&1
holdfast store merge part1.sqlite missing.sqlite --into other.sqlite 2>&1
holdfast store merge part1.sqlite part2.sqlite --into other.sqlite --store s.sqlite 2>&1
holdfast store list part1.sqlite 2>&1
holdfast store list --into part1.sqlite 2>&1
ls
