#!/usr/bin/python3
"""Reference values for the law fits, independent of the Go code.

Writes samples.csv (the samples) and laws.csv (fits). Continuous laws: roots
of the likelihood equations and numerical Hessians in mpmath at 40 digits, and
KS distances by scipy.stats.kstest. scipy.stats' own fits are compared here.
Sizes: the interval likelihood maximised by scipy's differential evolution,
polished by Nelder-Mead from several starts; q is free there, not profiled.
Run in this directory: /usr/bin/python3 laws.py
"""
import math
import random
import numpy as np
import mpmath as mp
from scipy import optimize, stats

mp.mp.dps = 40
rng = random.Random(20120812)


def rounded(xs):
    return [float("%.6g" % x) for x in xs]


samples = {
    "bursty": rounded(rng.weibullvariate(7.0, 0.5) for _ in range(200)),
    "regular": rounded(rng.weibullvariate(300.0, 3.0) for _ in range(150)),
    "long": rounded(rng.lognormvariate(5.0, 1.7) for _ in range(200)),
    "near": rounded(1000 + 0.01 * rng.gauss(0, 1) for _ in range(40)),
    "two": [1.0, 10.0],
    "wide": rounded(10 ** rng.uniform(-8, 9) for _ in range(60)),
}


def two_stage(l, m, h, q):
    r = rng.uniform(l, m) if rng.random() < q else rng.uniform(m, h)
    return max(1, round(2 ** r))


sizes = {
    "das2": [two_stage(0.8, 3.0, 6.0, 0.9) for _ in range(300)],
    "broad": [two_stage(0.8, 4.5, 8.0, 0.6) for _ in range(400)],
    "small": [rng.choice([1, 1, 1, 2, 2, 3, 4, 4, 4, 5, 8]) for _ in range(80)],
    "pow2": [2 ** rng.randrange(0, 6) for _ in range(100)],
    "pair": [2] * 7 + [16] * 5,
    "inside": [1] * 50 + [2] * 16 + [3] * 3 + [4] * 2,
}


def hessian_se(f, p):
    """Standard errors by central differences of f at p, 40 digits."""
    k = len(p)
    h = [abs(x) * mp.mpf(10) ** -10 + mp.mpf(10) ** -12 for x in p]
    H = mp.matrix(k)
    for i in range(k):
        for j in range(k):
            def at(si, sj):
                z = list(p)
                z[i] += si * h[i]
                z[j] += sj * h[j]
                return f(z)
            H[i, j] = -(at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h[i] * h[j])
    C = H ** -1
    return [mp.sqrt(C[i, i]) for i in range(k)]


def weibull(x):
    xs = [mp.mpf(v) for v in x]
    n = len(xs)
    ml = sum(map(mp.log, xs)) / n
    g = lambda b: sum(v ** b * mp.log(v) for v in xs) / sum(v ** b for v in xs) - 1 / b - ml
    lo = hi = mp.pi / mp.sqrt(6 * sum((mp.log(v) - ml) ** 2 for v in xs) / n)
    while g(lo) > 0:
        lo /= 2
    while g(hi) < 0:
        hi *= 2
    b = mp.findroot(g, (lo, hi), solver="anderson", tol=1e-50)
    a = (sum(v ** b for v in xs) / n) ** (1 / b)
    f = lambda p: sum(mp.log(p[1] / p[0]) + (p[1] - 1) * mp.log(v / p[0]) - (v / p[0]) ** p[1] for v in xs)
    se = hessian_se(f, [a, b])
    c, _, s = stats.weibull_min.fit(x, floc=0)
    if len(x) > 100:
        assert abs(c / float(b) - 1) < 2e-4 and abs(s / float(a) - 1) < 2e-4, (c, b, s, a)
    ks = stats.kstest(x, stats.weibull_min(float(b), scale=float(a)).cdf).statistic
    return [a, b, se[0], se[1], f([a, b]), a * mp.gamma(1 + 1 / b), ks]


