show() { holdfast show --topology mesh:dims=6x6 --routing "$1" --faults "$2" --limit 2 ${3:+--svg "$3"}; echo "status $?"; }
show solid-fault s6:0,s1:2,s4:0,s10:0,s14:0,s20,s25,s28
show solid-fault s14:0,s20,s25,s28
show solid-fault s6:0,s1:2,s14:0,s20,s25 out.svg
show block-fault s6:0,s1:2,s14:0,s20,s25
show solid-fault:repair=appendix-a s4:0,s10:0
show solid-fault:repair=completed s4:0,s10:0,s6:0,s1:2,s14:0,s20,s25,s28
grep -o 'class="[a-z -]*"' out.svg | sort | uniq -c
holdfast show --topology mesh:dims=6x6 --faults s14:0,s20,s25,s28 --fewest
holdfast show --topology mesh:dims=5x5 --faults s0,s6:0,s16:0 --fewest --json | grep -o '"nodes": *[0-9]*'
