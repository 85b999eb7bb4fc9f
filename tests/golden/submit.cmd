# Job scripts: of one job, of an array and of one whose jobs are ranks; and what is refused. With bars, so that nobody takes this file for a script.
submit() { holdfast submit "$@" 2>&1 | sed "s/^/| /"; echo "status ${PIPESTATUS[0]}"; }
tree="--topology kary-tree:k=4,n=2 --routing ft2ei:intervals=1"
torus="--topology torus:dims=4x4 --routing dor --universe links"
submit tolerance $tree --faults 0..4 --slurm --threads 4 --format csv
submit tolerance $tree --faults 0..4 --method auto --slurm --parts 8 --store "it's all.sqlite" --sbatch "partition=long time=8:00:00" --output all.csv --quiet
submit verify $torus --faults 3 --slurm --parts 2 --ranks 16 --threads 8 --store three.sqlite --json
# The script works without Slurm, too: parts, and what joins them.
holdfast submit verify $torus --faults 0..2 --format csv --slurm --parts 2 --threads 1 --store "by hand.sqlite" >hand.sh
for part in 1 2 0; do
    SLURM_ARRAY_TASK_ID=$part sh hand.sh >of-$part
    echo "part $part: status $?"
done
holdfast verify $torus --faults 0..2 --format csv --store none --quiet | diff - of-0 && echo same
SLURM_ARRAY_TASK_ID=0 sh hand.sh | diff - of-0 && echo same
# Refused.
submit
submit tolerances $tree
submit cost $tree --slurm
submit bound $torus --enumerate --slurm
submit verify $torus --slurm
submit tolerance $tree --faults 1
submit tolerance $tree --faults 99 --slurm
submit tolerance $tree --faults 1 --part 1/2 --slurm
submit tolerance $tree --faults 1 --slurm --parts 1001
submit tolerance $tree --faults 1 --slurm --parts 2
submit tolerance $tree --faults 1 --slurm --parts 2 --store none
submit tolerance $tree --faults 1 --slurm --columns sets,deadlock
submit tolerance $tree --faults 1 --slurm --sbatch "time=5 array=3"
submit tolerance $tree --faults 1 --slurm --sbatch "-p long"
submit tolerance --topology mesh:dims=8x8 --routing minimal --criterion connected --universe links --faults 0..40 --slurm --parts 2 --store x.sqlite
submit tolerance --topology mesh:dims=8x8 --routing minimal --criterion connected --universe links --faults 0..40 --slurm --parts 2 --store x.sqlite --method counted
submit tolerance --help | head -3
submit --help
