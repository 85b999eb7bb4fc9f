cat >intended.csv <<END
source,source_port,destination,destination_port,length_m
leaf-1,1,spine-1,1,10
leaf-1,2,spine-2,1,10
leaf-2,1,spine-1,2,15
leaf-2,2,spine-2,2,15
leaf-2,3,spine-2,3,15
END
printf 'spine-1 leaf-1\nleaf-1 spine-1\nspine-1 leaf-2\nspine-2 leaf-2\nspine-2 leaf-2\nspine-2 leaf-3\n' >actual.edges
holdfast topology file:actual.edges --against file:intended.csv
echo status $?
holdfast topology file:actual.edges --against file:intended.csv --table differences --format csv | tr -d "\r"
holdfast topology file:intended.csv --against file:intended.csv
echo status $?
holdfast topology clos:tiers=2,radix=4 --against xgft:h=2,m=2x4,w=1x2
holdfast topology ring:n=3 --against ring:n=1 2>&1
holdfast topology ring:n=3 --against ring:n=4 --check 2>&1
true
