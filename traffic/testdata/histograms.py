#!/usr/bin/python3
"""Makes histograms.json: moments and bounds of durations of which only buckets
and the sum are known, without any code of capplan.

least, greatest  E[T²] over all laws with the counts and the mean: a linear
                 program over the masses on a grid of each bucket (scipy, HiGHS)
second           E[T²] of the law of most entropy with the counts and the mean,
                 by quadrature and root finding (mpmath)
"""
import json

import mpmath as mp
import numpy as np
from scipy.optimize import linprog

mp.mp.dps = 30

CASES = [
    ([0, .005, .01, .025, .05, .1, .25, .5, 1], [12, 40, 310, 520, 260, 90, 14, 3], .048),
    ([0, 1], [1000], .31),
    ([0, 1, 2], [500, 500], 1.0),
    ([0, .1, .2, .4, .8, 1.6, 3.2], [0, 5, 100.5, 40.25, 0, 1.75], .42),
    ([0, .1, 10], [990, 10], .02),
    ([.09, .1, .11, .121], [300, 400, 300], .1045),
]


def second(edges, counts, mean):
    p = [mp.mpf(c) / sum(counts) for c in counts]

    def moments(beta):
        first = square = mp.mpf(0)
        for a, b, q in zip(edges, edges[1:], p):
            a, b = mp.mpf(a), mp.mpf(b)
            f = lambda t, a=a: mp.exp(-beta * (t - a))
            n = mp.quad(f, [a, (a + b) / 2, b])
            first += q * mp.quad(lambda t: t * f(t), [a, (a + b) / 2, b]) / n
            square += q * mp.quad(lambda t: t * t * f(t), [a, (a + b) / 2, b]) / n
        return first, square

    low, high = mp.mpf(-200), mp.mpf(200)
    for _ in range(120):
        middle = (low + high) / 2
        if moments(middle)[0] > mean:
            low = middle
        else:
            high = middle
    return float(moments(low)[1])


def bound(edges, counts, mean, sign):
    t, rows, total = [], [], sum(counts)
    for k, (a, b) in enumerate(zip(edges, edges[1:])):
        grid = np.linspace(a, b, 2001)
        t.append(grid)
        row = np.zeros(2001 * len(counts))
        row[2001 * k:2001 * (k + 1)] = 1
        rows.append(row)
    t = np.concatenate(t)
    r = linprog(sign * t * t, A_eq=np.vstack(rows + [t]), b_eq=[c / total for c in counts] + [mean])
    assert r.status == 0, r.message
    return sign * r.fun


json.dump([{
    "edges_s": edges,
    "counts": counts,
    "mean_s": mean,
    "second_s2": second(edges, counts, mean),
    "least_s2": bound(edges, counts, mean, 1),
    "greatest_s2": bound(edges, counts, mean, -1),
} for edges, counts, mean in CASES], open("histograms.json", "w"), indent=1)
