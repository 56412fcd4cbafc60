#!/usr/bin/env python3
"""Reference splits by independent means; writes split.csv and several.csv.

split.csv: random instances of eq. 4 of InterGrid. z, x and mean come from
bisection on the marginals at 60 digits, each marginal the derivative of x*T(x)
taken by mpmath's numerical differentiation (no closed form), inverted by
bisection. slsqp is the least objective that scipy's SLSQP found from three
starts. objective: response (mean of T), cost (mean of price + 2T),
preemptions (sum over clusters of (T - 3.09)/0.012), types (two types of shares
0.3 and 0.7, weights 5 and 1, service ratios 0.5 and 1.2, second moment ratios
0.4 and 1.5, same mix everywhere).

several.csv: M/M/c with preemptive priority and one exponential service for
both streams. External requests in the system are those of all less those of
the local stream alone, both M/M/c by direct sums at 40 digits; T by Little.

Needs python3-mpmath, python3-scipy. Run: python3 routing.py
"""
import random
import numpy as np
from mpmath import mp, mpf, diff, factorial
from scipy.optimize import minimize

mp.dps = 60
random.seed(20120301)
SHARE, WEIGHT, F, G = (0.3, 0.7), (5.0, 1.0), (0.5, 1.2), (0.4, 1.5)


def response(c, x, theta=None, omega=None, own=None):
    lam, tau, mu = c["lam"], c["tau"], c["mu"]
    theta = c["theta"] if theta is None else theta
    omega = c["omega"] if omega is None else omega
    own = theta if own is None else own
    rho = lam * tau
    return (own + (x * omega + lam * mu) / (2 * (1 - rho - x * theta))) / (1 - rho)


def cost(kind, c, x):
    """the part of one cluster, not yet divided by the rate"""
    if kind == "response":
        return x * response(c, x)
    if kind == "cost":
        return x * (c["price"] + 2 * response(c, x))
    if kind == "preemptions":
        return (response(c, x) - mpf("3.09")) / mpf("0.012") if isinstance(x, mpf) else (response(c, x) - 3.09) / 0.012
    total = 0
    th = c["theta"] * sum(s * f for s, f in zip(SHARE, F))
    om = c["omega"] * sum(s * g for s, g in zip(SHARE, G))
    for s, w, f in zip(SHARE, WEIGHT, F):
        total += s * w * response(c, x, th, om, f * c["theta"])
    return x * total


def theta_of(kind, c):
    return c["theta"] * sum(s * f for s, f in zip(SHARE, F)) if kind == "types" else c["theta"]


def exact(kind, cs, rate):
    big = [{k: mpf(v) for k, v in c.items()} for c in cs]
    rate = mpf(rate)
    cap = [(1 - c["lam"] * c["tau"]) / theta_of(kind, c) for c in big]
    step = mpf(10) ** -22

    def marginal(j, x):
        h = step * min(cap[j] - x, cap[j])
        f = lambda y: cost(kind, big[j], y)
        return (f(x + h) - f(x - h)) / (2 * h)

    def invert(j, z):
        if marginal(j, mpf(0)) >= z:
            return mpf(0)
        lo, hi = mpf(0), cap[j]
        for _ in range(110):
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if marginal(j, mid) < z else (lo, mid)
        return lo

    lo = min(marginal(j, mpf(0)) for j in range(len(big)))
    hi = 2 * lo
    while sum(invert(j, hi) for j in range(len(big))) < rate:
        hi *= 8
    for _ in range(110):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if sum(invert(j, mid) for j in range(len(big))) < rate else (lo, mid)
    x = [invert(j, lo) for j in range(len(big))]
    value = sum(cost(kind, big[j], x[j]) for j in range(len(big)))
    return lo, x, value if kind == "preemptions" else value / rate


def slsqp(kind, cs, rate):
    n = len(cs)
    cap = np.array([(1 - c["lam"] * c["tau"]) / theta_of(kind, c) for c in cs])
    scale = 1.0 if kind == "preemptions" else 1.0 / rate
    fun = lambda y: scale * sum(cost(kind, c, v) for c, v in zip(cs, y * cap))
    best = None
    for start in range(3):
        y0 = np.full(n, rate / cap.sum())
        if start:
            y0 = np.clip(y0 * np.array([random.uniform(.7, 1.3) for _ in range(n)]), 0, .9999)
            y0 = np.minimum(y0 * rate / (y0 @ cap), .9999)
        r = minimize(fun, y0, method="SLSQP", bounds=[(0, 1 - 1e-9)] * n,
                     constraints={"type": "eq", "fun": lambda y: (y @ cap) / rate - 1}, options={"ftol": 1e-15, "maxiter": 2000})
        if abs((r.x @ cap) / rate - 1) < 1e-12 and (best is None or r.fun < best):
            best = r.fun
    return best


with open("split.csv", "w") as out:
    out.write("# made by routing.py\ninstance,objective,rate,lambda,tau,mu,theta,omega,price,z,x,value,slsqp,source\n")
    number = 0
    for kind in ("response", "cost", "preemptions", "types"):
        for load in (1e-9, 0.05, 0.4, 0.8, 0.99, 1 - 1e-7):
            for n in (2, 5):
                cs = []
                for _ in range(n):
                    theta, tau = 10 ** random.uniform(-1, 1), 10 ** random.uniform(-1, 1)
                    cs.append({"lam": random.uniform(0, .95) / tau, "tau": tau, "mu": tau ** 2 * (1 + random.uniform(0, 4)),
                               "theta": theta, "omega": theta ** 2 * (1 + random.uniform(0, 4)), "price": random.uniform(0, 20)})
                rate = load * sum((1 - c["lam"] * c["tau"]) / theta_of(kind, c) for c in cs)
                z, x, value = exact(kind, cs, rate)
                other = slsqp(kind, cs, rate)
                for c, v in zip(cs, x):
                    out.write("%d,%s,%r,%r,%r,%r,%r,%r,%r,%s,%s,%s,%s,mpmath bisection at 60 digits; scipy SLSQP\n" % (
                        number, kind, rate, c["lam"], c["tau"], c["mu"], c["theta"], c["omega"], c["price"],
                        mp.nstr(z, 20), mp.nstr(v, 20), mp.nstr(value, 20), "0" if other is None else repr(other)))
                number += 1


def in_system(c, a):
    head = sum(a ** k / factorial(k) for k in range(c))
    tail = a ** c / factorial(c) / (1 - a / c)
    return a + tail / (head + tail) * a / (c - a)


with open("several.csv", "w") as out:
    out.write("# made by routing.py\nservers,service_s,local_rate,rate,response_s,source\n")
    for c in (1, 2, 3, 8, 50):
        for service in (0.01, 3.0):
            for rho in (0.0, 0.2, 0.7, 0.95):
                for extra in (1e-6, 0.3, 0.9, 0.9999):
                    lam = float(rho * c / service)
                    x = float(extra * (1 - rho) * c / service)
                    a, b = mpf(lam) * mpf(service), mpf(x) * mpf(service)
                    t = (in_system(c, a + b) - in_system(c, a)) / mpf(x)
                    out.write("%d,%r,%r,%r,%s,M/M/c by levels; mpmath at 60 digits\n" % (c, service, lam, x, mp.nstr(t, 20)))
