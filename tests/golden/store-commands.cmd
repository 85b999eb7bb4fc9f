holdfast tolerance --topology kary-tree:k=2,n=2 --routing updown --faults 0..2 --store here/it.sqlite >/dev/null
holdfast store list --store here/it.sqlite | sed 's/[0-9-]*T[0-9:]*Z/TIME/; s/ *$//'
holdfast store verify --store here/it.sqlite
holdfast store export --store here/it.sqlite | cut -d, -f1-19 | tr -d '\r'
holdfast store export --store here/it.sqlite --json | grep -c '"topology"'
