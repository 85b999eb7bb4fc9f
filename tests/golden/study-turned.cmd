# A study turned as its pivot says, by columns that are named only, and what is refused.
holdfast study run gomez2010-table-3.1 gomez2010-table-3.5 --store none --quiet --output-dir out >/dev/null
head -n 1 out/gomez2010-table-3.5.csv | tr -d '\r'
holdfast study show gomez2010-table-3.1 --results out --turned
holdfast study show gomez2010-table-3.5 --results out --turned --format csv | tr -d '\r'
holdfast study show gomez2010-table-3.5 --results out --turned --cell published,deviation --format markdown
holdfast study show gomez2010-table-3.5 --results out --rows topology --across column --cell value 2>&1
holdfast study show gomez2010-table-3.1 --results out --rows k --across n,universe,ask --cell computed --format csv | tr -d '\r'
holdfast study show gomez2010-table-3.5 --results out --columns k,failed,column,deviation --format csv | head -n 4 | tr -d '\r'
study() {
    printf 'schema: 2\nname: x\ntitle: X\nsource: gomez2010\npivot: %s\ncells:\n' "$1"
    printf '  - {label: a, ask: bound, column: tolerated_faults, routing: updown, topology: "kary-tree:k=2,n=2"}\n'
}
refused() { study "$1" >x.yaml; shift; holdfast study run ./x.yaml --store none --quiet "$@" 2>&1; echo "status $?"; }
refused '{rows: topology}'
refused '{cell: computed}'
refused '{rows: topology, cell: computed, columns: k}'
refused 'topology'
refused '{rows: colour, cell: computed}' --turned
refused '{rows: topology, cell: computed, where: colour}' --turned
refused '{rows: topology, cell: computed, where: published}' --turned
sed -i '/^pivot/d' x.yaml
holdfast study run ./x.yaml --store none --quiet --turned 2>&1
echo "status $?"
holdfast study run ./x.yaml --store none --quiet --rows topology 2>&1
echo "status $?"
