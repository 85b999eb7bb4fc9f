say() { echo "\$ holdfast $*"; holdfast "$@" 2>&1; echo "status $?"; }
say tolerence
say tolerance --fault 3
say tolerance
say tolerance --topology kary-tree:k=2,n=3 --routing updown
say tolerance --topology
say tolerance extra
say list routing
say describe updwon
say describe
say show --faults s1
say store
say store lst
say study
say study rn
say completion zsh
say topology kary-tree:k=2,n=2 --dot --svg
say list -x
