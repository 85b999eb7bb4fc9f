/** \file
 *  Small instances of every family of topologies, for the tests that go over the registry. A family that reads a file has tests
 *  of its own. */
#ifndef HOLDFAST_TESTS_CONFORMANCE_SPECS_H
#define HOLDFAST_TESTS_CONFORMANCE_SPECS_H

static const char *const topology_specs[] = {
    "baseline:k=2,n=3",
    "benes:k=2,n=2",
    "bmin:k=2,n=3",
    "butterfly:k=3,n=2",
    "chiplets:chiplets=2x1,dims=2x2,below=1x1",
    "clos:tiers=2,radix=4,bundle=2",
    "clos:tiers=3,radix=4,pods=2",
    "complete:n=1,terminals=2",
    "complete:n=5",
    "dragonfly:p=1,a=2,h=1",
    "dragonfly:p=2,a=3,h=1,wiring=palmtree",
    "dragonfly:p=1,a=4,h=2,groups=4",
    "dragonfly-plus:p=1,leaves=2,spines=1,h=2",
    "file:tests/fixtures/opensm/kary-2-3.ftree/ibnetdiscover.txt",
    "hypercube:n=1",
    "hypercube:n=3,terminals=2",
    "hyperx:dims=3x4",
    "hyperx:dims=2x1x3,terminals=2",
    "kary-tree:k=2,n=1",
    "kary-tree:k=2,n=3",
    "kary-tree:k=3,n=2",
    "kary-tree:k=2,n=4",
    "maximal-fanout:radix=2,stages=3",
    "maximal-fanout:radix=2,stages=4,wiring=random,inputs=random",
    "mesh:dims=1",
    "mesh:dims=4",
    "mesh:dims=3x4",
    "mesh:dims=4x4",
    "mesh:dims=2x3x2,terminals=2",
    "multibutterfly:radix=2,stages=3",
    "multibutterfly:radix=2,stages=2,inputs=clustered",
    "multipath-wiring:tests/fixtures/wirings/random.txt",
    "omega:k=2,n=3",
    "polarfly:q=2",
    "rails:hosts=2,accelerators=2,unit=1,spines=1",
    "random-regular:n=8,degree=3",
    "random-regular:n=6,degree=4,seed=2,terminals=2",
    "ring:n=2",
    "ring:n=5",
    "ring:n=6,terminals=2",
    "ruft:k=2,n=3",
    "slimfly:q=3",
    "torus:dims=3x3",
    "torus:dims=2x4,terminals=2",
    "torus:dims=2x3,double=yes",
    "torus:dims=5x1",
    "xgft:h=1,m=3,w=1",
    "xgft:h=2,m=2x3,w=1x2",
    "xgft:h=3,m=2x2x2,w=1x2x1",
    "xgft:h=3,m=1x2x2,w=1x1x1,p=1x1x2",
};
enum { N_TOPOLOGY_SPEC = sizeof topology_specs / sizeof *topology_specs };

/** Rules beyond each parameter at each of its values: texts, and parameters that belong together. */
static const char *const rule_specs[] = {
    "dor:order=yx", "dor:vcs=2,dateline=yes", "dor:order=yx,vcs=4,dateline=yes", "turns:forbid=ne.nw", "turns:forbid=sw.nw",
};
enum { N_RULE_SPEC = sizeof rule_specs / sizeof *rule_specs };
/** Values that no topology accepts alone, or at all. */
static const char *const incomplete_rules[] = {"dor:dateline=yes", "dragonfly-min:vcs=3", "dragonfly-valiant:vcs=4",
                                               "o1turn:vcs=3"};
enum { N_INCOMPLETE_RULE = sizeof incomplete_rules / sizeof *incomplete_rules };

#endif
