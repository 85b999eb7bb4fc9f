# A cell can show an end of an interval or a range, by the name that its column has in CSV.
export HOLDFAST_STORE=none
cat >ends.yaml <<'END'
schema: 2
name: ends
title: Ends of an interval
source: none
defaults:
  topology: mesh:dims=4x4
  routing: updown-graph
  universe: links
  ask: tolerance samples=100
  faults: 2
cells:
  - {label: middle, column: not_tolerated_percent}
  - {label: low, column: not_tolerated_percent_low}
  - {label: high, column: not_tolerated_percent_high}
END
holdfast study run ends.yaml --quiet
sed 's/_high/_hig/' ends.yaml >wrong.yaml
holdfast study run wrong.yaml --quiet 2>&1
holdfast tolerance --topology mesh:dims=4x4 --routing updown-graph --universe links --faults 2 --samples 100 --csv --quiet |
    cut -d, -f4-7
holdfast reliability --topology mesh:dims=2x2 --routing updown-graph --universe links --faults 0..1 --rate 100FIT --part 1/2 \
    --csv --quiet
# a file holds one study
holdfast study run ends.yaml ends.yaml --quiet --csv=both.csv 2>&1
ls both.csv 2>/dev/null
true
