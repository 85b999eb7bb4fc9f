holdfast --help
for command in tolerance show bound study topology list describe store completion; do
    holdfast $command --help
done
holdfast
echo "status $?"
