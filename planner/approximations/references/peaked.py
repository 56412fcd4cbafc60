#!/usr/bin/env python3
"""Loss of peaked and of smooth traffic, exactly: overflow of one or two Poisson
groups into a common one by the whole chain (scipy sparse), and finitely many
sources (Engset) by their birth-death weights. Mean and peakedness of the stream
are those of the number busy in an unlimited group, from the chain or the binomial
law. Writes peaked.csv.
Run: python3 peaked.py
"""
import itertools
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

def erlang_b(n, a):
    b = 1.0
    for k in range(1, n + 1): b = a * b / (k + a * b)
    return b

def riordan(n, a):
    m = a * erlang_b(n, a)
    return m, m * (1 - m + a / (n + 1 - a + m))

def chain(groups, size):
    """Share of the overflow of groups [(n, a), ...] that size servers lose."""
    shape = [n + 1 for n, _ in groups] + [size + 1]
    index = lambda s: int(np.ravel_multi_index(s, shape))
    rows, cols, vals = [], [], []
    total = int(np.prod(shape))
    def move(s, t, r):
        i, j = index(s), index(t)
        rows.extend([j, i]); cols.extend([i, i]); vals.extend([r, -r])
    for s in itertools.product(*map(range, shape)):
        for g, (n, a) in enumerate(groups):
            if s[g] < n: move(s, s[:g] + (s[g] + 1,) + s[g + 1:], a)
            elif s[-1] < size: move(s, s[:-1] + (s[-1] + 1,), a)
            if s[g]: move(s, s[:g] + (s[g] - 1,) + s[g + 1:], s[g])
        if s[-1]: move(s, s[:-1] + (s[-1] - 1,), s[-1])
    q = coo_matrix((vals, (rows, cols)), shape=(total, total)).tolil()
    q[0, :] = 1
    b = np.zeros(total); b[0] = 1
    p = spsolve(q.tocsc(), b).reshape(shape)
    lost = offered = 0
    for g, (n, a) in enumerate(groups):
        full = np.take(p, n, axis=g)
        offered += a * full.sum()
        lost += a * np.take(full, size, axis=-1).sum()
    return lost / offered

with open("peaked.csv", "w") as f:
    print("# made by peaked.py\nkind,mean,peakedness,servers,loss,source", file=f)
    for n, a in [(2, 2), (5, 5), (10, 8), (10, 10), (20, 18), (20, 25), (40, 40), (60, 66)]:
        m, v = riordan(n, a)
        for size in (1, 2, 4, 8, 12, 20):
            l = chain([(n, a)], size)
            if l > 1e-7: print(f"overflow,{m!r},{v / m!r},{size},{float(l)!r},chain of one overflow (scipy)", file=f)
    for groups in ([(2, 2), (6, 5)], [(5, 5), (5, 5)], [(10, 10), (3, 1)], [(12, 14), (4, 4)], [(10, 6), (10, 14)]):
        m = sum(riordan(*g)[0] for g in groups); v = sum(riordan(*g)[1] for g in groups)
        for size in (1, 3, 6, 10, 14):
            l = chain(groups, size)
            if l > 1e-7: print(f"overflows,{m!r},{v / m!r},{size},{float(l)!r},chain of two overflows (scipy)", file=f)
    for sources, p in [(10, .1), (10, .3), (20, .2), (40, .1), (40, .4), (100, .2)]:
        a = p / (1 - p)
        for size in (1, 2, 4, 8, 12, 20, 30):
            if size >= sources: continue
            w = [1.0]
            for j in range(size): w.append(w[-1] * (sources - j) * a / (j + 1))
            # Call congestion: weights of those who see the group, one source fewer.
            c = [1.0]
            for j in range(size): c.append(c[-1] * (sources - 1 - j) * a / (j + 1))
            l = c[-1] / sum(c)
            if l > 1e-7: print(f"sources,{sources * p!r},{1 - p!r},{size},{l!r},Engset weights", file=f)
