holdfast bound --topology kary-tree:k=3,n=3 --routing ft2ei:intervals=1 --certificate bound.json
holdfast bound --check bound.json
sed 's/"classes": 3/"classes": 4/; s/"tolerated_faults": 2/"tolerated_faults": 3/' bound.json >more.json
holdfast bound --check more.json
echo "status $?"
sed 's/"s0:5>s11:0"/"s1:5>s11:1"/' bound.json >other.json
holdfast bound --check other.json
echo "status $?"
echo '{"schema": 1}' >empty.json
holdfast bound --check empty.json
sed 's/"tolerated_faults": 2/"tolerated_faults": 99/' bound.json >claim.json
holdfast bound --check claim.json 2>&1
echo "status $?"
sed 's/"version": "/"version": "9/' bound.json >version.json
holdfast bound --check version.json
echo "status $?"
