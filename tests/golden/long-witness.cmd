# all 500 names of a set stand in the table, and in what the store exports
holdfast tolerance --topology kary-tree:k=5,n=3 --routing updown --faults 500 --quiet --store here.sqlite --format csv | grep -o '>s[0-9]*:[0-9]*' | wc -l
holdfast store export --store here.sqlite | grep -o '>s[0-9]*:[0-9]*' | wc -l
