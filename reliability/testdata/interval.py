"""Writes interval.csv: the chain of interval.go, by two independent routes.

expm:    matrix exponential of the hand-made generator, mpmath, 60 digits.
laplace: Talbot inversion of the Laplace transform of the passage time, which
         for a birth-death chain is a product of one-step transforms.
"""
import mpmath as mp

mp.mp.dps = 60


def rates(k, m, c, lam, mu):
    n = k - m + 1
    return [(k - d) * lam for d in range(n)], [min(d, c) * mu for d in range(n)]


def stationary(k, c, lam, mu):
    p = [mp.mpf(1)]
    for d in range(k):
        p.append(p[-1] * (k - d) * lam / (min(d + 1, c) * mu))
    z = sum(p)
    return [x / z for x in p]


def by_expm(k, m, c, mttf, mttr, T, start):
    lam, mu = 1 / mp.mpf(mttf), 1 / mp.mpf(mttr)
    f, r = rates(k, m, c, lam, mu)
    n = len(f)
    Q = mp.zeros(n + 2)  # transient, outage, integral of the survival
    for d in range(n):
        Q[d, d + 1] += f[d]
        if d:
            Q[d, d - 1] += r[d]
        Q[d, d] -= f[d] + (r[d] if d else 0)
        Q[d, n + 1] = 1
    E = mp.expm(Q * mp.mpf(T), method="taylor")
    v = [mp.mpf(0)] * n
    down = mp.mpf(0)
    if start == 0:
        v[0] = mp.mpf(1)
    else:
        p = stationary(k, c, lam, mu)
        z = sum(p[:n])
        v = [x / z if start == 1 else x for x in p[:n]]
        down = 0 if start == 1 else sum(p[n:])
    S = sum(v[i] * E[i, j] for i in range(n) for j in range(n))
    F = down + sum(v[i] * E[i, n] for i in range(n))
    I = sum(v[i] * E[i, n + 1] for i in range(n))
    # mean time to outage: solve Q t = -1
    A = mp.matrix(n, n)
    for i in range(n):
        for j in range(n):
            A[i, j] = -Q[i, j]
    t = mp.lu_solve(A, mp.ones(n, 1))
    M = sum(v[i] * t[i] for i in range(n))
    return S, F, I, M


def by_laplace(k, m, c, mttf, mttr, T):
    lam, mu = 1 / mp.mpf(mttf), 1 / mp.mpf(mttr)
    f, r = rates(k, m, c, lam, mu)

    def passage(s):
        phi, prod = mp.mpf(0), mp.mpf(1)
        for b, d in zip(f, r):
            phi = b / (s + b + d * (1 - phi))
            prod *= phi
        return prod

    F = mp.invertlaplace(lambda s: passage(s) / s, mp.mpf(T), method="talbot", degree=80)
    S = mp.invertlaplace(lambda s: (1 - passage(s)) / s, mp.mpf(T), method="talbot", degree=80)
    I = mp.invertlaplace(lambda s: (1 - passage(s)) / s ** 2, mp.mpf(T), method="talbot", degree=80)
    h, M = mp.mpf(0), mp.mpf(0)
    for b, d in zip(f, r):
        h = (1 + d * h) / b
        M += h
    return S, F, I, M


out = open("interval.csv", "w")
out.write("k,m,c,mttf,mttr,window,start,survival,failure,up_time,mean_to_fail,source\n")


def row(k, m, c, mttf, mttr, T, start, res, src):
    out.write(",".join([str(k), str(m), str(c), repr(mttf), repr(mttr), repr(T), str(start)]
                       + [mp.nstr(x, 20, min_fixed=0, max_fixed=0) for x in res] + [src]) + "\n")


for k, m, c, mttf, mttr in [(1, 1, 1, 5.0, 2.0), (2, 1, 1, 5.0, 2.0), (3, 1, 2, 5.0, 2.0), (3, 2, 3, 100.0, 1.0),
                            (5, 2, 1, 1.0, 4.0), (6, 1, 6, 32.4, 7.4), (8, 6, 3, 1000.0, 3.0)]:
    for T in [1e-6, 0.5, 10.0, 3000.0]:
        for start in (0, 1, 2):
            if T / min(mttf, mttr) > 5000:
                continue
            row(k, m, c, mttf, mttr, T, start, by_expm(k, m, c, mttf, mttr, T, start), "interval.py expm 60 digits")
mp.mp.dps = 60
for k, m, c, mttf, mttr, T in [(20, 12, 2, 50.0, 3.0, 40.0), (100, 80, 5, 100.0, 4.0, 250.0),
                               (100, 95, 100, 1000.0, 1.0, 1e6), (1000, 900, 1000, 100.0, 5.0, 24.0),
                               (1000, 930, 60, 100.0, 5.0, 50.0), (1000, 980, 1000, 1000.0, 5.0, 1e4),
                               (1000, 1, 3, 10.0, 1.0, 60.0), (3, 1, 3, 1e6, 1.0, 1e9), (2, 1, 1, 3.0, 1.0, 60.0)]:
    row(k, m, c, mttf, mttr, T, 0, by_laplace(k, m, c, mttf, mttr, T), "interval.py Talbot 60 digits")
