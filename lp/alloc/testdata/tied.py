"""Writes tied.json: small random batches with prices, speeds, lists of eligible
resources, optional admission, base fees and budgets, in every combination, and
the values of their explicit programs over jobs, dependencies, levels and
resources by scipy's HiGHS:

lp        every level may use every resource of its dependency, x in [0, 1]
eligible  a level only on eligible resources that it fits, x in [0, 1]
optimum   the same, x in {0, 1}

all of revenue and base fees less the price of the capacity used; null where
there is no assignment.

python3 tied.py > tied.json
"""
import itertools
import json
import math
import random

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp


def program(b, eligible, whole):
    optional = [j.get("admission", b.get("admission")) == "optional" for j in b["jobs"]]
    var, cost, rows, low, high = [], [], [], [], []
    for k, j in enumerate(b["jobs"]):
        var.append((k, None, None, None))
        cost.append(-j.get("base_fee", 0))
        for d, levels in j["levels"].items():
            for l, level in enumerate(levels):
                for n, r in enumerate(b["resources"]):
                    if r["dependency"] != d:
                        continue
                    served = math.floor(r["primary_capacity"] * r.get("speed", 1))
                    allowed = r["id"] in j.get("eligible", {}).get(d, [r["id"]])
                    if eligible and (level["demand"] > served or not allowed):
                        continue
                    var.append((k, d, l, n))
                    cost.append(r.get("price", 0) * level["demand"] / r.get("speed", 1) - level["revenue"])
    price = [c + (b["jobs"][v[0]]["levels"][v[1]][v[2]]["revenue"] if v[1] else b["jobs"][v[0]].get("base_fee", 0)) for v, c in zip(var, cost)]
    for k, j in enumerate(b["jobs"]):
        for d in j["levels"]:
            rows.append([1 if v[0] == k and v[1] == d else -1 if v == (k, None, None, None) else 0 for v in var])
            low.append(0)
            high.append(0)
    for n, r in enumerate(b["resources"]):
        rows.append([b["jobs"][v[0]]["levels"][v[1]][v[2]]["demand"] if v[3] == n else 0 for v in var])
        low.append(-np.inf)
        high.append(math.floor(r["primary_capacity"] * r.get("speed", 1)))
    if "budget" in b:
        rows.append(price)
        low.append(-np.inf)
        high.append(b["budget"])
    lb = [1 if v[1] is None and not optional[v[0]] else 0 for v in var]
    r = milp(cost, constraints=LinearConstraint(np.array(rows), low, high), bounds=Bounds(lb, 1),
             integrality=np.ones(len(var)) if whole else None, options={"mip_rel_gap": 0, "presolve": False})
    if not whole and r.status == 0:
        a, l, h = np.array(rows), np.array(low), np.array(high)
        eq = l == h
        r = linprog(cost, A_ub=a[~eq], b_ub=h[~eq], A_eq=a[eq], b_eq=h[eq], bounds=[(x, 1) for x in lb], method="highs",
                    options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    assert r.status in (0, 2), r
    if whole and r.status == 0:  # HiGHS 1.2 with presolve calls an infeasible batch solved
        x = np.round(r.x)
        use = np.array(rows) @ x
        assert all(use >= np.array(low) - 1e-9) and all(use <= np.array(high) + 1e-9), r
        return float(-np.array(cost) @ x)
    return -r.fun if r.status == 0 else None


def batch(rng, price, speed, lists, admission, fee, budget):
    b = {"dependencies": ["x", "y"][:rng.randint(1, 2)], "resources": [], "jobs": []}
    for d in b["dependencies"]:
        for n in range(rng.randint(1, 3)):
            r = {"id": d + str(n), "dependency": d, "primary_capacity": rng.randint(6, 30)}
            if price:
                r["price"] = rng.choice([0, 0.5, 1, 1.25, 2, 0.3])
            if speed:
                r["speed"] = rng.choice([0.5, 1, 1.5, 2])
            b["resources"].append(r)
    for k in range(rng.randint(1, 6)):
        j = {"id": "j" + str(k), "levels": {}}
        for d in b["dependencies"]:
            if j["levels"] and rng.random() < 0.2:
                continue
            demand, revenue, levels = 0, 0, []
            for _ in range(rng.randint(1, 3)):
                demand += rng.randint(1, 9)
                revenue += rng.randint(0, 20)
                levels.append({"demand": demand, "revenue": revenue})
            j["levels"][d] = levels
            if lists and rng.random() < 0.5:
                own = [r["id"] for r in b["resources"] if r["dependency"] == d]
                j.setdefault("eligible", {})[d] = rng.sample(own, rng.randint(1, len(own)))
        if fee and rng.random() < 0.7:
            j["base_fee"] = rng.randint(1, 15)
        if admission and rng.random() < 0.2:
            j["admission"] = "required"
        b["jobs"].append(j)
    if admission:
        b["admission"] = "optional"
    if budget:
        b["budget"] = rng.choice([0, 5, 10.5, 20, 40])
    return b


rng = random.Random(4)
print("[")
first = True
for flags in itertools.product([0, 1], repeat=6):
    if flags[5] and not flags[0]:
        continue
    for n in range(5):
        b = batch(rng, *flags)
        lp, eligible, optimum = program(b, False, False), program(b, True, False), program(b, True, True)
        print(("" if first else ",\n") + json.dumps({"batch": b, "lp": lp, "eligible": eligible, "optimum": optimum, "source": "tied.py: scipy 1.10 HiGHS"}), end="")
        first = False
print("\n]")
