# plans that serve nobody: packets that all get lost, flows whose ends are not in service, a rule that keeps nobody
holdfast verify --topology torus:dims=2x3 --routing dor --universe switches --failed s0,s1,s2,s3,s4 --certificate lost.json
echo "status $?"
holdfast-check lost.json
printf 't12 t13\n' > flows.txt
holdfast verify --topology mesh:dims=5x5 --routing solid-fault --flows flows.txt --universe switches --failed s12 --certificate idle.json
echo "status $?"
holdfast-check idle.json
holdfast verify --topology kary-tree:k=2,n=3 --routing dfsssp:vcs=1 --failed s0:2-s4:0,s1:3-s5:1 --certificate none.json
echo "status $?"
holdfast-check none.json
sed 's/"nobody"/"some"/' none.json > some.json
holdfast-check some.json
echo "status $?"
sed 's/"nobody"/null/' none.json > null.json
holdfast-check null.json
echo "status $?"
sed 's/"nobody"/"all"/' none.json > all.json
holdfast-check all.json
echo "status $?"
