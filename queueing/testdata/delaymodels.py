#!/usr/bin/env python3
"""GI/M/1 roots by mpmath, M/D/c by a truncated chain (numpy), mean response
under other disciplines by nested scipy quadrature, Whitt's 1993 formulas
written out a second time; writes gim1.csv, mdc.csv, disciplines.csv, ggc.csv.
Run: python3 delaymodels.py
"""
from mpmath import mp, mpf, exp, findroot, nstr
import numpy as np
from scipy import integrate, stats, special
mp.dps = 90
S = lambda x: nstr(x, 20)
with open("gim1.csv", "w") as f:
    print("# made by delaymodels.py\nlaw,a,b,service,sigma,wait_mean,source", file=f)
    laws = {"exponential": lambda s, a, b: 1 / (1 + s), "deterministic": lambda s, a, b: exp(-s),
            "erlang": lambda s, a, b: (1 + s / b) ** (-b),
            "hyper": lambda s, a, b: mpf(18) / 19 / (1 + s / 2) + mpf(1) / 19 / (1 + 10 * s)}
    for name, a, b in [("exponential", 1, 0), ("deterministic", 1, 0), ("erlang", 1, 3), ("erlang", 1, 50), ("hyper", .5, 10.)]:
        for srv in (.01, .3, .8, .99, .9999999):
            x = mpf(srv)
            g = lambda y: laws[name](y / x, a, b) - 1 + y  # y = 1 - sigma
            lo, hi = mpf(10) ** -9, mpf(1)
            # g < 0 below the root, > 0 above
            for _ in range(300):
                mid = (lo + hi) / 2
                if g(mid) < 0: lo = mid
                else: hi = mid
            y = lo
            print(f"{name},{a},{b},{srv!r},{S(1 - y)},{S((1 - y) * x / y)},mpmath bisection", file=f)
with open("mdc.csv", "w") as f:
    print("# made by delaymodels.py\nrate,servers,wait_mean,wait_probability,source", file=f)
    for lam, c in [(.5, 1), (.9, 1), (1., 2), (1.9, 2), (4., 5), (4.9, 5), (18., 20), (90., 100)]:
        n = 3000 if lam / c > .95 else 1200
        a = stats.poisson.pmf(np.arange(n + 1), lam)
        # N' = max(N - c, 0) + A
        P = np.zeros((n, n))
        for i in range(n):
            k = max(i - c, 0)
            P[i, k:] = a[:n - k]
            P[i, n - 1] += 1 - P[i].sum()
        A = P.T - np.eye(n); A[0, :] = 1
        b = np.zeros(n); b[0] = 1
        p = np.linalg.solve(A, b)
        j = np.arange(n)
        lq = (p * np.maximum(j - c, 0)).sum()
        print(f"{lam!r},{c},{lq / lam!r},{p[c:].sum()!r},numpy chain of {n} states", file=f)
with open("disciplines.csv", "w") as f:
    print("# made by delaymodels.py\nlaw,a,b,rate,discipline,response,source", file=f)
    class L: pass
    def make(name, a, b):
        l = L()
        if name == "exponential": l.d = stats.expon(scale=a)
        if name == "gamma": l.d = stats.gamma(1 / b, scale=a * b)
        if name == "lognormal":
            s2 = np.log(1 + b); l.d = stats.lognorm(np.sqrt(s2), scale=a * np.exp(-s2 / 2))
        return l
    for name, a, b in [("exponential", 1., 0.), ("gamma", 1., .5), ("gamma", 2., 3.), ("lognormal", 1., 2.)]:
        d = make(name, a, b).d
        for lam in (.3, .4):
            rho = lam * a
            if rho >= 1: continue
            q = [d.ppf(x) for x in np.concatenate(([0], np.geomspace(1e-10, .5, 25), 1 - np.geomspace(.4, 1e-15, 40)))]
            q = [x for x in q if np.isfinite(x)]
            def moments(x):
                ts = [t for t in q if t < x] + [x]
                s = [0., 0.]
                for lo, hi in zip(ts, ts[1:]):
                    for k in (1, 2):
                        s[k - 1] += integrate.fixed_quad(lambda t: t ** k * d.pdf(t), lo, hi, n=24)[0]
                return s
            es2 = d.moment(2)
            tot = {"SJF": a, "preemptive SJF": 0., "SRPT": 0., "FB": 0.}
            for lo, hi in zip(q, q[1:]):
                xs, ws = np.polynomial.legendre.leggauss(12)
                for x, w in zip((hi - lo) / 2 * xs + (hi + lo) / 2, (hi - lo) / 2 * ws):
                    m1, m2 = moments(x)
                    r = 1 - lam * m1; fx = d.pdf(x); sx = d.sf(x)
                    tot["SJF"] += w * fx * lam * es2 / 2 / r ** 2
                    tot["preemptive SJF"] += w * fx * (lam * m2 / 2 / r ** 2 + x / r)
                    tot["SRPT"] += w * (fx * lam * (m2 + x * x * sx) / 2 / r ** 2 + sx / r)
                    r = 1 - lam * (m1 + x * sx)
                    tot["FB"] += w * fx * (lam * (m2 + x * x * sx) / 2 / r ** 2 + x / r)
            for k, v in tot.items(): print(f"{name},{a},{b},{lam},{k},{v!r},nested Gauss quadrature of scipy.stats laws", file=f)
