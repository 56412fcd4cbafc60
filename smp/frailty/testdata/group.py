#!/usr/bin/env python3
"""Writes group.csv: two machines of one group, by double integration over the
frailty of the group and in closed form over that of each machine (scipy).

    python3 group.py > group.csv
"""
import math
from scipy.integrate import quad

print("# shape,group_shape,d1,L1,d2,L2,window,survival of the first,both,neither")
for k, g in ((2.0, 0.7), (1.0, 3.0), (8.0, 20.0)):
    for d1, l1, d2, l2, e in ((0, 1.0, 6, 2.0, 0.5), (4, 3.0, 1, 8.0, 1.5), (0, 0.1, 30, 10.0, 0.2)):
        def part(phi, d, l, more):
            # integral over psi of gamma(k, k) psi^d exp(-psi phi (l + more)), phi^d apart
            return math.exp(math.lgamma(d + k) - math.lgamma(k) + k * math.log(k) - (d + k) * math.log(k + phi * (l + more))) * phi**d

        def prior(phi):
            return math.exp(g * math.log(g) - math.lgamma(g) + (g - 1) * math.log(phi) - g * phi)

        def whole(a, b):
            f = lambda x: prior(math.exp(x)) * math.exp(x) * part(math.exp(x), d1, l1, a) * part(math.exp(x), d2, l2, b)
            return quad(f, -60, 6, limit=2000, epsabs=0, epsrel=1e-11, points=[-20, -8, -3, -1, 0, 1, 2, 3])[0]

        z, one, two, both = whole(0, 0), whole(e, 0), whole(0, e), whole(e, e)
        print(f"{k},{g},{d1},{l1},{d2},{l2},{e},{one/z:.12g},{both/z:.12g},{1 - one/z - two/z + both/z:.12g}")
