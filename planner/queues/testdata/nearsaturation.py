#!/usr/bin/env python3
"""Mean waits next to saturation, of a load that is given in erlangs beside a
service time, at 60 digits; the load is the float64 nearest to the text. Writes
nearsaturation.csv. Needs python3-mpmath.
Run: python3 nearsaturation.py > nearsaturation.csv
"""
from mpmath import mp, mpf, exp, findroot, nstr
mp.dps = 60

def erlang_c(c, a):
    b = mpf(1)
    for k in range(1, c + 1): b = a * b / (k + a * b)
    return b * c / (c - a * (1 - b))

def mmc(c, a): return erlang_c(c, a) / (c - a)
def md1(c, a): return a / (2 * (1 - a))
def ps(c, a): return a / (1 - a)  # response less service
def dm1(c, a):
    # sigma = exp(-(1 - sigma)/a); the root below 1 is near 1 - 2(1 - a).
    rest = findroot(lambda x: 1 - x - exp(-x / a), 2 * (1 - a))
    return (1 - rest) / rest

print("# made by nearsaturation.py\nqueue,servers,load,service,wait,source")
for queue, f, cases in [
    ("erlang-c", mmc, [(120, "119.99999999", "180"), (120, "119.99999999", "7"), (1, "0.99999999999", "7"),
                       (120, "119.9999999999", "33.3"), (7, "6.9999999", "0.013"), (3000, "2999.9999", "41.7")]),
    ("mg1", md1, [(1, "0.99999999999", "7"), (1, "0.9999999", "0.3")]),
    ("gim1", dm1, [(1, "0.9999999", "7"), (1, "0.999999999", "0.3")]),
    ("ps", ps, [(1, "0.99999999999", "7"), (1, "0.9999999", "0.3")]),
]:
    for c, a, s in cases:
        w = f(c, mpf(float(a))) * mpf(float(s))
        print(",".join([queue, str(c), a, s, nstr(w, 18), "nearsaturation.py (mpmath)"]))
