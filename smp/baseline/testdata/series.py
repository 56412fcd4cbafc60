"""Reference tables series.csv (a synthetic load series) and seriesfit.csv: AR
by Yule and Walker's equations solved with numpy, ARMA by conditional least
squares with scipy.optimize.least_squares from several starts.

    python3 series.py
"""
import numpy as np
from scipy.linalg import toeplitz
from scipy.optimize import least_squares

rng = np.random.default_rng(7)
n = 300
e = rng.normal(0, 0.05, n + 50)
z = np.zeros(n + 50)
for t in range(2, n + 50):
    z[t] = 0.9 * z[t - 1] - 0.3 * z[t - 2] + e[t] + 0.5 * e[t - 1]
x = np.round(0.4 + z[50:], 6)

with open("series.csv", "w") as f:
    f.write("# ARMA(2,1) about 0.4; see series.py\nvalue,source\n")
    for v in x:
        f.write("%.6f,series.py\n" % v)

m = x.mean()
y = x - m


def cov(k):
    return np.dot(y[k:], y[:n - k]) / n


rows = []
for p in (1, 2, 5):
    c = np.array([cov(k) for k in range(p + 1)])
    phi = np.linalg.solve(toeplitz(c[:-1]), c[1:])
    for j, v in enumerate(phi):
        rows.append(("ar", p, 0, "phi%d" % (j + 1), v))
    rows.append(("ar", p, 0, "variance", c[0] - phi @ c[1:]))


def res(par, p, q):
    out = np.zeros(n)
    for t in range(n):
        v = y[t]
        for j in range(min(p, t)):
            v -= par[j] * y[t - 1 - j]
        for j in range(min(q, t)):
            v -= par[p + j] * out[t - 1 - j]
        out[t] = v
    return out


def fit(p, q):
    best = None
    for s in range(6):
        x0 = np.zeros(p + q) if s == 0 else rng.uniform(-0.4, 0.4, p + q)
        r = least_squares(res, x0, args=(p, q), xtol=1e-14, ftol=1e-14, gtol=1e-14)
        if best is None or r.cost < best.cost:
            best = r
    return best


for p, q in ((0, 2), (1, 1), (2, 1)):
    b = fit(p, q)
    for j in range(p):
        rows.append(("arma", p, q, "phi%d" % (j + 1), b.x[j]))
    for j in range(q):
        rows.append(("arma", p, q, "theta%d" % (j + 1), b.x[p + j]))
    rows.append(("arma", p, q, "variance", 2 * b.cost / n))
    # forecasts
    ee, zz = res(b.x, p, q), list(y)
    for h in range(5):
        t = n + h
        v = sum(b.x[j] * zz[t - 1 - j] for j in range(p)) + sum(b.x[p + j] * ee[t - 1 - j] for j in range(q) if t - 1 - j < n)
        zz.append(v)
        if h in (0, 4):
            rows.append(("arma", p, q, "ahead%d" % (h + 1), v + m))

with open("seriesfit.csv", "w") as f:
    f.write("# fits to series.csv; see series.py\nmodel,p,q,quantity,value,source\n")
    for r in rows:
        f.write("%s,%d,%d,%s,%.15g,series.py\n" % r)
