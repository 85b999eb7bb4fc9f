# What a study left in a folder, in every format, and what is refused.
holdfast study run gomez2010-table-3.5 --store none --quiet --output-dir out >/dev/null
ls out
for format in text csv markdown latex jsonl; do
    holdfast study show gomez2010-table-3.5 --results out --format $format >shown
    head -n 12 shown | tr -d '\r'
done
holdfast study show gomez2010-table-3.5 --results out --json >shown
head -n 30 shown
holdfast study show gomez2010-table-3.5 --results out --columns study,cell,value --output short.csv
head -n 2 short.csv | tr -d '\r'
refused() { holdfast study "$@" 2>&1; echo "status $?"; }
broken() {
    sed "$1" out/gomez2010-table-3.5.csv >broken/gomez2010-table-3.5.csv
    refused show gomez2010-table-3.5 --results broken
}
mkdir broken
broken '1s/value_low/low/'
broken '3s/.*/a,b/'
broken '3s/^"2-ary/"3-ary/'
broken '3s/,reproduced,/,sound,/'
broken '5s/,16,16,16,/,16,16,x,/'
broken '5s/,,16,/,2x,16,/'
broken '5,$d'
broken '3s/^"/"""/'
broken '3s/^"/a"/'
broken '3s/^".*/"/'
broken '1,$d'
refused show gomez2010-table-3.5 --results nowhere
refused show
refused show gomez2010-table-3.5 --results out --again
refused run gomez2010-table-3.5 --results out
refused show gomez2010-table-3.5 --results out --svg none.svg
refused show gomez2010-table-3.5 gomez2010-table-3.1 --results out --output x.csv
refused show gomez2010-table-3.5 --results out --columns colour
refused show gomez2010-table-3.5 --results out --format latex --output x.md
ls
