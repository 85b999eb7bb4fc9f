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
holdfast list 2>&1 | head -n 1
holdfast list 2>&1 >/dev/full
echo "status $?"
