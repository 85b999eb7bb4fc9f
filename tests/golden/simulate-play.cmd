# work with an end: traces, tasks with barriers, programs
ask() {
    echo "\$ holdfast simulate $*"
    holdfast simulate "$@"
    echo "status $?"
}
# what a load generates is a trace, and a trace is played until all is there
ask --topology mesh:dims=3x3 --routing dor --load 0.1 --burst 20,1 --cycles 40 --write-trace 1.txt
cat 1.txt
ask --topology mesh:dims=3x3 --routing dor --trace 1.txt
ask --topology torus:dims=4x4 --routing dor:vcs=2,dateline=yes --trace 1.txt --csv --packet-length 2
ask --topology mesh:dims=3x3 --routing dor --trace 1.txt --json --cycles 30
# a message of 10 flits comes at once, in packets of 4
ask --topology mesh:dims=3x3 --routing dor --load 0.1 --cycles 60 --write-trace 6.txt --message 10
cat 6.txt
# every message holds what the next wants
{ echo "cycle source destination flits"; for i in 0 1 2 3 4 5 6 7; do echo "0 $i $(((i + 3) % 8)) 64"; done; } >2.txt
ask --topology ring:n=8 --routing dor --packet-length 64 --trace 2.txt
# tasks
ask --topology mesh:dims=3x3 --routing dor --barrier=messages=20,tasks=4
ask --topology multibutterfly:radix=2,dilation=2,stages=4 --routing multipath:live=multi-hop --failed s14,s23,s24,s8,s12,s2,s5,s36,s15 --barrier=messages=50,tasks=3 --packet-length 24 --buffer 24
ask --topology mesh:dims=2x2 --routing dor --barrier=messages=5,tasks=2,interval=3,outstanding=1 --json
ask --topology mesh:dims=3x3 --routing dor --barrier=messages=20,tasks=4 --traffic neighbour --cycles 5
echo "cycle source destination flits" >7.txt
ask --topology mesh:dims=3x3 --routing dor --trace 7.txt --histogram
# programs
for program in add reverse quicksort nbody; do
    ask --topology mesh:dims=4x4 --routing dor --program $program --csv
done
holdfast protocol trace --benchmark add --nodes 16 --output 6.trace
ask --topology mesh:dims=4x4 --routing dor --program 6.trace --csv
exec 2>&1
printf 'cycle source destination flits\n0 1 2\n' >3.txt
ask --topology mesh:dims=3x3 --routing dor --trace 3.txt
ask --topology mesh:dims=3x3 --routing dor --trace 4.txt
ask --topology mesh:dims=3x3 --routing dor --barrier=messages=0
ask --topology mesh:dims=3x3 --routing dor --program add
ask --topology mesh:dims=4x4 --routing dor --program adds
ask --topology mesh:dims=4x4 --routing dor --program add --load 1
ask --topology mesh:dims=4x4 --routing dor --load 1 --cycles 5
ask --topology mesh:dims=4x4 --routing dor --load 1,2 --cycles 5 --write-trace 5.txt
ask --topology mesh:dims=4x4 --routing dor --trace 1.txt --svg 5.svg
ask --topology mesh:dims=4x4 --routing dor --load 1 --message 10
ask --topology mesh:dims=4x4 --routing dor --load 1 --cycles 5 --write-trace 5.txt --message 0
ls
