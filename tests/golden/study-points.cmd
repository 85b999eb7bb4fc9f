cp -r "$GOLDEN/../../results" .
holdfast study show gomez2010-figure-3.24 --points points.json --format csv --columns cell >/dev/null
python3 - <<'P'
import json
plot = json.load(open("points.json"))
print(plot["x"], plot["y"], sep="\n")
for one in plot["series"]:
    print(one["name"], one["panel"], one["joined"], one["published"], one["points"])
P