def lognormal(x):
    ls = [mp.log(mp.mpf(v)) for v in x]
    n = len(ls)
    a = sum(ls) / n
    b = mp.sqrt(sum((v - a) ** 2 for v in ls) / n)
    f = lambda p: sum(-v - mp.log(p[1]) - mp.log(2 * mp.pi) / 2 - ((v - p[0]) / p[1]) ** 2 / 2 for v in ls)
    se = hessian_se(f, [a, b])
    s, _, sc = stats.lognorm.fit(x, floc=0)
    assert abs(s / float(b) - 1) < 1e-3, (s, b)
    ks = stats.kstest(x, stats.lognorm(float(b), scale=math.exp(float(a))).cdf).statistic
    return [a, b, se[0], se[1], f([a, b]), mp.exp(a + b * b / 2), ks]


def exponential(x):
    xs = [mp.mpf(v) for v in x]
    m = sum(xs) / len(xs)
    f = lambda p: sum(-mp.log(p[0]) - v / p[0] for v in xs)
    ks = stats.kstest(x, stats.expon(scale=float(m)).cdf).statistic
    return [m, 0, hessian_se(f, [m])[0], 0, f([m]), m, ks]


def cdf(x, l, m, h, q):
    return np.interp(x, [l, m, h], [0, q, 1])


def two_stage_fit(s):
    v, n = np.unique(s, return_counts=True)
    lo, hi = np.log2(v - 0.5), np.log2(v + 0.5)

    def loss(p):
        l, m, h, q = p
        if not (l < m < h and 0 <= q <= 1):
            return 1e9
        pr = cdf(hi, *p) - cdf(lo, *p)
        return 1e9 if (pr <= 0).any() else -float(n @ np.log(pr))

    box = [(lo[0], hi[0]), (lo[0], hi[-1]), (lo[-1], hi[-1]), (0, 1)]
    best = None
    for seed in range(8):
        r = optimize.differential_evolution(loss, box, seed=seed, tol=1e-14, maxiter=4000, popsize=30, polish=False)
        for _ in range(6):
            r2 = optimize.minimize(loss, r.x, method="Nelder-Mead",
                                   options=dict(xatol=1e-13, fatol=1e-13, maxiter=20000, maxfev=20000))
            if r2.fun <= r.fun:
                r = r2
        if best is None or r.fun < best.fun:
            best = r
    F = np.cumsum(n) / n.sum()
    p = best.x
    ks = max(np.abs(F - cdf(hi, *p)).max(), np.abs(np.r_[0, F[:-1]] - cdf(lo, *p)).max())
    top = int(max(v)) + 1
    grid = np.arange(1, top + 1)
    mean = float(grid @ (cdf(np.log2(grid + 0.5), *p) - cdf(np.log2(grid - 0.5), *p)))
    return list(p) + [-best.fun, mean, ks]


with open("samples.csv", "w") as f:
    f.write("sample,value,source\n")
    for k, x in list(samples.items()) + list(sizes.items()):
        for v in x:
            f.write("%s,%r,laws.py\n" % (k, v))

with open("laws.csv", "w") as f:
    f.write("# p1, p2: scale_s and shape; a and b; mean_s. se1, se2: their standard errors.\n")
    f.write("law,sample,p1,p2,se1,se2,log_likelihood,mean,ks,source\n")
    for k, x in samples.items():
        for name, fit in ("weibull", weibull), ("lognormal", lognormal), ("exponential", exponential):
            row = ",".join(mp.nstr(mp.mpf(v), 17) for v in fit(x))
            f.write("%s,%s,%s,laws.py (mpmath 40 digits; KS by scipy)\n" % (name, k, row))

with open("sizes.csv", "w") as f:
    f.write("# tolerance is that of the search for l m h q; log_likelihood holds to 1e-7.\n")
    f.write("sample,l,m,h,q,log_likelihood,mean,ks,source\n")
    for k, s in sizes.items():
        row = ",".join("%.12g" % v for v in two_stage_fit(np.array(s)))
        f.write("%s,%s,laws.py (scipy differential evolution and Nelder-Mead)\n" % (k, row))
