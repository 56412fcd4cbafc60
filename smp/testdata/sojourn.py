"""Reference tables sojourn.csv (mass, survival, mean with mpmath) and
sojournfit.csv (maximum likelihood of censored, late-entry data with scipy).

    python3 sojourn.py
"""
import mpmath as mp
import numpy as np
from scipy.optimize import minimize
from scipy.stats import nbinom

mp.mp.dps = 30


def nb_mass(r, p, l):
    n = l - 1
    return mp.gamma(n + r) / (mp.gamma(r) * mp.factorial(n)) * p ** r * (1 - p) ** n


with open("sojourn.csv", "w") as f:
    f.write("# sojourn laws; see sojourn.py\nlaw,a,b,steps,mass,survival,mean,source\n")
    for a, b in (("0.3", "0.7"), ("0.05", "1.9"), ("0.2", "0.5")):
        A, B = mp.mpf(float(a)), mp.mpf(float(b))
        mean = mp.nsum(lambda k: mp.exp(-A * mp.mpf(k) ** B), [0, mp.inf], method="e")
        for l in (1, 2, 7, 40):
            s = lambda k: mp.exp(-A * mp.mpf(k) ** B)
            f.write("weibull,%s,%s,%d,%s,%s,%s,sojourn.py\n" % (a, b, l, mp.nstr(s(l - 1) - s(l), 20), mp.nstr(s(l), 20), mp.nstr(mean, 18)))
    for a, b in (("0.4", "0.2"), ("3.5", "0.6")):
        A, B = mp.mpf(float(a)), mp.mpf(float(b))
        for l in (1, 2, 7, 40):
            sv = mp.nsum(lambda k: nb_mass(A, B, int(k)), [l + 1, mp.inf], method="d") if False else mp.betainc(l, A, 0, 1 - B, regularized=True)
            f.write("negbin,%s,%s,%d,%s,%s,%s,sojourn.py\n" % (a, b, l, mp.nstr(nb_mass(A, B, l), 20), mp.nstr(sv, 20), mp.nstr(1 + A * (1 - B) / B, 18)))

# exits at ages (entry, end), cut at ages (entry, c)
EXITS = [(0, 1)] * 9 + [(0, 2)] * 5 + [(0, 3)] * 4 + [(0, 5)] * 3 + [(0, 9)] * 2 + [(2, 6), (4, 15), (0, 22)]
CUTS = [(0, 4)] * 3 + [(0, 30), (5, 12), (0, 1)]


def nll(logmass, logsurv):
    v = -sum(logmass(l) for _, l in EXITS) - sum(logsurv(c - 1) for _, c in CUTS)
    return v + sum(logsurv(e) for e, _ in EXITS + CUTS if e)


def weib(x):
    lam, b = np.exp(x)
    s = lambda k: -lam * k ** b
    return nll(lambda l: s(l - 1) + np.log(-np.expm1(s(l) - s(l - 1))), s)


def negb(x):
    r, p = np.exp(x[0]), 1 / (1 + np.exp(-x[1]))
    return nll(lambda l: nbinom.logpmf(l - 1, r, p), lambda k: nbinom.logsf(k - 1, r, p))


with open("sojournfit.csv", "w") as f:
    f.write("# maximum likelihood of the data in sojourn.py\nlaw,loglik,source\n")
    D = len(EXITS)
    E = sum(l - e for e, l in EXITS) + sum(c - 1 - e for e, c in CUTS)
    p = D / E
    f.write("geometric,%.14g,sojourn.py\n" % (D * np.log(p) + (E - D) * np.log1p(-p)))
    for name, fun in (("discrete Weibull", weib), ("negative binomial", negb)):
        best = min((minimize(fun, x0, method="Nelder-Mead", options=dict(xatol=1e-10, fatol=1e-13, maxiter=4000)) for x0 in ([0, 0], [-1, -1], [1, 0.5])), key=lambda r: r.fun)
        f.write("%s,%.14g,sojourn.py\n" % (name, -best.fun))