with open("ggc.csv", "w") as f:
    print("# made by delaymodels.py\nrho,servers,va,vs,whitt_wait,klb_wait,kingman_wait,whitt_probability,source", file=f)
    for rho in (.5, .8, .92, .95):
        for m in (1, 4, 25, 60):
            for va, vs in ((1, 1), (1, 0), (0, 1), (.5, .25), (.25, .5), (2, .5), (.5, 2), (4, 4)):
                a = rho * m
                bl = 1.
                for j in range(1, m + 1): bl = a * bl / (j + a * bl)
                mm = m * bl / (m - a * (1 - bl)) / (m - a)
                g = min(.24, (1 - rho) * (m - 1) * ((4 + 5 * m) ** .5 - 2) / (16 * m * rho))
                p1, p2 = 1 + g, 1 - 4 * g
                p3 = p2 * np.exp(-2 * (1 - rho) / (3 * rho)); p4 = min(1, (p1 + p3) / 2)
                psi = lambda c2: 1 if c2 >= 1 else p4 ** (2 * (1 - c2))
                if va >= vs: phi = 4 * (va - vs) / (4 * va - 3 * vs) * p1 + vs / (4 * va - 3 * vs) * psi((va + vs) / 2)
                else: phi = (vs - va) / (2 * va + 2 * vs) * p3 + (vs + 3 * va) / (2 * va + 2 * vs) * psi((va + vs) / 2)
                w = phi * (va + vs) / 2 * mm
                k = np.exp(-2 * (1 - rho) / (3 * rho) * (1 - va) ** 2 / (va + vs)) if va <= 1 else np.exp(-(1 - rho) * (va - 1) / (va + 4 * vs))
                king = a * (va / a ** 2 + vs / m + (m - 1) / m ** 2) / (2 * (1 - rho))
                C = mm * (m - a)
                sf = stats.norm.sf
                q = sf((1 - rho) * m ** .5)
                pi4 = min(1, sf((1 + vs) * (1 - rho) * m ** .5 / (va + vs)) / q * C)
                pi5 = min(1, sf(2 * (1 - rho) * m ** .5 / (1 + va)) / q * C)
                pi1 = rho ** 2 * pi4 + (1 - rho ** 2) * pi5
                z = (va + vs) / (1 + vs)
                gm = (m - m * rho - .5) / (m * rho * z) ** .5
                pi2 = va * pi1 + (1 - va) * sf(gm)
                pi3 = 2 * (1 - va) * (gm - .5) * pi2 + (1 - 2 * (1 - va) * (gm - .5)) * pi1
                pi = min(1, pi1 if m <= 6 or gm <= .5 or va >= 1 else pi2 if gm >= 1 else pi3)
                print(f"{rho},{m},{va},{vs},{w!r},{k * (va + vs) / 2 * mm!r},{king!r},{pi!r},Whitt 1993 eq. 2.24-2.25 and 3.10 and the cited formulas in python", file=f)
