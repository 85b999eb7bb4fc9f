reliability() { holdfast reliability --store none --quiet "$@" 2>&1; }
tree="--topology kary-tree:k=2,n=3 --routing updown --universe links"
reliability $tree --faults 0..4,16 --rate 500FIT --mttr 24h --times 0..10y/2y
reliability $tree --faults 0..16 --rate 1e-6/h --repair 2d --crews 1 --times 0,1h,1y --csv rows.csv --svg rows.svg --json |
    sed -E 's/([0-9]\.[0-9]{9})[0-9]+/\1/'
sed -E 's/([0-9]\.[0-9]{9})[0-9]+/\1/g' rows.csv
grep -c '<path class="mark"' rows.svg
reliability --topology kary-tree:k=2,n=2 --routing updown --universe links+switches --faults 0..8 \
    --rate links=500FIT,switches=0.02/year --mttr links=4h,switches=1d --terminals --times 1y,5y
reliability $tree --faults 0..16 --method sampled --samples 50 --rate 500FIT --times 10y
reliability --topology kary-tree:k=4,n=2 --routing ft2ei --faults 0..2 --rate 1FIT --times 1y
reliability --topology ring:n=4 --routing updown-graph --universe channels --faults 0..8 --rate 1e-3/h --times 100h
reliability --topology ring:n=4 --routing updown-graph --universe channels --faults 0..8 --rate 1e-3/h --times 100h --json |
    sed -n '/"totals"/,/"rows"/p' | sed -E 's/([0-9]\.[0-9]{9})[0-9]+/\1/'
reliability --topology ring:n=4 --routing dor --universe links --criterion surviving --faults 0..4 --rate 1e-3/h --times 100h
holdfast tolerance $tree --faults 0..4 --store none --quiet --json >tally.json
reliability $tree --faults 0..4 --rate 500FIT --times 10y >run.txt
holdfast reliability --tally tally.json --rate 500FIT --times 10y | cmp - run.txt && echo the same from the tally
holdfast tolerance $tree --faults 0..4 --part 1/2 --store none --quiet --json >part.json
holdfast reliability --tally part.json --rate 500FIT 2>&1
holdfast reliability --tally rows.csv --rate 500FIT 2>&1
holdfast reliability --tally tally.json --rate 500FIT --faults 2 2>&1
reliability $tree --faults 0..4
reliability $tree --faults 0..4 --rate 5x
reliability $tree --faults 0..4 --rate switches=5
reliability $tree --faults 0..4 --rate 0
reliability $tree --faults 0..4 --rate 5 --crews 2
reliability $tree --faults 0..4 --rate 5 --repair 3q
reliability $tree --faults 0..4 --rate 5 --times 3,2
reliability --topology kary-tree:k=2,n=2 --routing updown --universe links+switches --faults 12 --rate links=5,switches=6
reliability --topology kary-tree:k=2,n=2 --routing updown --universe links+switches --faults 1 --rate links=5
true
