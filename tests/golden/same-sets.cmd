# A line without spare links: no set of faults is tolerated, so the witness of a campaign of one sample is that sample. A simulation
# fails the same set.
for seed in 1 2 3 4; do
    holdfast tolerance --topology mesh:dims=40 --routing dor --universe links --faults 3 --method sampled --samples 1 --seed $seed \
        --store none --quiet --witness | tail -n 1
    holdfast simulate --topology mesh:dims=40 --routing updown-graph --load 0.01 --universe links --fault-at 10:random=3 --seed $seed \
        --window 100 --cycles 200 --json | grep '"failed": "'
done
