holdfast topology maximal-fanout:radix=4,dilation=2,stages=5 --check
holdfast topology multibutterfly:radix=2,dilation=2,stages=4 --check --json
holdfast topology ruft:k=2,n=3 --check
holdfast topology ruft:k=2,n=3 --check --svg 2>&1
true
