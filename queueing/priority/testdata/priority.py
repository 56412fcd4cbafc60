#!/usr/bin/env python3
"""Priority queues: exact rationals and a chain solved by numpy; writes
priority.csv. One row per class.

Rows "one": Cobham and preemptive-resume in exact rational arithmetic on the
float64 inputs. Rows "chain": two exponential classes on c servers, of one
rate except in rows "unlike": the two-dimensional chain truncated and solved (numpy, sparse by scipy).
Run: python3 priority.py > priority.csv
"""
from fractions import Fraction as F
import numpy as np, scipy.sparse as sp, scipy.sparse.linalg as sl
print("# made by priority.py")
print("case,preemptive,servers,class,rates,services,scvs,wait,source")
def one(case, lam, tau, scv):
    l, t, v = [[F(x) for x in xs] for xs in (lam, tau, scv)]
    sig = [F(0)]
    for a, b in zip(l, t): sig.append(sig[-1] + a * b)
    half = [a * b * b * (1 + c) / 2 for a, b, c in zip(l, t, v)]
    for k in range(len(l)):
        np_ = sum(half) / ((1 - sig[k]) * (1 - sig[k + 1]))
        pr = t[k] / (1 - sig[k]) + sum(half[:k + 1]) / ((1 - sig[k]) * (1 - sig[k + 1])) - t[k]
        cols = [";".join(repr(x) for x in xs) for xs in (lam, tau, scv)]
        for flag, w in ((0, np_), (1, pr)):
            print(f"{case},{flag},1,{k},{cols[0]},{cols[1]},{cols[2]},{float(w)!r},exact rationals")
one("three", [.3, .2, .1], [1., 1.5, 2.], [1., 0., 4.])
one("near", [.4, .3, .2999999], [1., 1., 1.], [1., .5, 2.])
one("nearest", [.3, .49, .2099999], [1., 1., 1.], [1., 1., 1.])
one("uneven", [123.4, 7.7, .0100099], [.003, .05, 24.45], [3., .2, 1.])
def chain(case, c, lam, mu, preempt, n1, n2):
    # preemptive: (i, j) numbers of classes. Non-preemptive: while all busy, (waiting 1, waiting 2).
    c_ = [";".join(repr(x) for x in xs) for xs in (lam, [1 / m for m in mu], [1., 1.])]
    states = {}
    def at(s):
        return states.setdefault(s, len(states))
    rows, cols, vals = [], [], []
    def add(a, b, r):
        i, j = at(a), at(b)
        rows.extend([j, i]); cols.extend([i, i]); vals.extend([r, -r])
    if preempt:
        for i in range(n1 + 1):
            for j in range(n2 + 1):
                if i < n1: add((i, j), (i + 1, j), lam[0])
                if j < n2: add((i, j), (i, j + 1), lam[1])
                if i: add((i, j), (i - 1, j), mu[0] * min(i, c))
                if j and i < c: add((i, j), (i, j - 1), mu[1] * min(j, c - i))
    else:
        for b in range(c):
            add(("b", b), ("b", b + 1) if b + 1 < c else (0, 0), lam[0] + lam[1])
            if b: add(("b", b), ("b", b - 1), mu[0] * b)
        for i in range(n1 + 1):
            for j in range(n2 + 1):
                if i < n1: add((i, j), (i + 1, j), lam[0])
                if j < n2: add((i, j), (i, j + 1), lam[1])
                if i: add((i, j), (i - 1, j), mu[0] * c)
                elif j: add((i, j), (i, j - 1), mu[0] * c)
                else: add((i, j), ("b", c - 1), mu[0] * c)
    n = len(states)
    a = sp.csc_matrix((vals, (rows, cols)), shape=(n, n)).tolil()
    a[0, :] = 1
    rhs = np.zeros(n); rhs[0] = 1
    p = sl.spsolve(a.tocsc(), rhs)
    q = [0.0, 0.0]
    for s, k in states.items():
        if s[0] == "b": continue
        q[0] += p[k] * s[0]; q[1] += p[k] * s[1]
    for k in range(2):
        w = q[k] / lam[k] - (1 / mu[k] if preempt else 0)
        print(f"{case},{int(preempt)},{c},{k},{c_[0]},{c_[1]},{c_[2]},{w!r},numpy chain")
for pre in (True, False):
    chain("chain3", 3, [1.0, 1.1], [1.0, 1.0], pre, 40, 120)
    chain("chain5", 5, [1.5, 1.5], [1.0, 1.0], pre, 60, 90)
# Unlike rates: what the scaling is measured against.
for c, lam, mu in [(2, [1.6, .25], [4., .5]), (2, [.2, 3.], [.4, 5.]), (4, [1., 6.], [.5, 5.]), (4, [6., 1.], [5., .5])]:
    chain("unlike", c, lam, mu, True, 40, 900)
