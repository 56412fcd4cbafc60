"""Mean responses of M/G/1 under other disciplines where gamma sizes are nearly alike,
in 40 digits: the laws F(x), E[S; S <= x] and E[S^2; S <= x] are integrals of the
density, panel by panel by Gauss's rule, and so are the formulas of
MG1.MeanResponseUnder. Writes disciplinesnear.csv."""
from mpmath import mp, mpf, exp, log, loggamma, sqrt
import numpy as np

mp.dps = 40
RATE = mpf("0.7")


def gauss(n):
    x, w = np.polynomial.legendre.leggauss(n)
    out = []
    for r in x:  # polish the roots in 40 digits
        r = mpf(float(r))
        for _ in range(4):
            p, q = mpf(1), r
            for j in range(2, n + 1):
                p, q = q, ((2 * j - 1) * r * q - (j - 1) * p) / j
            d = n * (r * q - p) / (r * r - 1)
            r -= q / d
        out.append((r, 2 / ((1 - r * r) * d * d)))
    return out


RULE = gauss(12)


def figures(scv):
    k = 1 / scv
    norm = k * log(k) - loggamma(k)
    density = lambda x: exp(norm + (k - 1) * log(x) - k * x)
    sd = sqrt(scv)
    lo, hi, panels = 1 - 13 * sd, 1 + 13 * sd, 104
    width = (hi - lo) / panels
    second = 1 + scv
    sums = dict.fromkeys(("SJF", "preemptive SJF", "SRPT", "FB"), mpf(0))
    whole = mpf(0)
    below = [mpf(0), mpf(0), mpf(0)]  # E[S^j; S <= x]
    for p in range(panels):
        a = lo + p * width
        for r, w in RULE:
            x = a + width * (1 + r) / 2
            part = list(below)
            for s, v in RULE:
                y = a + (x - a) * (1 + s) / 2
                d = density(y) * v * (x - a) / 2
                for j in range(3):
                    part[j] += d * y**j
            f = density(x) * w * width / 2
            free, above = 1 - RATE * part[1], 1 - part[0]
            cut = free - RATE * x * above
            sums["SJF"] += f * RATE * second / 2 / free**2
            sums["preemptive SJF"] += f * (RATE * part[2] / 2 / free**2 + x / free)
            sums["SRPT"] += f * RATE * (part[2] + x * x * above) / 2 / free**2
            sums["FB"] += f * (RATE * (part[2] + x * x * above) / 2 / cut**2 + x / cut)
            whole += w * width / 2 * above / free
        for s, v in RULE:
            y = a + width * (1 + s) / 2
            d = density(y) * v * width / 2
            for j in range(3):
                below[j] += d * y**j
    assert abs(below[0] - 1) < 1e-25 and abs(below[2] - second) < 1e-25, below
    sums["SJF"] += 1
    sums["SRPT"] += lo + whole
    return sums


with open("disciplinesnear.csv", "w") as f:
    f.write("# made by disciplinesnear.py\nlaw,a,b,rate,discipline,response,source\n")
    for scv in ("1e-3", "1e-6", "1e-8", "1e-9", "2e-10"):
        for name, v in figures(mpf(scv)).items():
            f.write(f"gamma,1.0,{scv},{RATE},{name},{mp.nstr(v, 17)},integrals in 40 digits by mpmath\n")
