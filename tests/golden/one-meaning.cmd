# Words that mean the same in all commands: --csv alone prints CSV, with a file it stands beside what is printed; a file of a
# drawing; columns by the words of options; older words.
export HOLDFAST_STORE=none
tree=kary-tree:k=2,n=2
holdfast tolerance --topology $tree --routing updown --faults 0..1 --quiet --csv rows.csv && cat rows.csv
holdfast tolerance --topology $tree --routing updown --faults 0..1 --quiet --csv
holdfast simulate --topology $tree --routing updown --load 0.1 --quiet --csv=run.csv >/dev/null && head -c 20 run.csv && echo
holdfast topology mesh:dims=2x2 --svg drawn.svg --dot=drawn.dot && head -c 38 drawn.svg && head -1 drawn.dot
holdfast topology --svg mesh:dims=2x2 | head -c 38
holdfast topology mesh:dims=2x2 --svg x.svg --output x.svg 2>&1
holdfast tolerance --topology $tree --routing updown --faults 1 --csv x.csv --output x.csv 2>&1
holdfast reliability --topology $tree --routing updown --universe links --faults 0..1 --rate 100FIT --mttr 24h --times 1h --quiet \
    --columns mttr,hours,figures
holdfast show --topology mesh:dims=2x2 --failed s1 >now.txt && holdfast show --topology mesh:dims=2x2 --faults s1 | cmp - now.txt
holdfast topology mesh:dims=2x2 --check --csv >was.txt && holdfast topology mesh:dims=2x2 --connectivity --csv | cmp - was.txt
holdfast protocol --benchmark add --nodes 4 --work 4 --trace was.txt --quiet >/dev/null &&
    holdfast protocol --benchmark add --nodes 4 --work 4 --format write-trace --quiet | cmp - was.txt
