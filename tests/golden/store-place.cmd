run() {
    holdfast tolerance --topology kary-tree:k=2,n=2 --routing updown --faults 1 --quiet "$@" | tail -n 1
}

echo "the usual place, and another that the environment names:"
mkdir usual other
(cd usual && run && find . -type f)
(cd other && HOLDFAST_STORE=named.sqlite run && find . -mindepth 1)
HOLDFAST_STORE=other/named.sqlite holdfast store verify
HOLDFAST_STORE=other/named.sqlite run --store none

echo "nothing may be written here:"
mkdir locked
chmod a-w locked
(cd locked && run 2>&1 && find . -mindepth 1)
(cd locked && run --store none)
(cd locked && HOLDFAST_STORE=a/b.sqlite run 2>&1)
(cd locked && run --store ./c.sqlite 2>&1)
chmod u+w locked
rmdir locked && echo "and nothing was"

echo "codes of other programs:"
run --store none --accept 0123456789abcdef 2>&1
run --store s.sqlite --accept v0.1 2>&1
run --store s.sqlite --accept 0123456789abcdef,fedcba9876543210
