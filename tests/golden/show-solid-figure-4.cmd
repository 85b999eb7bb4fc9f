holdfast show --topology mesh:dims=6x6 --routing solid-fault --faults s13:2,s20,s28:0 --svg out.svg
echo "status $?"
grep -o 'class="[a-z -]*"' out.svg | sort | uniq -c
holdfast show --topology mesh:dims=4x4x4 --routing solid-fault-adaptive --faults s21
holdfast verify --topology mesh:dims=6x6 --routing solid-fault --universe switches --faults 1..3 --store none --quiet
echo "status $?"
holdfast verify --topology mesh:dims=5x5 --routing solid-fault:rule4=sticky --universe switches --faults 1..2 --witness --store none --quiet
echo "status $?"
holdfast verify --topology mesh:dims=5x5 --routing solid-fault --failed s0 --store none
holdfast show --topology hypercube:n=4 --routing solid-fault
holdfast show --topology complete:n=4 --routing block-fault
holdfast show --topology torus:dims=4x4x4 --routing solid-fault:repair=appendix-a
