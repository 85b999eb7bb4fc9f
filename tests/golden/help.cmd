holdfast --help
for command in tolerance show bound study topology list describe store completion; do
    holdfast $command --help
done
holdfast
echo "status $?"
# one group of many; none that is called so; who reads has seen enough
holdfast simulate --help router | head -n 3
holdfast help simulate files
holdfast simulate --help routers 2>&1
echo "status $?"
# as wide as it is told; no command prints a line that could be shorter
COLUMNS=60 holdfast submit --help | head -n 30
COLUMNS=7 holdfast describe ring
COLUMNS=60 holdfast --help | head -n 12
for command in $(holdfast --help | sed -n '/^Questions/,$s/^  \([a-z-]*\) .*/\1/p'); do
    holdfast $command --help
done | awk 'length > 80 { print "too long: " $0 }'
holdfast list 2>&1 | head -n 1
holdfast list 2>&1 >/dev/full
echo "status $?"
