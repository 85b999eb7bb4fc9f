# --require-reproduced: a claim that does not hold is a "no", as a published value that differs
claim() {
    cat >claim.yaml <<YAML
schema: 1
name: claim
title: "Claim"
source: here
defaults:
  topology: ring:n=4
  routing: updown-graph
  ask: tolerance
  column: not_tolerated_percent
cells:
  - {label: "links", universe: links, faults: "2", id: links}
  - {label: "channels", universe: channels, faults: "2", id: channels}
  - {label: "claim", kind: claim, show: ratio, of: links, against: channels, holds: "$1"}
YAML
    holdfast study run claim.yaml --store none --quiet --require-reproduced 2>&1
    echo "status $?"
}
claim "1<.."
claim "..<1"
