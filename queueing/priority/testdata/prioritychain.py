#!/usr/bin/env python3
"""Priorities on several servers by brute force: the whole chain of all classes,
truncated, as one sparse linear system (scipy); writes prioritychain.csv. The
number column is the mean number of the class in the system.
Run: python3 prioritychain.py
"""
import itertools, sys
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

def solve(states, moves):
    index = {s: i for i, s in enumerate(states)}
    r, c, v = [], [], []
    for s in states:
        for t, rate in moves(s):
            if t in index and rate > 0:
                r += [index[t], index[s]]; c += [index[s], index[s]]; v += [rate, -rate]
    n = len(states)
    q = coo_matrix((v, (r, c)), shape=(n, n)).tolil()
    q[n - 1, :] = 1
    b = np.zeros(n); b[-1] = 1
    return spsolve(q.tocsc(), b)

def preemptive(c, lam, mu, cut):
    k = len(lam)
    states = list(itertools.product(*[range(x) for x in cut]))
    def moves(s):
        left = c
        for i in range(k):
            yield s[:i] + (s[i] + 1,) + s[i + 1:], lam[i]
            served = min(s[i], left); left -= served
            if served: yield s[:i] + (s[i] - 1,) + s[i + 1:], served * mu[i]
    p = solve(states, moves)
    x = np.array(states)
    return [float(p @ x[:, i]) for i in range(k)]

def nonpreemptive(c, lam, mu, cut):
    # (served 1, served 2, waiting 1, waiting 2)
    states = [(a, b, 0, 0) for a in range(c + 1) for b in range(c + 1 - a) if a + b < c]
    states += [(a, c - a, x, y) for a in range(c + 1) for x in range(cut[0]) for y in range(cut[1])]
    def moves(s):
        a, b, x, y = s
        if a + b < c:
            yield (a + 1, b, 0, 0), lam[0]
            yield (a, b + 1, 0, 0), lam[1]
        else:
            yield (a, b, x + 1, y), lam[0]
            yield (a, b, x, y + 1), lam[1]
        for da, db, rate in ((1, 0, a * mu[0]), (0, 1, b * mu[1])):
            if not rate: continue
            if x: t = (a - da + 1, b - db, x - 1, y)
            elif y: t = (a - da, b - db + 1, x, y - 1)
            else: t = (a - da, b - db, 0, 0)
            yield t, rate
    p = solve(states, moves)
    x = np.array(states)
    return [float(p @ (x[:, 0] + x[:, 2])), float(p @ (x[:, 1] + x[:, 3]))]

with open("prioritychain.csv", "w") as f:
    print("# made by prioritychain.py\npreemptive,servers,rates,means,class,number,source", file=f)
    def put(kind, c, lam, mu, out):
        for i, n in enumerate(out):
            print(f"{kind},{c},{' '.join(map(repr, lam))},{' '.join(repr(1 / m) for m in mu)},{i + 1},{n!r},sparse chain (scipy)", file=f)
    put("true", 2, [.3, .3, .3], [1.2, 1, .8], preemptive(2, [.3, .3], [1.2, 1], (40, 60)) + preemptive(2, [.3, .3, .3], [1.2, 1, .8], (11, 16, 34))[2:])
    for c, lam, mu, cut in [(2, [.5, .5], [1, .5], (45, 220)), (2, [.5, .5], [.5, 1], (60, 250)), (2, [.2, 1.2], [.25, 2], (45, 600)),
                            (3, [.5, 1], [1, .6], (40, 200)), (2, [1.6, .25], [4, .5], (40, 200)), (2, [.2, 3], [.4, 5], (40, 700)),
                            (4, [1, 6], [.5, 5], (50, 900)), (4, [6, 1], [5, .5], (50, 200))]:
        put("true", c, lam, mu, preemptive(c, lam, mu, cut))
        f.flush()
    for c, lam, mu, cut in [(2, [.5, .5], [1, .5], (40, 150)), (2, [.5, .5], [.5, 1], (50, 150)), (2, [.2, 1.2], [.25, 2], (25, 500)),
                            (3, [.5, 1], [1, .6], (35, 150)), (4, [6, 1], [5, .5], (85, 110))]:
        put("false", c, lam, mu, nonpreemptive(c, lam, mu, cut))
        f.flush()
