# Stratified samples: by an attribute, by kind of component; what is refused; a study cell is asked alike; a store goes on.
say() { holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --samples 100 "$@" 2>&1; echo "exit $?"; }
say --universe links --faults 1,3,5 --strata stage --store none
say --universe links+switches --faults 3 --strata class --store none --format json
say --universe links --faults 3 --strata class --store none
say --universe links --faults 3 --strata stages --store none
say --universe links --faults 3 --strata stage --method orbits --store none
say --universe links --faults 4 --strata stage --part 2/3 --store kept.sqlite --columns f,sets,not_tolerated
say --universe links --faults 4 --strata stage --store kept.sqlite --columns f,sets,not_tolerated
holdfast store list --store kept.sqlite | tail -1 | tr -s ' ' | cut -d' ' -f1-8
