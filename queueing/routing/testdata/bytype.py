#!/usr/bin/env python3
"""Reference values of bytype.csv: splits by type, by scipy's SLSQP from 400
random starts and a polish, on instances drawn here. The cost is written out
from InterGrid eq. 4 for each type; nothing is shared with the Go program."""
import csv
import sys

import numpy as np
from scipy.optimize import minimize

rng = np.random.default_rng(20)


def cost(x, rate, share, weight, ratio, cl):
    x = x.reshape(len(share), len(cl))
    total = 0.0
    for j, (lam, tau, mu, theta, omega) in enumerate(cl):
        rho = lam * tau
        free = 1 - rho - sum(x[i, j] * ratio[i] * theta for i in range(len(share)))
        if free <= 0:
            return 1e9 * (1 - free)
        work = (lam * mu + sum(x[i, j] * ratio[i] ** 2 * omega for i in range(len(share)))) / 2
        for i in range(len(share)):
            total += weight[i] * x[i, j] * (ratio[i] * theta + work / free) / (1 - rho)
    return total / rate


def best(rate, share, weight, ratio, cl):
    n, m = len(share), len(cl)
    want = rate * np.array(share)
    room = np.array([(1 - c[0] * c[1]) / c[3] for c in cl])
    even = np.outer(want, room / room.sum())
    found = np.inf
    for k in range(400):
        corner = np.zeros((n, m))
        for i in range(n):
            corner[i] = want[i] * rng.dirichlet(np.full(m, 0.3))
        for t in (1, 0.9, 0.7, 0.5, 0.3, 0.1, 0):
            x0 = t * corner + (1 - t) * even
            if cost(x0.ravel(), rate, share, weight, ratio, cl) < 1e6:
                break
        r = minimize(cost, x0.ravel(), args=(rate, share, weight, ratio, cl), method="SLSQP", bounds=[(0, want[i]) for i in range(n) for _ in range(m)],
                     constraints=[{"type": "eq", "fun": lambda x, i=i: x.reshape(n, m)[i].sum() - want[i]} for i in range(n)], options={"maxiter": 500, "ftol": 1e-15})
        if abs(r.x.reshape(n, m).sum(axis=1) - want).max() < 1e-9 * rate and r.x.min() >= -1e-12:
            found = min(found, r.fun)
    return found


out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["clusters(lambda tau mu theta omega)", "types(share weight ratio)", "rate", "value", "source"])
cases = [([(0, 0, 0, 1, 2)] * 2, [0.9, 0.1], [1, 1], [0.1, 9.1], 0.7)]
for n, m in ((2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (2, 5)):
    cl = []
    for j in range(m):
        tau, theta = 10 ** rng.uniform(-1, 1, 2)
        lam = rng.uniform(0, 0.9) / tau
        cl.append((lam, tau, tau**2 * (1 + 3 * rng.uniform()), theta, theta**2 * (1 + 3 * rng.uniform())))
    share = rng.dirichlet(np.full(n, 2.0))
    weight, ratio = rng.uniform(1, 5, n), 10 ** rng.uniform(-1, 1, n)
    rate = sum((1 - c[0] * c[1]) / c[3] for c in cl) / (share * ratio).sum() * rng.uniform(0.2, 0.9)
    cases.append((cl, share, weight, ratio, rate))
for cl, share, weight, ratio, rate in cases:
    v = best(rate, share, weight, ratio, cl)
    out.writerow([";".join(" ".join(repr(float(x)) for x in c) for c in cl), ";".join(" ".join(repr(float(x)) for x in t) for t in zip(share, weight, ratio)), repr(float(rate)), f"{v:.12g}", "bytype.py"])
    sys.stdout.flush()
