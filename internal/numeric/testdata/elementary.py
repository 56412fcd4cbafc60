#!/usr/bin/env python3
"""Reference values for internal/numeric by mpmath at 60 digits.
Run: python3 elementary.py > elementary.csv (needs python3-mpmath)."""
from mpmath import mp, mpf, log1p, expm1, exp, erfc, loggamma, log, pi
mp.dps = 60
print("# made by elementary.py (mpmath, 60 digits)")
print("function,x,y,value,source")
def row(f, x, y, v): print("%s,%r,%r,%s,mpmath %s" % (f, x, y, mp.nstr(v, 25), f))
for x in (-0.999, -0.5, -0.4001, -0.3999, -0.1, -1e-3, -1e-9, 1e-300, 1e-9, 1e-4, 0.1, 0.6999, 0.7001, 3.0, 1e5):
    row("log1pmx", x, 0.0, log1p(mpf(x)) - mpf(x))
for x in (-40.0, -1.0, -0.5001, -0.4999, -0.01, -1e-8, 1e-8, 0.3, 0.4999, 0.5001, 2.0, 30.0):
    row("expm1mx", x, 0.0, expm1(mpf(x)) - mpf(x))
for n in (1e-3, 0.5, 1.0, 2.5, 9.99, 15.9, 16.0, 100.0, 1e6, 1e12):
    m = mpf(n)
    row("stirling", n, 0.0, loggamma(m + 1) - (m + mpf(1) / 2) * log(m) + m - log(2 * pi) / 2)
for n, a in ((1.0, 1e-9), (1e9, 1e9 + 1), (10.0, 16.9), (10.0, 17.1), (100.0, 61.0), (100.0, 59.0), (5.0, 1e6), (1e12, 1.0), (3.0, 5e-324)):
    row("deviance", n, a, mpf(n) * log(mpf(n) / mpf(a)) + mpf(a) - mpf(n))
for x in (0.0, 1e-8, 0.5, 3.0, 11.99, 12.01, 26.0, 100.0, 1e8):
    row("erfcx", x, 0.0, exp(mpf(x) ** 2) * erfc(mpf(x)))
