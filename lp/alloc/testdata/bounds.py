"""Writes bounds.csv: the explicit linear programs of MRPA over jobs, levels
and resources for random small batches, solved by scipy's HiGHS.

python3 bounds.py > bounds.csv
"""
import random

import numpy as np
from scipy.optimize import linprog


def solve(caps, jobs, published, eligible):
    var = [(k, i, j) for k, levels in enumerate(jobs) for i in range(len(levels)) for j in range(len(caps))
           if not eligible or jobs[k][i][0] <= caps[j]]
    if any(all(v[0] != k for v in var) for k in range(len(jobs))):
        return "infeasible"
    cost = [-jobs[k][i][1] for k, i, j in var]
    ub, ub_rhs, eq, eq_rhs = [], [], [], []
    for j, c in enumerate(caps):
        ub.append([jobs[k][i][0] if b == j else 0 for k, i, b in var])
        ub_rhs.append(c)
    for n, levels in enumerate(jobs):
        row = [1 if k == n else 0 for k, i, j in var]
        if published:
            demand = [jobs[k][i][0] if k == n else 0 for k, i, j in var]
            ub += [row, [-d for d in demand], demand]
            ub_rhs += [1, -levels[0][0], levels[-1][0]]
        else:
            eq.append(row)
            eq_rhs.append(1)
    r = linprog(cost, A_ub=np.array(ub), b_ub=ub_rhs, A_eq=np.array(eq) if eq else None, b_eq=eq_rhs or None,
                bounds=(0, None), method="highs", options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    return repr(float(-r.fun)) if r.status == 0 else "infeasible"


random.seed(20)
print("# written by bounds.py")
print("capacities,jobs,published,lp,eligible,source")
for n in range(150):
    caps = [random.choice([random.randint(2, 60), random.randint(2, 12)]) for _ in range(random.randint(1, 6))]
    jobs = []
    for _ in range(random.randint(1, 12)):
        d, r, levels = 0, 0, []
        for _ in range(random.randint(1, 4)):
            d += random.randint(1, 12)
            r += random.randint(0, 30)
            levels.append((d, r))
        jobs.append(levels)
    values = [solve(caps, jobs, True, False), solve(caps, jobs, False, False), solve(caps, jobs, False, True)]
    if values[1] == "infeasible" and n % 10:
        continue
    print("%s,%s,%s,bounds.py: scipy 1.10 HiGHS" % (
        " ".join(map(str, caps)), "|".join(" ".join("%d:%d" % l for l in job) for job in jobs), ",".join(values)))
