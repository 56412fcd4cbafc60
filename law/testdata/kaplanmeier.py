"""Writes kaplanmeier.csv: Kaplan-Meier with Greenwood, log-log band, Nelson-
Aalen, straight from the definitions with fractions, for sets in lifetimes.csv
(run fits.py first)."""
import csv
from fractions import Fraction
import mpmath as mp

mp.mp.dps = 30
z = mp.sqrt(2) * mp.erfinv(mp.mpf("0.95"))
sets = {}
for r in csv.DictReader(open("lifetimes.csv")):
    sets.setdefault(r["set"], []).append((float(r["duration"]), r["censored"] == "1"))
out = open("kaplanmeier.csv", "w")
out.write("set,time,at_risk,events,survival,stderr,lower,upper,cum_hazard,cum_stderr,source\n")
for name in ("6mp", "gamma_uncensored", "lognormal_heavy"):
    data = sets[name]
    S, G, H, V, up = Fraction(1), Fraction(0), Fraction(0), Fraction(0), mp.mpf(1)
    for t in sorted({t for t, c in data if not c}):
        n = sum(1 for u, _ in data if u >= t)
        d = sum(1 for u, c in data if u == t and not c)
        S *= 1 - Fraction(d, n)
        H += Fraction(d, n)
        V += Fraction(d, n * n)
        f = lambda q: mp.mpf(q.numerator) / q.denominator
        if d < n:
            G += Fraction(d, n * (n - d))
            s = f(S)
            sig = z * mp.sqrt(f(G)) / -mp.log(s)
            se, lo, up = s * mp.sqrt(f(G)), s ** mp.exp(sig), s ** mp.exp(-sig)
        else:
            se, lo = mp.mpf(0), mp.mpf(0)
        row = [f(S), se, lo, up, f(H), mp.sqrt(f(V))]
        out.write(",".join([name, repr(t), str(n), str(d)] + [mp.nstr(x, 17, min_fixed=0, max_fixed=0) for x in row]
                           + ["kaplanmeier.py exact fractions"]) + "\n")
