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


def look(topology, routing):
    """Figures of one design; every question is asked of the same names."""
    two = dict(topology=topology, routing=routing)
    cost = holdfast.cost(reference="kary-tree:k=4,n=3", **two)[0]
    load = holdfast.load(traffic="uniform", **two)[0]
    verdict = holdfast.verify(**two)
    faults = holdfast.tolerance(universe="links", faults=[1], **two).rows
    tolerated = 0
    while tolerated < len(faults) and faults[tolerated]["not_tolerated"] == 0:
        tolerated += 1
    return dict(
        two, cost=cost["cost"], throughput=load["saturation"], tolerated=tolerated, deadlock_free=verdict.answer == "yes"
    )


# %% all designs
frame = pandas.DataFrame([look(*design) for design in DESIGNS])


# %% the front: no other design is as good in all three and better in one
def is_beaten(row):
    as_good = (frame.cost <= row.cost) & (frame.throughput >= row.throughput) & (frame.tolerated >= row.tolerated)
    better = (frame.cost < row.cost) | (frame.throughput > row.throughput) | (frame.tolerated > row.tolerated)
    return bool((as_good & better).any())


frame["front"] = [not is_beaten(row) for row in frame.itertuples()]
print(frame.sort_values("cost").to_string(index=False))
