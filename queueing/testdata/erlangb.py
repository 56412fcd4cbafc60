#!/usr/bin/env python3
"""Reference values of Erlang B by independent means; writes erlangb.csv.

log B comes from the integral 1/B = a int_0^inf exp(-a t)(1+t)^n dt by mpmath
quadrature at 50 digits, and is checked here against the recursion
1/B(n) = 1 + n/(a B(n-1)) in exact rationals or 40 digits where n is a small
integer, and against mpmath's incomplete gamma function where that converges.
Needs python3-mpmath. Run: python3 erlangb.py > erlangb.csv
"""
from mpmath import mp, mpf, quad, exp, log, log1p, sqrt, gammainc, linspace
mp.dps = 50

def log_u(n, a):
    """ln of a int exp(-a t)(1+t)^n dt, by panels around the peak."""
    n, a = mpf(n), mpf(a)
    h = lambda t: -a * t + n * log1p(t)
    peak = max(n / a - 1, mpf(0))
    top = h(peak)
    # where the exponent has fallen by 120 on either side
    def fall(sign):
        step = 1 / (a + n)
        while True:
            t = peak + sign * step
            if t <= 0:
                return mpf(0)
            if top - h(t) > 120:
                break
            step *= 2
        lo, hi = step / 2, step
        for _ in range(60):
            mid = (lo + hi) / 2
            if top - h(peak + sign * mid) > 120: hi = mid
            else: lo = mid
        return max(peak + sign * hi, mpf(0))
    left, right = (fall(-1) if peak > 0 else mpf(0)), fall(1)
    points = []
    if peak > left:
        points += list(linspace(left, peak, 9))[:-1]
    points += list(linspace(peak, right, 9))
    total = quad(lambda t: exp(h(t) - top), points)
    return log(a) + top + log(total)

def recursion(n, a):
    u = mpf(1)
    for k in range(1, int(n) + 1):
        u = 1 + k / mpf(a) * u
    return log(u)

N = ["0", "0.1", "0.5", "1", "1.5", "2", "2.5", "5", "10", "10.25", "29.9", "30", "31.7", "50", "100", "99.5",
     "345.6", "1000", "1290", "12345.5", "1e5", "1e6", "1e7", "123456789.25", "1e9"]
pairs = []
for n in N:
    x = float(n)
    loads = {1e-9, 1e-3, 0.3, 1.0, 1.4, 1.6, 7.0, 1e9}
    if x > 0:
        s = x ** 0.5
        for f in (0.3, 0.49, 0.51, 0.8, 0.97, 1.0, 1.03, 1.3, 1.49, 1.51, 3.0):
            loads.add(x * f)
        for z in (-6.5, -1.0, 0.0, 1.0, 6.5):
            if x + z * s > 0: loads.add(x + z * s)
    for a in sorted(loads):
        if a > 0: pairs.append((x, a))
pairs += [(1290.0, 1200.0), (10.0, 5.0), (138.0, 120.0), (1e6, 990000.0)]
print("# made by erlangb.py (mpmath, 50 digits)")
print("servers,load_erl,log_blocking,source")
for n, a in pairs:
    v = -log_u(n, a)
    if n == int(n) and n <= 2000:
        assert abs(v + recursion(n, a)) < mpf(10) ** -30 * max(1, abs(v)), (n, a)
        src = "mpmath quadrature and the recursion in n"
    elif n < 400 and a < 2000:
        w = log(gammainc(mpf(n) + 1, mpf(a))) + a - n * log(mpf(a))
        assert abs(v + w) < mpf(10) ** -25 * max(1, abs(v)), (n, a)
        src = "mpmath quadrature and incomplete gamma"
    else:
        src = "mpmath quadrature"
    print("%r,%r,%s,%s" % (n, a, mp.nstr(v, 25), src))
