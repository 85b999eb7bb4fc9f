holdfast list topologies
holdfast list routings
holdfast list universes
holdfast list criteria
holdfast describe kary-tree
holdfast describe ft2ei
holdfast describe links
holdfast describe all-pairs
holdfast describe updown --json
holdfast list questions
holdfast describe paths
holdfast describe paths --json | grep -A 3 '"columns"'
