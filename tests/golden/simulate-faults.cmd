ask() {
    echo "\$ holdfast simulate $*"
    holdfast simulate "$@"
    echo "status $?"
}
tree="--topology kary-tree:k=4,n=2 --routing ft2ei --switching vct --load 0.4 --window 500"
ask $tree --fault-at "1000:s0:5-s5:0" --cycles 2500
ask $tree --fault-at "1000:s0:5-s5:0;1700:random=1" --cycles 2500 --control equal --emergency-paths --csv
ask --topology mesh:dims=3x3 --routing updown-graph --load 0.1 --fault-at "700:random=1" --universe switches --window 500 --cycles 1500 --reconfiguration 5,1,1,300 --json
ask --topology torus:dims=4x4 --routing immunet --switching vct --flow bubble --selection escape-last --load 0.1 --fault-at "1000:random=2" --reconfiguration 0,500,50,0 --cycles 6000
for switching in drop circuit; do
    ask --topology kary-tree:k=4,n=2 --routing ft2ei --switching $switching --outstanding 2 --load 0.4 --window 500 --fault-at "1000:s0:5-s5:0;1700:random=1" --cycles 2500
done
exec 2>&1
ask $tree --fault-at "1000"
ask $tree --fault-at "1000:s0:5-s5:0;900:s0:6-s6:0"
ask $tree --fault-at "1000:random=x"
ask $tree --fault-at "1000:random=99"
ask $tree --fault-at "1000:s99"
ask $tree --fault-at "1000:s0:5-s5:0" --reconfiguration 1,2
ask $tree --fault-at "1000:s0:5-s5:0" --control nobody
ask $tree --fault-at "1000:s0:5-s5:0" --cycles 800
ask $tree --control equal
ask --topology ring:n=8 --routing dor --sweep --fault-at 5:s1
# no terminal in service: from the start, and after a fault
cut="--topology mesh:dims=3x3 --routing solid-fault --load 0.1"
ask $cut --failed s0:0,s1:1,s3,s5 --fault-at 5:s1
ask $cut --failed s0:0,s1:1,s3,s5 --json | grep -A1 not_covered
ask $cut --fault-at 600:s0:0,s1:1,s3,s5 --window 500 --cycles 1500
# figures first, the deadlock below them, cut short
ask --topology torus:dims=6x6 --routing immunet --switching vct --buffer 4 --load 1 --fault-at 500:random=2 --window 2000 --cycles 8000
# over time: drawn with characters and as a picture, and in a study
holdfast simulate --topology torus:dims=4x4 --routing immunet --load 0.3 --fault-at '1000:s2:0;2500:random=1' --switching vct --flow bubble --window 250 --cycles 4000 --quiet --draw latency --svg series.svg | sed -n '/^latency (cycles)/,$p'
grep -c 'class="mark"' series.svg
grep -o '>s[0-9]*:[0-9][^<]*<' series.svg
holdfast simulate --topology torus:dims=4x4 --routing immunet --load 0.3 --fault-at 1000:s2:0 --window 250 --cycles 2000 --quiet --format pgfplots | grep -c 'addplot'
cat >series.yaml <<'END'
schema: 2
name: series
title: "A link fails in cycle 2000"
source: puente2004
plot: {x: cycle, y: "column=accepted", series: load, x-axis: cycle, y-axis: accepted (flits/cycle/terminal)}
cells:
  - {grid: {load: [0.2, 0.4]}, label: "load {load}", load: "{load}", ask: "simulate fault-at=2000:s2:0 cycles=6000", column: accepted,
     topology: "torus:dims=4x4", routing: immunet, router: "switching=vct,flow=bubble", measure: window=250}
END
holdfast study run series.yaml --store none --quiet --svg study.svg | head -n 6
grep -c 'class="mark"' study.svg
