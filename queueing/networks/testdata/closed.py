#!/usr/bin/env python3
"""Closed networks by brute force over all states of the product form, exact
rationals; writes closed.csv (throughput per class, number at each station).
Run: python3 closed.py > closed.csv
"""
from fractions import Fraction as F
from math import factorial
import itertools
print("# made by closed.py")
print("case,customers,think,servers,demands,throughput,numbers,source")
def compositions(n, m):
    if m == 1:
        yield (n,); return
    for i in range(n + 1):
        for rest in compositions(n - i, m - 1): yield (i,) + rest
def weight(station_servers, counts, demands):
    # counts per class at one station; servers 0 is a delay
    n = sum(counts)
    w = F(factorial(n))
    for c, d in zip(counts, demands): w *= F(d) ** c / factorial(c)
    for k in range(1, n + 1): w /= (k if station_servers == 0 else min(k, station_servers))
    return w
def g(customers, think, servers, demands):
    m = len(servers)
    total, numbers = F(0), [F(0)] * m
    for placing in itertools.product(*[list(compositions(n, m + 1)) for n in customers]):
        w = F(1)
        for k, p in enumerate(placing): w *= F(think[k]) ** p[m] / factorial(p[m])
        if w == 0: continue
        for i in range(m):
            w *= weight(servers[i], [p[i] for p in placing], [demands[k][i] for k in range(len(customers))])
        total += w
        for i in range(m): numbers[i] += w * sum(p[i] for p in placing)
    return total, [float(x / total) for x in numbers]
def row(case, customers, think, servers, demands):
    full, numbers = g(customers, think, servers, demands)
    xs = []
    for k in range(len(customers)):
        less = list(customers); less[k] -= 1
        xs.append(float(g(less, think, servers, demands)[0] / full))
    j = lambda xs: ";".join(repr(x) for x in xs)
    print(f"{case},{j(customers)},{j(think)},{j(servers)},{'|'.join(j(d) for d in demands)},{j(xs)},{j(numbers)},exact rationals over all states")
row("single", [12], [2.0], [1, 1, 1], [[.3, .5, .2]])
row("multi", [14], [1.5], [3, 1, 2], [[1.25, .25, .5]])
row("delay", [9], [0.0], [0, 1, 4], [[2.0, .5, 1.0]])
row("two", [4, 3], [1.0, 0.0], [1, 1, 0], [[.5, .25, 1.0], [.125, 1.0, .5]])
row("three", [2, 3, 2], [1.0, 0.5, 0.0], [1, 1], [[.5, .25], [.125, 1.0], [1.0, 1.0]])
