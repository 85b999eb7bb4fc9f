say() { echo "\$ holdfast tolerance ... $*"; holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --faults 1 "$@" 2>&1; echo "status $?"; }
say --universe groups:missing.txt --store none
echo 'a: s0 s99' >bad.txt
say --universe groups:bad.txt --store none
printf 'a: s0\n\nb s1\n' >bad.txt
say --universe groups:bad.txt --store none
printf 'a: s0\na: s1\n' >bad.txt
say --universe groups:bad.txt --store none
printf 'a: s0:2-s9:9\n' >bad.txt
say --universe groups:bad.txt --store none
: >bad.txt
say --universe groups:bad.txt --store none
echo 'this is no database, but it is long enough to be looked at by something that reads headers of one hundred bytes' >text.sqlite
say --store text.sqlite
md5sum text.sqlite
mkdir folder
say --store folder
holdfast tolerance --topology kary-tree:k=2,n=3 --routing updown --faults 1 --store kept.sqlite >/dev/null
chmod 444 kept.sqlite
say --store kept.sqlite
chmod 644 kept.sqlite
holdfast store verify --store kept.sqlite
say --store none --output missing/folder.txt
holdfast topology kary-tree:k=2,n=2 --output /dev/full
echo "status $?"
holdfast topology kary-tree:k=2,n=2 >/dev/full
echo "status $?"
ls
