#!/bin/bash
# holdfast-mpi against holdfast: the same bytes with 1, 2 and 4 ranks; a job that is killed goes on with another number of ranks;
# bad input is told once. The environment names both programs: HOLDFAST, HOLDFAST_MPI.
set -u
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
ranks() { # N arguments: what rank 0 prints, and its status; mpirun's own words about the status are left out
    local n=$1
    shift
    mpirun --quiet -n "$n" "$HOLDFAST_MPI" "$@" 2>errors
}

same() { # arguments
    "$HOLDFAST" "$@" --store none --quiet --threads 1 >alone
    local status=$? n
    for n in 1 2 4; do
        ranks "$n" "$@" --store none --quiet --threads 1 >together
        [ $? = "$status" ] || fail "$n ranks: another status than $status: $*"
        cmp alone together || fail "$n ranks: $*"
    done
}
same tolerance --topology kary-tree:k=4,n=2 --routing ft2ei:intervals=1 --faults 0..3 --format csv
same tolerance --topology torus:dims=4x4 --routing dor --universe links --faults 4 --samples 20000 --seed 3 --json
same tolerance --topology kary-tree:k=2,n=3 --routing updown --universe links+switches --faults 4..5 --samples 5000 --strata stage --json
same verify --topology torus:dims=4x4 --routing immunet --universe links --faults 0..2 --format csv
same bounds --topology torus:dims=4x4 --routing immunet --universe links --faults 1..2 --format csv
same load --topology kary-tree:k=2,n=3 --routing updown --traffic uniform --universe links --faults 0..2 --format csv
same cost --topology kary-tree:k=4,n=2 --format csv 2>/dev/null

# A killed job: what its ranks had handed in is in the store, and three ranks go on where two were.
question="tolerance --topology kary-tree:k=4,n=2 --routing ft2ei:intervals=1 --faults 5 --judge relation --format csv --quiet"
batches() { sqlite3 killed.sqlite 'select count(*) from batch' 2>/dev/null || echo 0; }
# shellcheck disable=SC2086 # words
"$HOLDFAST" ${question/--judge relation/} --store none >alone
# shellcheck disable=SC2086
setsid mpirun --quiet -n 2 "$HOLDFAST_MPI" $question --store killed.sqlite --threads 1 >/dev/null 2>&1 &
job=$!
for _ in $(seq 600); do
    [ "$(batches)" -gt 0 ] && break
    sleep 0.1
done
kill -KILL -- "-$job"
wait "$job" 2>/dev/null
kept=$(batches)
[ "$kept" -gt 0 ] || fail "the killed job has kept nothing"
[ "$(sqlite3 killed.sqlite "select count(*) from row where finished != ''")" = 0 ] || fail "the job came to its end before it was killed"
# shellcheck disable=SC2086
ranks 3 $question --store killed.sqlite --threads 1 >together || fail "going on: $(cat errors)"
cmp alone together || fail "going on with three ranks"
[ "$(batches)" -gt "$kept" ] || fail "nothing was added"
# shellcheck disable=SC2086
"$HOLDFAST" $question --store killed.sqlite >together
cmp alone together || fail "the store of the job"

# Bad input is told once, by rank 0.
ranks 3 tolerance --topology ring:m=4 --routing dor --faults 1
[ $? = 2 ] || fail "bad input: another status than 2"
[ "$(grep -c 'no parameter is called "m"' errors)" = 1 ] || fail "bad input: $(cat errors)"
exit $failed
