"""Loss of racks beside spot machines that share outages, 40 erlangs.

Every set of groups that are there is gone through, each group with its number of
machines, and every number up of what stands in them. Of n racks of speed 1 and u spot
machines of speed .8 the loss is 1/integral of e^-t (1 + t/a)^n (1 + .8 t/a)^u,
by Simpson's rule.
"""

import itertools
from math import comb

import numpy as np
from scipy.integrate import simpson

A, SPEED = 40.0, 0.8
T = np.linspace(0, 600, 600_001)


def loss(racks, spots):
    log = -T + racks * np.log1p(T / A) + spots * np.log1p(SPEED * T / A)
    return 1 / simpson(np.exp(log), x=T)


def mean(racks, spots, groups, there, up):
    known, total, own = {}, 0.0, up / there
    sizes = [spots // groups + (g < spots % groups) for g in range(groups)]
    for state in itertools.product([0, 1], repeat=groups):
        chance = np.prod([there if s else 1 - there for s in state])
        machines = sum(n for n, s in zip(sizes, state) if s)
        for u in range(machines + 1):
            if u not in known:
                known[u] = loss(racks, u)
            total += chance * comb(machines, u) * own**u * (1 - own) ** (machines - u) * known[u]
    return total


for row in [(30, 40, 4, 0.98, 0.9), (45, 13, 3, 0.95, 0.9), (20, 50, 1, 0.99, 0.99)]:
    print("{%s, %.13g}," % (", ".join(str(x) for x in row), mean(*row)))
