#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A table for a paper: the share of fault sets that fat-trees do not tolerate, by rule, exact at every number of faults.

Each cell is one walk over all combinations of failed channels. The frame goes to LaTeX as it is.
"""
import holdfast
import pandas

RULES = {"up*/down*": "updown", "one interval": "ft2ei:intervals=1", "two intervals": "ft2ei:intervals=2"}
TREES = {"2-ary 3-tree": holdfast.spec("kary-tree", k=2, n=3), "3-ary 2-tree": holdfast.spec("kary-tree", k=3, n=2)}

# %% one question for each tree and rule
frames = []
for tree, topology in TREES.items():
    for rule, routing in RULES.items():
        answer = holdfast.tolerance(topology=topology, routing=routing, faults=range(5))
        frames.append(answer.frame().assign(tree=tree, rule=rule))
results = pandas.concat(frames)

# %% the table: numbers of faults down, rules across
table = results.pivot(index=["tree", "f"], columns="rule", values="not_tolerated_percent")[list(RULES)]
print(table.round(4).to_string())

# %% what a paper includes
table = table.rename_axis(columns=None)
print("% needs \\usepackage{booktabs,multirow}")
print(table.style.format(precision=2).to_latex(hrules=True, caption="Fault sets not tolerated, in per cent", label="tab:trees"))
