#!/usr/bin/env python3
"""Reference moments by quadrature of the densities; writes moments.csv.

twostage: E[(2^r)^k] and E[(2^ceil r)^k] by quadrature over the two stages,
panels between integers. lognormal, weibull: mean and SCV by quadrature.
Needs python3-mpmath. Run: python3 moments.py > moments.csv
"""
from mpmath import mp, mpf, quad, exp, log, ceil, floor, inf, pi, sqrt
mp.dps = 30


def stage(f, a, b):
    cuts = [a] + [mpf(k) for k in range(int(floor(a)) + 1, int(ceil(b)))] + [b]
    return quad(f, cuts) / (b - a)


print("# made by moments.py")
print("law,a,b,c,d,k,value,source")
for l, m, h, q in ((.8, 2.5, 6, .9), (.8, 3.5, 6, .9), (.8, 3.5, 7, .9), (.8, 4.5, 8, .9), (-.7, 1, 10, .3)):
    for k in (1, 2):
        L, M, H, Q = map(mpf, (l, m, h, q))
        plain = Q * stage(lambda r: mpf(2) ** (k * r), L, M) + (1 - Q) * stage(lambda r: mpf(2) ** (k * r), M, H)
        up = Q * stage(lambda r: mpf(2) ** (k * ceil(r)), L, M) + (1 - Q) * stage(lambda r: mpf(2) ** (k * ceil(r)), M, H)
        print(f"twostage,{l},{m},{h},{q},{k},{mp.nstr(plain, 17)},mpmath quadrature")
        print(f"twostage-ceil,{l},{m},{h},{q},{k},{mp.nstr(up, 17)},mpmath quadrature")
for a, b in ((3.0, 1.7), (4.5952, 1.7), (5.5, 1.7), (0, .1)):
    A, B = mpf(a), mpf(b)
    cuts = [-60, -20, -8, -3, 0, 3, 8, 20, 60]
    w = lambda k: quad(lambda u: exp(k * (A + B * u) - u * u / 2) / sqrt(2 * pi), cuts)
    m1, m2 = w(1), w(2)
    print(f"lognormal-mean,{a},{b},0,0,0,{mp.nstr(m1, 17)},mpmath quadrature")
    print(f"lognormal-scv,{a},{b},0,0,0,{mp.nstr(m2 / m1 ** 2 - 1, 17)},mpmath quadrature")
for s, b in ((7.0, .5), (3.8, .5), (7.0, 1.1), (2.0, .35), (1.6, .35), (1.2, .35), (0.06, .35), (5, 1), (5, 3)):
    S, B = mpf(s), mpf(b)
    # with u = ln(t/scale): gap^k times its density
    w = lambda k: quad(lambda u: S ** k * B * exp((k + B) * u - exp(B * u)), [-80 / b, -20 / b, -5 / b, 0, 2 / b, 3 / b, 4 / b, 6 / b])
    m1, m2 = w(1), w(2)
    print(f"weibull-mean,{s},{b},0,0,0,{mp.nstr(m1, 17)},mpmath quadrature")
    print(f"weibull-scv,{s},{b},0,0,0,{mp.nstr(m2 / m1 ** 2 - 1, 17)},mpmath quadrature")
