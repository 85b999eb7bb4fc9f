# Every study that names a pivot can be turned by it, as its results stand.
n=0
for file in "$GOLDEN"/../../studies/*.yaml; do
    grep -q '^pivot:' "$file" || continue
    holdfast study show "$(basename "$file" .yaml)" --turned --results "$GOLDEN/../../results" >turned.txt 2>&1 || { basename "$file"; cat turned.txt; }
    n=$((n + 1))
done
[ $n -gt 10 ] && echo turned
