#!/bin/bash
# run.sh says why it is skipped, with status 77: where a program of Slurm is missing, and where Slurm does not start.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# skipped WORDS PATH: run.sh with these programs
skipped() {
    local said status
    said=$(PATH=$2 "$here/run.sh" 2>&1)
    status=$?
    if [ $status -ne 77 ] || [[ $said != *"$1"* ]]; then
        echo "FAILED: status $status, not 77 and \"$1\": $said"
        failed=1
    fi
}
mkdir "$work/none" "$work/dead"
skipped "SKIPPED: no s" "$work/none"
for program in slurmctld slurmd sbatch srun scontrol scancel; do
    printf '#!/bin/sh\necho "%s is dead"\nexit 1\n' "$program" >"$work/dead/$program"
done
chmod +x "$work/dead"/*
skipped "SKIPPED: Slurm does not start here" "$work/dead:$PATH"
skipped "srun is dead" "$work/dead:$PATH"
exit $failed
