#!/usr/bin/env python3
"""Waiting and response tails of M/G/1 by closed forms; writes mg1.csv.

Exponential, Erlang and hyperexponential service: the transform is rational;
partial fractions over the roots of its denominator (mpmath polyroots).
Constant and discrete service: the alternating series in shifted exponentials
(Erlang's formula for M/D/1), at 200 digits. Lognormal service: de Hoog
inversion of the transform, itself by mpmath quadrature, at 30 digits.
Run: python3 mg1.py > mg1.csv
"""
from mpmath import mp, mpf, polyroots, exp, factorial, quad, log, sqrt, pi, inf, binomial, invertlaplace
import itertools
mp.dps = 60

def polymul(a, b):
    out = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out
def polyadd(a, b):
    n = max(len(a), len(b)); a = [mpf(0)] * (n - len(a)) + a; b = [mpf(0)] * (n - len(b)) + b
    return [x + y for x, y in zip(a, b)]
def val(p, x):
    v = mpf(0)
    for c in p: v = v * x + c
    return v
def diff(p):
    n = len(p) - 1
    return [c * (n - i) for i, c in enumerate(p[:-1])]

def rational(num, den, mean, lam):
    """Service transform num/den (highest power first): returns tail functions."""
    rho = lam * mean
    # W(s) = (1-rho) s den / ((s-lam) den + lam num); the factor s cancels.
    d = polyadd(polymul([mpf(1), -lam], den), [lam * c for c in num])
    assert abs(d[-1]) < mpf(10) ** -40
    d = d[:-1]
    w_roots = polyroots(d, maxsteps=2000, extraprec=400)
    dd = diff(d)
    def wait(t):  # tail density residues: W(s) = (1-rho) den/d
        return sum((1 - rho) * val(den, r) / val(dd, r) * exp(r * t) / -r for r in w_roots).real
    # T(s) = (1-rho) num/d
    def response(t):
        return sum((1 - rho) * val(num, r) / val(dd, r) * exp(r * t) / -r for r in w_roots).real
    return wait, response

def erlang(k, mean, lam):
    den = [mpf(1)]
    for _ in range(k): den = polymul(den, [mpf(mean) / k, mpf(1)])
    return rational([mpf(1)], den, mpf(mean), lam)
def hyper(ps, ms, lam):
    den = [mpf(1)]
    for m in ms: den = polymul(den, [m, mpf(1)])
    num = [mpf(0)]
    for i, p in enumerate(ps):
        q = [p]
        for j, m in enumerate(ms):
            if j != i: q = polymul(q, [m, mpf(1)])
        num = polyadd(num, q)
    return rational(num, den, sum(p * m for p, m in zip(ps, ms)), lam)

def discrete(times, weights, lam):
    times, weights = [mpf(t) for t in times], [mpf(w) for w in weights]
    rho = lam * sum(t * w for t, w in zip(times, weights))
    def cdf(x):
        mp.dps = 200
        total = mpf(0)
        def go(i, shift, n, coef):
            nonlocal total
            if i == len(times):
                y = lam * (x - shift)
                total += coef * factorial(n) * (-y) ** n * exp(y) / factorial(n)
                return
            k = 0
            while shift + k * times[i] <= x:
                go(i + 1, shift + k * times[i], n + k, coef * weights[i] ** k / factorial(k))
                k += 1
        go(0, mpf(0), 0, mpf(1))
        mp.dps = 60
        return (1 - rho) * total
    wait = lambda t: 1 - cdf(mpf(t))
    response = lambda t: sum(w * (wait(t - s) if s <= t else 1) for s, w in zip(times, weights))
    return wait, response

def lognormal(mean, scv, lam):
    s2 = log(1 + mpf(scv)); sg = sqrt(s2); mu = log(mpf(mean)) - s2 / 2
    rho = lam * mean
    def phi(s):
        # rotate the line of integration so that s x stays real
        th = -mp.arg(s) / sg
        f = lambda u: exp(-abs(s) * exp(mu + sg * u)) * exp(-(u + 1j * th) ** 2 / 2)
        return quad(f, list(range(-14, 15, 2))) / sqrt(2 * pi)
    cache = {}
    def both(s):
        key = mp.nstr(s, 25)
        if key not in cache: cache[key] = phi(s)
        p = cache[key]
        w = (1 - rho) * s / (s - lam + lam * p)
        return w, p
    def wait(t):
        mp.dps = 30
        v = invertlaplace(lambda s: (1 - both(s)[0]) / s, t, method='dehoog')
        mp.dps = 60
        return v
    def response(t):
        mp.dps = 30
        v = invertlaplace(lambda s: (1 - both(s)[0] * both(s)[1]) / s, t, method='dehoog')
        mp.dps = 60
        return v
    return wait, response

print("# made by mg1.py")
print("law,a,b,rate,t,wait_tail,response_tail,source")
def rows(name, a, b, lam, fs, ts, source):
    for t in ts:
        print(f"{name},{a},{b},{lam},{t},{mp.nstr(fs[0](mpf(t)), 20)},{mp.nstr(fs[1](mpf(t)), 20)},{source}")
for lam in (0.1, 0.5, 0.9, 0.99, 0.9999999):
    far = [1 / (1 - lam), 5 / (1 - lam)]
    near = [0.01, 0.3, 1.0, 1.7, 4.5, 12.0]
    L = mpf(lam)
    rows("exponential", 1, 0, lam, erlang(1, 1, L), near + far, "mpmath partial fractions")
    for k in (2, 5, 20):
        rows("erlang", 1, k, lam, erlang(k, 1, L), near + far, "mpmath partial fractions")
    rows("hyper", 0.5, 10.0, lam, hyper([mpf(18) / 19, mpf(1) / 19], [mpf(0.5), mpf(10)], L), near + far, "mpmath partial fractions")
    ts = [0.01, 0.3, 0.999, 1.0, 1.001, 1.7, 2.0, 4.5, 12.0, 30.25]
    rows("deterministic", 1, 0, lam, discrete([1], [1], L), ts, "Erlang's series at 200 digits")
    rows("two", 0.5, 1.5, lam, discrete([0.5, 1.5], [0.5, 0.5], L), ts[:9], "alternating series at 200 digits")
    rows("offlattice", 0.7390851332151607, 1.2609148667848393, lam, discrete([0.7390851332151607, 1.2609148667848393], [0.5, 0.5], L), [0.01, 0.3, 0.7390851332151607, 1.2, 2.5, 6.0], "alternating series at 200 digits")
for lam, scv in ((0.5, 2), (0.9, 1), (0.5, 0.1)):
    rows("lognormal", 1, scv, lam, lognormal(1, scv, mpf(lam)), [0.3, 1.0, 3.0, 9.0], "mpmath de Hoog inversion of a quadrature")
