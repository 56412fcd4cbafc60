#!/usr/bin/env python3
"""Engset, M/M/c/K and M/M/c//N by exact sums over states with mpmath; writes
../loss/testdata/engset.csv, mmck.csv and finitesource.csv. Run: python3 finite.py
"""
from mpmath import mp, mpf, binomial, gammainc, log, factorial, exp, nstr
mp.dps = 40
S = lambda x: nstr(x, 20)
with open("../loss/testdata/engset.csv", "w") as f:
    print("# made by finite.py\nsources,servers,alpha,log_time,log_call,carried,source", file=f)
    def log_e(n, c, a):
        if n < c: return "-Inf"
        term = s = mpf(1)
        for j in range(c, 0, -1):
            term *= mpf(j) / ((n - j + 1) * a); s += term
        return S(-log(s))
    for n, c, a in [(10, 5, .3), (10, 5, 3.), (10, 10, 2.), (10, 9, 2.), (3, 4, 1.), (1, 1, .5), (1000, 300, .5), (1000, 360, .5),
                    (1000, 600, .5), (100, 1, 2.), (100, 1, .001), (1000, 20, 1e-6), (100000, 9000, .1), (100000, 9500, .1), (1000000, 100, 1e-4)]:
        a = mpf(a); m = min(n, c)
        w = [mpf(1)]
        for j in range(1, m + 1): w.append(w[-1] * (n - j + 1) * a / j)
        y = sum(j * x for j, x in enumerate(w)) / sum(w)
        print(f"{n},{c},{float(a)!r},{log_e(n, c, a)},{log_e(n - 1, c, a)},{S(y)},mpmath sums", file=f)
with open("mmck.csv", "w") as f:
    print("# made by finite.py\nrate,service,servers,buffer,t,blocking,wait_mean,queue,tail,source", file=f)
    for lam, s, c, k, t in [(4., 1., 5, 0, 1.), (4., 1., 5, 3, 1.), (5., 1., 5, 3, 1.), (7., 1., 5, 30, 5.), (1., .5, 1, 10, 2.), (200., 1., 150, 400, 2.5),
                            (150., 1., 150, 400, 2.5), (149.99, 1., 150, 400, .1), (100., 1., 150, 40, .01), (6., 1., 5, 20000, 3990.), (5., 1., 5, 20000, 1000.),
                            (4.9999, 1., 5, 20000, 1000.), (1., .001, 1, 20000, .005)]:
        a = mpf(lam) * mpf(s)
        w = [mpf(1)]
        for j in range(1, c + k + 1): w.append(w[-1] * a / min(j, c))
        tot = sum(w); adm = tot - w[-1]
        q = sum((j - c) * w[j] for j in range(c, c + k + 1)) / tot
        mw = q / (lam * adm / tot)
        x = mpf(t) * c / mpf(s)
        # P(Poisson(x) <= j) by summing up
        term = exp(-x); cum = term; tail = mpf(0)
        for j in range(k):
            tail += w[c + j] * cum
            term *= x / (j + 1); cum += term
        print(f"{lam!r},{s!r},{c},{k},{t!r},{S(w[-1] / tot)},{S(mw)},{S(q)},{S(tail / adm)},mpmath sums", file=f)
with open("finitesource.csv", "w") as f:
    print("# made by finite.py\ncustomers,think,service,servers,t,throughput,wait_mean,tail,source", file=f)
    def law(n, z, s, c):
        w = [mpf(1)]
        for k in range(1, n + 1): w.append(w[-1] * (n - k + 1) * s / z / min(k, c))
        tot = sum(w)
        return [x / tot for x in w]
    for n, z, s, c, t in [(400, .1, .444, 300, .05), (400, 1e-6, .444, 300, .1), (400, 1., .444, 300, .01), (5, 10., 1., 2, 1.), (1000, 100., .5, 3, 2.), (50, 3., 1., 60, 1.), (2000, .5, .1, 100, 1.)]:
        Z, X = mpf(z), mpf(s)
        p = law(n, Z, X, c)
        x = sum(v * min(k, c) for k, v in enumerate(p)) / X
        w = sum(v * max(0, k - c) for k, v in enumerate(p)) / x
        seen = law(n - 1, Z, X, c)
        y = mpf(t) * c / X
        tail = mpf(0); term = exp(-y); cum = term
        for j in range(c, n):
            tail += seen[j] * cum
            term *= y / (j - c + 1); cum += term
        print(f"{n},{z!r},{s!r},{c},{t!r},{S(x)},{S(w)},{S(tail)},mpmath sums", file=f)
