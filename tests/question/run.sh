#!/bin/bash
# The worked example of a question is one file and one line: with them the program has its command, help, completion, every format and
# its checks. HOLDFAST names a program built with tests/question/list.def.
set -uo pipefail
export COLUMNS=100
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# expect TEXT ARGUMENTS...: the program prints a line with the text
expect() {
    local text=$1 said
    shift
    said=$("$HOLDFAST" "$@" 2>&1)
    if ! grep -qF -- "$text" <<<"$said"; then
        printf 'holdfast %s\nexpected: %s\nsaid: %s\n' "$*" "$text" "$said"
        failed=1
    fi
}
ask=(degrees --topology mesh:dims=3x3 --least 4)
expect "degrees         count the switches by their ports in use" --help
expect "--least PORTS              leave out switches with fewer ports in use (default 0)" degrees --help
expect "options='--topology --least " completion bash
expect "'--least=[leave out switches with fewer ports in use]:PORTS: '" completion zsh
expect "__fish_seen_subcommand_from degrees' -l least -x" completion fish
expect ".It Fl -least Ar PORTS" manual degrees
expect "     4         4  44.44" "${ask[@]}"
expect "4,4,44.4444444444444" "${ask[@]}" --format csv
expect '{"table": "degrees", "degree": 4, "switches": 4, "share": 44.44' "${ask[@]}" --format jsonl
expect '    "least": 4' "${ask[@]}" --json
expect '      "switches": 4,' "${ask[@]}" --json
expect "| 4 | 4 | 44.44 |" "${ask[@]}" --format markdown
expect '4 & 4 & 44.44 \\' "${ask[@]}" --format latex
expect "mesh:dims=3x3,5" "${ask[@]}" --format csv --columns topology,degree
expect "--least=x is not right; need a whole number" degrees --topology ring:n=3 --least x
expect "option --topology is missing" degrees
expect "unknown option --lest; did you mean --least?" degrees --lest 3
expect '<td class="number">44.44</td>' "${ask[@]}" --format html
expect 'least        0..' describe degrees
cat >"$work/degrees.yaml" <<'END'
schema: 2
name: toy
title: A cell of the new question
source: none
defaults: {ask: degrees, topology: "mesh:dims=3x3"}
cells:
  - {label: inner, column: switches, row: degree=5, published: 1}
  - {label: share, ask: degrees least=4, column: share, row: degree=4, published: 44.44%}
END
expect "2 reproduced, 0 differ" study run "$work/degrees.yaml" --store none --quiet
"$HOLDFAST" "${ask[@]}" --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["spec"]["least"] == 4 and [row["degree"] for row in answer["rows"]] == [4, 5], answer
assert all(isinstance(row["share"], float) and isinstance(row["switches"], int) for row in answer["rows"]), answer
' || failed=1
"$HOLDFAST" "${ask[@]}" --output "$work/degrees.tex" && grep -q toprule "$work/degrees.tex" || failed=1
exit $failed
