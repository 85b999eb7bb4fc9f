#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is written for LaTeX compiles. run.sh report|article|plots HOLDFAST SOURCE, in a folder of its own.
#   report   the report of results/ that the target of the name made in the folder HOLDFAST/../report: every study is in it, no broken
#            reference, nothing far off the page, and the site is whole (check_site.py)
#   article  an article of two columns with three tables and two figures as the program writes them
#   plots    every plot of every study with results, by itself
set -euo pipefail
what=$1 holdfast=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "typeset: $*" >&2
    exit 1
}

# check_log FILE POINTS: nothing undefined or double, no line off by more points, and no page that runs over its end
check_log() {
    if grep -E 'undefined|multiply defined|^!' "$1"; then fail "$1 has a broken reference or an error"; fi
    if grep -F 'Overfull \vbox' "$1"; then fail "$1 has a page that is too long"; fi
    awk -v most="$2" 'match($0, /^Overfull \\hbox \([0-9.]+pt/) { split($3, part, "("); if (part[2] + 0 > most) { print; bad = 1 } } END { exit bad }' "$1" ||
        fail "$1 has lines that are more than $2 points too long"
}

compile() { latexmk -pdf -interaction=nonstopmode -halt-on-error "$1.tex" >/dev/null 2>&1 || { tail -40 "$1.log"; fail "$1.tex does not compile"; }; }

case $what in
report)
    echo '<!DOCTYPE html><html><head><title>explorer</title></head><body></body></html>' >explorer.html
    (cd "$source" && "$holdfast" report --output-dir "$work")
    grep -q 'href="explorer.html"' index.html || fail "index.html does not lead to the explorer that is there"
    cd "$(dirname "$holdfast")/report"
    [ -s report.pdf ] || fail "no report.pdf; cmake --build ... --target report makes it"
    check_log report.log 30
    for study in "$source"/results/*.csv; do
        name=$(basename "$study" .csv)
        grep -q "label{study:$name}" report.tex || fail "the report has no $name"
    done
    if grep 'docs/findings\.md}' report.tex; then fail "the report sends its reader to a file for what it says itself"; fi
    /usr/bin/python3 "$source/tests/typeset/check_site.py" . || fail "the site is not whole"
    ;;
article)
    show() { (cd "$source" && "$holdfast" study show "$@"); }
    show gomez2010-table-3.2 --turned --format latex >table-1.tex
    show gomez2010-table-3.1 --turned --format latex >table-2.tex
    "$holdfast" tolerance --topology kary-tree:k=4,n=2 --routing ft2ei --faults 0..4 --quiet --format latex >table-3.tex
    show gomez2010-figure-3.13 --pgfplots "$work/figure-1.tex" >/dev/null
    show gomez2010-figure-3.14 --pgfplots "$work/figure-2.tex" >/dev/null
    cat >article.tex <<'END'
\documentclass[10pt,twocolumn]{article}
\usepackage{array,booktabs,pgfplots}
\pgfplotsset{compat=1.17}
\begin{document}
Tables \ref{tab:gomez2010-table-3.2}, \ref{tab:gomez2010-table-3.1} and \ref{tab:tolerance}, figures \ref{one} and \ref{two}.
\input{table-1} \input{table-2} \input{table-3}
\begin{figure}\centering\input{figure-1}\caption{One.}\label{one}\end{figure}
\begin{figure*}\centering\input{figure-2}\caption{Two.}\label{two}\end{figure*}
\end{document}
END
    compile article
    check_log article.log 0
    ;;
plots)
    for study in "$source"/results/*.csv; do
        name=$(basename "$study" .csv)
        for n in 1 2 3 4 5 6 7 8 9; do
            (cd "$source" && "$holdfast" study show "$name" --figure $n --pgfplots "$work/$name-$n.tex" >/dev/null 2>&1) || break
        done
    done
    for plot in *.tex; do
        pdflatex -interaction=nonstopmode -halt-on-error "$plot" >/dev/null 2>&1 || { tail -30 "${plot%.tex}.log"; fail "$plot does not compile"; }
        check_log "${plot%.tex}.log" 0
    done
    printf '%s plots\n' "$(ls ./*.pdf | wc -l)"
    ;;
*) fail "no test is called $what" ;;
esac
echo "typeset: $what ok"
