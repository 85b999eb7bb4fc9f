#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A design-space exploration: which networks of some 64 terminals no other beats in cost, throughput and tolerance of failed links."""
import holdfast
import pandas

DESIGNS = [
    ("kary-tree:k=4,n=3", "updown"),
    ("kary-tree:k=8,n=2", "updown"),
    ("torus:dims=8x8", "updown-graph"),
    ("torus:dims=4x4x4", "updown-graph"),
    ("hyperx:dims=4x4,terminals=4", "dor"),
    ("mesh:dims=8x8", "dor"),
]
FIGURES = ["topology", "routing", "cost", "throughput", "tolerance", "deadlock"]

# %% what each design is worth, as rows of one frame
rows = [
    holdfast.design(topology=topology, routing=routing, reference="kary-tree:k=4,n=3", faults_most=3, sets=200)[0]
    for topology, routing in DESIGNS
]
frame = pandas.DataFrame(rows)[FIGURES]


# %% the front: no other design is as good in all three and better in one
def is_beaten(row):
    as_good = (frame.cost <= row.cost) & (frame.throughput >= row.throughput) & (frame.tolerance >= row.tolerance)
    better = (frame.cost < row.cost) | (frame.throughput > row.throughput) | (frame.tolerance > row.tolerance)
    return bool((as_good & better).any())


frame["front"] = [not is_beaten(row) for row in frame.itertuples()]
print(frame.sort_values("cost").to_string(index=False))
