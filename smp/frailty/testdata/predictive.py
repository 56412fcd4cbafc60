#!/usr/bin/env python3
"""Writes predictive.csv: the predictive chance and the marginal likelihood by
numeric integration over the gamma law of frailties (mpmath, 40 digits), which
the package has in closed form; and the same with a group's frailty above it.

    python3 predictive.py > predictive.csv
"""
from mpmath import mp, mpf, quad, exp, log, gamma, inf, loggamma

mp.dps = 30


def law(x, k):
    return exp(k * log(k) + (k - 1) * log(x) - k * x - loggamma(k))


def marks(k, d, l):
    mode = (d + k) / (l + k)
    return [mpf(0), mode / 100, mode / 10, mode / 2, mode, 2 * mode, 5 * mode, 20 * mode, 200 * mode]


def moments(k, d, l, e):
    pts = marks(k, d, l)
    like = lambda x: law(x, k) * x**d * exp(-x * l)
    bottom = quad(like, pts)
    top = quad(lambda x: like(x) * exp(-x * e), pts)
    return bottom, top / bottom


print("# shape,failures,expected,window,survival,log_marginal (of d failures, but for terms without k)")
for k in (0.3, 1, 4, 50):
    for d, l in ((0, 0.5), (0, 20), (3, 1.5), (12, 30), (80, 20)):
        for e in (0.01, 1.0, 7.5):
            k_, d_, l_, e_ = mpf(k), mpf(d), mpf(l), mpf(e)
            bottom, p = moments(k_, d_, l_, e_)
            print(f"{k},{d},{l},{e},{mp.nstr(p, 17)},{mp.nstr(log(bottom), 17)}")
