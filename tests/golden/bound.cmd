holdfast bound --topology kary-tree:k=3,n=3 --routing ft2ei:intervals=1 --certificate bound.json
holdfast bound --check bound.json
sed 's/"classes": 3/"classes": 4/' bound.json >more.json
holdfast bound --check more.json
echo "status $?"
sed 's/"s0:3>s9:0"/"s1:3>s9:1"/' bound.json >other.json
holdfast bound --check other.json
echo "status $?"
echo '{"schema": 1}' >empty.json
holdfast bound --check empty.json
