#!/usr/bin/env python3
"""Reference values of queues of unlike servers; writes unlike.csv.

The product form of Gumbel (Oper. Res. 8, 1960) is summed over the number of
busy servers with elementary symmetric polynomials at 60 digits: no integral
enters. Mean numbers busy come from the same sum with one server of the group
held busy. Needs python3-mpmath. Run: python3 unlike.py > unlike.csv
"""
from mpmath import mp, mpf, binomial, exp, factorial
mp.dps = 60

def polynomial(groups):
    """e_k of the mean service times of all servers, k = 0..n."""
    e = [mpf(1)]
    for n, s in groups:
        t = 1 / mpf(s)
        row = [binomial(n, k) * t**k for k in range(n + 1)]
        out = [mpf(0)] * (len(e) + n)
        for i, x in enumerate(e):
            for k, y in enumerate(row):
                out[i + k] += x * y
        e = out
    return e

def figures(load, groups, patience):
    """load: lambda with E[S] = 1; patience in services, 0: none."""
    a = mpf(load)
    groups = [g for g in groups if g[0] > 0]
    n = sum(g[0] for g in groups)
    rate = sum(g[0] * mpf(g[1]) for g in groups)
    e = polynomial(groups)
    weight, w = [], mpf(1)
    for k in range(n + 1):
        if k: w *= a / (n - k + 1)
        weight.append(w * e[k])          # a^k (n-k)!/n! e_k
    busy = sum(k * x for k, x in enumerate(weight))
    whole, full = sum(weight), weight[n]
    loss = full / whole
    rho = a / rate
    out = {"blocking": loss, "loss_busy": busy / whole}
    if rho < 1:
        tail = full * rho / (1 - rho)
        out["wait"] = (full + tail) / (whole + tail)
        out["wait_response"] = out["wait"] / (rate - a) + (busy + n * tail) / (whole + tail) / a
    if patience:
        theta = 1 / mpf(patience)
        q, x, total, waiting = 0, full, mpf(0), mpf(0)
        while True:
            q += 1
            x *= a / (rate + q * theta)
            total += x
            waiting += q * x
            if q > a / theta + 10 and q * x < mpf(10)**-50 * (whole + total):
                break
        norm = whole + total
        out["patient_wait"] = (full + total) / norm
        out["abandon"] = theta * waiting / norm / a
        out["patient_busy"] = (busy + n * total) / norm
    return out

cases = [
    (1, [(1, 64)], 0), (2, [(1, 1), (1, 0.25)], 3), (5, [(3, 1), (2, 2.2), (4, 0.3)], 0.5),
    (0.01, [(1, 1), (2, 5)], 1), (50, [(29, 2.2)], 2), (50, [(10, 1), (20, 2.2)], 2),
    (120, [(61, 1), (100, 0.8)], 10), (120, [(100, 1), (12, 2.2), (30, 0.1)], 1),
    (1200, [(600, 1), (900, 0.34), (40, 8)], 1), (1200, [(100, 1), (1100, 1.3), (400, 0.05)], 0.1),
    (30, [(2, 64), (60, 0.01)], 5), (400, [(380, 1), (3, 10)], 4),
]
print("# made by unlike.py (mpmath, 60 digits)")
print("load_erl,n1,s1,n2,s2,n3,s3,patience,figure,value,source")
for load, groups, patience in cases:
    cells = []
    for n, s in groups + [(0, 1)] * (3 - len(groups)):
        cells += [str(n), str(s)]
    for name, v in figures(load, groups, patience).items():
        print(f"{load},{','.join(cells)},{patience},{name},{mp.nstr(v, 20)},sum of the product form")
