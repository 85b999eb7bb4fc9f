# "-" is standard output, which holds one thing.
ask="holdfast tolerance --topology ring:n=4 --routing minimal --universe links --faults 0..2"
$ask --svg - --output answer.txt | head -n 2
head -n 1 answer.txt
$ask --columns f,sets --output - | tail -n 3
$ask --svg - 2>&1
$ask --svg - --pgfplots - --output answer.txt 2>&1
holdfast topology ring:n=4 --svg --output - | head -n 1
holdfast show --topology ring:n=4 --failed s0 --svg - 2>&1
holdfast show --topology ring:n=4 --failed s0 --svg - --output answer.txt | grep -c '^<svg'
test -e ./- || echo no file is called -
