# What every command says of a network and of its copy from a file is the same but for the name.
alike() {
    "$1" "$2" --topology "$network" "${@:3}" 2>&1 | sed "s/$network[^ \":]*/NETWORK/" >one.txt
    "$1" "$2" --topology multipath-wiring:wiring.txt "${@:3}" 2>&1 | sed 's/multipath-wiring:wiring.txt[^ ":]*/NETWORK/' >two.txt
    cmp one.txt two.txt && ! grep -q '^holdfast' one.txt && echo "alike: $2 ${*:3}"
}
for network in multibutterfly:radix=2,dilation=2,stages=4 maximal-fanout:radix=2,dilation=2,stages=4; do
    holdfast topology $network --wiring --output wiring.txt
    holdfast topology multipath-wiring:wiring.txt --wiring --output again.txt
    cmp wiring.txt again.txt && head -3 wiring.txt
    for live in none io-isolation multi-hop fault-propagation; do
        alike holdfast tolerance --routing multipath:live=$live --universe chips --faults 1..2 --store none
    done
    alike holdfast bound --fewest --routing multipath:live=multi-hop
    alike holdfast load --routing multipath --traffic uniform
done
head -4 one.txt
cp "$GOLDEN/../fixtures/wirings/dilated-butterfly.txt" .
holdfast topology multipath-wiring:dilated-butterfly.txt --check
holdfast verify --topology multipath-wiring:dilated-butterfly.txt --routing multipath
holdfast tolerance --topology multipath-wiring:dilated-butterfly.txt --routing multipath:live=io-isolation --universe switches --faults 0..1 --store none
sed 's/^s4: s8:0/s4: s8:1/' dilated-butterfly.txt >bad.txt
holdfast topology multipath-wiring:bad.txt 2>&1
holdfast topology multipath-wiring:dilated-butterfly.txt,stages=4 2>&1
holdfast topology ring:n=5 --wiring 2>&1
holdfast topology multibutterfly:radix=2,stages=2 --wiring --svg 2>&1
holdfast topology ring:n=5 --svg --format csv 2>&1
holdfast topology ring:n=5 --format svg --json 2>&1
true
