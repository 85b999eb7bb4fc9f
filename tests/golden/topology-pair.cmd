holdfast topology multibutterfly:radix=2,dilation=2,stages=4 --pair 6,16
holdfast topology maximal-fanout:radix=2,dilation=2,stages=4 --pair 6,16
holdfast topology maximal-fanout:radix=2,dilation=2,stages=4 --pair t5,t15 --routing multipath --faults s12,s22
holdfast topology kary-tree:k=2,n=2 --pair 0,3 --routing destro --json
holdfast topology kary-tree:k=2,n=2 --pair 0,3 --faults s2 --svg
holdfast topology butterfly:k=2,n=2 --pair 0,3 --faults s1 --dot
holdfast topology ring:n=5 --pair 0,2
for pair in 6,17 0,16 3 3,3 t3,s2 t3,t16 , 99999999999,1; do
    holdfast topology maximal-fanout:radix=2,dilation=2,stages=4 --pair $pair 2>&1
done
holdfast topology ring:n=5 --faults s1 2>&1
holdfast topology ring:n=5 --routing minimal 2>&1
holdfast topology ring:n=5 --pair 0,1 --graphml 2>&1
true
