"""Reference values for the plan of a scenario, by mpmath, scipy and brute force.

python3 plan.py > plan.json
"""
import json
import math
from mpmath import mp, mpf, quad, exp, findroot, inf
from scipy import integrate

mp.dps = 25


def erlang_b(n, a):
    """1/B = a int_0^inf e^(-a t) (1+t)^n dt, any real n >= 0."""
    return 1 / (a * quad(lambda t: exp(-a * t) * (1 + t) ** n, [0, 0.05, 0.2, 1, 5, inf]))


def need(a, b):
    """Real n with B(n, a) = b."""
    return findroot(lambda n: mp.log(erlang_b(n, a)) - mp.log(b), (a + 1, a + 2 * mp.sqrt(a) + 2))


def cheapest(n, types):
    """Every choice of counts; types are (worth, price, limit)."""
    best = None
    (w0, p0, l0), (w1, p1, l1), (w2, p2, l2) = types
    for i in range(l1 + 1):
        for j in range(l2 + 1):
            rest = n - i * w1 - j * w2
            k = max(0, math.ceil(rest / w0 - 1e-12))
            if k > l0:
                continue
            cost = k * p0 + i * p1 + j * p2
            if best is None or cost < best[0] - 1e-9:
                best = (cost, [k, i, j])
    return best


out = {"source": "plan.py: mpmath 1.2, scipy 1.10, brute force over all counts"}

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
    cost, counts = cheapest(n, [(1.0, 0.42, 10**6), (2.2, 0.90, 12), (w, 0.07, limit)])
    cases.append(dict(load=load, blocking=blocking, mttf=mttf, mttr=mttr, target=target, limit=limit,
                      replicas=k, worth=w, need=n, cost=cost, counts=counts))
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
