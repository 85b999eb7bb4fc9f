#!/bin/bash
# What `holdfast submit --slurm` prints, taken by Slurm itself: a controller and a daemon of this test alone on this machine run an array
# of parts and the task that joins them; the answer has the bytes of one process. Killed parts go on when the script is run again.
# Status 77, and why, where Slurm is not there or does not start. The environment names HOLDFAST and may name HOLDFAST_MPI.
set -u
for program in slurmctld slurmd sbatch srun scontrol scancel; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
        echo "SKIPPED: no $program here; Debian has it in slurmctld, slurmd and slurm-client"
        exit 77
    }
done
PATH=$PATH:/usr/sbin
work=$(mktemp -d)
cd "$work" || exit 1
mkdir state spool
daemons=()
stop() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$work"
}
trap stop EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# ---- a cluster of one node ----

port=$((20000 + RANDOM % 20000))
cat >slurm.conf <<END
ClusterName=holdfast
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
PriorityType=priority/basic
ReturnToService=2
KillWait=5
NodeName=node NodeHostname=$(hostname) NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
END
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f slurm.conf >slurmctld.log 2>&1 &
daemons+=($!)
slurmd -D -N node -f slurm.conf >slurmd.log 2>&1 &
daemons+=($!)
# The node is there as soon as a job runs.
if ! timeout 30 srun --immediate=25 true >srun.log 2>&1; then
    echo "SKIPPED: Slurm does not start here"
    tail -n 5 slurmctld.log slurmd.log srun.log
    exit 77
fi

# ---- arrays ----

ends() { # JOB: wait for it
    timeout 120 srun --quiet --dependency="afterany:$1" true || fail "job $1 does not end"
}

# submit NAME ARGUMENTS...: the array's answer is that of one process
submit() {
    local name=$1 last
    shift
    "$HOLDFAST" "$@" --store none --quiet >alone.txt
    local status=$?
    "$HOLDFAST" submit "$@" --slurm --parts 3 --threads 1 --store "$name.sqlite" --output "$name.answer" --sbatch time=10 >"$name.sh" ||
        fail "$name: no script"
    last=$(sh "$name.sh") || fail "$name: not submitted"
    last=${last##* }
    ends "$last"
    cmp alone.txt "$name.answer" || fail "$name: $(cat slurm-*.out)"
    [ "$(scontrol show job "$last" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p')" = "$status" ] || fail "$name: another status than $status"
    [ "$("$HOLDFAST" store list --store "$name.sqlite.part2" | wc -l)" -gt 1 ] || fail "$name: part 2 has kept nothing"
}
export HOLDFAST
submit all tolerance --topology kary-tree:k=4,n=2 --routing ft2ei:intervals=1 --faults 0..4 --format csv
submit samples tolerance --topology torus:dims=4x4 --routing dor --universe links --faults 2,4 --samples 3000 --seed 3 --json
submit "two words" verify --topology torus:dims=4x4 --routing dor --universe links --faults 0..2 --format csv
submit orders tolerance --topology torus:dims=4x4 --routing minimal --universe links --faults 0..10 --orders 2000 --format csv

# A part that is killed: the task that joins is not started. The script once more, and the part goes on.
question=(tolerance --topology "kary-tree:k=4,n=2" --routing ft2ei:intervals=1 --faults 5 --samples 100000 --format csv)
batches() { sqlite3 killed.sqlite.part1 'select count(*) from batch' 2>/dev/null || echo 0; }
"$HOLDFAST" "${question[@]}" --store none --quiet >alone
"$HOLDFAST" submit "${question[@]}" --judge relation --slurm --parts 2 --threads 1 --store killed.sqlite --output killed >killed.sh
last=$(sh killed.sh)
for _ in $(seq 600); do
    [ "$(batches)" -gt 0 ] && break
    sleep 0.1
done
scancel --signal=KILL --full "$((${last##* } - 1))" 2>/dev/null || fail "nothing to kill"
timeout 60 srun --quiet --dependency="afterany:$((${last##* } - 1))" true
kept=$(batches)
[ "$kept" -gt 0 ] && [ ! -e killed ] || fail "the killed parts: $kept pieces kept"
last=$(sh killed.sh)
ends "${last##* }"
cmp alone killed || fail "going on: $(cat slurm-*.out)"
[ "$(batches)" -gt "$kept" ] || fail "nothing was added"

# Ranks, where srun and the MPI library know each other.
if [ -n "${HOLDFAST_MPI-}" ] && srun -n 2 --mpi=pmix "$HOLDFAST_MPI" list topologies >ranks.log 2>&1; then
    export SLURM_MPI_TYPE=pmix
    "$HOLDFAST" submit "${question[@]}" --slurm --ranks 2 --threads 1 --store none --output ranks >ranks.sh
    ends "$(sbatch --parsable ranks.sh)"
    cmp alone ranks || fail "ranks: $(cat slurm-*.out)"
else
    cat ranks.log
fi
exit $failed
