"""Responses under processor sharing, by a program of its own (mpmath, numpy).

One server: the transform of Coffman, Muntz and Trotter 1970 for a customer of x
service, in the form of Kleinrock 1976 eq. 4.27, averaged over exponential x and
inverted by the method of de Hoog. More servers: the chain of a tagged customer, by
uniformization. Run: python3 psresponse.py > psresponse.csv
"""
import mpmath as mp
import numpy as np

mp.mp.dps = 22
panels = [0.5 * k for k in range(41)] + list(range(21, 46))
points, weights = np.polynomial.legendre.leggauss(20)

def transform(rho, s):
    b = rho + 1 + s
    r = (b - mp.sqrt(b * b - 4 * rho)) / (2 * rho)
    k = 1 / r - rho * r
    def given(x):
        return ((1 - rho) * (1 - rho * r * r) * mp.exp(-(rho * (1 - r) + s) * x - x)
                / ((1 - rho * r) ** 2 - rho * (1 - r) ** 2 * mp.exp(-k * x)))
    out = mp.mpf(0)
    for low, high in zip(panels, panels[1:]):
        half = (high - low) / 2
        out += half * sum(mp.mpf(w) * given(mp.mpf(low + half * (1 + x))) for x, w in zip(points, weights))
    return out

def one(rho, t):
    """None where two orders of the inversion do not agree."""
    rho = mp.mpf(rho)
    seen = {}
    def tail(s):
        if s not in seen:
            seen[s] = (1 - transform(rho, s)) / s
        return seen[s]
    a, b = (mp.invertlaplace(tail, mp.mpf(t), method='dehoog', degree=k) for k in (24, 30))
    return b if abs(a - b) < 1e-10 * abs(b) else None

def many(a, c, t):
    size = int(c + 60 / -np.log(a / c)) + 60
    n = np.arange(size)
    k = np.minimum(1, c / (n + 1))
    p = np.zeros(size)
    logs = np.cumsum(np.concatenate([[0], np.log(a) - np.log(np.minimum(n[1:], c))]))
    p = np.exp(logs - logs.max()); p /= p.sum()
    up = np.full(size, float(a)); up[-1] = 0
    down, gone = n * k, k
    big = a + c
    f, out, step = np.ones(size), 0.0, 0
    logw, mean = -big * t, big * t
    total = 0.0
    while step < mean + 60 * np.sqrt(mean) + 60:
        w = np.exp(logw)
        out += w * (p @ f)
        total += w
        g = f * (1 - (up + down + gone) / big)
        g[:-1] += up[:-1] / big * f[1:]
        g[1:] += down[1:] / big * f[:-1]
        f = g
        step += 1
        logw += np.log(mean) - np.log(step)
    return out

print('servers,load,t,share,source')
for rho in ('0.1', '0.5', '0.95'):
    for t in (4, 10, 40):
        v = one(rho, t)
        if v and v > 1e-7:
            print(f'1,{rho},{t},{mp.nstr(v, 12)},transform', flush=True)
for c, a in ((1, 0.8), (2, 1.5), (3, 2.9), (10, 8), (50, 45), (200, 190)):
    for t in (0.3, 1, 3, 8, 15):
        print(f'{c},{a},{t},{many(a, c, t):.15g},chain')
for c, a in ((2000, 1990), (3000, 2800)):
    for t in (0.3, 1, 3, 8):
        print(f'{c},{a},{t},{many(a, c, t):.15g},chain')
