# One answer in every format; columns by key, arguments as columns, digits; the ending of a file says its format.
ask() { holdfast tolerance --topology kary-tree:k=2,n=2 --routing ft2ei:intervals=1 --faults 0..3 --quiet --store none "$@"; }
for format in csv jsonl markdown latex; do
    ask --format "$format"
done
ask --format csv --columns topology,f,not_tolerated_percent --digits 4
ask --columns f,sets,witness
ask --part 1/2
ask --part 1/2 --format csv
# an argument does not hide a column of its name, and no column is there twice
holdfast simulate --topology kary-tree:k=2,n=2 --routing updown --load 0.1,0.2 --window 100 --batches 5 --quiet --format csv --columns arguments,accepted |
    head -n 1 | tr , '\n' | sort | uniq -d
holdfast simulate --topology kary-tree:k=2,n=2 --routing updown --load 0.1,0.2 --window 100 --batches 5 --quiet --format jsonl --columns load,routing
ask --columns f,sets,f 2>&1 || echo "status $?"
holdfast tolerance --topology mesh:dims=3x3 --routing solid-fault --universe switches --faults 0..2 --quiet --store none --format csv --table classes
holdfast tolerance --topology mesh:dims=4x4 --routing dor --faults 4 --method sampled --samples 50 --quiet --store none --format csv
ask --output table.tex && head -2 table.tex
ask --output table.csv --format latex 2>&1 || echo "status $?"
ask --format xls 2>&1 || echo "status $?"
ask --format csv --columns f,stes 2>&1 || echo "status $?"
ask --table class 2>&1 || echo "status $?"
ask --format csv --json 2>&1 || echo "status $?"
ask --digits 0 2>&1 || echo "status $?"
# what goes to a file of its own, alone
holdfast verify --topology ring:n=4 --routing updown-graph --format certificate --output alone.json
holdfast-check alone.json
holdfast verify --topology ring:n=4 --routing updown-graph --format svg --output alone.svg
head -c 4 alone.svg; echo
holdfast verify --topology ring:n=4 --routing updown-graph --format svg --output wrong.json 2>&1 || echo "status $?"
holdfast verify --topology ring:n=4 --routing updown-graph --format svg --columns verdict 2>&1 || echo "status $?"
ask --format dot 2>&1 || echo "status $?"
# two outputs in one file
holdfast verify --topology ring:n=4 --routing updown-graph --certificate one.json --output one.json 2>&1 || echo "status $?"
holdfast verify --topology ring:n=4 --routing updown-graph --certificate one.out --svg one.out 2>&1 || echo "status $?"
ls one.json one.out 2>&1 | wc -l
# two tables of one question in one article
ask --format latex --label two-faults | grep label
ask --label two-faults 2>&1 || echo "status $?"
ask --format latex --label 'two faults' 2>&1 || echo "status $?"
holdfast cost --topology kary-tree:k=2,n=2 --routing updown --quiet --format csv --columns switches
