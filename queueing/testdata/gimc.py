#!/usr/bin/env python3
"""GI/M/c by the chain embedded at arrivals: between arrivals customers only
leave, so the transition matrix is E[exp(QT)] of a pure death process Q: a
matrix exponential for constant gaps, resolvents for hyperexponential and Erlang
ones. Truncated where nothing is left; writes gimc.csv.
Run: python3 gimc.py
"""
import numpy as np
from scipy.linalg import expm, solve

def chain(c, rho, kind, a):
    n = c + int(40 / (1 - rho)) * 6
    n = min(n, 1400)
    mu = 1.0
    lam = rho * c
    Q = np.zeros((n + 1, n + 1))
    for i in range(1, n + 1):
        Q[i, i - 1] = min(i, c) * mu
        Q[i, i] = -min(i, c) * mu
    I = np.eye(n + 1)
    if kind == "deterministic": M = expm(Q / lam)
    elif kind == "erlang":
        k = int(a)
        R = solve(I * k * lam - Q, I) * k * lam
        M = np.linalg.matrix_power(R, k)
    elif kind == "hyper":
        p = .5 * (1 + np.sqrt((a - 1) / (a + 1)))
        M = 0
        for q in (p, 1 - p):
            r = 2 * q * lam
            M = M + q * r * solve(I * r - Q, I)
    # An arrival finds i, is there, then the gap passes.
    P = np.zeros((n + 1, n + 1))
    P[:n] = M[1:]
    P[n] = M[n]
    A = P.T - np.eye(n + 1)
    A[0] = 1
    b = np.zeros(n + 1); b[0] = 1
    x = solve(A, b)
    wait = x[c:].sum()
    mean = sum(x[i] * (i - c + 1) / (c * mu) for i in range(c, n + 1))
    return wait, mean, x[-1]

with open("gimc.csv", "w") as f:
    print("# made by gimc.py\nlaw,a,servers,rho,wait_probability,wait_mean,source", file=f)
    for kind, a in [("deterministic", 0), ("erlang", 3), ("hyper", 4.), ("hyper", 1.5)]:
        for c in (1, 2, 5, 20, 60):
            for rho in (.3, .7, .9):
                w, m, last = chain(c, rho, kind, a)
                assert last < 1e-13, (kind, a, c, rho, last)
                if w < 1e-9: continue
                print(f"{kind},{a},{c},{rho!r},{float(w)!r},{float(m)!r},embedded chain (scipy)", file=f)

# Takács' formula in 60 digits, for systems too large for a chain.
from mpmath import mp, mpf, exp, sqrt, nstr
mp.dps = 60
with open("gimclarge.csv", "w") as f:
    print("# made by gimc.py\nlaw,a,servers,rho,wait_probability,wait_mean,source", file=f)
    for kind, a in [("deterministic", 0), ("hyper", 4), ("erlang", 3)]:
        for c, rho in ((200, mpf("0.9999")), (10000, mpf("0.99")), (10000, mpf("0.999999"))):
            lam = rho * c
            p = (1 + sqrt(mpf(a - 1) / (a + 1))) / 2 if kind == "hyper" else 0
            def A(s):
                if kind == "deterministic": return exp(-s / lam)
                if kind == "erlang": return (1 + s / (a * lam)) ** (-a)
                return p / (1 + s / (2 * p * lam)) + (1 - p) / (1 + s / (2 * (1 - p) * lam))
            lo, hi = mpf(10) ** -15, mpf(1)
            for _ in range(220):  # y = 1 - sigma; 1 - A(c y) > y below the root
                mid = (lo + hi) / 2
                if 1 - A(c * mid) > mid: lo = mid
                else: hi = mid
            y = lo
            total, lead = mpf(0), mpf(1)
            for j in range(1, c + 1):
                phi = A(mpf(j))
                lead *= mpf(c - j + 1) / j * (1 - phi) / phi
                total += lead / (1 - phi) * (c * (1 - phi) - j) / (c * y - j)
            w = 1 / (1 + y * total)
            print(f"{kind},{a},{c},{nstr(rho, 17)},{nstr(w, 17)},{nstr(w / (c * y), 17)},Takacs in 60 digits (mpmath)", file=f)
