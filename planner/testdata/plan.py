"""Reference values for the plan of a scenario, by mpmath, scipy and brute force.

python3 plan.py > plan.json
"""
import json
import math
import numpy as np
from scipy.stats import binom
from mpmath import mp, mpf, quad, exp, findroot, inf
from scipy import integrate

mp.dps = 25


def erlang_b(n, a):
    """1/B = a int_0^inf e^(-a t) (1+t)^n dt, any real n >= 0."""
    return 1 / (a * quad(lambda t: exp(-a * t) * (1 + t) ** n, [0, 0.05, 0.2, 1, 5, inf]))


def need(a, b):
    """Real n with B(n, a) = b."""
    return findroot(lambda n: mp.log(erlang_b(n, a)) - mp.log(b), (a + 1, a + 2 * mp.sqrt(a) + 2))


def nodes(end, panels=400, points=12):
    """Gauss-Legendre on panels of [0, end], narrow near 0."""
    x, w = np.polynomial.legendre.leggauss(points)
    edges = end * (np.arange(panels + 1) / panels) ** 2
    t = np.concatenate([(a + b) / 2 + (b - a) / 2 * x for a, b in zip(edges, edges[1:])])
    return t, np.concatenate([(b - a) / 2 * w for a, b in zip(edges, edges[1:])])


class Loss:
    """Gumbel's product form, 1/B = int e^-t prod (1 + t s_j/a)^(n_j) dt with
    n_j servers of speed s_j, averaged over how many public machines are up
    (binomial), k of which hold one job."""

    def __init__(self, load, speeds, p, k):
        self.t, self.w = nodes(2500.0)
        self.log = [np.log1p(self.t * s / load) for s in speeds]
        self.p, self.k = p, k
        self.chances = {}

    def blocking(self, rack, big, spot):
        if spot not in self.chances:
            u = np.arange(spot + 1)
            c = binom.pmf(u, spot, self.p)
            self.chances[spot] = (u[c > 1e-12], c[c > 1e-12])
        u, c = self.chances[spot]
        base = rack * self.log[0] + big * self.log[1] - self.t
        e = base[None, :] + (u / self.k)[:, None] * self.log[2][None, :]
        top = e.max(axis=1)
        inverse = top + np.log(np.exp(e - top[:, None]) @ self.w)
        return float(c @ np.exp(-inverse))


def cheapest(b, loss, prices, limits):
    """Every choice of counts whose own blocking is at most b."""
    best = (math.inf, None)
    most = math.inf
    for spot in range(limits[2], -1, -1):
        for big in range(limits[1] + 1):
            rest = prices[1] * big + prices[2] * spot
            if rest > best[0]:
                break
            rack = limits[0] if best[1] is None else min(limits[0], int((best[0] - rest - 1e-9) / prices[0]))
            if rack < 0 or loss.blocking(rack, big, spot) > b:
                continue
            low, high = -1, rack  # blocking falls with every machine
            while high - low > 1:
                middle = (low + high) // 2
                if loss.blocking(middle, big, spot) <= b:
                    high = middle
                else:
                    low = middle
            cost = prices[0] * high + rest
            if cost < best[0] - 1e-9:
                best = (cost, [high, big, spot])
    return best


out = {"source": "plan.py: mpmath, scipy, brute force over all counts"}

cases = []
for load, blocking, mttf, mttr, target, limit in [
    (120, 0.01, 18000, 600, 0.99, 200),
    (120, 0.001, 300, 120, 0.95, 500),
    (37.5, 0.02, 7200, 1800, 0.999, 60),
]:
    p = mttf / (mttf + mttr)
    k = math.ceil(math.log(1 - target) / math.log(1 - p) - 1e-12)
    w = 0.8 * p / k
    n = float(need(mpf(load), mpf(blocking)))
    loss = Loss(load, [1.0, 2.2, 0.8], p, k)
    assert abs(loss.blocking(round(n), 0, 0) / float(erlang_b(round(n), mpf(load))) - 1) < 1e-9
    cost, counts = cheapest(blocking, loss, [0.42, 0.90, 0.07], [400, 12, limit])
    cases.append(dict(load=load, blocking=blocking, mttf=mttf, mttr=mttr, target=target, limit=limit,
                      replicas=k, worth=w, need=n, cost=cost, counts=counts,
                      lost=loss.blocking(*counts)))
out["mixes"] = cases

# Chance that 138 servers of one kind meet 1 % blocking where the rate is
# uniform on 1..1.5 per s and the service time on 85..120 s: the greatest load
# that 138 servers take, then the area below rate * time = that.
most = float(findroot(lambda a: mp.log(erlang_b(138, a)) - mp.log(0.01), (110, 130)))
chance, _ = integrate.quad(lambda r: min(max((most / r - 85) / 35, 0), 1) / 0.5, 1, 1.5, points=[most / 120, most / 85], epsabs=1e-12)
out["chance"] = dict(load=most, chance=chance)

# Expected regret of 138 servers at 1 each, a missing one costing 9, where the
# load is uniform on 100..130 erl: against the best choice for each load.
n130 = {}


def n_of(a):
    if a not in n130:
        n130[a] = float(need(mpf(a), mpf(0.01)))
    return n130[a]


loads = [100 + 30 * (i + 0.5) / 3000 for i in range(3000)]
knots = [100 + 0.5 * i for i in range(61)]
from scipy.interpolate import CubicSpline
spline = CubicSpline(knots, [n_of(a) for a in knots])
total = met = 0.0
for a in loads:
    n = float(spline(a))
    right = min(math.ceil(n), math.floor(n) + 9 * (n - math.floor(n)))
    total += 138 + 9 * max(n - 138, 0) - right
    met += n <= 138
out["regret"] = dict(regret=total / len(loads), chance=met / len(loads))
print(json.dumps(out, indent=1))
