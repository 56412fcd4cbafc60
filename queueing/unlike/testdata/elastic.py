#!/usr/bin/env python3
"""Reference values of a fleet backed by slower public machines; writes elastic.csv.

The birth-death chain rate(n) = min(n, N) + s max(n - N, 0) under Poisson
arrivals of a erlangs is summed outright at 50 digits: no integral, no gamma
function and no queue with patience enters. Needs python3-mpmath.
Run: python3 elastic.py > elastic.csv
"""
from mpmath import mp, mpf, nstr, ceil
mp.dps = 50

def chain(N, a, s):
    N, a, s = int(N), mpf(a), mpf(s)
    p, n, probs, best = mpf(1), 0, [mpf(1)], mpf(1)
    while True:
        n += 1
        rate = min(n, N) + s * max(n - N, 0)
        p = p * a / rate
        probs.append(p)
        best = max(best, p)
        if rate > a and p < mpf(10) ** -60 * best:
            break
    total = sum(probs)
    return [x / total for x in probs]

print("# made by elastic.py (mpmath, 50 digits, states summed)")
print("servers,load_erl,speed,mean_jobs,elongation,mean_public,public_share,all_busy,k,tail,p99,source")
for N, a, s, k in [(0, "5", ".34", 20), (1, ".5", ".34", 2), (1, "3", ".01", 250), (5, "5", ".5", 3), (10, "2", ".34", 9),
                   (10, "2", ".34", 14), (21, "20", ".34", 30), (20, "20", ".34", 15), (97, "100", ".34", 130),
                   (97, "100", ".34", 80), (380, "400", ".34", 420), (100, "500", ".34", 1250), (100, "500", ".46", 900),
                   (100, "60", ".34", 100), (100, "60", ".34", 90), (200, "60", ".2", 201), (50, "50", "1", 60),
                   (40, "50", ".999999", 60), (1000, "1000", ".05", 1100), (2000, "1900", ".34", 2050), (3, "1e-6", ".3", 4)]:
    q = chain(N, a, s)
    jobs = sum(n * x for n, x in enumerate(q))
    public = sum((n - N) * x for n, x in enumerate(q) if n > N)
    share = public * mpf(s) / mpf(a)
    # e by the time on public machines, where jobs/a - 1 would cancel.
    e = (1 - mpf(s)) * public / mpf(a)
    assert abs(jobs / mpf(a) - 1 - e) < mpf(10) ** -40 * (1 + jobs / mpf(a))
    tail = sum(q[k:])
    cdf, p99 = mpf(0), 0
    for n, x in enumerate(q):
        cdf += x
        if cdf >= mpf(".99"):
            p99 = n
            break
    print(",".join([str(N), a, s] + [nstr(v, 20) for v in (jobs, e, public, share, sum(q[N:]))] + [str(k), nstr(tail, 20), str(p99), "states summed"]))
